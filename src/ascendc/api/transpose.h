//===- transpose.h - Transpose and 5HD --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_TRANSPOSE_H
#define BELAY_ASCENDC_API_TRANSPOSE_H

#include "abi/Transpose.h"
#include "api/vector.h"

namespace AscendC {

/// Ways of Transpose and ConfusionTranspose.
enum class TransposeType : uint8_t {
  TRANSPOSE_TYPE_NONE,
  TRANSPOSE_NZ2ND_0213,
  TRANSPOSE_NZ2NZ_0213,
  TRANSPOSE_NZ2NZ_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITHOUT_N,
  TRANSPOSE_NZ2NZ_012_WITHOUT_N,
  TRANSPOSE_ND2ND_ONLY,
  TRANSPOSE_ND_UB_GM,
  TRANSPOSE_GRAD_ND_UB_GM,
  TRANSPOSE_ND2ND_B16,
  TRANSPOSE_NCHW2NHWC,
  TRANSPOSE_NHWC2NCHW,
  TRANSPOSE_ND2ND_021,
  TRANSPOSE_ND2ND_102,
  TRANSPOSE_ND2ND_210,
  TRANSPOSE_ND2NZ_WITH_INTLV,
};

constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

struct TransDataTo5HDParams {
  constexpr TransDataTo5HDParams() = default;
  __aicore__ constexpr TransDataTo5HDParams(const bool dstHigh,
                                            const bool srcHigh,
                                            const uint8_t repeat,
                                            const uint16_t dstRep,
                                            const uint16_t srcRep)
      : dstHighHalf(dstHigh), srcHighHalf(srcHigh), repeatTimes(repeat),
        dstRepStride(dstRep), srcRepStride(srcRep) {}
  bool dstHighHalf = false;
  bool srcHighHalf = false;
  uint8_t repeatTimes = 1;
  uint16_t dstRepStride = 0;
  uint16_t srcRepStride = 0;
};

struct TransposeParamsExt {
  constexpr TransposeParamsExt() = default;
  __aicore__ constexpr TransposeParamsExt(const uint16_t n, const uint16_t c,
                                          const uint16_t h, const uint16_t w,
                                          const TransposeType type)
      : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}
  uint16_t nSize = 0;
  uint16_t cSize = 0;
  uint16_t hSize = 0;
  uint16_t wSize = 0;
  TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

namespace belay_detail {

BELAY_API belay::sim::BlockTranspose
blockTranspose(const char *name, belay::sim::Elem type,
               const TransDataTo5HDParams &p) {
  belay::sim::BlockTranspose t;
  t.Name = name;
  t.T = type;
  t.DstHighHalf = p.dstHighHalf;
  t.SrcHighHalf = p.srcHighHalf;
  t.Repeat = p.repeatTimes;
  t.DstRepeatStride = p.dstRepStride;
  t.SrcRepeatStride = p.srcRepStride;
  return t;
}

template <typename T>
BELAY_API belay::sim::LayoutTranspose
layoutTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src) {
  belay::sim::LayoutTranspose t;
  t.Dst = dst.data();
  t.Src = src.data();
  t.Tmp = nullptr;
  t.TmpBytes = 0;
  t.T = elem<PrimT<T>>;
  t.Change = belay::sim::LayoutChange::Square16;
  t.Extended = false;
  t.N = t.C = t.H = t.W = 0;
  return t;
}

} // namespace belay_detail

