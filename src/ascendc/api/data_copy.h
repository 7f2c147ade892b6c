//===- data_copy.h - DataCopy and DataCopyPad -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies between global and local memory. Copies between the local memories of
// a core are in local_copy.h, those that make fractals in matrix_copy.h.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_DATA_COPY_H
#define BELAY_ASCENDC_API_DATA_COPY_H

#include "abi/Vector.h"
#include "api/data_copy_params.h"

namespace AscendC {

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
  c.AskedBytes = bytes;
  c.BurstBytes = static_cast<uint32_t>(bytes / ONE_BLK_SIZE * ONE_BLK_SIZE);
  c.DstStride = c.SrcStride = c.BurstBytes;
  c.Type = type;
  c.On = pipe;
  belay_sim_copy(&c);
}

/// The bits of an element, low bytes first.
template <typename T> BELAY_API uint64_t padBits(T value) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <typename T>
BELAY_API belay::sim::PadCopy
padCopy(void *dst, const void *src, uint32_t bursts, uint32_t bytes,
        int64_t srcGap, int64_t dstGap, PaddingMode mode, bool global) {
  belay::sim::PadCopy c = {};
  c.Dst = dst;
  c.Src = src;
  c.Bursts = bursts;
  c.BurstBytes = bytes;
  c.SrcGap = srcGap;
  c.DstGap = dstGap;
  c.Type = elem<T>;
  c.Compact = mode == PaddingMode::Compact;
  c.Global = global;
  return c;
}

} // namespace belay_detail

// --- whole blocks ------------------------------------------------------------
template <typename T>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                        const uint32_t count) {
  belay_detail::copyCount(dst.data(), src.GetPhyAddr(),
                          belay_detail::elem<PrimT<T>>, belay::sim::Pipe::MTE2,
                          uint64_t(count) * belay_detail::bitsOf<PrimT<T>> / 8);
}
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                        const uint32_t count) {
  belay_detail::copyCount(dst.GetPhyAddr(0), src.data(),
                          belay_detail::elem<PrimT<T>>, belay::sim::Pipe::MTE3,
                          uint64_t(count) * belay_detail::bitsOf<PrimT<T>> / 8);
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
// --- slices of a tensor ------------------------------------------------------
namespace belay_detail {
BELAY_API void copySlices(void *dst, const void *src, belay::sim::Elem type,
                          const SliceInfo *dstInfo, const SliceInfo *srcInfo,
                          uint32_t dims) {
  static_assert(sizeof(SliceInfo) == sizeof(belay::sim::Slice));
  belay_sim_copy_slices(
      dst, src, type, reinterpret_cast<const belay::sim::Slice *>(dstInfo),
      reinterpret_cast<const belay::sim::Slice *>(srcInfo), dims);
}
} // namespace belay_detail
template <typename T>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                        const SliceInfo dstSliceInfo[],
                        const SliceInfo srcSliceInfo[],
                        const uint32_t dimValue = 1) {
  belay_detail::copySlices(dst.data(), src.GetPhyAddr(),
                           belay_detail::elem<PrimT<T>>, dstSliceInfo,
                           srcSliceInfo, dimValue);
}
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                        const SliceInfo dstSliceInfo[],
                        const SliceInfo srcSliceInfo[],
                        const uint32_t dimValue = 1) {
  belay_detail::copySlices(dst.GetPhyAddr(0), src.data(),
                           belay_detail::elem<PrimT<T>>, dstSliceInfo,
                           srcSliceInfo, dimValue);
}

// --- fractals into plain matrices --------------------------------------------
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                        const Nz2NdParamsFull &p) {
  constexpr uint64_t size = sizeof(PrimT<T>);
  belay::sim::NzToNd c = {dst.GetPhyAddr(0),
                          src.data(),
                          p.ndNum,
                          p.nValue,
                          p.dValue,
                          p.srcNdMatrixStride * 256 * size,
                          p.srcNStride * 16 * size,
                          p.dstNdMatrixStride * size,
                          p.dstDStride * size,
                          belay_detail::elem<PrimT<T>>};
  belay_sim_copy_nz2nd(&c);
}

