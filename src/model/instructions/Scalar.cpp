//===- Scalar.cpp - A vector and a scalar ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/ByType.h"
#include "model/instructions/Convert.h"
#include "model/instructions/ElementFunctions.h"

#include <cmath>
#include <cstring>

namespace belay::sim {

namespace {

#define BELAY_MEANING(Name, Expression)                                        \
  template <typename T, typename U> struct Name##Meaning {                     \
    static auto apply([[maybe_unused]] Wide<T> D, Wide<U> A, Wide<U> S) {      \
      return Expression;                                                       \
    }                                                                          \
  };
BELAY_MEANING(Adds, wrap(A) + wrap(S))
BELAY_MEANING(Subs, wrap(A) - wrap(S))
BELAY_MEANING(Muls, wrap(A) * wrap(S))
BELAY_MEANING(Divs, divide(A, S))
BELAY_MEANING(Maxs, (A != A || A > S ? A : S))
BELAY_MEANING(Mins, (A != A || A < S ? A : S))
BELAY_MEANING(LeakyRelu, (A >= 0 || A != A ? A : A * S))
BELAY_MEANING(SubsFrom, wrap(S) - wrap(A))
BELAY_MEANING(DivsFrom, divide(S, A))
BELAY_MEANING(ShiftLefts, shiftLeft(A, static_cast<uint64_t>(S)))
BELAY_MEANING(ShiftRights, shiftRight(A, static_cast<uint64_t>(S)))
BELAY_MEANING(ShiftRightsRound, shiftRightRounded(A, static_cast<uint64_t>(S)))
BELAY_MEANING(Axpy, wrap(rounded<T>(wrap(static_cast<Wide<T>>(A)) *
                                    wrap(static_cast<Wide<T>>(S)))) +
                        wrap(D))
BELAY_MEANING(Ands, A &S)
BELAY_MEANING(Ors, A | S)
#undef BELAY_MEANING

template <template <typename, typename> class M, typename T, typename U = T>
constexpr ScalarFn loop() {
  return mapScalar<T, U, M<T, U>::apply>;
}

template <template <typename, typename> class M> ScalarFn floatType(Elem T) {
  return byType(T, FloatTypes(), []<typename U> { return loop<M, U>(); });
}

template <template <typename, typename> class M> ScalarFn integerType(Elem T) {
  return byType(T, IntegerTypes(), []<typename U> { return loop<M, U>(); });
}

template <template <typename, typename> class M> ScalarFn anyType(Elem T) {
  return byType(T, NumberTypes(), []<typename U> { return loop<M, U>(); });
}

/// half, rounded half away from zero, of a float product.
void mulsCast(void *D, const void *A, const void *S, size_t N) {
  const auto *Src = static_cast<const float *>(A);
  const float Scalar = *static_cast<const float *>(S);
  for (size_t I = 0; I < N; ++I)
    static_cast<F16 *>(D)[I] =
        toFloat<F16>(static_cast<double>(Src[I] * Scalar), Rounding::Round);
}

} // namespace

ScalarFn findScalar(ScalarOp Op, Elem DstT, Elem SrcT) {
  if (DstT != SrcT) {
    if (Op == ScalarOp::Axpy && DstT == Elem::F32 && SrcT == Elem::F16)
      return loop<AxpyMeaning, float, F16>();
    if (Op == ScalarOp::MulsCast && DstT == Elem::F16 && SrcT == Elem::F32)
      return mulsCast;
    return nullptr;
  }
  switch (Op) {
  case ScalarOp::Adds:
    return anyType<AddsMeaning>(DstT);
  case ScalarOp::Subs:
    return anyType<SubsMeaning>(DstT);
  case ScalarOp::Muls:
    return anyType<MulsMeaning>(DstT);
  case ScalarOp::Divs:
    return anyType<DivsMeaning>(DstT);
  case ScalarOp::Maxs:
    return anyType<MaxsMeaning>(DstT);
  case ScalarOp::Mins:
    return anyType<MinsMeaning>(DstT);
  case ScalarOp::LeakyRelu:
    return floatType<LeakyReluMeaning>(DstT);
  case ScalarOp::ShiftLefts:
    return integerType<ShiftLeftsMeaning>(DstT);
  case ScalarOp::ShiftRights:
    return integerType<ShiftRightsMeaning>(DstT);
  case ScalarOp::Axpy:
    return anyType<AxpyMeaning>(DstT);
  case ScalarOp::Ands:
    return integerType<AndsMeaning>(DstT);
  case ScalarOp::Ors:
    return integerType<OrsMeaning>(DstT);
  case ScalarOp::SubsFrom:
    return anyType<SubsFromMeaning>(DstT);
  case ScalarOp::DivsFrom:
    return anyType<DivsFromMeaning>(DstT);
  case ScalarOp::ShiftRightsRound:
    return integerType<ShiftRightsRoundMeaning>(DstT);
  case ScalarOp::MulsCast: // only with different types
    return nullptr;
  }
  return nullptr;
}

