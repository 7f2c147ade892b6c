//===- vector.h - Element-wise vector instructions --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_VECTOR_H
#define BELAY_ASCENDC_API_VECTOR_H

#include "abi/Vector.h"
#include "api/walk.h"

namespace AscendC {

// 950 lets a caller choose how precise some functions are; all of them are
// correctly rounded or nearly so here.
#define BELAY_ASCENDC_CONFIG(Name, ...)                                        \
  enum class Name##Algo{INTRINSIC = 0, __VA_ARGS__};                           \
  struct Name##Config {                                                        \
    Name##Algo algo = Name##Algo::INTRINSIC;                                   \
  };
BELAY_ASCENDC_CONFIG(Exp, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE)
BELAY_ASCENDC_CONFIG(Ln, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE)
BELAY_ASCENDC_CONFIG(Reciprocal, PRECISION_1ULP_FTZ_TRUE,
                     PRECISION_1ULP_FTZ_FALSE)
BELAY_ASCENDC_CONFIG(Div, DIFF_COMPENSATION, PRECISION_1ULP_FTZ_TRUE,
                     PRECISION_0ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_FALSE,
                     PRECISION_1ULP_FTZ_FALSE)
BELAY_ASCENDC_CONFIG(Sqrt, FAST_INVERSE, PRECISION_1ULP_FTZ_TRUE,
                     PRECISION_0ULP_FTZ_FALSE, PRECISION_1ULP_FTZ_FALSE)
BELAY_ASCENDC_CONFIG(Rsqrt, FAST_INVERSE, PRECISION_1ULP_FTZ_TRUE,
                     PRECISION_0ULP_FTZ_FALSE, PRECISION_1ULP_FTZ_FALSE)
#undef BELAY_ASCENDC_CONFIG
constexpr ExpConfig DEFAULT_EXP_CONFIG = {};
constexpr LnConfig DEFAULT_LN_CONFIG = {};
constexpr ReciprocalConfig DEFAULT_RECIPROCAL_CONFIG = {};
constexpr DivConfig DEFAULT_DIV_CONFIG = {};
constexpr SqrtConfig DEFAULT_SQRT_CONFIG = {};
constexpr RsqrtConfig DEFAULT_RSQRT_CONFIG = {};

namespace belay_detail {

template <typename T>
BELAY_API void unary(belay::sim::UnaryOp op, const LocalTensor<T> &dst,
                     const LocalTensor<T> &src, const Walk &w) {
  belay_sim_unary(op, elem<PrimT<T>>, dst.data(), src.data(), &w);
}
template <typename T, typename U>
BELAY_API void binary(belay::sim::BinaryOp op, const LocalTensor<T> &dst,
                      const LocalTensor<U> &src0, const LocalTensor<U> &src1,
                      const Walk &w) {
  belay_sim_binary(op, elem<PrimT<T>>, elem<PrimT<U>>, dst.data(), src0.data(),
                   src1.data(), &w);
}
template <typename T, typename U>
BELAY_API void scalar(belay::sim::ScalarOp op, const LocalTensor<T> &dst,
                      const LocalTensor<U> &src, PrimT<U> s, const Walk &w) {
  belay_sim_scalar(op, elem<PrimT<T>>, elem<PrimT<U>>, dst.data(), src.data(),
                   &s, &w);
}

} // namespace belay_detail

// --- one source --------------------------------------------------------------
#define BELAY_ASCENDC_UNARY(Name)                                              \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      uint64_t mask, const belay_detail::Repeat repeatTime,    \
                      const UnaryRepeatParams &repeatParams) {                 \
    belay_detail::unary(                                                       \
        belay::sim::UnaryOp::Name, dst, src,                                   \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const uint64_t mask[],                                   \
                      const belay_detail::Repeat repeatTime,                   \
                      const UnaryRepeatParams &repeatParams) {                 \
    belay_detail::unary(                                                       \
        belay::sim::UnaryOp::Name, dst, src,                                   \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  template <typename T>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const int32_t &count) {                                  \
    belay_detail::unary(belay::sim::UnaryOp::Name, dst, src,                   \
                        belay_detail::countWalk<PrimT<T>, PrimT<T>>(count));   \
  }
#define BELAY_ASCENDC_UNARY_CONFIG(Name)                                       \
  BELAY_ASCENDC_UNARY(Name)                                                    \
  template <typename T, const Name##Config &config>                            \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const int32_t &count) {                                  \
    Name(dst, src, count);                                                     \
  }                                                                            \
  template <typename T, bool isSetMask, const Name##Config &config,            \
            typename M>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      M mask, const belay_detail::Repeat repeatTime,           \
                      const UnaryRepeatParams &repeatParams) {                 \
    Name<T, isSetMask>(dst, src, mask, repeatTime, repeatParams);              \
  }
