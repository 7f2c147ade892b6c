//===- Unary.cpp - One source, one destination -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "instructions/Elementwise.h"

#include <cmath>
#include <numbers>

namespace belay::sim {

namespace {

/// Derivative of lgamma: recurrence up to where the asymptotic series holds,
/// reflection below zero.
double digamma(double X) {
  double Result = 0;
  if (X <= 0) {
    if (X == std::floor(X))
      return std::nan("");
    Result = -std::numbers::pi / std::tan(std::numbers::pi * X);
    X = 1 - X;
  }
  for (; X < 10; X += 1)
    Result -= 1 / X;
  double Inverse = 1 / (X * X);
  return Result + std::log(X) - 0.5 / X -
         Inverse *
             (1.0 / 12 -
              Inverse * (1.0 / 120 -
                         Inverse * (1.0 / 252 -
                                    Inverse * (1.0 / 240 - Inverse / 132))));
}

// One struct per operation: its meaning in one line.
#define BELAY_MEANING(Name, Expression)                                        \
  template <typename T> struct Name##Meaning {                                 \
    static auto apply(Wide<T> X) { return Expression; }                        \
  };
BELAY_MEANING(Exp, std::exp(X))
BELAY_MEANING(Ln, std::log(X))
BELAY_MEANING(Abs, (X < 0 ? wrap(Wide<T>(0)) - wrap(X) : wrap(X)))
BELAY_MEANING(FloatAbs, std::fabs(X))
BELAY_MEANING(Reciprocal, 1 / X)
BELAY_MEANING(Sqrt, std::sqrt(X))
BELAY_MEANING(Rsqrt, 1 / std::sqrt(X))
BELAY_MEANING(Relu, (X > 0 || X != X ? X : Wide<T>(0)))
BELAY_MEANING(Not, static_cast<T>(~X))
BELAY_MEANING(Neg, wrap(Wide<T>(0)) - wrap(X))
BELAY_MEANING(FloatNeg, -X)
BELAY_MEANING(Copy, X)
BELAY_MEANING(Sin, std::sin(X))
BELAY_MEANING(Cos, std::cos(X))
BELAY_MEANING(Tan, std::tan(X))
BELAY_MEANING(Asin, std::asin(X))
BELAY_MEANING(Acos, std::acos(X))
BELAY_MEANING(Atan, std::atan(X))
BELAY_MEANING(Sinh, std::sinh(X))
BELAY_MEANING(Cosh, std::cosh(X))
BELAY_MEANING(Tanh, std::tanh(X))
BELAY_MEANING(Asinh, std::asinh(X))
BELAY_MEANING(Acosh, std::acosh(X))
BELAY_MEANING(Atanh, std::atanh(X))
BELAY_MEANING(Erf, std::erf(X))
BELAY_MEANING(Erfc, std::erfc(X))
BELAY_MEANING(Log2, std::log2(X))
BELAY_MEANING(Log10, std::log10(X))
BELAY_MEANING(Floor, std::floor(X))
BELAY_MEANING(Ceil, std::ceil(X))
BELAY_MEANING(Round, std::round(X))
BELAY_MEANING(Rint, std::rint(X))
BELAY_MEANING(Trunc, std::trunc(X))
BELAY_MEANING(Frac, X - std::trunc(X))
BELAY_MEANING(Sign, (X > 0 ? Wide<T>(1) : X < 0 ? Wide<T>(-1) : X))
BELAY_MEANING(Lgamma, std::lgamma(X))
BELAY_MEANING(Digamma, static_cast<float>(digamma(X)))
BELAY_MEANING(Sigmoid, 1 / (1 + std::exp(-X)))
BELAY_MEANING(Silu, X / (1 + std::exp(-X)))
// tanh form: x / (1 + exp(-1.5957691 (x + 0.044715 x^3)))
BELAY_MEANING(Gelu,
              X / (1 + std::exp(-1.595769121f * (X + 0.044715f * X * X * X))))
// x / (1 + exp(-1.702 x))
BELAY_MEANING(FasterGelu, X / (1 + std::exp(-1.702f * X)))
BELAY_MEANING(FasterGeluV2, X / (1 + std::exp(-1.702f * X)))
#undef BELAY_MEANING

template <template <typename> class M, typename T> constexpr UnaryFn loop() {
  return mapUnary<T, M<T>::apply>;
}

template <template <typename> class M> UnaryFn floatType(Elem T) {
  switch (T) {
  case Elem::F16:
    return loop<M, F16>();
  case Elem::BF16:
    return loop<M, BF16>();
  case Elem::F32:
    return loop<M, float>();
  default:
    return nullptr;
  }
}

template <template <typename> class M> UnaryFn signedType(Elem T) {
  switch (T) {
  case Elem::S8:
    return loop<M, int8_t>();
  case Elem::S16:
    return loop<M, int16_t>();
  case Elem::S32:
    return loop<M, int32_t>();
  case Elem::S64:
    return loop<M, int64_t>();
  default:
    return nullptr;
  }
}

/// Operations that only look at bits.
template <template <typename> class M> UnaryFn bitType(Elem T) {
  switch (bytesOf(T)) {
  case 1:
    return loop<M, uint8_t>();
  case 2:
    return loop<M, uint16_t>();
  case 4:
    return loop<M, uint32_t>();
  default:
    return loop<M, uint64_t>();
  }
}

UnaryFn either(UnaryFn A, UnaryFn B) { return A ? A : B; }

UnaryFn findUnary(UnaryOp Op, Elem T) {
  switch (Op) {
  case UnaryOp::Abs:
    return either(floatType<FloatAbsMeaning>(T), signedType<AbsMeaning>(T));
  case UnaryOp::Neg:
    return either(floatType<FloatNegMeaning>(T), signedType<NegMeaning>(T));
  case UnaryOp::Relu:
    return either(floatType<ReluMeaning>(T), signedType<ReluMeaning>(T));
  case UnaryOp::Sign:
    return either(floatType<SignMeaning>(T), signedType<SignMeaning>(T));
  case UnaryOp::Not:
    return bitType<NotMeaning>(T);
  case UnaryOp::Copy:
    return bitType<CopyMeaning>(T);
#define BELAY_FLOAT_ONLY(Name)                                                 \
  case UnaryOp::Name:                                                          \
    return floatType<Name##Meaning>(T);
    BELAY_FLOAT_ONLY(Exp)
    BELAY_FLOAT_ONLY(Ln)
    BELAY_FLOAT_ONLY(Reciprocal)
    BELAY_FLOAT_ONLY(Sqrt)
    BELAY_FLOAT_ONLY(Rsqrt)
    BELAY_FLOAT_ONLY(Sin)
    BELAY_FLOAT_ONLY(Cos)
    BELAY_FLOAT_ONLY(Tan)
    BELAY_FLOAT_ONLY(Asin)
    BELAY_FLOAT_ONLY(Acos)
    BELAY_FLOAT_ONLY(Atan)
    BELAY_FLOAT_ONLY(Sinh)
    BELAY_FLOAT_ONLY(Cosh)
    BELAY_FLOAT_ONLY(Tanh)
    BELAY_FLOAT_ONLY(Asinh)
    BELAY_FLOAT_ONLY(Acosh)
    BELAY_FLOAT_ONLY(Atanh)
    BELAY_FLOAT_ONLY(Erf)
    BELAY_FLOAT_ONLY(Erfc)
    BELAY_FLOAT_ONLY(Log2)
    BELAY_FLOAT_ONLY(Log10)
    BELAY_FLOAT_ONLY(Floor)
    BELAY_FLOAT_ONLY(Ceil)
    BELAY_FLOAT_ONLY(Round)
    BELAY_FLOAT_ONLY(Rint)
    BELAY_FLOAT_ONLY(Trunc)
    BELAY_FLOAT_ONLY(Frac)
    BELAY_FLOAT_ONLY(Lgamma)
    BELAY_FLOAT_ONLY(Digamma)
    BELAY_FLOAT_ONLY(Sigmoid)
    BELAY_FLOAT_ONLY(Silu)
    BELAY_FLOAT_ONLY(Gelu)
    BELAY_FLOAT_ONLY(FasterGelu)
    BELAY_FLOAT_ONLY(FasterGeluV2)
#undef BELAY_FLOAT_ONLY
  }
  return nullptr;
}

constexpr const char *nameOf(UnaryOp Op) {
  switch (Op) {
#define BELAY_UNARY(Name)                                                      \
  case UnaryOp::Name:                                                          \
    return #Name;
#include "abi/Ops.def"
  }
  return "?";
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_unary(UnaryOp Op, Elem T, void *Dst, const void *Src,
                     const Walk *W) {
  Issue I(nameOf(Op), Pipe::V, BELAY_PC);
  UnaryFn Fn = findUnary(Op, T);
  if (!Fn)
    I.unsupported(T);
  uint32_t Size = bytesOf(T);
  Lanes L = Lanes::resolve(*W, Size, I);
  I.read(Src, extentOf(L, W->Operand[1], Size), T);
  I.write(Dst, extentOf(L, W->Operand[0], Size), T);
  forEachRun<2>(L, W->Operand, {Size, Size},
                [&](const uint64_t (&O)[2], size_t N) {
                  Fn(at(Dst, O[0]), at(Src, O[1]), N);
                });
}
