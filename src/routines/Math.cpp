//===- Math.cpp - Element-wise routines of the library --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Elementwise.h"
#include "routines/Routine.h"

#include <cmath>
#include <cstring>
#include <numbers>

namespace belay::sim {

namespace {

/// A loop over N elements; Src has as many pointers as the routine has sources.
using MathFn = void (*)(void *Dst, const void *const *Src, size_t N,
                        float Param);

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

/// e^x as e^floor(x) times Terms terms, after the first, of the series for the
/// rest; no terms means e^x itself.
float taylorExp(float X, float Terms) {
  if (Terms == 0)
    return std::exp(X);
  float Integral = std::floor(X), Rest = X - Integral;
  float Sum = 1, Term = 1;
  for (float K = 1; K <= Terms; ++K) {
    Term *= Rest / K;
    Sum += Term;
  }
  return std::exp(Integral) * Sum;
}

float gelu(float X) {
  return X / (1 + std::exp(-1.5957691216f * (X + 0.044715f * X * X * X)));
}

/// The polynomial of I-BERT for the error function.
float fasterGeluV2(float X) {
  float Clipped = std::fmin(std::fabs(0.7071f * X), 1.769f) - 1.769f;
  float Half = -0.1444f * Clipped * Clipped + 0.5f;
  return X * ((X < 0 ? -Half : Half) + 0.5f);
}

template <typename T> T power(T Base, T Exponent) {
  if constexpr (std::is_floating_point_v<T>)
    return std::pow(Base, Exponent);
  else {
    // By squaring; a negative power of an integer is 0 unless the base is a
    // unit.
    if (Exponent < T(0))
      return Base == T(1)    ? T(1)
             : Base == T(-1) ? static_cast<T>(Exponent % 2 ? -1 : 1)
                             : T(0);
    uint64_t Result = 1, Factor = static_cast<uint64_t>(Base);
    for (uint64_t E = static_cast<uint64_t>(Exponent); E; E >>= 1) {
      if (E & 1)
        Result *= Factor;
      Factor *= Factor;
    }
    return static_cast<T>(Result);
  }
}

// One struct per routine: its meaning in one line. W is what the arithmetic is
// done in, P the parameter, D the old destination.
#define BELAY_MEANING(Name, Expression)                                        \
  template <typename W> struct Name##Meaning {                                 \
    static auto apply([[maybe_unused]] W X, [[maybe_unused]] W Y,              \
                      [[maybe_unused]] W Z, [[maybe_unused]] float P,          \
                      [[maybe_unused]] W D) {                                  \
      return Expression;                                                       \
    }                                                                          \
  };
BELAY_MEANING(Tanh, std::tanh(X))
BELAY_MEANING(Sin, std::sin(X))
BELAY_MEANING(Cos, std::cos(X))
BELAY_MEANING(Tan, std::tan(X))
BELAY_MEANING(Asin, std::asin(X))
BELAY_MEANING(Acos, std::acos(X))
BELAY_MEANING(Atan, std::atan(X))
BELAY_MEANING(Sinh, std::sinh(X))
BELAY_MEANING(Cosh, std::cosh(X))
BELAY_MEANING(Asinh, std::asinh(X))
BELAY_MEANING(Acosh, std::acosh(X))
BELAY_MEANING(Atanh, std::atanh(X))
BELAY_MEANING(Erf, std::erf(X))
BELAY_MEANING(Erfc, std::erfc(X))
BELAY_MEANING(Exp, taylorExp(X, P))
BELAY_MEANING(Log, std::log(X))
BELAY_MEANING(Log2, std::log2(X))
BELAY_MEANING(Log10, std::log10(X))
BELAY_MEANING(Floor, std::floor(X))
BELAY_MEANING(Ceil, std::ceil(X))
// Ties go to the even neighbour in both.
BELAY_MEANING(Round, std::rint(X))
BELAY_MEANING(Rint, std::rint(X))
BELAY_MEANING(Trunc, std::trunc(X))
BELAY_MEANING(Frac, X - std::trunc(X))
BELAY_MEANING(Sign, (X > 0 ? W(1) : X < 0 ? W(-1) : X))
BELAY_MEANING(Lgamma, std::lgamma(X))
BELAY_MEANING(Digamma, static_cast<float>(digamma(X)))
BELAY_MEANING(Sigmoid, 1 / (1 + std::exp(-X)))
BELAY_MEANING(Silu, X / (1 + std::exp(-X)))
BELAY_MEANING(Swish, X / (1 + std::exp(-P * X)))
BELAY_MEANING(Gelu, gelu(X))
BELAY_MEANING(FasterGelu, X / (1 + std::exp(-1.702f * X)))
BELAY_MEANING(FasterGeluV2, fasterGeluV2(X))
BELAY_MEANING(BitwiseNot, static_cast<W>(~X))
BELAY_MEANING(LogicalNot, X == W(0))
BELAY_MEANING(IsNan, std::isnan(X))
BELAY_MEANING(IsInf, std::isinf(X))
BELAY_MEANING(IsFinite, std::isfinite(X))
BELAY_MEANING(Power, power(X, Y))
BELAY_MEANING(Fmod, std::fmod(X, Y))
BELAY_MEANING(Hypot, std::hypot(X, Y))
BELAY_MEANING(Xor, X ^ Y)
BELAY_MEANING(ClampMax, (X > Y ? Y : X))
BELAY_MEANING(ClampMin, (X < Y ? Y : X))
BELAY_MEANING(ReGlu, X *(Y > 0 ? Y : 0))
BELAY_MEANING(GeGLU, X *gelu(Y))
BELAY_MEANING(SwiGLU, X *Y / (1 + std::exp(-P * Y)))
BELAY_MEANING(BitwiseAnd, X &Y)
BELAY_MEANING(BitwiseOr, X | Y)
BELAY_MEANING(BitwiseXor, X ^ Y)
BELAY_MEANING(LogicalAnd, X != W(0) && Y != W(0))
BELAY_MEANING(LogicalAnds, X != W(0) && Y != W(0))
BELAY_MEANING(LogicalOr, X != W(0) || Y != W(0))
BELAY_MEANING(LogicalOrs, X != W(0) || Y != W(0))
BELAY_MEANING(LogicalXor, (X != W(0)) != (Y != W(0)))
// A product that is rounded, then a sum: the library's form, unlike the
// instruction's.
BELAY_MEANING(Axpy, X *Y + D)
BELAY_MEANING(Fma, std::fma(X, Y, Z))
// NaN stays; when the bounds cross, the upper one wins.
BELAY_MEANING(Clamp, ((X < Y ? Y : X) > Z ? Z : (X < Y ? Y : X)))
#undef BELAY_MEANING

/// Dst[i] = meaning(sources[i]) with D and T the element types of both sides.
template <template <typename> class M, unsigned Sources, typename T,
          typename D = T>
void run(void *Dst, const void *const *Src, size_t N, float P) {
  using W = Wide<T>;
  auto *To = static_cast<D *>(Dst);
  const auto *X = static_cast<const T *>(Src[0]);
  const auto *Y = static_cast<const T *>(Src[Sources > 1 ? 1 : 0]);
  const auto *Z = static_cast<const T *>(Src[Sources > 2 ? 2 : 0]);
  BELAY_LANES
  for (size_t I = 0; I < N; ++I)
    To[I] = static_cast<D>(static_cast<Wide<D>>(
        M<W>::apply(static_cast<W>(X[I]), static_cast<W>(Y[I]),
                    static_cast<W>(Z[I]), P, static_cast<W>(To[I]))));
}

template <template <typename> class M, unsigned S> MathFn floats(Elem T) {
  switch (T) {
  case Elem::F16:
    return run<M, S, F16>;
  case Elem::BF16:
    return run<M, S, BF16>;
  case Elem::F32:
    return run<M, S, float>;
  default:
    return nullptr;
  }
}

template <template <typename> class M, unsigned S, bool ToBool = false>
MathFn integers(Elem T) {
#define BELAY_CASE(Name, CType)                                                \
  case Elem::Name:                                                             \
    return run<M, S, CType, std::conditional_t<ToBool, uint8_t, CType>>;
  switch (T) {
    BELAY_CASE(S8, int8_t)
    BELAY_CASE(U8, uint8_t)
    BELAY_CASE(S16, int16_t)
    BELAY_CASE(U16, uint16_t)
    BELAY_CASE(S32, int32_t)
    BELAY_CASE(U32, uint32_t)
    BELAY_CASE(S64, int64_t)
    BELAY_CASE(U64, uint64_t)
#undef BELAY_CASE
  default:
    return nullptr;
  }
}

/// Answers yes or no, as bool (a byte here: what it overwrites may be no bool)
/// or, for some, as 1 and 0 of the source's type.
template <template <typename> class M, unsigned S>
MathFn predicate(Elem To, Elem From) {
  if (To == From && From != Elem::Bool)
    return floats<M, S>(From);
  if (To != Elem::Bool)
    return nullptr;
  switch (From) {
  case Elem::F16:
    return run<M, S, F16, uint8_t>;
  case Elem::BF16:
    return run<M, S, BF16, uint8_t>;
  case Elem::F32:
    return run<M, S, float, uint8_t>;
  default:
    return nullptr;
  }
}
template <template <typename> class M, unsigned S>
MathFn logical(Elem To, Elem From) {
  if (To != Elem::Bool)
    return nullptr;
  if (From == Elem::Bool)
    return run<M, S, uint8_t, uint8_t>;
  MathFn F = integers<M, S, true>(From);
  return F ? F : predicate<M, S>(To, From);
}

MathFn either(MathFn A, MathFn B) { return A ? A : B; }

/// Mixed precision: half source, float destination.
void axpyMixed(void *Dst, const void *const *Src, size_t N, float) {
  auto *D = static_cast<float *>(Dst);
  const auto *X = static_cast<const F16 *>(Src[0]);
  const auto *Y = static_cast<const F16 *>(Src[1]);
  for (size_t I = 0; I < N; ++I)
    D[I] = static_cast<float>(X[I]) * static_cast<float>(Y[I]) + D[I];
}

template <typename Bits>
void where(void *Dst, const void *const *Src, size_t N, float) {
  auto *D = static_cast<Bits *>(Dst);
  const auto *A = static_cast<const Bits *>(Src[0]);
  const auto *B = static_cast<const Bits *>(Src[1]);
  const auto *If = static_cast<const uint8_t *>(Src[2]);
  for (size_t I = 0; I < N; ++I)
    D[I] = If[I] ? A[I] : B[I];
}
MathFn findWhere(Elem T) {
  switch (bytesOf(T)) {
  case 1:
    return where<uint8_t>;
  case 2:
    return where<uint16_t>;
  case 4:
    return where<uint32_t>;
  default:
    return where<uint64_t>;
  }
}

MathFn find(MathOp Op, Elem To, Elem From) {
  switch (Op) {
#define BELAY_FLOATS(Name, S)                                                  \
  case MathOp::Name:                                                           \
    return floats<Name##Meaning, S>(From);
    BELAY_FLOATS(Tanh, 1)
    BELAY_FLOATS(Sin, 1)
    BELAY_FLOATS(Cos, 1)
    BELAY_FLOATS(Tan, 1)
    BELAY_FLOATS(Asin, 1)
    BELAY_FLOATS(Acos, 1)
    BELAY_FLOATS(Atan, 1)
    BELAY_FLOATS(Sinh, 1)
    BELAY_FLOATS(Cosh, 1)
    BELAY_FLOATS(Asinh, 1)
    BELAY_FLOATS(Acosh, 1)
    BELAY_FLOATS(Atanh, 1)
    BELAY_FLOATS(Erf, 1)
    BELAY_FLOATS(Erfc, 1)
    BELAY_FLOATS(Exp, 1)
    BELAY_FLOATS(Log, 1)
    BELAY_FLOATS(Log2, 1)
    BELAY_FLOATS(Log10, 1)
    BELAY_FLOATS(Floor, 1)
    BELAY_FLOATS(Ceil, 1)
    BELAY_FLOATS(Round, 1)
    BELAY_FLOATS(Rint, 1)
    BELAY_FLOATS(Trunc, 1)
    BELAY_FLOATS(Frac, 1)
    BELAY_FLOATS(Lgamma, 1)
    BELAY_FLOATS(Digamma, 1)
    BELAY_FLOATS(Sigmoid, 1)
    BELAY_FLOATS(Silu, 1)
    BELAY_FLOATS(Swish, 1)
    BELAY_FLOATS(Gelu, 1)
    BELAY_FLOATS(FasterGelu, 1)
    BELAY_FLOATS(FasterGeluV2, 1)
    BELAY_FLOATS(Fmod, 2)
    BELAY_FLOATS(Hypot, 2)
    BELAY_FLOATS(ClampMax, 2)
    BELAY_FLOATS(ClampMin, 2)
    BELAY_FLOATS(ReGlu, 2)
    BELAY_FLOATS(GeGLU, 2)
    BELAY_FLOATS(SwiGLU, 2)
    BELAY_FLOATS(Fma, 3)
#undef BELAY_FLOATS
  case MathOp::SinCos:
    return floats<SinMeaning, 1>(From);
  case MathOp::Sign:
    return either(floats<SignMeaning, 1>(From), integers<SignMeaning, 1>(From));
  case MathOp::Power:
    return either(floats<PowerMeaning, 2>(From),
                  integers<PowerMeaning, 2>(From));
  case MathOp::Clamp:
    return either(floats<ClampMeaning, 3>(From),
                  integers<ClampMeaning, 3>(From));
  case MathOp::BitwiseNot:
    return integers<BitwiseNotMeaning, 1>(From);
  case MathOp::BitwiseAnd:
    return integers<BitwiseAndMeaning, 2>(From);
  case MathOp::BitwiseOr:
    return integers<BitwiseOrMeaning, 2>(From);
  case MathOp::Xor:
  case MathOp::BitwiseXor:
    return integers<BitwiseXorMeaning, 2>(From);
  case MathOp::LogicalNot:
    return logical<LogicalNotMeaning, 1>(To, From);
  case MathOp::LogicalAnd:
  case MathOp::LogicalAnds:
    return logical<LogicalAndMeaning, 2>(To, From);
  case MathOp::LogicalOr:
  case MathOp::LogicalOrs:
    return logical<LogicalOrMeaning, 2>(To, From);
  case MathOp::LogicalXor:
    return logical<LogicalXorMeaning, 2>(To, From);
  case MathOp::IsNan:
    return predicate<IsNanMeaning, 1>(To, From);
  case MathOp::IsInf:
    return predicate<IsInfMeaning, 1>(To, From);
  case MathOp::IsFinite:
    return predicate<IsFiniteMeaning, 1>(To, From);
  case MathOp::Axpy:
    return To == From                             ? floats<AxpyMeaning, 2>(From)
           : To == Elem::F32 && From == Elem::F16 ? axpyMixed
                                                  : nullptr;
  case MathOp::Where:
    return findWhere(From);
  }
  return nullptr;
}

struct Entry {
  const char *Name;
  unsigned Sources;
  TypeSet Old, New;
};
const Entry &entryOf(MathOp Op) {
  using namespace types;
  static constexpr Entry Table[] = {
#define BELAY_MATH(Name, Sources, Types, NewTypes)                             \
  {#Name, Sources, Types, NewTypes},
#include "abi/Math.def"
  };
  return Table[static_cast<unsigned>(Op)];
}

/// Whether the manual's page of a routine says that source and destination must
/// not overlap, which includes being the same tensor. The page of Trunc allows
/// it; pages that say neither are not listed.
bool forbidsInPlace(MathOp Op) {
  switch (Op) {
  case MathOp::Tanh:
  case MathOp::Sin:
  case MathOp::Cos:
  case MathOp::Tan:
  case MathOp::Asin:
  case MathOp::Acos:
  case MathOp::Atan:
  case MathOp::Sinh:
  case MathOp::Cosh:
  case MathOp::Asinh:
  case MathOp::Acosh:
  case MathOp::Atanh:
  case MathOp::Erf:
  case MathOp::Erfc:
  case MathOp::Exp:
  case MathOp::Log:
  case MathOp::Floor:
  case MathOp::Ceil:
  case MathOp::Frac:
  case MathOp::Sign:
  case MathOp::Lgamma:
  case MathOp::Digamma:
  case MathOp::Sigmoid:
  case MathOp::Silu:
  case MathOp::Swish:
  case MathOp::Power:
  case MathOp::Fmod:
  case MathOp::Xor:
  case MathOp::ClampMax:
  case MathOp::ClampMin:
  case MathOp::ReGlu:
  case MathOp::GeGLU:
  case MathOp::SwiGLU:
  case MathOp::Axpy:
    return true;
  default:
    return false;
  }
}

/// Whether a routine has forms whose result has another type than its sources;
/// find() knows which.
bool changesType(MathOp Op) {
  switch (Op) {
  case MathOp::LogicalNot:
  case MathOp::LogicalAnd:
  case MathOp::LogicalAnds:
  case MathOp::LogicalOr:
  case MathOp::LogicalOrs:
  case MathOp::LogicalXor:
  case MathOp::IsNan:
  case MathOp::IsInf:
  case MathOp::IsFinite:
  case MathOp::Axpy:
    return true;
  default:
    return false;
  }
}

/// Runs Fn over all elements; a scalar source becomes a short tensor that is
/// used again and again.
void forAll(MathFn Fn, void *Dst, const MathCall &C, const Elem (&Types)[3],
            unsigned Sources) {
  constexpr size_t Chunk = 512;
  alignas(64) uint8_t Repeated[3][Chunk * sizeof(uint64_t)];
  bool AnyScalar = false;
  for (unsigned S = 0; S < Sources; ++S) {
    if (!C.Src[S].Scalar)
      continue;
    AnyScalar = true;
    for (size_t I = 0; I < std::min<size_t>(Chunk, C.Count); ++I)
      std::memcpy(Repeated[S] + I * bytesOf(Types[S]), C.Src[S].Data,
                  bytesOf(Types[S]));
  }
  size_t Step = AnyScalar ? Chunk : std::max<size_t>(C.Count, 1);
  for (size_t First = 0; First < C.Count; First += Step) {
    const void *Src[3] = {};
    for (unsigned S = 0; S < Sources; ++S)
      Src[S] = C.Src[S].Scalar ? Repeated[S]
                               : elementAt(C.Src[S].Data, Types[S], First);
    Fn(elementAt(Dst, C.DstType, First), Src,
       std::min<size_t>(Step, C.Count - First), C.Param);
  }
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_math(MathOp Op, const MathCall *C) {
  if (Routine::absent())
    return;
  const Entry &E = entryOf(Op);
  Routine R(E.Name, BELAY_PC);
  R.accepts(C->SrcType, E.Old, E.New);
  MathFn Fn = find(Op, C->DstType, C->SrcType);
  if (!Fn || (C->DstType != C->SrcType && !changesType(Op)))
    R.issue().unsupported(C->DstType, C->SrcType);
  constexpr float MaxTerms = 255;
  bool IsNumber = C->Param >= 0 && C->Param <= MaxTerms; // and no NaN
  if (Op == MathOp::Exp && !IsNumber)
    fail("bad-repeat", BELAY_PC, "expandLevel is in [0, 255]",
         "Exp of %g terms", static_cast<double>(C->Param));
  // The condition of Where is always a byte.
  const Elem Types[3] = {C->SrcType, C->SrcType,
                         Op == MathOp::Where ? Elem::Bool : C->SrcType};
  for (unsigned S = 0; S < E.Sources; ++S)
    R.reads(C->Src[S], C->Count, Types[S]);
  if (Op == MathOp::Axpy)
    R.reads(C->Dst, C->Count, C->DstType);
  if (C->OverwritesSource && !C->Src[0].Scalar)
    R.writes(const_cast<void *>(C->Src[0].Data), C->Count, C->SrcType);
  R.writes(C->Dst, C->Count, C->DstType);
  if (Op == MathOp::SinCos)
    R.writes(C->Dst2, C->Count, C->DstType);
  for (unsigned S = 0; S < E.Sources; ++S)
    R.issue().record().OverSource |= forbidsInPlace(Op) && !C->Src[S].Scalar &&
                                     C->Src[S].Data == C->Dst && C->Count;
  if (!R.ready(C->Tmp, belay_sim_math, Op, C))
    return;
  // The cosine first: the sine may be written over the source.
  if (Op == MathOp::SinCos)
    forAll(floats<CosMeaning, 1>(C->SrcType), C->Dst2, *C, Types, 1);
  forAll(Fn, C->Dst, *C, Types, E.Sources);
}
