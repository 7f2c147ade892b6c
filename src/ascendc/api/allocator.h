//===- allocator.h - Local memory without TPipe -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_ALLOCATOR_H
#define BELAY_ASCENDC_API_ALLOCATOR_H

#include "api/tensor.h"

namespace AscendC {

/// Gives out a memory from its start, one tensor after the other. Nothing is
/// checked here: instructions check what they touch.
template <Hardware hard = Hardware::UB> class LocalMemAllocator {
public:
  template <TPosition pos, class DataType, uint32_t tileSize>
  BELAY_API LocalTensor<DataType> Alloc() {
    return Alloc<pos, DataType>(tileSize);
  }
  template <TPosition pos, class DataType>
  BELAY_API LocalTensor<DataType> Alloc(uint32_t tileSize) {
    uint32_t begin = next_;
    uint32_t bytes =
        tileSize * sizeof(typename LocalTensor<DataType>::PrimType);
    next_ += (bytes + ONE_BLK_SIZE - 1) / ONE_BLK_SIZE * ONE_BLK_SIZE;
    return LocalTensor<DataType>(pos, begin, tileSize);
  }
  template <class DataType, uint32_t tileSize>
  BELAY_API LocalTensor<DataType> Alloc() {
    return Alloc<place(), DataType>(tileSize);
  }
  template <class DataType>
  BELAY_API LocalTensor<DataType> Alloc(uint32_t tileSize) {
    return Alloc<place(), DataType>(tileSize);
  }
  BELAY_API uint32_t GetCurAddr() const { return next_; }

private:
  static constexpr TPosition place() {
    switch (hard) {
    case Hardware::L1:
      return TPosition::A1;
    case Hardware::L0A:
      return TPosition::A2;
    case Hardware::L0B:
      return TPosition::B2;
    case Hardware::L0C:
      return TPosition::CO1;
    case Hardware::BIAS:
      return TPosition::C2;
    default:
      return TPosition::VECCALC;
    }
  }
  uint32_t next_ = 0;
};

} // namespace AscendC

#endif // BELAY_ASCENDC_API_ALLOCATOR_H
