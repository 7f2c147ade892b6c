//===- register/compute.h - What registers compute --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// None of these touches memory, so that whoever reads the source without
// running it (BELAY_STATIC) can leave them out.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_COMPUTE_H
#define BELAY_ASCENDC_API_REGISTER_COMPUTE_H

#include "api/register/operands.h"

#if defined(BELAY_STATIC)
#define BELAY_REGISTER_BODY(...)
#else
#define BELAY_REGISTER_BODY(...) __VA_ARGS__
#endif

namespace AscendC::MicroAPI {

namespace belay_detail {

template <auto Mode> constexpr void checkMerging() {
  static_assert(!merges<Mode>(),
                "this function has MaskMergeMode::ZEROING only");
}
template <class D, class S>
BELAY_API void unary(RegisterOp op, belay::sim::UnaryOp which, D &dst,
                     const S &src, const MaskReg &mask, bool merge) {
  static_assert(std::is_same_v<Element<D>, Element<S>>,
                "source and destination have the same type");
  RegisterCompute c = compute(op, dst);
  c.Unary = which;
  c.Merge = merge;
  c.Src0 = src.name();
  c.Mask = mask.name();
  issue(c);
}
template <class D, class S, class R>
BELAY_API void binary(belay::sim::BinaryOp which, D &dst, const S &src0,
                      const R &src1, const MaskReg &mask, bool merge) {
  static_assert(sizeof(Element<D>) == sizeof(Element<S>) &&
                    sizeof(Element<D>) == sizeof(Element<R>),
                "sources and destination have the same length");
  RegisterCompute c = compute(RegisterOp::Binary, dst);
  c.Binary = which;
  c.Merge = merge;
  c.Src0 = src0.name();
  c.Src1 = src1.name();
  c.Mask = mask.name();
  issue(c);
}
template <class D, class S, class U>
BELAY_API void withScalar(belay::sim::ScalarOp which, D &dst, const S &src,
                          const U &scalar, const MaskReg &mask) {
  static_assert(std::is_same_v<Element<D>, Element<S>>,
                "source and destination have the same type");
  RegisterCompute c = compute(RegisterOp::WithScalar, dst);
  c.WithScalar = which;
  c.Scalar = scalarBits<Element<D>>(scalar);
  c.Src0 = src.name();
  c.Mask = mask.name();
  issue(c);
}
/// Destination and source of their own types.
template <class D, class S>
BELAY_API RegisterCompute between(RegisterOp op, D &dst, const S &src) {
  RegisterCompute c = compute(op, dst);
  c.SrcType = elemOf<S>;
  c.Two = D::two || S::two;
  c.Src0 = src.name();
  return c;
}

} // namespace belay_detail

// --- one source --------------------------------------------------------------
#define BELAY_REGISTER_UNARY(Name, Op, Which)                                  \
  template <class T = DefaultType, auto Mode = MaskMergeMode::ZEROING,         \
            class D, class S, belay_detail::IfRegister<D> = 0>                 \
  BELAY_API void Name(D &dst, S &src, const MaskReg &mask) {                   \
    belay_detail::checkMerging<Mode>();                                        \
    BELAY_REGISTER_BODY(belay_detail::unary(belay_detail::RegisterOp::Op,      \
                                            belay::sim::UnaryOp::Which, dst,   \
                                            src, mask,                         \
                                            belay_detail::merges<Mode>());)    \
  }
BELAY_REGISTER_UNARY(Abs, Unary, Abs)
BELAY_REGISTER_UNARY(Exp, Unary, Exp)
BELAY_REGISTER_UNARY(Ln, Unary, Ln)
BELAY_REGISTER_UNARY(Log, Unary, Ln)
BELAY_REGISTER_UNARY(Log2, Log2, Ln)
BELAY_REGISTER_UNARY(Log10, Log10, Ln)
BELAY_REGISTER_UNARY(Neg, Unary, Neg)
BELAY_REGISTER_UNARY(Not, Unary, Not)
BELAY_REGISTER_UNARY(Relu, Unary, Relu)
BELAY_REGISTER_UNARY(Sqrt, Unary, Sqrt)
#undef BELAY_REGISTER_UNARY

template <class T = DefaultType, RoundMode Round = RoundMode::CAST_NONE,
          MaskMergeMode Mode = MaskMergeMode::ZEROING, class R>
BELAY_API void Truncate(R &dst, R &src, const MaskReg &mask) {
  belay_detail::checkMerging<Mode>();
  BELAY_REGISTER_BODY(auto c = belay_detail::between(
                          belay_detail::RegisterOp::Truncate, dst, src);
                      c.Round = belay_detail::roundingOf(Round);
                      c.Mask = mask.name(); belay_detail::issue(c);)
}
template <class T = DefaultType, class U = DefaultType,
          const CastTrait &Trait = castTrait, class D, class S>
BELAY_API void Cast(D &dst, S &src, const MaskReg &mask) {
  static_assert(Trait.mrgMode != MaskMergeMode::MERGING,
                "this function has MaskMergeMode::ZEROING only");
  BELAY_REGISTER_BODY(
      auto c = belay_detail::between(belay_detail::RegisterOp::Cast, dst, src);
      c.Layout = Trait.layoutMode == RegLayout::UNKNOWN
                     ? 0
                     : static_cast<uint8_t>(Trait.layoutMode) - 1;
      c.Saturate = Trait.satMode != SatMode::NO_SAT;
      // Widening to an unsigned type always saturates; between floats nothing
      // does unless it is asked for.
      if (Trait.satMode == SatMode::UNKNOWN &&
          !std::is_integral_v<belay_detail::Element<D>>) c.Saturate = false;
      c.Round = belay_detail::roundingOf(Trait.roundMode); c.Mask = mask.name();
      belay_detail::issue(c);)
}

// --- two sources -------------------------------------------------------------
#define BELAY_REGISTER_BINARY(Name, Which, Check)                              \
  template <class T = DefaultType, auto Mode = MaskMergeMode::ZEROING,         \
            class D, class S, class R, belay_detail::IfRegister<D> = 0,        \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(D &dst, S &src0, R &src1, const MaskReg &mask) {         \
    Check;                                                                     \
    BELAY_REGISTER_BODY(belay_detail::binary(belay::sim::BinaryOp::Which, dst, \
                                             src0, src1, mask,                 \
                                             belay_detail::merges<Mode>());)   \
  }                                                                            \
  template <class T, class U, auto Mode = MaskMergeMode::ZEROING, class D,     \
            class S, class R, belay_detail::IfRegister<D> = 0,                 \
            belay_detail::IfRegister<R> = 0>                                   \
  BELAY_API void Name(D &dst, S &src0, R &src1, const MaskReg &mask) {         \
    Name<T, Mode>(dst, src0, src1, mask);                                      \
  }
#define BELAY_ZEROING belay_detail::checkMerging<Mode>()
BELAY_REGISTER_BINARY(Add, Add, (void)0)
BELAY_REGISTER_BINARY(AbsSub, AbsSub, BELAY_ZEROING)
BELAY_REGISTER_BINARY(And, And, BELAY_ZEROING)
BELAY_REGISTER_BINARY(Div, Div, BELAY_ZEROING)
BELAY_REGISTER_BINARY(FusedAbsSub, AbsSub, BELAY_ZEROING)
BELAY_REGISTER_BINARY(FusedMulDstAdd, FusedMulAdd, BELAY_ZEROING)
BELAY_REGISTER_BINARY(Max, Max, (void)0)
BELAY_REGISTER_BINARY(Min, Min, (void)0)
BELAY_REGISTER_BINARY(Mul, Mul, BELAY_ZEROING)
BELAY_REGISTER_BINARY(Mula, MulAddDst, BELAY_ZEROING)
BELAY_REGISTER_BINARY(MulAddDst, MulAddDst, BELAY_ZEROING)
BELAY_REGISTER_BINARY(MulDstAdd, FusedMulAdd, BELAY_ZEROING)
BELAY_REGISTER_BINARY(Or, Or, BELAY_ZEROING)
BELAY_REGISTER_BINARY(Prelu, Prelu, BELAY_ZEROING)
BELAY_REGISTER_BINARY(ShiftLeft, ShiftLeft, BELAY_ZEROING)
BELAY_REGISTER_BINARY(ShiftRight, ShiftRight, BELAY_ZEROING)
BELAY_REGISTER_BINARY(Sub, Sub, BELAY_ZEROING)
BELAY_REGISTER_BINARY(Xor, Xor, BELAY_ZEROING)
#undef BELAY_REGISTER_BINARY

// A vector and a scalar.
#define BELAY_REGISTER_SCALAR(Name, Which)                                     \
  template <class T = DefaultType, auto Mode = MaskMergeMode::ZEROING,         \
            class D, class S, class U, class = void>                           \
  BELAY_API void Name(D &dst, S &src, U &&scalar, const MaskReg &mask) {       \
    BELAY_ZEROING;                                                             \
    BELAY_REGISTER_BODY(belay_detail::withScalar(belay::sim::ScalarOp::Which,  \
                                                 dst, src, scalar, mask);)     \
  }                                                                            \
  template <class T, class V, auto Mode = MaskMergeMode::ZEROING, class D,     \
            class S, class U, class = void>                                    \
  BELAY_API void Name(D &dst, S &src, U &&scalar, const MaskReg &mask) {       \
    Name<T, Mode>(dst, src, static_cast<V>(scalar), mask);                     \
  }
BELAY_REGISTER_SCALAR(Adds, Adds)
BELAY_REGISTER_SCALAR(Axpy, Axpy)
BELAY_REGISTER_SCALAR(LeakyRelu, LeakyRelu)
BELAY_REGISTER_SCALAR(Maxs, Maxs)
BELAY_REGISTER_SCALAR(Mins, Mins)
BELAY_REGISTER_SCALAR(Muls, Muls)
BELAY_REGISTER_SCALAR(ShiftLefts, ShiftLefts)
BELAY_REGISTER_SCALAR(ShiftRights, ShiftRights)
BELAY_REGISTER_SCALAR(Subs, Subs)
#undef BELAY_REGISTER_SCALAR

// With a carry, out and perhaps in. Of differences it means: no borrow.
#define BELAY_REGISTER_CARRY(Name, NameIn, Op)                                 \
  template <class T = DefaultType, class R>                                    \
  BELAY_API void Name(MaskReg &carry, R &dst, R &src0, R &src1,                \
                      const MaskReg &mask) {                                   \
    BELAY_REGISTER_BODY(                                                       \
        auto c = belay_detail::compute(belay_detail::RegisterOp::Op, dst);     \
        c.Dst1 = carry.name(); c.Src0 = src0.name(); c.Src1 = src1.name();     \
        c.Mask = mask.name(); belay_detail::issue(c);)                         \
  }                                                                            \
  template <class T = DefaultType, class R>                                    \
  BELAY_API void NameIn(MaskReg &carry, R &dst, R &src0, R &src1,              \
                        MaskReg &carryIn, const MaskReg &mask) {               \
    BELAY_REGISTER_BODY(                                                       \
        auto c = belay_detail::compute(belay_detail::RegisterOp::Op, dst);     \
        c.Dst1 = carry.name(); c.Src0 = src0.name(); c.Src1 = src1.name();     \
        c.Carry = carryIn.name(); c.Mask = mask.name();                        \
        belay_detail::issue(c);)                                               \
  }
BELAY_REGISTER_CARRY(Add, AddC, AddCarry)
BELAY_REGISTER_CARRY(Sub, SubC, SubCarry)
BELAY_REGISTER_CARRY(AddCarryOut, AddCarryOuts, AddCarry)
BELAY_REGISTER_CARRY(SubCarryOut, SubCarryOuts, SubCarry)
#undef BELAY_REGISTER_CARRY
template <class T = DefaultType, class R>
BELAY_API void Mull(R &low, R &high, R &src0, R &src1, const MaskReg &mask) {
  BELAY_REGISTER_BODY(
      auto c = belay_detail::compute(belay_detail::RegisterOp::MulWide, low);
      c.Dst1 = high.name(); c.Src0 = src0.name(); c.Src1 = src1.name();
      c.Mask = mask.name(); belay_detail::issue(c);)
}
#define BELAY_EXP_SUB(Name)                                                    \
  template <class T = DefaultType, class U = DefaultType,                      \
            RegLayout Layout = RegLayout::ZERO,                                \
            MaskMergeMode Mode = MaskMergeMode::ZEROING, class D, class S>     \
  BELAY_API void Name(D &dst, S &src0, S &src1, const MaskReg &mask) {         \
    BELAY_ZEROING;                                                             \
    BELAY_REGISTER_BODY(                                                       \
        if constexpr (std::is_same_v<belay_detail::Element<D>,                 \
                                     belay_detail::Element<S>>)                \
            belay_detail::binary(belay::sim::BinaryOp::ExpSub, dst, src0,      \
                                 src1, mask, false);                           \
        else {                                                                 \
          auto c = belay_detail::between(belay_detail::RegisterOp::ExpSub,     \
                                         dst, src0);                           \
          c.Layout = static_cast<uint8_t>(Layout) - 1;                         \
          c.Src1 = src1.name();                                                \
          c.Mask = mask.name();                                                \
          belay_detail::issue(c);                                              \
        })                                                                     \
  }
BELAY_EXP_SUB(ExpSub)
BELAY_EXP_SUB(FusedExpSub)
#undef BELAY_EXP_SUB
template <class T = DefaultType, class U = DefaultType, class V,
          RegLayout Layout = RegLayout::ZERO, class D, class S>
BELAY_API void MulsCast(D &dst, S &src, V scalar, const MaskReg &mask) {
  BELAY_REGISTER_BODY(
      auto c =
          belay_detail::between(belay_detail::RegisterOp::MulsCast, dst, src);
      c.Layout = static_cast<uint8_t>(Layout) - 1;
      c.Scalar = belay_detail::scalarBits<belay_detail::Element<S>>(scalar);
      c.Mask = mask.name(); belay_detail::issue(c);)
}

// --- comparisons -------------------------------------------------------------
template <class T = DefaultType, CMPMODE Mode = CMPMODE::EQ, class R>
BELAY_API void Compare(MaskReg &dst, R &src0, R &src1, const MaskReg &mask) {
  BELAY_REGISTER_BODY(
      auto c = belay_detail::compute(belay_detail::RegisterOp::Compare, src0);
      c.Dst = dst.name(); c.Src0 = src0.name(); c.Src1 = src1.name();
      c.Compare = AscendC::belay_detail::compareOf(Mode); c.Mask = mask.name();
      belay_detail::issue(c);)
}
#define BELAY_COMPARE_SCALAR(Name)                                             \
  template <class T = DefaultType, CMPMODE Mode = CMPMODE::EQ, class R,        \
            class S>                                                           \
  BELAY_API void Name(MaskReg &dst, R &src, S scalar, const MaskReg &mask) {   \
    BELAY_REGISTER_BODY(                                                       \
        auto c = belay_detail::compute(                                        \
            belay_detail::RegisterOp::CompareScalar, src);                     \
        c.Dst = dst.name(); c.Src0 = src.name();                               \
        c.Scalar = belay_detail::scalarBits<belay_detail::Element<R>>(scalar); \
        c.Compare = AscendC::belay_detail::compareOf(Mode);                    \
        c.Mask = mask.name(); belay_detail::issue(c);)                         \
  }
BELAY_COMPARE_SCALAR(Compares)
BELAY_COMPARE_SCALAR(CompareScalar)
#undef BELAY_COMPARE_SCALAR
template <class T = DefaultType, class R, belay_detail::IfRegister<R> = 0>
BELAY_API void Select(R &dst, R &src0, R &src1, const MaskReg &mask) {
  BELAY_REGISTER_BODY(
      auto c = belay_detail::compute(belay_detail::RegisterOp::Select, dst);
      c.Src0 = src0.name(); c.Src1 = src1.name(); c.Mask = mask.name();
      belay_detail::issue(c);)
}
#undef BELAY_ZEROING

} // namespace AscendC::MicroAPI

#endif // BELAY_ASCENDC_API_REGISTER_COMPUTE_H