// --- sixteen blocks ----------------------------------------------------------
template <typename T>
BELAY_API void
TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
               const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
               const TransDataTo5HDParams &nchwconvParams) {
  auto t = belay_detail::blockTranspose(
      "TransDataTo5HD", belay_detail::elem<PrimT<T>>, nchwconvParams);
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    t.Dst[i] = dstList[i].GetPhyAddr();
    t.Src[i] = srcList[i].GetPhyAddr();
  }
  belay_sim_transpose_blocks(&t);
}
template <typename T>
BELAY_API void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                              uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                              const TransDataTo5HDParams &nchwconvParams) {
  auto t = belay_detail::blockTranspose(
      "TransDataTo5HD", belay_detail::elem<PrimT<T>>, nchwconvParams);
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    t.Dst[i] = dstList[i];
    t.Src[i] = srcList[i];
  }
  belay_sim_transpose_blocks(&t);
}
/// The name that the vendor's own library uses inside; kernels reach for it.
template <typename T>
BELAY_API void TransDataTo5HDImpl(__ubuf__ T *dstList[NCHW_CONV_ADDR_LIST_SIZE],
                                  __ubuf__ T *srcList[NCHW_CONV_ADDR_LIST_SIZE],
                                  const TransDataTo5HDParams &nchwconvParams) {
  auto t = belay_detail::blockTranspose(
      "TransDataTo5HD", belay_detail::elem<PrimT<T>>, nchwconvParams);
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    t.Dst[i] = reinterpret_cast<uint64_t>(dstList[i]);
    t.Src[i] = reinterpret_cast<uint64_t>(srcList[i]);
  }
  belay_sim_transpose_blocks(&t);
}
template <typename T>
BELAY_API void TransDataTo5HD(const LocalTensor<uint64_t> &dst,
                              const LocalTensor<uint64_t> &src,
                              const TransDataTo5HDParams &nchwconvParams) {
  auto t = belay_detail::blockTranspose(
      "TransDataTo5HD", belay_detail::elem<PrimT<T>>, nchwconvParams);
  belay_sim_transpose_listed(&t, dst.data(), src.data());
}

// --- layouts -----------------------------------------------------------------
template <typename T>
BELAY_API void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src) {
  auto t = belay_detail::layoutTranspose(dst, src);
  belay_sim_transpose_layout(&t);
}
template <typename T>
BELAY_API void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                         const LocalTensor<uint8_t> &sharedTmpBuffer,
                         const TransposeParamsExt &transposeParams) {
  using belay::sim::LayoutChange;
  auto type = transposeParams.transposeType;
  if (type == TransposeType::TRANSPOSE_TYPE_NONE)
    return;
  auto t = belay_detail::layoutTranspose(dst, src);
  t.Tmp = sharedTmpBuffer.data();
  t.TmpBytes = sharedTmpBuffer.GetLength();
  t.Extended = true;
  t.N = transposeParams.nSize;
  t.C = transposeParams.cSize;
  t.H = transposeParams.hSize;
  t.W = transposeParams.wSize;
  t.Change =
      type == TransposeType::TRANSPOSE_ND2ND_B16   ? LayoutChange::Square16
      : type == TransposeType::TRANSPOSE_NCHW2NHWC ? LayoutChange::NchwToNhwc
      : type == TransposeType::TRANSPOSE_NHWC2NCHW ? LayoutChange::NhwcToNchw
                                                   : LayoutChange::Other;
  belay_sim_transpose_layout(&t);
}

// --- padding -----------------------------------------------------------------
#define BELAY_ASCENDC_PADDING(Mask)                                            \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void VectorPadding(                                                \
      const LocalTensor<T> &dst, const LocalTensor<T> &src,                    \
      const uint8_t padMode, const bool padSide, Mask,                         \
      const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) {       \
    belay::sim::Padding p;                                                     \
    p.Dst = dst.data();                                                        \
    p.Src = src.data();                                                        \
    p.T = belay_detail::elem<PrimT<T>>;                                        \
    p.Mode = padMode;                                                          \
    p.Right = padSide;                                                         \
    p.W = belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams); \
    belay_sim_pad_blocks(&p);                                                  \
  }
BELAY_ASCENDC_PADDING(const uint64_t mask)
BELAY_ASCENDC_PADDING(const uint64_t mask[])
#undef BELAY_ASCENDC_PADDING

template <typename T>
BELAY_API void VectorPadding(const LocalTensor<T> &dst,
                             const LocalTensor<T> &src, const uint8_t padMode,
                             const bool padSide, const uint32_t count) {
  belay::sim::Padding p;
  p.Dst = dst.data();
  p.Src = src.data();
  p.T = belay_detail::elem<PrimT<T>>;
  p.Mode = padMode;
  p.Right = padSide;
  p.W = belay_detail::countWalk<PrimT<T>, PrimT<T>>(count);
  belay_sim_pad_blocks(&p);
}

