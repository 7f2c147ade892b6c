//===- platform.h - The target, where host code is not run ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources of direct launches have host code beside their kernels, which is
// compiled for the device, too, and never called there. On the host the headers
// of operators come first, which have the same names and answer.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MULTIKERNELBENCH_PLATFORM_H
#define BELAY_MULTIKERNELBENCH_PLATFORM_H

#include <cstdint>

namespace platform_ascendc {

enum class CoreMemType { L0_A, L0_B, L0_C, L1, L2, UB, HBM, FB, BT, RESERVED };

class PlatformAscendC {
public:
  template <typename T> explicit PlatformAscendC(T) {}
  uint32_t GetCoreNum() const { return 0; }
  uint32_t GetCoreNumAic() const { return 0; }
  uint32_t GetCoreNumAiv() const { return 0; }
  uint32_t CalcTschBlockDim(uint32_t, uint32_t, uint32_t) const { return 0; }
  uint32_t GetLibApiWorkSpaceSize() const { return 0; }
  void GetCoreMemSize(const CoreMemType &, uint64_t &Size) const { Size = 0; }
};

class PlatformAscendCManager {
public:
  static PlatformAscendC *GetInstance(const char * = nullptr) {
    return nullptr;
  }
};

} // namespace platform_ascendc

#endif // BELAY_MULTIKERNELBENCH_PLATFORM_H
