//===- vector.h - Element-wise vector instructions -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_VECTOR_H
#define BELAY_ASCENDC_API_VECTOR_H

#include "api/tensor.h"

namespace AscendC {

struct UnaryRepeatParams {
  UnaryRepeatParams() = default;
  __aicore__ UnaryRepeatParams(const uint16_t dstBlk, const uint16_t srcBlk,
                               const uint8_t dstRep, const uint8_t srcRep)
      : dstBlkStride(dstBlk), srcBlkStride(srcBlk), dstRepStride(dstRep),
        srcRepStride(srcRep) {}
  __aicore__ UnaryRepeatParams(const uint16_t dstBlk, const uint16_t srcBlk,
                               const uint8_t dstRep, const uint8_t srcRep,
                               const bool halfBlockIn)
      : UnaryRepeatParams(dstBlk, srcBlk, dstRep, srcRep) {
    halfBlock = halfBlockIn;
  }
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint16_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint16_t srcBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t srcRepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
  bool halfBlock = false;
};

struct BinaryRepeatParams {
  BinaryRepeatParams() = default;
  __aicore__ BinaryRepeatParams(const uint8_t dstBlk, const uint8_t src0Blk,
                                const uint8_t src1Blk, const uint8_t dstRep,
                                const uint8_t src0Rep, const uint8_t src1Rep)
      : dstBlkStride(dstBlk), src0BlkStride(src0Blk), src1BlkStride(src1Blk),
        dstRepStride(dstRep), src0RepStride(src0Rep), src1RepStride(src1Rep) {}
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint8_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

namespace belay_detail {

using belay::sim::Walk;

/// Count form: contiguous operands whose size decides the natural stride.
template <typename D, typename S> BELAY_API Walk countWalk(int64_t count) {
  Walk w;
  w.Mode = belay::sim::MaskMode::Count;
  w.Mask[0] = count > 0 ? static_cast<uint64_t>(count) : 0;
  constexpr unsigned widest = sizeof(D) > sizeof(S) ? sizeof(D) : sizeof(S);
  w.Operand[0].Repeat = 8 * sizeof(D) / widest;
  w.Operand[1].Repeat = w.Operand[2].Repeat = 8 * sizeof(S) / widest;
  return w;
}

template <bool isSetMask> BELAY_API void setMask(Walk &w, uint64_t lanes) {
  w.Mode =
      isSetMask ? belay::sim::MaskMode::Lanes : belay::sim::MaskMode::Register;
  w.Mask[0] = lanes;
}
template <bool isSetMask>
BELAY_API void setMask(Walk &w, const uint64_t bits[]) {
  w.Mode =
      isSetMask ? belay::sim::MaskMode::Bits : belay::sim::MaskMode::Register;
  if constexpr (isSetMask) {
    w.Mask[0] = bits[0];
    w.Mask[1] = bits[1];
  }
}

template <bool isSetMask, typename M>
BELAY_API Walk repeatWalk(M mask, uint8_t repeat, const UnaryRepeatParams &p) {
  Walk w;
  setMask<isSetMask>(w, mask);
  w.Repeat = repeat;
  w.Operand[0] = {p.dstBlkStride, p.dstRepStride};
  w.Operand[1] = {p.srcBlkStride, p.srcRepStride};
  return w;
}
template <bool isSetMask, typename M>
BELAY_API Walk repeatWalk(M mask, uint8_t repeat, const BinaryRepeatParams &p) {
  Walk w;
  setMask<isSetMask>(w, mask);
  w.Repeat = repeat;
  w.Operand[0] = {p.dstBlkStride, p.dstRepStride};
  w.Operand[1] = {p.src0BlkStride, p.src0RepStride};
  w.Operand[2] = {p.src1BlkStride, p.src1RepStride};
  return w;
}

} // namespace belay_detail

// --- one source
// ----------------------------------------------------------------
#define BELAY_ASCENDC_UNARY(Name)                                              \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      uint64_t mask, const uint8_t repeatTime,                 \
                      const UnaryRepeatParams &repeatParams) {                 \
    auto w =                                                                   \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams);   \
    belay_sim_unary(belay::sim::UnaryOp::Name, belay_detail::elem<PrimT<T>>,   \
                    dst.data(), src.data(), &w);                               \
  }                                                                            \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const uint64_t mask[], const uint8_t repeatTime,         \
                      const UnaryRepeatParams &repeatParams) {                 \
    auto w =                                                                   \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams);   \
    belay_sim_unary(belay::sim::UnaryOp::Name, belay_detail::elem<PrimT<T>>,   \
                    dst.data(), src.data(), &w);                               \
  }                                                                            \
  template <typename T>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const int32_t &count) {                                  \
    auto w = belay_detail::countWalk<PrimT<T>, PrimT<T>>(count);               \
    belay_sim_unary(belay::sim::UnaryOp::Name, belay_detail::elem<PrimT<T>>,   \
                    dst.data(), src.data(), &w);                               \
  }
