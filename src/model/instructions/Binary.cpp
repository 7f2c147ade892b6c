//===- Binary.cpp - Two sources, one destination --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/ByType.h"
#include "model/instructions/Convert.h"
#include "model/instructions/Dequant.h"
#include "model/instructions/ElementFunctions.h"

#include <cmath>

namespace belay::sim {

namespace {

/// The larger of two, and NaN if either is.
template <typename T> T larger(T A, T B) {
  if constexpr (IsFloat<T>)
    return A != A ? A : (A > B ? A : B);
  else
    return A > B ? A : B;
}
template <typename T> T smaller(T A, T B) {
  if constexpr (IsFloat<T>)
    return A != A ? A : (A < B ? A : B);
  else
    return A < B ? A : B;
}

// One struct per operation: its meaning in one line.
#define BELAY_MEANING(Name, Expression)                                        \
  template <typename T, typename U> struct Name##Meaning {                     \
    static auto apply([[maybe_unused]] Wide<T> D, Wide<U> A, Wide<U> B) {      \
      return Expression;                                                       \
    }                                                                          \
  };
BELAY_MEANING(Add, wrap(A) + wrap(B))
BELAY_MEANING(Sub, wrap(A) - wrap(B))
BELAY_MEANING(Mul, wrap(A) * wrap(B))
BELAY_MEANING(Div, divide(A, B))
BELAY_MEANING(Max, larger(A, B))
BELAY_MEANING(Min, smaller(A, B))
BELAY_MEANING(And, A &B)
BELAY_MEANING(Or, A | B)
BELAY_MEANING(Xor, A ^ B)
BELAY_MEANING(AddRelu,
              larger(static_cast<Wide<T>>(wrap(A) + wrap(B)), Wide<T>(0)))
BELAY_MEANING(SubRelu,
              larger(static_cast<Wide<T>>(wrap(A) - wrap(B)), Wide<T>(0)))
BELAY_MEANING(MulAddDst,
              wrap(static_cast<Wide<T>>(A)) * wrap(static_cast<Wide<T>>(B)) +
                  wrap(D))
BELAY_MEANING(FusedMulAdd, wrap(rounded<T>(wrap(A) * wrap(D))) + wrap(B))
BELAY_MEANING(FusedMulAddRelu,
              larger(static_cast<Wide<T>>(wrap(rounded<T>(wrap(A) * wrap(D))) +
                                          wrap(B)),
                     Wide<T>(0)))
BELAY_MEANING(ExpSub,
              std::exp(static_cast<Wide<T>>(A) - static_cast<Wide<T>>(B)))
BELAY_MEANING(AbsSub, std::fabs(A - B))
BELAY_MEANING(ShiftLeft, shiftLeft(A, static_cast<uint64_t>(B)))
BELAY_MEANING(ShiftRight, shiftRight(A, static_cast<uint64_t>(B)))
BELAY_MEANING(Prelu, A > 0 ? A : A * B)
#undef BELAY_MEANING

/// An integer and its neighbours one size up, so that sums and products are
/// seen before they wrap.
template <typename U>
using Wider = std::conditional_t<std::is_same_v<U, int16_t>, int64_t, Wide<U>>;

/// Cast(op(A, B)): the result of the arithmetic in the source's type, rounded
/// to nearest on the way to the destination's.
template <typename T, typename U, bool Relu, typename Fn>
T castResult(Wide<U> A, Wide<U> B, Fn Op) {
  auto R = Op(static_cast<Wider<U>>(A), static_cast<Wider<U>>(B));
  if (Relu)
    R = larger(R, decltype(R)(0));
  return convert<T>(R, Rounding::Rint);
}
template <typename V> V wrapAdd(V A, V B) {
  return static_cast<V>(wrap(A) + wrap(B));
}
template <typename V> V wrapSub(V A, V B) {
  return static_cast<V>(wrap(A) - wrap(B));
}
template <typename V> V wrapMul(V A, V B) {
  return static_cast<V>(wrap(A) * wrap(B));
}
template <typename T, typename U> struct AddReluCastMeaning {
  static T apply(Wide<T>, Wide<U> A, Wide<U> B) {
    return castResult<T, U, true>(A, B, wrapAdd<Wider<U>>);
  }
};
template <typename T, typename U> struct SubReluCastMeaning {
  static T apply(Wide<T>, Wide<U> A, Wide<U> B) {
    return castResult<T, U, true>(A, B, wrapSub<Wider<U>>);
  }
};
template <typename T, typename U> struct MulCastMeaning {
  static T apply(Wide<T>, Wide<U> A, Wide<U> B) {
    return castResult<T, U, false>(A, B, wrapMul<Wider<U>>);
  }
};

template <template <typename, typename> class M, typename T, typename U = T>
constexpr BinaryFn loop() {
  return mapBinary<T, U, M<T, U>::apply>;
}

template <template <typename, typename> class M> BinaryFn anyType(Elem T) {
  return byType(T, NumberTypes(), []<typename U> { return loop<M, U>(); });
}

template <template <typename, typename> class M> BinaryFn floatType(Elem T) {
  return byType(T, FloatTypes(), []<typename U> { return loop<M, U>(); });
}

/// Bitwise operations look at 16 bits at a time, whatever the type.
template <template <typename, typename> class M> BinaryFn bitType(Elem T) {
  switch (T) {
  case Elem::S16:
  case Elem::U16:
    return loop<M, uint16_t>();
  case Elem::S32:
  case Elem::U32:
    return loop<M, uint32_t>();
  case Elem::S64:
  case Elem::U64:
    return loop<M, uint64_t>();
  case Elem::S8:
  case Elem::U8:
  case Elem::Bool:
    return loop<M, uint8_t>();
  default:
    return nullptr;
  }
}

template <template <typename, typename> class M> BinaryFn integerType(Elem T) {
  return byType(T, IntegerTypes(), []<typename U> { return loop<M, U>(); });
}

template <template <typename, typename> class M>
BinaryFn reluCast(Elem To, Elem From, const targets::Arch &Arch) {
  if (To == Elem::S8 && From == Elem::F16)
    return loop<M, int8_t, F16>();
  if (To == Elem::S8 && From == Elem::S16)
    return loop<M, int8_t, int16_t>();
  if (To == Elem::F16 && From == Elem::F32)
    return loop<M, F16, float>();
  if (!Arch.hasInt64 || From != Elem::S64)
    return nullptr;
  return To == Elem::F32   ? loop<M, float, int64_t>()
         : To == Elem::S32 ? loop<M, int32_t, int64_t>()
                           : nullptr;
}

/// Operations whose result has another type than their sources.
BinaryFn findMixed(BinaryOp Op, Elem To, Elem From, const targets::Arch &Arch) {
  bool Widening = To == Elem::F32 && From == Elem::F16;
  switch (Op) {
  case BinaryOp::MulAddDst:
    return Widening ? loop<MulAddDstMeaning, float, F16>() : nullptr;
  case BinaryOp::ExpSub:
    return Widening ? loop<ExpSubMeaning, float, F16>() : nullptr;
  case BinaryOp::AddReluCast:
    return reluCast<AddReluCastMeaning>(To, From, Arch);
  case BinaryOp::SubReluCast:
    return reluCast<SubReluCastMeaning>(To, From, Arch);
  case BinaryOp::MulCast:
    if (From == Elem::F16)
      return To == Elem::S8   ? loop<MulCastMeaning, int8_t, F16>()
             : To == Elem::U8 ? loop<MulCastMeaning, uint8_t, F16>()
                              : nullptr;
    return From == Elem::S64 ? reluCast<MulCastMeaning>(To, From, Arch)
                             : nullptr;
  default:
    return nullptr;
  }
}

} // namespace

