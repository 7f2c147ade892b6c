//===- data_copy_params.h - What DataCopy takes -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_DATA_COPY_PARAMS_H
#define BELAY_ASCENDC_API_DATA_COPY_PARAMS_H

#include "api/walk.h"

namespace AscendC {

namespace belay_detail {
// 950 widened the strides.
#if __NPU_ARCH__ == 3510
using CopyStride = int64_t;
#else
using CopyStride = uint32_t;
#endif
} // namespace belay_detail

/// Lengths and gaps in blocks of 32 bytes.
struct DataCopyParams {
  DataCopyParams() = default;
  __aicore__ DataCopyParams(const uint16_t count, const uint16_t len,
                            const uint16_t srcStrideIn,
                            const uint16_t dstStrideIn)
      : blockCount(count), blockLen(len), srcStride(srcStrideIn),
        dstStride(dstStrideIn) {}
  uint16_t blockCount = 1;
  uint16_t blockLen = 0;
  union {
    uint16_t srcGap = 0;
    uint16_t srcStride;
  };
  union {
    uint16_t dstGap = 0;
    uint16_t dstStride;
  };
};

/// Lengths and global gaps in bytes, local gaps in blocks of 32 bytes.
struct DataCopyExtParams {
  DataCopyExtParams() = default;
  __aicore__ DataCopyExtParams(const uint16_t count, const uint32_t len,
                               const belay_detail::CopyStride srcStrideIn,
                               const belay_detail::CopyStride dstStrideIn,
                               const uint32_t rsvIn)
      : blockCount(count), blockLen(len), srcStride(srcStrideIn),
        dstStride(dstStrideIn), rsv(rsvIn) {}
  uint16_t blockCount = 1;
  uint32_t blockLen = 0;
  belay_detail::CopyStride srcStride = 0;
  belay_detail::CopyStride dstStride = 0;
  uint32_t rsv = 0;
};

struct DataCopyPadParams {
  DataCopyPadParams() = default;
  __aicore__ DataCopyPadParams(const bool pad, const uint8_t left,
                               const uint8_t right, const uint64_t value)
      : isPad(pad), leftPadding(left), rightPadding(right),
        paddingValue(value) {}
  bool isPad = false;
  uint8_t leftPadding = 0;
  uint8_t rightPadding = 0;
  uint64_t paddingValue = 0;
};

template <typename T> struct DataCopyPadExtParams {
  DataCopyPadExtParams() = default;
  template <typename V>
  __aicore__ DataCopyPadExtParams(const bool pad, const uint8_t left,
                                  const uint8_t right, const V value)
      : isPad(pad), leftPadding(left), rightPadding(right),
        paddingValue(static_cast<T>(value)) {}
  bool isPad = false;
  uint8_t leftPadding = 0;
  uint8_t rightPadding = 0;
  T paddingValue = T(0);
};
template <typename V>
DataCopyPadExtParams(bool, uint8_t, uint8_t, V) -> DataCopyPadExtParams<V>;

enum class PaddingMode : uint8_t { Normal = 0, Compact };

/// One dimension of a slice; burstLen in blocks of 32 bytes, the rest in
/// elements.
struct SliceInfo {
  SliceInfo() = default;
  __aicore__ SliceInfo(const uint32_t start, const uint32_t end,
                       const uint32_t strideIn, const uint32_t burst,
                       const uint32_t shape = 0)
      : startIndex(start), endIndex(end), stride(strideIn), burstLen(burst),
        shapeValue(shape) {}
  uint32_t startIndex = 0;
  uint32_t endIndex = ONE_BLK_SIZE - 1;
  uint32_t stride = 0;
  uint32_t burstLen = ONE_BLK_SIZE;
  uint32_t shapeValue = 0;
};

struct Nz2NdParamsFull {
  Nz2NdParamsFull() = default;
  __aicore__ Nz2NdParamsFull(const uint16_t nd, const uint16_t n,
                             const uint16_t d, const uint16_t srcMatrix,
                             const uint16_t srcN, const uint16_t dstD,
                             const uint16_t dstMatrix)
      : ndNum(nd), nValue(n), dValue(d), srcNdMatrixStride(srcMatrix),
        srcNStride(srcN), dstDStride(dstD), dstNdMatrixStride(dstMatrix) {}
  uint16_t ndNum = 1;
  uint16_t nValue = 0;
  uint16_t dValue = 0;
  uint16_t srcNdMatrixStride = 1;
  uint16_t srcNStride = 0;
  uint16_t dstDStride = 0;
  uint16_t dstNdMatrixStride = 1;
};

enum class DataCopyMVType : uint8_t { UB_TO_OUT = 0, OUT_TO_UB = 1 };

struct LoopModeParams {
  LoopModeParams() = default;
  __aicore__ LoopModeParams(const uint32_t size1, const uint32_t size2,
                            const uint64_t src1, const uint64_t dst1,
                            const uint64_t src2, const uint64_t dst2)
      : loop1Size(size1), loop2Size(size2), loop1SrcStride(src1),
        loop1DstStride(dst1), loop2SrcStride(src2), loop2DstStride(dst2) {}
  uint32_t loop1Size = 0;
  uint32_t loop2Size = 0;
  uint64_t loop1SrcStride = 0;
  uint64_t loop1DstStride = 0;
  uint64_t loop2SrcStride = 0;
  uint64_t loop2DstStride = 0;
};

struct NdDmaConfig {
  static constexpr uint16_t unsetPad = 0xffff;
  bool isNearestValueMode = false;
  uint16_t loopLpSize = unsetPad;
  uint16_t loopRpSize = unsetPad;
  bool ascOptimize = false;
};
using MultiCopyConfig = NdDmaConfig;
constexpr NdDmaConfig kDefaultNdDmaConfig = {};
constexpr NdDmaConfig kDefaultMultiCopyConfig = {};

/// One entry per dimension, innermost first; strides in elements.
template <uint8_t dim> struct MultiCopyLoopInfo {
  static_assert(dim >= 1 && dim <= 5);
  uint64_t loopSrcStride[dim] = {0};
  uint32_t loopDstStride[dim] = {0};
  uint32_t loopSize[dim] = {0};
  uint8_t loopLpSize[dim] = {0};
  uint8_t loopRpSize[dim] = {0};
};
template <uint8_t dim> using NdDmaLoopInfo = MultiCopyLoopInfo<dim>;
template <typename T, uint8_t dim> struct MultiCopyParams {
  MultiCopyLoopInfo<dim> loopInfo;
  T constantValue;
};
template <typename T, uint8_t dim> using NdDmaParams = MultiCopyParams<T, dim>;

} // namespace AscendC

#endif // BELAY_ASCENDC_API_DATA_COPY_PARAMS_H