BELAY_ASCENDC_UNARY(Exp)
BELAY_ASCENDC_UNARY(Ln)
BELAY_ASCENDC_UNARY(Abs)
BELAY_ASCENDC_UNARY(Reciprocal)
BELAY_ASCENDC_UNARY(Sqrt)
BELAY_ASCENDC_UNARY(Rsqrt)
BELAY_ASCENDC_UNARY(Relu)
BELAY_ASCENDC_UNARY(Not)
#undef BELAY_ASCENDC_UNARY

// --- two sources
// ---------------------------------------------------------------
#define BELAY_ASCENDC_BINARY_OF(Name, U, UParam)                               \
  template <typename T UParam, bool isSetMask = true>                          \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0,   \
                      const LocalTensor<U> &src1, uint64_t mask,               \
                      const uint8_t repeatTime,                                \
                      const BinaryRepeatParams &repeatParams) {                \
    auto w =                                                                   \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams);   \
    belay_sim_binary(belay::sim::BinaryOp::Name, belay_detail::elem<PrimT<T>>, \
                     belay_detail::elem<PrimT<U>>, dst.data(), src0.data(),    \
                     src1.data(), &w);                                         \
  }                                                                            \
  template <typename T UParam, bool isSetMask = true>                          \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0,   \
                      const LocalTensor<U> &src1, const uint64_t mask[],       \
                      const uint8_t repeatTime,                                \
                      const BinaryRepeatParams &repeatParams) {                \
    auto w =                                                                   \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams);   \
    belay_sim_binary(belay::sim::BinaryOp::Name, belay_detail::elem<PrimT<T>>, \
                     belay_detail::elem<PrimT<U>>, dst.data(), src0.data(),    \
                     src1.data(), &w);                                         \
  }                                                                            \
  template <typename T UParam>                                                 \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0,   \
                      const LocalTensor<U> &src1, const int32_t &count) {      \
    auto w = belay_detail::countWalk<PrimT<T>, PrimT<U>>(count);               \
    belay_sim_binary(belay::sim::BinaryOp::Name, belay_detail::elem<PrimT<T>>, \
                     belay_detail::elem<PrimT<U>>, dst.data(), src0.data(),    \
                     src1.data(), &w);                                         \
  }
#define BELAY_COMMA_TYPENAME_U , typename U
#define BELAY_NO_MORE_TYPES
#define BELAY_ASCENDC_BINARY(Name)                                             \
  BELAY_ASCENDC_BINARY_OF(Name, T, BELAY_NO_MORE_TYPES)
BELAY_ASCENDC_BINARY(Add)
BELAY_ASCENDC_BINARY(Sub)
BELAY_ASCENDC_BINARY(Mul)
BELAY_ASCENDC_BINARY(Div)
BELAY_ASCENDC_BINARY(Max)
BELAY_ASCENDC_BINARY(Min)
BELAY_ASCENDC_BINARY(And)
BELAY_ASCENDC_BINARY(Or)
BELAY_ASCENDC_BINARY(AddRelu)
BELAY_ASCENDC_BINARY(SubRelu)
BELAY_ASCENDC_BINARY(FusedMulAdd)
BELAY_ASCENDC_BINARY(FusedMulAddRelu)
BELAY_ASCENDC_BINARY_OF(MulAddDst, U, BELAY_COMMA_TYPENAME_U)
#undef BELAY_ASCENDC_BINARY
#undef BELAY_ASCENDC_BINARY_OF

