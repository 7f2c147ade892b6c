//===- fixpipe.h - Results out of L0C ---------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_FIXPIPE_H
#define BELAY_ASCENDC_API_FIXPIPE_H

#include "api/fixpipe_params.h"
#include "api/local_copy.h"

namespace AscendC {

namespace belay_detail {

struct Quant {
  belay::sim::QuantMode mode;
  bool vector;
};

BELAY_API constexpr Quant quantOf(QuantMode_t q) {
  using belay::sim::QuantMode;
  switch (q) {
  case NoQuant:
    return {QuantMode::None, false};
  case F322F16:
    return {QuantMode::F32ToF16, false};
  case F322BF16:
    return {QuantMode::F32ToBF16, false};
  case DEQF16:
  case VDEQF16:
    return {QuantMode::S32ToF16, q == VDEQF16};
  case QF322B8_PRE:
  case VQF322B8_PRE:
    return {QuantMode::F32ToB8, q == VQF322B8_PRE};
  case REQ8:
  case VREQ8:
    return {QuantMode::S32ToB8, q == VREQ8};
  case QS322BF16_PRE:
  case VQS322BF16_PRE:
    return {QuantMode::S32ToBF16, q == VQS322BF16_PRE};
  case QF322F16_PRE:
  case VQF322F16_PRE:
    return {QuantMode::QuantF32ToF16, q == VQF322F16_PRE};
  case QF322BF16_PRE:
  case VQF322BF16_PRE:
    return {QuantMode::QuantF32ToBF16, q == VQF322BF16_PRE};
  case QF322F32_PRE:
  case VQF322F32_PRE:
    return {QuantMode::QuantF32ToF32, q == VQF322F32_PRE};
  default:
    belay_sim_fail("unsupported-api",
                   "this quantPre (fp8, hifloat8) is not simulated",
                   "use a mode that ends in half, bfloat16_t, float or int8_t");
  }
}

constexpr belay::sim::OutLayout layoutOf(CO2Layout l) {
  return l == CO2Layout::NZ          ? belay::sim::OutLayout::NZ
         : l == CO2Layout::ROW_MAJOR ? belay::sim::OutLayout::ND
                                     : belay::sim::OutLayout::DN;
}

/// What all parameter structures share.
template <typename T, typename U, typename P>
BELAY_API belay::sim::FixOut outOf(T *dst, const U *src, const P &p,
                                   const void *quant) {
  belay::sim::FixOut f;
  Quant q = quantOf(p.quantPre);
  f.Dst = dst;
  f.Src = src;
  f.DstType = elem<T>;
  f.SrcType = elem<U>;
  f.M = p.mSize;
  f.N = p.nSize;
  f.SrcStride = p.srcStride;
  f.Quant = q.mode;
  f.QuantVector = q.vector;
  f.QuantTensor = quant;
  f.UnitFlag = p.unitFlag;
  return f;
}

template <const FixpipeConfig &config, typename T, typename U>
BELAY_API void fixpipe(T *dst, const U *src, const FixpipeParamsV220 &p,
                       const void *quant) {
  belay::sim::FixOut f = outOf(dst, src, p, quant);
  f.Layout = layoutOf(config.format);
  f.DstStride = uint64_t(p.dstStride) *
                (config.format == CO2Layout::NZ ? ONE_BLK_SIZE : sizeof(T));
  if constexpr (config.format == CO2Layout::ROW_MAJOR) {
    f.Matrices = p.ndNum;
    // On 3510 the structure is taken for the one of that architecture.
    constexpr uint32_t unit = __NPU_ARCH__ == 3510 ? 16 : 256;
    f.SrcMatrixStride = uint64_t(p.srcNdStride) * unit * sizeof(U);
    f.DstMatrixStride = uint64_t(p.dstNdStride) * sizeof(T);
  }
  f.QuantScalar = p.deqScalar;
  f.Relu = p.reluEn;
  f.ChannelSplit = p.isChannelSplit;
  belay_sim_cube_fixpipe(&f);
}

template <const FixpipeConfig &config, typename T, typename U>
BELAY_API void fixpipe(T *dst, const U *src,
                       const FixpipeParamsArch3510<config.format> &p,
                       const void *quant) {
  belay::sim::FixOut f = outOf(dst, src, p, quant);
  f.Layout = layoutOf(config.format);
  f.DstStride = uint64_t(p.dstStride) * sizeof(T);
  if constexpr (config.format == CO2Layout::ROW_MAJOR) {
    f.Matrices = p.params.ndNum;
    f.SrcMatrixStride = uint64_t(p.params.srcNdStride) * 16 * sizeof(U);
    f.DstMatrixStride = uint64_t(p.params.dstNdStride) * sizeof(T);
  }
  if constexpr (config.format == CO2Layout::COLUMN_MAJOR) {
    f.Matrices = p.params.dnNum;
    f.SrcMatrixStride = uint64_t(p.params.srcNzMatrixStride) * 16 * sizeof(U);
    f.DstMatrixStride = uint64_t(p.params.dstDnMatrixStride) * sizeof(T);
    f.SrcRowStride = p.params.srcNzC0Stride;
  }
  f.QuantScalar = p.deqScalar;
  f.Relu = p.reluEn || p.preReluMode == ReluMode::NORMAL_RELU;
  f.ChannelSplit = p.isChannelSplit;
  f.DualTarget = p.dualDstCtl;
  f.SubBlock = p.subBlockId;
  belay_sim_cube_fixpipe(&f);
}

template <typename T, typename U>
BELAY_API void fixpipe(T *dst, const U *src, const DataCopyCO12DstParams &p) {
  belay::sim::FixOut f = outOf(dst, src, p, nullptr);
  f.Name = "DataCopy";
  f.Layout = p.nz2ndEn ? belay::sim::OutLayout::ND : belay::sim::OutLayout::NZ;
  f.DstStride = uint64_t(p.dstStride) * (p.nz2ndEn ? sizeof(T) : ONE_BLK_SIZE);
  f.Relu = p.reluPre != 0;
  f.ChannelSplit = p.channelSplit;
  f.FromRegisters = true;
  belay_sim_cube_fixpipe(&f);
}

} // namespace belay_detail

// --- Fixpipe
// -------------------------------------------------------------------
#define BELAY_ASCENDC_FIXPIPE(Params)                                          \
  template <typename T, typename U,                                            \
            const FixpipeConfig &config = CFG_ROW_MAJOR>                       \
  BELAY_API void Fixpipe(const GlobalTensor<T> &dst,                           \
                         const LocalTensor<U> &src,                            \
                         const Params &intriParams) {                          \
    belay_detail::fixpipe<config, PrimT<T>, PrimT<U>>(                         \
        dst.GetPhyAddr(0), src.data(), intriParams, nullptr);                  \
  }                                                                            \
  template <typename T, typename U,                                            \
            const FixpipeConfig &config = CFG_ROW_MAJOR>                       \
  BELAY_API void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, \
                         const Params &intriParams) {                          \
    belay_detail::fixpipe<config, PrimT<T>, PrimT<U>>(dst.data(), src.data(),  \
                                                      intriParams, nullptr);   \
  }                                                                            \
  template <typename T, typename U,                                            \
            const FixpipeConfig &config = CFG_ROW_MAJOR,                       \
            typename S = uint64_t>                                             \
  BELAY_API void Fixpipe(                                                      \
      const GlobalTensor<T> &dst, const LocalTensor<U> &src,                   \
      const LocalTensor<S> &cbufWorkspace, const Params &intriParams) {        \
    belay_detail::fixpipe<config, PrimT<T>, PrimT<U>>(                         \
        dst.GetPhyAddr(0), src.data(), intriParams, cbufWorkspace.data());     \
  }                                                                            \
  template <typename T, typename U,                                            \
            const FixpipeConfig &config = CFG_ROW_MAJOR,                       \
            typename S = uint64_t>                                             \
  BELAY_API void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, \
                         const LocalTensor<S> &cbufWorkspace,                  \
                         const Params &intriParams) {                          \
    belay_detail::fixpipe<config, PrimT<T>, PrimT<U>>(                         \
        dst.data(), src.data(), intriParams, cbufWorkspace.data());            \
  }