// --- interpolation -----------------------------------------------------------
#define BELAY_ASCENDC_INTERPOLATION(Mask)                                      \
  template <typename T>                                                        \
  BELAY_API void BilinearInterpolation(                                        \
      const LocalTensor<T> &dst, const LocalTensor<T> &src0,                   \
      const LocalTensor<uint32_t> &src0Offset, const LocalTensor<T> &src1,     \
      Mask, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,           \
      uint16_t vROffset, uint8_t vRepeat,                                      \
      const LocalTensor<uint8_t> &sharedTmpBuffer) {                           \
    belay::sim::Interpolation p;                                               \
    p.Dst = dst.data();                                                        \
    p.Src = src0.data();                                                       \
    p.SrcBytes = src0.GetLength();                                             \
    p.Offsets = src0Offset.data();                                             \
    p.OffsetBytes = src0Offset.GetLength();                                    \
    p.Weights = src1.data();                                                   \
    p.WeightBytes = src1.GetLength();                                          \
    p.Tmp = sharedTmpBuffer.data();                                            \
    p.TmpBytes = sharedTmpBuffer.GetLength();                                  \
    p.T = belay_detail::elem<PrimT<T>>;                                        \
    p.WeightPerBlock = repeatMode;                                             \
    p.Horizontal = hRepeat;                                                    \
    p.Vertical = vRepeat;                                                      \
    p.DstBlockStride = dstBlkStride;                                           \
    p.DstStep = vROffset;                                                      \
    belay_detail::setMask<true>(p.W, mask);                                    \
    belay_sim_interpolate(&p);                                                 \
  }
BELAY_ASCENDC_INTERPOLATION(uint64_t mask)
BELAY_ASCENDC_INTERPOLATION(uint64_t mask[])
#undef BELAY_ASCENDC_INTERPOLATION

} // namespace AscendC

// --- the compiler's own names ------------------------------------------------
enum ub_addr8_t { VA0, VA1, VA2, VA3, VA4, VA5, VA6, VA7 };

BELAY_API void set_va_reg_sb(ub_addr8_t reg, uint64_t *addresses) {
  belay_sim_set_addresses(reg, addresses);
}

#define BELAY_CCE_VNCHWCONV(Name, T)                                           \
  BELAY_API void Name(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat,          \
                      uint16_t dstStride, uint16_t srcStride) {                \
    auto t = AscendC::belay_detail::blockTranspose(                            \
        #Name, AscendC::belay_detail::elem<T>,                                 \
        {false, false, repeat, dstStride, srcStride});                         \
    belay_sim_transpose_registers(&t, dst, src);                               \
  }
BELAY_CCE_VNCHWCONV(scatter_vnchwconv_b16, uint16_t)
BELAY_CCE_VNCHWCONV(scatter_vnchwconv_b32, uint32_t)
#undef BELAY_CCE_VNCHWCONV

BELAY_API void scatter_vnchwconv_b8(ub_addr8_t dst, ub_addr8_t src,
                                    uint8_t repeat, uint16_t dstStride,
                                    uint16_t srcStride, bool dstHighHalf,
                                    bool srcHighHalf) {
  auto t = AscendC::belay_detail::blockTranspose(
      "scatter_vnchwconv_b8", belay::sim::Elem::U8,
      {dstHighHalf, srcHighHalf, repeat, dstStride, srcStride});
  belay_sim_transpose_registers(&t, dst, src);
}

#define BELAY_CCE_VTRANSPOSE(T)                                                \
  BELAY_API void vtranspose(__ubuf__ T *dst, __ubuf__ T *src) {                \
    belay::sim::LayoutTranspose t = {dst,                                      \
                                     src,                                      \
                                     nullptr,                                  \
                                     0,                                        \
                                     AscendC::belay_detail::elem<T>,           \
                                     belay::sim::LayoutChange::Square16,       \
                                     false,                                    \
                                     0,                                        \
                                     0,                                        \
                                     0,                                        \
                                     0};                                       \
    belay_sim_transpose_layout(&t);                                            \
  }
BELAY_CCE_VTRANSPOSE(uint16_t)
BELAY_CCE_VTRANSPOSE(int16_t)
BELAY_CCE_VTRANSPOSE(half)
#undef BELAY_CCE_VTRANSPOSE

#endif // BELAY_ASCENDC_API_TRANSPOSE_H