// --- any number of bytes -----------------------------------------------------
// Into local memory, with padding.
template <typename T, PaddingMode mode = PaddingMode::Normal>
BELAY_API void DataCopyPad(const LocalTensor<T> &dst,
                           const GlobalTensor<T> &src,
                           const DataCopyExtParams &p,
                           const DataCopyPadExtParams<PrimT<T>> &pad) {
  auto c = belay_detail::padCopy<PrimT<T>>(
      dst.data(), src.GetPhyAddr(), p.blockCount, p.blockLen, p.srcStride,
      p.dstStride, mode, false);
  c.Left = pad.leftPadding;
  c.Right = pad.rightPadding;
  c.UsePadBits = pad.isPad;
  c.PadBits = belay_detail::padBits(pad.paddingValue);
  belay_sim_copy_pad(&c);
}
template <typename T, PaddingMode mode = PaddingMode::Normal>
BELAY_API void DataCopyPad(const LocalTensor<T> &dst,
                           const GlobalTensor<T> &src, const DataCopyParams &p,
                           const DataCopyPadParams &pad) {
  auto c = belay_detail::padCopy<PrimT<T>>(
      dst.data(), src.GetPhyAddr(), p.blockCount, p.blockLen, p.srcStride,
      p.dstStride, mode, false);
  c.Left = pad.leftPadding;
  c.Right = pad.rightPadding;
  c.UsePadBits = pad.isPad;
  c.PadBits = pad.paddingValue;
  belay_sim_copy_pad(&c);
}
// Out of it.
template <typename T, PaddingMode mode = PaddingMode::Normal>
BELAY_API void DataCopyPad(const GlobalTensor<T> &dst,
                           const LocalTensor<T> &src,
                           const DataCopyExtParams &p) {
  auto c = belay_detail::padCopy<PrimT<T>>(
      dst.GetPhyAddr(0), src.data(), p.blockCount, p.blockLen, p.srcStride,
      p.dstStride, mode, true);
  belay_sim_copy_pad(&c);
}
template <typename T, PaddingMode mode = PaddingMode::Normal>
BELAY_API void DataCopyPad(const GlobalTensor<T> &dst,
                           const LocalTensor<T> &src, const DataCopyParams &p) {
  auto c = belay_detail::padCopy<PrimT<T>>(
      dst.GetPhyAddr(0), src.data(), p.blockCount, p.blockLen, p.srcStride,
      p.dstStride, mode, true);
  belay_sim_copy_pad(&c);
}
template <typename T, TPosition pos = TPosition::MAX>
BELAY_API void SetPadValue(T paddingValue) {
  belay_sim_set_pad_value(belay_detail::padBits(paddingValue));
}

// --- loops around a copy, copies of many dimensions (950) --------------------
BELAY_API void SetLoopModePara(const LoopModeParams &p, DataCopyMVType type) {
  belay_sim_set_loop_mode(static_cast<uint32_t>(type), p.loop1Size, p.loop2Size,
                          p.loop1SrcStride, p.loop1DstStride, p.loop2SrcStride,
                          p.loop2DstStride);
}
BELAY_API void ResetLoopModePara(DataCopyMVType type) {
  belay_sim_set_loop_mode(static_cast<uint32_t>(type), 1, 1, 0, 0, 0, 0);
}
template <typename T, uint8_t dim,
          const NdDmaConfig &config = kDefaultNdDmaConfig>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                        const MultiCopyParams<T, dim> &p) {
  belay::sim::MultiCopy c = {};
  c.Dst = dst.data();
  c.Src = src.GetPhyAddr();
  c.Type = belay_detail::elem<PrimT<T>>;
  c.Dims = dim;
  for (uint8_t d = 0; d < dim; ++d) {
    c.SrcStride[d] = p.loopInfo.loopSrcStride[d];
    c.DstStride[d] = p.loopInfo.loopDstStride[d];
    c.Size[d] = p.loopInfo.loopSize[d];
    c.Left[d] = config.loopLpSize == NdDmaConfig::unsetPad
                    ? p.loopInfo.loopLpSize[d]
                    : config.loopLpSize;
    c.Right[d] = config.loopRpSize == NdDmaConfig::unsetPad
                     ? p.loopInfo.loopRpSize[d]
                     : config.loopRpSize;
  }
  c.PadBits = belay_detail::padBits(p.constantValue);
  c.Nearest = config.isNearestValueMode;
  belay_sim_copy_multi(&c);
}
BELAY_API void NdDmaDci() {}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_DATA_COPY_H