namespace {

constexpr unsigned NumScalarOps = 0
#define BELAY_SCALAR(Name) +1
#include "abi/Ops.def"
    ;

constexpr const char *nameOf(ScalarOp Op) {
  switch (Op) {
#define BELAY_SCALAR(Name)                                                     \
  case ScalarOp::Name:                                                         \
    return #Name;
#include "abi/Ops.def"
  }
  return "?";
}

/// What the API calls it, and the row of its element types.
constexpr const char *rowOf(ScalarOp Op) {
  switch (Op) {
  case ScalarOp::SubsFrom:
    return "Subs";
  case ScalarOp::DivsFrom:
    return "Divs";
  case ScalarOp::ShiftRightsRound:
    return "ShiftRights";
  default:
    return nameOf(Op);
  }
}
constexpr const char *apiName(ScalarOp Op) {
  switch (Op) {
  case ScalarOp::ShiftLefts:
    return "ShiftLeft";
  case ScalarOp::ShiftRights:
  case ScalarOp::ShiftRightsRound:
    return "ShiftRight";
  default:
    return rowOf(Op);
  }
}

/// On parts whose shifter takes five or six bits.
void checkShift(const Issue &I, ScalarOp Op, Elem T, const void *Scalar,
                const targets::Arch &Arch) {
  if (Op != ScalarOp::ShiftLefts && Op != ScalarOp::ShiftRights &&
      Op != ScalarOp::ShiftRightsRound)
    return;
  int64_t By = 0;
  uint32_t Size = bytesOf(T);
  std::memcpy(&By, Scalar, Size);
  bool Signed = T == Elem::S8 || T == Elem::S16 || T == Elem::S32;
  if (Signed)
    By = By << (64 - 8 * Size) >> (64 - 8 * Size);
  if (By < 0 || (Arch.limitsShifts && By > static_cast<int64_t>(8 * Size)))
    fail("bad-repeat", I.pc(), "shift by 0 to the width of the type",
         "%s of %s by %lld bits", I.name(), nameOf(T),
         static_cast<long long>(By));
}

template <typename T> void fill(void *Dst, const void *Scalar, size_t N) {
  std::fill_n(static_cast<T *>(Dst), N, *static_cast<const T *>(Scalar));
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_scalar(ScalarOp Op, Elem DstT, Elem SrcT, void *Dst,
                      const void *Src, const void *Scalar, const Walk *W) {
  static const DtypesOf<ScalarOp, NumScalarOps> Dtypes(rowOf);
  Issue I(apiName(Op), on::scalar, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes[Op], DstT, W->Mode);
  checkShift(I, Op, SrcT, Scalar, I.core().arch());
  ScalarFn Fn = findScalar(Op, DstT, SrcT);
  if (!Fn)
    I.unsupported(DstT, SrcT);
  uint32_t D = bytesOf(DstT), S = bytesOf(SrcT);
  Lanes L = Lanes::resolve(*W, std::max(D, S), I);
  checkDestination(I, L, W->Operand[0], D);
  I.read(Src, extentOf(L, W->Operand[1], S), SrcT);
  if (Op == ScalarOp::Axpy)
    I.read(Dst, extentOf(L, W->Operand[0], D), DstT);
  I.write(Dst, extentOf(L, W->Operand[0], D), DstT);
  if (I.later(belay_sim_scalar, Op, DstT, SrcT, Dst, Src,
              I.scalarAt(Scalar, SrcT), W))
    return;
  forEachRun<2>(L, W->Operand, {D, S}, [&](const uint64_t (&O)[2], size_t N) {
    Fn(at(Dst, O[0]), at(Src, O[1]), Scalar, N);
  });
  saturateFloats(I.core().Regs, L, W->Operand[0], Dst, DstT);
}

void belay_sim_duplicate(Elem T, void *Dst, const void *Scalar, const Walk *W) {
  static const DtypeRow *Dtypes = findDtypes("Duplicate");
  Issue I("Duplicate", on::duplicate, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes, T, W->Mode);
  uint32_t Size = bytesOf(T);
  Lanes L = Lanes::resolve(*W, Size, I);
  checkDestination(I, L, W->Operand[0], Size);
  I.write(Dst, extentOf(L, W->Operand[0], Size), T);
  if (I.later(belay_sim_duplicate, T, Dst, I.scalarAt(Scalar, T), W))
    return;
  using FillFn = void (*)(void *, const void *, size_t);
  FillFn Fill = Size == 1   ? fill<uint8_t>
                : Size == 2 ? fill<uint16_t>
                : Size == 4 ? fill<uint32_t>
                            : fill<uint64_t>;
  forEachRun<1>(L, W->Operand, {Size}, [&](const uint64_t (&O)[1], size_t N) {
    Fill(at(Dst, O[0]), Scalar, N);
  });
}