BELAY_ASCENDC_UNARY_CONFIG(Exp)
BELAY_ASCENDC_UNARY_CONFIG(Ln)
BELAY_ASCENDC_UNARY(Abs)
BELAY_ASCENDC_UNARY_CONFIG(Reciprocal)
BELAY_ASCENDC_UNARY_CONFIG(Sqrt)
BELAY_ASCENDC_UNARY_CONFIG(Rsqrt)
BELAY_ASCENDC_UNARY(Relu)
BELAY_ASCENDC_UNARY(Not)
BELAY_ASCENDC_UNARY(Neg)
#undef BELAY_ASCENDC_UNARY
#undef BELAY_ASCENDC_UNARY_CONFIG

// --- two sources -------------------------------------------------------------
// U is the type of the sources where it may differ from the destination's.
#define BELAY_ASCENDC_BINARY_OF(Name, Op, U, Types, CountType)                 \
  template <BELAY_UNWRAP Types, bool isSetMask = true>                         \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0,   \
                      const LocalTensor<U> &src1, uint64_t mask,               \
                      const belay_detail::Repeat repeatTime,                   \
                      const BinaryRepeatParams &repeatParams) {                \
    belay_detail::binary(                                                      \
        belay::sim::BinaryOp::Op, dst, src0, src1,                             \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  template <BELAY_UNWRAP Types, bool isSetMask = true>                         \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0,   \
                      const LocalTensor<U> &src1, const uint64_t mask[],       \
                      const belay_detail::Repeat repeatTime,                   \
                      const BinaryRepeatParams &repeatParams) {                \
    belay_detail::binary(                                                      \
        belay::sim::BinaryOp::Op, dst, src0, src1,                             \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  BELAY_ASCENDC_BINARY_COUNT(Name, Op, U, Types, CountType)
#define BELAY_ASCENDC_BINARY_COUNT(Name, Op, U, Types, CountType)              \
  template <BELAY_UNWRAP Types>                                                \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0,   \
                      const LocalTensor<U> &src1, const CountType count) {     \
    belay_detail::binary(belay::sim::BinaryOp::Op, dst, src0, src1,            \
                         belay_detail::countWalk<PrimT<T>, PrimT<U>>(count));  \
  }
#define BELAY_UNWRAP(...) __VA_ARGS__
// Kernels also pass these functions as pointers, whose type has the device's
// uint8_t where Repeat stands.
#define BELAY_ASCENDC_BINARY(Name)                                             \
  BELAY_ASCENDC_BINARY_OF(Name, Name, T, (typename T), int32_t &)              \
  template <typename T, bool isSetMask = true, typename R,                     \
            std::enable_if_t<std::is_same_v<R, uint8_t>, int> = 0>             \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0,   \
                      const LocalTensor<T> &src1, uint64_t mask,               \
                      const R repeatTime,                                      \
                      const BinaryRepeatParams &repeatParams) {                \
    Name<T, isSetMask>(dst, src0, src1, mask,                                  \
                       belay_detail::Repeat(repeatTime), repeatParams);        \
  }
#define BELAY_ASCENDC_BINARY_MIXED(Name, CountType)                            \
  BELAY_ASCENDC_BINARY_OF(Name, Name, U, (typename T, typename U), CountType)
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
BELAY_ASCENDC_BINARY_OF(MulAddRelu, FusedMulAddRelu, T, (typename T), int32_t &)
BELAY_ASCENDC_BINARY_MIXED(MulAddDst, int32_t &)
BELAY_ASCENDC_BINARY_MIXED(AddReluCast, uint32_t)
BELAY_ASCENDC_BINARY_MIXED(SubReluCast, uint32_t)
BELAY_ASCENDC_BINARY_MIXED(MulCast, uint32_t)
BELAY_ASCENDC_BINARY_COUNT(Prelu, Prelu, T, (typename T), uint32_t)
BELAY_ASCENDC_BINARY_COUNT(AbsSub, AbsSub, T, (typename T), uint32_t)
BELAY_ASCENDC_BINARY_COUNT(FusedAbsSub, AbsSub, T, (typename T), uint32_t)
BELAY_ASCENDC_BINARY_COUNT(ExpSub, ExpSub, U, (typename T, typename U),
                           uint32_t)
BELAY_ASCENDC_BINARY_COUNT(FusedExpSub, ExpSub, U, (typename T, typename U),
                           uint32_t)
template <typename T, const DivConfig &config>
BELAY_API void Div(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                   const LocalTensor<T> &src1, const int32_t &count) {
  Div(dst, src0, src1, count);
}
template <typename T, bool isSetMask, const DivConfig &config, typename M>
BELAY_API void Div(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                   const LocalTensor<T> &src1, M mask,
                   const belay_detail::Repeat repeatTime,
                   const BinaryRepeatParams &repeatParams) {
  Div<T, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}
// Its types are fixed, so isSetMask comes first; with explicit types it comes
// last.
BELAY_ASCENDC_BINARY_MIXED(AddDeqRelu, int32_t &)
template <bool isSetMask, typename M>
BELAY_API void AddDeqRelu(const LocalTensor<half> &dst,
                          const LocalTensor<int32_t> &src0,
                          const LocalTensor<int32_t> &src1, M mask,
                          const belay_detail::Repeat repeatTime,
                          const BinaryRepeatParams &repeatParams) {
  AddDeqRelu<half, int32_t, isSetMask>(dst, src0, src1, mask, repeatTime,
                                       repeatParams);
}
#undef BELAY_ASCENDC_BINARY
#undef BELAY_ASCENDC_BINARY_MIXED
#undef BELAY_ASCENDC_BINARY_COUNT
#undef BELAY_ASCENDC_BINARY_OF
#undef BELAY_UNWRAP

/// The low and the high 32 bits of each product.
template <typename T>
BELAY_API void Mull(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1,
                    const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                    const uint32_t count) {
  belay_sim_mull(belay_detail::elem<PrimT<T>>, dst0.data(), dst1.data(),
                 src0.data(), src1.data(), count);
}

// --- a vector and a scalar ---------------------------------------------------
/// Says which operand is the scalar when both are tensors (950): its first
/// element counts.
struct BinaryConfig {
  int8_t scalarTensorIndex = 1;
};
constexpr BinaryConfig DEFAULT_BINARY_CONFIG = {1};
struct BinaryDefaultType {};

namespace belay_detail {

template <typename T> inline constexpr bool isTensor = false;
template <typename T> inline constexpr bool isTensor<LocalTensor<T>> = true;

/// The value of a scalar operand as an element: any number, or the first
/// element of a tensor.
template <typename E, typename S> BELAY_API E scalarOf(const S &s) {
  if constexpr (isTensor<S>)
    return static_cast<E>(*s.data());
  else
    return static_cast<E>(s);
}

/// dst = src0 op src1, one of them a scalar.
template <int8_t index, typename T, typename S, typename V>
BELAY_API void mixed(belay::sim::ScalarOp op, belay::sim::ScalarOp reversed,
                     const LocalTensor<T> &dst, const S &src0, const V &src1,
                     const Walk &w) {
  if constexpr (isTensor<S> && (!isTensor<V> || index == 1))
    scalar(op, dst, src0, scalarOf<PrimT<T>>(src1), w);
  else
    scalar(reversed, dst, src1, scalarOf<PrimT<T>>(src0), w);
}

/// Chooses the deleted form of a call, below.
template <typename T, typename S>
using IfOther =
    std::enable_if_t<!std::is_same_v<PrimT<T>, S> && !isTensor<S>, int>;

} // namespace belay_detail

// A scalar and the elements that it meets have one type: the compiler deduces T
// from both, and finds no function if they differ. With an explicit T, the
// scalar is converted. The deleted forms take what is left, to say so; the
// second is for strides in braces.
#define BELAY_OTHER_SCALAR                                                     \
  "the type of the scalar is not the type of the elements ('T' is deduced "    \
  "from both, so the device's compiler finds no matching function): convert "  \
  "the scalar with static_cast, or give T explicitly, as in Adds<half>(...)"
#define BELAY_REFUSE_OTHER_SCALAR(Name)                                        \
  template <int = 0, typename T, typename S, typename... Rest,                 \
            belay_detail::IfOther<T, S> = 0>                                   \
  BELAY_API void Name(const LocalTensor<T> &, const LocalTensor<T> &,          \
                      const S &, const Rest &...) =                            \
      delete (BELAY_OTHER_SCALAR);                                             \
  template <int = 0, typename T, typename S, typename M,                       \
            belay_detail::IfOther<T, S> = 0>                                   \
  BELAY_API void Name(const LocalTensor<T> &, const LocalTensor<T> &,          \
                      const S &, const M &, belay_detail::Repeat,              \
                      const UnaryRepeatParams &) =                             \
      delete (BELAY_OTHER_SCALAR);

// A tensor and a scalar, in this order.
#define BELAY_ASCENDC_SCALAR(Name, Op, RoundParam, Chosen)                     \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const T &scalarValue, uint64_t mask,                     \
                      const belay_detail::Repeat repeatTime,                   \
                      const UnaryRepeatParams &repeatParams RoundParam) {      \
    belay_detail::scalar(                                                      \
        Chosen, dst, src, scalarValue,                                         \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const T &scalarValue, const uint64_t mask[],             \
                      const belay_detail::Repeat repeatTime,                   \
                      const UnaryRepeatParams &repeatParams RoundParam) {      \
    belay_detail::scalar(                                                      \
        Chosen, dst, src, scalarValue,                                         \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src,    \
                      const T &scalarValue, const int32_t &count) {            \
    belay_detail::scalar(                                                      \
        belay::sim::ScalarOp::Op, dst, src, scalarValue,                       \
        belay_detail::countOrRegisterWalk<isSetMask, PrimT<T>>(count));        \
  }                                                                            \
  BELAY_REFUSE_OTHER_SCALAR(Name)
#define BELAY_NO_PARAM
#define BELAY_ROUND_PARAM , bool roundEn = false
BELAY_ASCENDC_SCALAR(LeakyRelu, LeakyRelu, BELAY_NO_PARAM,
                     belay::sim::ScalarOp::LeakyRelu)
BELAY_ASCENDC_SCALAR(ShiftLeft, ShiftLefts, BELAY_NO_PARAM,
                     belay::sim::ScalarOp::ShiftLefts)
BELAY_ASCENDC_SCALAR(ShiftRight, ShiftRights, BELAY_ROUND_PARAM,
                     roundEn &&std::is_signed_v<PrimT<T>>
                         ? belay::sim::ScalarOp::ShiftRightsRound
                         : belay::sim::ScalarOp::ShiftRights)
#if __NPU_ARCH__ != 3510
#define BELAY_ASCENDC_PLAIN_SCALAR(Name)                                       \
  BELAY_ASCENDC_SCALAR(Name, Name, BELAY_NO_PARAM, belay::sim::ScalarOp::Name)
BELAY_ASCENDC_PLAIN_SCALAR(Adds)
BELAY_ASCENDC_PLAIN_SCALAR(Muls)
BELAY_ASCENDC_PLAIN_SCALAR(Maxs)
BELAY_ASCENDC_PLAIN_SCALAR(Mins)
#undef BELAY_ASCENDC_PLAIN_SCALAR
#endif
#undef BELAY_ASCENDC_SCALAR
#undef BELAY_NO_PARAM
#undef BELAY_ROUND_PARAM

// In either order, a scalar of any type (950).
#define BELAY_ASCENDC_SCALAR(Name, Reversed)                                   \
  template <typename E = BinaryDefaultType, bool isSetMask = true,             \
            const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T,    \
            typename S, typename V>                                            \
  BELAY_API void Name(const LocalTensor<T> &dst, const S &src0, const V &src1, \
                      uint64_t mask, const belay_detail::Repeat repeatTime,    \
                      const UnaryRepeatParams &repeatParams) {                 \
    belay_detail::mixed<config.scalarTensorIndex>(                             \
        belay::sim::ScalarOp::Name, belay::sim::ScalarOp::Reversed, dst, src0, \
        src1,                                                                  \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  template <typename E = BinaryDefaultType, bool isSetMask = true,             \
            const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T,    \
            typename S, typename V>                                            \
  BELAY_API void Name(const LocalTensor<T> &dst, const S &src0, const V &src1, \
                      const uint64_t mask[],                                   \
                      const belay_detail::Repeat repeatTime,                   \
                      const UnaryRepeatParams &repeatParams) {                 \
    belay_detail::mixed<config.scalarTensorIndex>(                             \
        belay::sim::ScalarOp::Name, belay::sim::ScalarOp::Reversed, dst, src0, \
        src1,                                                                  \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  template <typename E = BinaryDefaultType, bool isSetMask = true,             \
            const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T,    \
            typename S, typename V>                                            \
  BELAY_API void Name(const LocalTensor<T> &dst, const S &src0, const V &src1, \
                      const int32_t &count) {                                  \
    belay_detail::mixed<config.scalarTensorIndex>(                             \
        belay::sim::ScalarOp::Name, belay::sim::ScalarOp::Reversed, dst, src0, \
        src1, belay_detail::countOrRegisterWalk<isSetMask, PrimT<T>>(count));  \
  }
#if __NPU_ARCH__ == 3510
BELAY_ASCENDC_SCALAR(Adds, Adds)
BELAY_ASCENDC_SCALAR(Muls, Muls)
BELAY_ASCENDC_SCALAR(Maxs, Maxs)
BELAY_ASCENDC_SCALAR(Mins, Mins)
#endif
BELAY_ASCENDC_SCALAR(Subs, SubsFrom)
BELAY_ASCENDC_SCALAR(Divs, DivsFrom)
BELAY_ASCENDC_SCALAR(Ands, Ands)
BELAY_ASCENDC_SCALAR(Ors, Ors)
#undef BELAY_ASCENDC_SCALAR

/// Shifts by the elements of a second tensor (950).
template <typename T, typename U>
BELAY_API void ShiftLeft(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                         const LocalTensor<U> &src1, const int32_t &count) {
  belay_detail::binary(belay::sim::BinaryOp::ShiftLeft, dst, src0,
                       src1.template ReinterpretCast<T>(),
                       belay_detail::countWalk<PrimT<T>, PrimT<T>>(count));
}
template <typename T, typename U>
BELAY_API void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src0,
                          const LocalTensor<U> &src1, const int32_t &count) {
  belay_detail::binary(belay::sim::BinaryOp::ShiftRight, dst, src0,
                       src1.template ReinterpretCast<T>(),
                       belay_detail::countWalk<PrimT<T>, PrimT<T>>(count));
}

/// dst += src * scalar
template <typename T, typename U, bool isSetMask = true, typename M>
BELAY_API void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                    const U &scalarValue, M mask,
                    const belay_detail::Repeat repeatTime,
                    const UnaryRepeatParams &repeatParams) {
  belay_detail::scalar(
      belay::sim::ScalarOp::Axpy, dst, src, scalarValue,
      belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));
}
template <typename T, typename U>
BELAY_API void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                    const U &scalarValue, const int32_t &count) {
  belay_detail::scalar(belay::sim::ScalarOp::Axpy, dst, src, scalarValue,
                       belay_detail::countWalk<PrimT<T>, PrimT<U>>(count));
}
template <int = 0, typename T, typename U, typename S, typename... Rest,
          belay_detail::IfOther<U, S> = 0>
BELAY_API void Axpy(const LocalTensor<T> &, const LocalTensor<U> &, const S &,
                    const Rest &...) = delete (BELAY_OTHER_SCALAR);
template <int = 0, typename T, typename U, typename S, typename M,
          belay_detail::IfOther<U, S> = 0>
BELAY_API void Axpy(const LocalTensor<T> &, const LocalTensor<U> &, const S &,
                    const M &, belay_detail::Repeat,
                    const UnaryRepeatParams &) = delete (BELAY_OTHER_SCALAR);

/// half of a float product, rounded half away from zero (950).
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType,
          const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T,
          typename S, typename V>
BELAY_API void MulsCast(const LocalTensor<T> &dst, const S &src0, const V &src1,
                        const uint32_t count) {
  auto w = belay_detail::countWalk<half, float>(count);
  if constexpr (belay_detail::isTensor<S> &&
                (!belay_detail::isTensor<V> || config.scalarTensorIndex == 1))
    belay_detail::scalar(belay::sim::ScalarOp::MulsCast, dst, src0,
                         belay_detail::scalarOf<float>(src1), w);
  else
    belay_detail::scalar(belay::sim::ScalarOp::MulsCast, dst, src1,
                         belay_detail::scalarOf<float>(src0), w);
}
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType,
          const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T,
          typename S, typename V>
BELAY_API void FusedMulsCast(const LocalTensor<T> &dst, const S &src0,
                             const V &src1, const uint32_t count) {
  MulsCast<T0, T1, config>(dst, src0, src1, count);
}

// --- the deprecated operators: dst = src0 + src1 -----------------------------
// The destination's size decides how much is computed.
namespace belay_detail {
enum ExpressionOp : int {
  ExprAdd,
  ExprSub,
  ExprMul,
  ExprDiv,
  ExprAnd,
  ExprOr,
  ExprLT,
  ExprGT,
  ExprLE,
  ExprGE,
  ExprEQ,
  ExprNE,
};
} // namespace belay_detail

#define BELAY_ASCENDC_OPERATOR(Symbol, Op)                                     \
  template <typename T>                                                        \
  BELAY_API TensorExpression<T, belay_detail::Op> operator Symbol(             \
      const LocalTensor<T> &src0, const LocalTensor<T> &src1) {                \
    return {src0, src1};                                                       \
  }
BELAY_ASCENDC_OPERATOR(+, ExprAdd)
BELAY_ASCENDC_OPERATOR(-, ExprSub)
BELAY_ASCENDC_OPERATOR(*, ExprMul)
BELAY_ASCENDC_OPERATOR(/, ExprDiv)
BELAY_ASCENDC_OPERATOR(&, ExprAnd)
BELAY_ASCENDC_OPERATOR(|, ExprOr)
BELAY_ASCENDC_OPERATOR(<, ExprLT)
BELAY_ASCENDC_OPERATOR(>, ExprGT)
BELAY_ASCENDC_OPERATOR(<=, ExprLE)
BELAY_ASCENDC_OPERATOR(>=, ExprGE)
BELAY_ASCENDC_OPERATOR(==, ExprEQ)
BELAY_ASCENDC_OPERATOR(!=, ExprNE)
#undef BELAY_ASCENDC_OPERATOR

template <typename T>
template <typename U, int Op>
BELAY_API void LocalTensor<T>::operator=(const TensorExpression<U, Op> &e) {
  using namespace belay_detail;
  using belay::sim::BinaryOp;
  using belay::sim::CompareOp;
  if constexpr (Op >= ExprLT) {
    constexpr CompareOp ops[] = {CompareOp::LT, CompareOp::GT, CompareOp::LE,
                                 CompareOp::GE, CompareOp::EQ, CompareOp::NE};
    auto w = countWalk<PrimT<U>, PrimT<U>>(e.src0.GetSize());
    belay_sim_compare(ops[Op - ExprLT], elem<PrimT<U>>, data(), e.src0.data(),
                      e.src1.data(), belay::sim::Second::Vector, &w, "Compare");
  } else {
    constexpr BinaryOp ops[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul,
                                BinaryOp::Div, BinaryOp::And, BinaryOp::Or};
    binary(ops[Op], *this, e.src0, e.src1,
           countWalk<PrimT<T>, PrimT<T>>(GetSize()));
  }
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_VECTOR_H