// --- a vector and a scalar
// ------------------------------------------------------- The scalar may be of
// any arithmetic type; it is converted to the element type first, as the call
// does on the device.
#define BELAY_ASCENDC_SCALAR(Name, Op)                                         \
  template <typename T, bool isSetMask = true, typename S>                     \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const S &scalarValue, uint64_t mask,                     \
                      const uint8_t repeatTime,                                \
                      const UnaryRepeatParams &repeatParams) {                 \
    auto w =                                                                   \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams);   \
    PrimT<T> s = static_cast<PrimT<T>>(scalarValue);                           \
    belay_sim_scalar(belay::sim::ScalarOp::Op, belay_detail::elem<PrimT<T>>,   \
                     belay_detail::elem<PrimT<T>>, dst.data(), src.data(), &s, \
                     &w);                                                      \
  }                                                                            \
  template <typename T, bool isSetMask = true, typename S>                     \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const S &scalarValue, const uint64_t mask[],             \
                      const uint8_t repeatTime,                                \
                      const UnaryRepeatParams &repeatParams) {                 \
    auto w =                                                                   \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams);   \
    PrimT<T> s = static_cast<PrimT<T>>(scalarValue);                           \
    belay_sim_scalar(belay::sim::ScalarOp::Op, belay_detail::elem<PrimT<T>>,   \
                     belay_detail::elem<PrimT<T>>, dst.data(), src.data(), &s, \
                     &w);                                                      \
  }                                                                            \
  template <typename T, bool isSetMask = true, typename S>                     \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const S &scalarValue, const int32_t &count) {            \
    auto w = belay_detail::countWalk<PrimT<T>, PrimT<T>>(count);               \
    PrimT<T> s = static_cast<PrimT<T>>(scalarValue);                           \
    belay_sim_scalar(belay::sim::ScalarOp::Op, belay_detail::elem<PrimT<T>>,   \
                     belay_detail::elem<PrimT<T>>, dst.data(), src.data(), &s, \
                     &w);                                                      \
  }
BELAY_ASCENDC_SCALAR(Adds, Adds)
BELAY_ASCENDC_SCALAR(Muls, Muls)
BELAY_ASCENDC_SCALAR(Maxs, Maxs)
BELAY_ASCENDC_SCALAR(Mins, Mins)
BELAY_ASCENDC_SCALAR(LeakyRelu, LeakyRelu)
BELAY_ASCENDC_SCALAR(ShiftLeft, ShiftLefts)
BELAY_ASCENDC_SCALAR(ShiftRight, ShiftRights)
#undef BELAY_ASCENDC_SCALAR

// --- a scalar ----------------------------------------------------------------
template <typename T, bool isSetMask = true, typename S>
BELAY_API void Duplicate(const LocalTensor<T> &dst, const S &scalarValue,
                         uint64_t mask, const uint8_t repeatTime,
                         const uint16_t dstBlockStride,
                         const uint8_t dstRepeatStride) {
  belay::sim::Walk w;
  belay_detail::setMask<isSetMask>(w, mask);
  w.Repeat = repeatTime;
  w.Operand[0] = {dstBlockStride, dstRepeatStride};
  PrimT<T> s = static_cast<PrimT<T>>(scalarValue);
  belay_sim_duplicate(belay_detail::elem<PrimT<T>>, dst.data(), &s, &w);
}
template <typename T, bool isSetMask = true, typename S>
BELAY_API void Duplicate(const LocalTensor<T> &dst, const S &scalarValue,
                         const uint64_t mask[], const uint8_t repeatTime,
                         const uint16_t dstBlockStride,
                         const uint8_t dstRepeatStride) {
  belay::sim::Walk w;
  belay_detail::setMask<isSetMask>(w, mask);
  w.Repeat = repeatTime;
  w.Operand[0] = {dstBlockStride, dstRepeatStride};
  PrimT<T> s = static_cast<PrimT<T>>(scalarValue);
  belay_sim_duplicate(belay_detail::elem<PrimT<T>>, dst.data(), &s, &w);
}
template <typename T, typename S>
BELAY_API void Duplicate(const LocalTensor<T> &dst, const S &scalarValue,
                         const int32_t &count) {
  auto w = belay_detail::countWalk<PrimT<T>, PrimT<T>>(count);
  PrimT<T> s = static_cast<PrimT<T>>(scalarValue);
  belay_sim_duplicate(belay_detail::elem<PrimT<T>>, dst.data(), &s, &w);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_VECTOR_H
