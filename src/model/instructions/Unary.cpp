//===- Unary.cpp - One source, one destination ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/ByType.h"
#include "model/instructions/ElementFunctions.h"

#include <cmath>

namespace belay::sim {

namespace {

// One struct per operation: its meaning in one line.
#define BELAY_MEANING(Name, Expression)                                        \
  template <typename T> struct Name##Meaning {                                 \
    static auto apply(Wide<T> X) { return Expression; }                        \
  };
BELAY_MEANING(Exp, std::exp(X))
BELAY_MEANING(Ln, std::log(X))
BELAY_MEANING(Abs, (X < 0 ? wrap(Wide<T>(0)) - wrap(X) : wrap(X)))
BELAY_MEANING(FloatAbs, std::fabs(X))
BELAY_MEANING(Reciprocal, divide(Wide<T>(1), X))
BELAY_MEANING(Sqrt, std::sqrt(X))
BELAY_MEANING(Rsqrt, 1 / std::sqrt(X))
BELAY_MEANING(Relu, (X > 0 || X != X ? X : Wide<T>(0)))
BELAY_MEANING(Not, static_cast<T>(~X))
BELAY_MEANING(Neg, wrap(Wide<T>(0)) - wrap(X))
BELAY_MEANING(FloatNeg, -X)
BELAY_MEANING(Copy, X)
#undef BELAY_MEANING

template <template <typename> class M, typename T> constexpr UnaryFn loop() {
  return mapUnary<T, M<T>::apply>;
}

template <template <typename> class M> UnaryFn floatType(Elem T) {
  return byType(T, FloatTypes(), []<typename U> { return loop<M, U>(); });
}

template <template <typename> class M> UnaryFn signedType(Elem T) {
  return byType(T, SignedTypes(), []<typename U> { return loop<M, U>(); });
}

template <template <typename> class M> UnaryFn longType(Elem T) {
  return T == Elem::S64   ? loop<M, int64_t>()
         : T == Elem::U64 ? loop<M, uint64_t>()
                          : nullptr;
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

} // namespace

UnaryFn findUnary(UnaryOp Op, Elem T) {
  switch (Op) {
  case UnaryOp::Abs:
    return either(floatType<FloatAbsMeaning>(T), signedType<AbsMeaning>(T));
  case UnaryOp::Neg:
    return either(floatType<FloatNegMeaning>(T), signedType<NegMeaning>(T));
  case UnaryOp::Relu:
    return either(floatType<ReluMeaning>(T), signedType<ReluMeaning>(T));
  case UnaryOp::Reciprocal:
    return either(floatType<ReciprocalMeaning>(T),
                  longType<ReciprocalMeaning>(T));
  case UnaryOp::Not:
    return bitType<NotMeaning>(T);
  case UnaryOp::Copy:
    return bitType<CopyMeaning>(T);
#define BELAY_FLOAT_ONLY(Name)                                                 \
  case UnaryOp::Name:                                                          \
    return floatType<Name##Meaning>(T);
    BELAY_FLOAT_ONLY(Exp)
    BELAY_FLOAT_ONLY(Ln)
    BELAY_FLOAT_ONLY(Sqrt)
    BELAY_FLOAT_ONLY(Rsqrt)
#undef BELAY_FLOAT_ONLY
  }
  return nullptr;
}

namespace {

constexpr unsigned NumUnaryOps = 0
#define BELAY_UNARY(Name) +1
#include "abi/Ops.def"
    ;

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
  static const DtypesOf<UnaryOp, NumUnaryOps> Dtypes(
      [](UnaryOp O) { return nameOf(O); });
  Issue I(nameOf(Op), on::unary, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes[Op], T, W->Mode);
  UnaryFn Fn = findUnary(Op, T);
  if (!Fn)
    I.unsupported(T);
  uint32_t Size = bytesOf(T);
  Lanes L = Lanes::resolve(*W, Size, I);
  checkDestination(I, L, W->Operand[0], Size);
  // Masks end in the middle of a word: a bit has a value or not for itself.
  Elem Unit = Op == UnaryOp::Not ? Elem::U8 : T;
  I.read(Src, extentOf(L, W->Operand[1], Size), Unit);
  I.write(Dst, extentOf(L, W->Operand[0], Size), Unit);
  if (I.later(belay_sim_unary, Op, T, Dst, Src, W))
    return;
  forEachRun<2>(L, W->Operand, {Size, Size},
                [&](const uint64_t (&O)[2], size_t N) {
                  Fn(at(Dst, O[0]), at(Src, O[1]), N);
                });
  saturateFloats(I.core().Regs, L, W->Operand[0], Dst, T);
}