BELAY_ASCENDC_FIXPIPE(FixpipeParamsV220)
#if __NPU_ARCH__ == 3510
BELAY_ASCENDC_FIXPIPE(FixpipeParamsArch3510<config.format>)
#endif
#undef BELAY_ASCENDC_FIXPIPE

// --- DataCopy with parameters from registers
// -----------------------------------
template <typename T, typename U>
BELAY_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<U> &src,
                        const DataCopyCO12DstParams &intriParams) {
  belay_detail::fixpipe<PrimT<T>, PrimT<U>>(dst.GetPhyAddr(0), src.data(),
                                            intriParams);
}
template <typename T, typename U>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                        const DataCopyCO12DstParams &intriParams) {
  belay_detail::fixpipe<PrimT<T>, PrimT<U>>(dst.data(), src.data(),
                                            intriParams);
}

BELAY_API void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride,
                                   uint32_t dstNdStride) {
  belay_sim_cube_set_nz2nd(ndNum, srcNdStride, dstNdStride);
}
BELAY_API void SetFixpipePreQuantFlag(uint64_t config) {
  belay_sim_cube_set(belay::sim::CubeRegister::QuantScalar, config);
}
BELAY_API void SetFixPipeClipRelu(uint64_t config) {
  belay_sim_cube_set(belay::sim::CubeRegister::ClipRelu, config);
}
template <typename T>
BELAY_API void SetFixPipeConfig(const LocalTensor<T> &,
                                const LocalTensor<T> &quantPre, bool = false) {
  belay_sim_cube_set(belay::sim::CubeRegister::QuantTensor,
                     quantPre.GetPhyAddr());
}
template <typename T, bool setRelu = false>
BELAY_API void SetFixPipeConfig(const LocalTensor<T> &preData, bool = false) {
  if constexpr (!setRelu)
    belay_sim_cube_set(belay::sim::CubeRegister::QuantTensor,
                       preData.GetPhyAddr());
}