BinaryFn findBinary(BinaryOp Op, Elem DstT, Elem SrcT,
                    const targets::Arch &Arch) {
  if (DstT != SrcT)
    return findMixed(Op, DstT, SrcT, Arch);
  switch (Op) {
  case BinaryOp::Add:
    return anyType<AddMeaning>(DstT);
  case BinaryOp::Sub:
    return anyType<SubMeaning>(DstT);
  case BinaryOp::Mul:
    return anyType<MulMeaning>(DstT);
  case BinaryOp::Div:
    return anyType<DivMeaning>(DstT);
  case BinaryOp::Max:
    return anyType<MaxMeaning>(DstT);
  case BinaryOp::Min:
    return anyType<MinMeaning>(DstT);
  case BinaryOp::And:
    return bitType<AndMeaning>(DstT);
  case BinaryOp::Or:
    return bitType<OrMeaning>(DstT);
  case BinaryOp::Xor:
    return bitType<XorMeaning>(DstT);
  case BinaryOp::AddRelu:
    return anyType<AddReluMeaning>(DstT);
  case BinaryOp::SubRelu:
    return anyType<SubReluMeaning>(DstT);
  case BinaryOp::MulAddDst:
    return anyType<MulAddDstMeaning>(DstT);
  case BinaryOp::FusedMulAdd:
    return anyType<FusedMulAddMeaning>(DstT);
  case BinaryOp::FusedMulAddRelu:
    return anyType<FusedMulAddReluMeaning>(DstT);
  case BinaryOp::ExpSub:
    return floatType<ExpSubMeaning>(DstT);
  case BinaryOp::AbsSub:
    return floatType<AbsSubMeaning>(DstT);
  case BinaryOp::ShiftLeft:
    return integerType<ShiftLeftMeaning>(DstT);
  case BinaryOp::ShiftRight:
    return integerType<ShiftRightMeaning>(DstT);
  case BinaryOp::Prelu:
    return floatType<PreluMeaning>(DstT);
  default: // only with different types
    return nullptr;
  }
  return nullptr;
}

