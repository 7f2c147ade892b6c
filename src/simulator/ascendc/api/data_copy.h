//===- data_copy.h - DataCopy and DataCopyPad -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_DATA_COPY_H
#define BELAY_ASCENDC_API_DATA_COPY_H

#include "api/tensor.h"

namespace AscendC {

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
                               const int64_t srcStrideIn,
                               const int64_t dstStrideIn, const uint32_t rsvIn)
      : blockCount(count), blockLen(len), srcStride(srcStrideIn),
        dstStride(dstStrideIn), rsv(rsvIn) {}
  uint16_t blockCount = 1;
  uint32_t blockLen = 0;
  int64_t srcStride = 0;
  int64_t dstStride = 0;
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

namespace belay_detail {

BELAY_API void copyBlocks(void *dst, const void *src, belay::sim::Elem type,
                          belay::sim::Pipe pipe, const DataCopyParams &p) {
  belay::sim::Copy c;
  c.Dst = dst;
  c.Src = src;
  c.Bursts = p.blockCount;
  c.BurstBytes = p.blockLen * ONE_BLK_SIZE;
  c.DstStride = (int64_t(p.blockLen) + p.dstStride) * ONE_BLK_SIZE;
  c.SrcStride = (int64_t(p.blockLen) + p.srcStride) * ONE_BLK_SIZE;
  c.Type = type;
  c.On = pipe;
  belay_sim_copy(&c);
}

/// The count is cut down to whole blocks, as the device does.
BELAY_API void copyCount(void *dst, const void *src, belay::sim::Elem type,
                         belay::sim::Pipe pipe, uint64_t bytes) {
  belay::sim::Copy c;
  c.Dst = dst;
  c.Src = src;
  c.Bursts = 1;
  c.BurstBytes = static_cast<uint32_t>(bytes / ONE_BLK_SIZE * ONE_BLK_SIZE);
  c.DstStride = c.SrcStride = c.BurstBytes;
  c.Type = type;
  c.On = pipe;
  belay_sim_copy(&c);
}

} // namespace belay_detail

template <typename T>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                        const uint32_t count) {
  belay_detail::copyCount(dst.data(), src.GetPhyAddr(),
                          belay_detail::elem<PrimT<T>>, belay::sim::Pipe::MTE2,
                          uint64_t(count) * sizeof(PrimT<T>));
}
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                        const uint32_t count) {
  belay_detail::copyCount(dst.GetPhyAddr(0), src.data(),
                          belay_detail::elem<PrimT<T>>, belay::sim::Pipe::MTE3,
                          uint64_t(count) * sizeof(PrimT<T>));
}
template <typename T>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                        const DataCopyParams &params) {
  belay_detail::copyBlocks(dst.data(), src.GetPhyAddr(),
                           belay_detail::elem<PrimT<T>>, belay::sim::Pipe::MTE2,
                           params);
}
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                        const DataCopyParams &params) {
  belay_detail::copyBlocks(dst.GetPhyAddr(0), src.data(),
                           belay_detail::elem<PrimT<T>>, belay::sim::Pipe::MTE3,
                           params);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_DATA_COPY_H