// --- 310P: L0C to UB
// -------------------------------------------------------------
/// Elsewhere the enhanced parameters change nothing.
template <typename T, typename U>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                        const DataCopyParams &p,
                        const DataCopyEnhancedParams &e) {
  if (GetPhyType(static_cast<TPosition>(src.GetPosition())) != Hardware::L0C) {
    DataCopy(dst, src, p);
    return;
  }
  using belay::sim::DequantMode;
  constexpr DequantMode modes[] = {
      DequantMode::None, DequantMode::Half, DequantMode::Half, DequantMode::B8,
      DequantMode::B8,   DequantMode::B16,  DequantMode::B16};
  belay::sim::FractalsOut f;
  f.Dst = dst.data();
  f.Src = src.data();
  f.DstType = belay_detail::elem<PrimT<T>>;
  f.SrcType = belay_detail::elem<PrimT<U>>;
  f.RowOnly = e.blockMode == BlockMode::BLOCK_MODE_VECTOR;
  f.Blocks = p.blockCount;
  f.BlockFractals = p.blockLen;
  f.SrcGapFractals = p.srcGap;
  f.DstGapBytes = uint32_t(p.dstGap) * ONE_BLK_SIZE;
  f.Quant = modes[static_cast<int>(e.deqScale)];
  f.QuantVector = e.deqScale == DeqScale::VDEQ ||
                  e.deqScale == DeqScale::VDEQ8 ||
                  e.deqScale == DeqScale::VDEQ16;
  f.QuantScalar = e.deqValue;
  f.QuantTensor = reinterpret_cast<const void *>(e.deqTensorAddr);
  f.StoreMode = e.sidStoreMode;
  f.Relu = e.isRelu;
  belay_sim_cube_fractals_out(&f);
}
template <typename T>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                        const DataCopyParams &p,
                        const DataCopyEnhancedParams &) {
  DataCopy(dst, src, p);
}
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                        const DataCopyParams &p,
                        const DataCopyEnhancedParams &) {
  DataCopy(dst, src, p);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_FIXPIPE_H