namespace {

constexpr unsigned NumBinaryOps = 0
#define BELAY_BINARY(Name) +1
#include "abi/Ops.def"
    ;

constexpr const char *nameOf(BinaryOp Op) {
  switch (Op) {
#define BELAY_BINARY(Name)                                                     \
  case BinaryOp::Name:                                                         \
    return #Name;
#include "abi/Ops.def"
  }
  return "?";
}

bool readsDestination(BinaryOp Op) {
  return Op == BinaryOp::MulAddDst || Op == BinaryOp::FusedMulAdd ||
         Op == BinaryOp::FusedMulAddRelu;
}

/// half = max(0, (int32 + int32) * scale)
void addDeqRelu(Issue &I, Elem DstT, Elem SrcT, void *Dst, const void *Src0,
                const void *Src1, const Walk &W) {
  if (DstT != Elem::F16 || SrcT != Elem::S32)
    I.unsupported(DstT, SrcT);
  I.needReservedUb();
  float Factor = deqScale(I);
  Lanes L = Lanes::resolve(W, 4, I);
  checkDestination(I, L, W.Operand[0], 2);
  I.read(Src0, extentOf(L, W.Operand[1], 4), SrcT);
  I.read(Src1, extentOf(L, W.Operand[2], 4), SrcT);
  I.write(Dst, extentOf(L, W.Operand[0], 2), DstT);
  if (I.later(belay_sim_binary, BinaryOp::AddDeqRelu, DstT, SrcT, Dst, Src0,
              Src1, &W))
    return;
  forEachRun<3>(L, W.Operand, {2, 4, 4}, [&](const uint64_t (&O)[3], size_t N) {
    auto *D = reinterpret_cast<F16 *>(at(Dst, O[0]));
    const auto *A = reinterpret_cast<const int32_t *>(at(Src0, O[1]));
    const auto *B = reinterpret_cast<const int32_t *>(at(Src1, O[2]));
    for (size_t K = 0; K < N; ++K) {
      double Sum = wrapAdd(A[K], B[K]);
      D[K] = toFloat<F16>(larger(Sum * Factor, 0.0), Rounding::Rint);
    }
  });
  saturateFloats(I.core().Regs, L, W.Operand[0], Dst, DstT);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_binary(BinaryOp Op, Elem DstT, Elem SrcT, void *Dst,
                      const void *Src0, const void *Src1, const Walk *W) {
  static const DtypesOf<BinaryOp, NumBinaryOps> Dtypes(
      [](BinaryOp O) { return nameOf(O); });
  Issue I(nameOf(Op), on::binary, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes[Op], DstT, W->Mode);
  if (Op == BinaryOp::AddDeqRelu)
    return addDeqRelu(I, DstT, SrcT, Dst, Src0, Src1, *W);
  BinaryFn Fn = findBinary(Op, DstT, SrcT, I.core().arch());
  if (!Fn)
    I.unsupported(DstT, SrcT);
  uint32_t D = bytesOf(DstT), S = bytesOf(SrcT);
  Lanes L = Lanes::resolve(*W, std::max(D, S), I);
  checkDestination(I, L, W->Operand[0], D);
  // Masks end in the middle of a word: a bit has a value or not for itself.
  bool Bits = Op == BinaryOp::And || Op == BinaryOp::Or;
  Elem From = Bits ? Elem::U8 : SrcT, To = Bits ? Elem::U8 : DstT;
  I.read(Src0, extentOf(L, W->Operand[1], S), From);
  I.read(Src1, extentOf(L, W->Operand[2], S), From);
  if (readsDestination(Op))
    I.read(Dst, extentOf(L, W->Operand[0], D), DstT);
  I.write(Dst, extentOf(L, W->Operand[0], D), To);
  if (I.later(belay_sim_binary, Op, DstT, SrcT, Dst, Src0, Src1, W))
    return;
  forEachRun<3>(L, W->Operand, {D, S, S},
                [&](const uint64_t (&O)[3], size_t N) {
                  Fn(at(Dst, O[0]), at(Src0, O[1]), at(Src1, O[2]), N);
                });
  saturateFloats(I.core().Regs, L, W->Operand[0], Dst, DstT);
}
