//===- Binary.cpp - Two sources, one destination -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "instructions/Elementwise.h"

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

/// Shifts by the width of the type or more empty it, as the device's do.
template <typename T> T shiftLeft(T A, T By) {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(By) >= sizeof(T) * 8
             ? T(0)
             : static_cast<T>(static_cast<uint64_t>(static_cast<U>(A))
                              << static_cast<U>(By));
}
template <typename T> T shiftRight(T A, T By) {
  using U = std::make_unsigned_t<T>;
  constexpr U Bits = sizeof(T) * 8;
  if (static_cast<U>(By) >= Bits)
    return A < 0 ? T(-1) : T(0);
  return static_cast<T>(A >> By);
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
BELAY_MEANING(Div, A / B)
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
BELAY_MEANING(FusedMulAdd, A *D + B)
BELAY_MEANING(FusedMulAddRelu, larger(Wide<T>(A *D + B), Wide<T>(0)))
BELAY_MEANING(ExpSub,
              std::exp(static_cast<Wide<T>>(A) - static_cast<Wide<T>>(B)))
BELAY_MEANING(AbsSub, std::fabs(A - B))
BELAY_MEANING(ShiftLeft, shiftLeft(A, B))
BELAY_MEANING(ShiftRight, shiftRight(A, B))
BELAY_MEANING(Prelu, A > 0 ? A : A * B)
#undef BELAY_MEANING

template <template <typename, typename> class M, typename T, typename U = T>
constexpr BinaryFn loop() {
  return mapBinary<T, U, M<T, U>::apply>;
}

template <template <typename, typename> class M> BinaryFn anyType(Elem T) {
  switch (T) {
  case Elem::S8:
    return loop<M, int8_t>();
  case Elem::U8:
    return loop<M, uint8_t>();
  case Elem::S16:
    return loop<M, int16_t>();
  case Elem::U16:
    return loop<M, uint16_t>();
  case Elem::S32:
    return loop<M, int32_t>();
  case Elem::U32:
    return loop<M, uint32_t>();
  case Elem::S64:
    return loop<M, int64_t>();
  case Elem::U64:
    return loop<M, uint64_t>();
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

template <template <typename, typename> class M> BinaryFn floatType(Elem T) {
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
  switch (T) {
  case Elem::S8:
    return loop<M, int8_t>();
  case Elem::U8:
    return loop<M, uint8_t>();
  case Elem::S16:
    return loop<M, int16_t>();
  case Elem::U16:
    return loop<M, uint16_t>();
  case Elem::S32:
    return loop<M, int32_t>();
  case Elem::U32:
    return loop<M, uint32_t>();
  case Elem::S64:
    return loop<M, int64_t>();
  case Elem::U64:
    return loop<M, uint64_t>();
  default:
    return nullptr;
  }
}

BinaryFn findBinary(BinaryOp Op, Elem DstT, Elem SrcT) {
  if (DstT != SrcT) {
    bool Widening = DstT == Elem::F32 && SrcT == Elem::F16;
    if (Op == BinaryOp::MulAddDst && Widening)
      return loop<MulAddDstMeaning, float, F16>();
    if (Op == BinaryOp::ExpSub && Widening)
      return loop<ExpSubMeaning, float, F16>();
    return nullptr;
  }
  switch (Op) {
  case BinaryOp::Add:
    return anyType<AddMeaning>(DstT);
  case BinaryOp::Sub:
    return anyType<SubMeaning>(DstT);
  case BinaryOp::Mul:
    return anyType<MulMeaning>(DstT);
  case BinaryOp::Div:
    return floatType<DivMeaning>(DstT);
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
    return floatType<FusedMulAddMeaning>(DstT);
  case BinaryOp::FusedMulAddRelu:
    return floatType<FusedMulAddReluMeaning>(DstT);
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
  }
  return nullptr;
}

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

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_binary(BinaryOp Op, Elem DstT, Elem SrcT, void *Dst,
                      const void *Src0, const void *Src1, const Walk *W) {
  Issue I(nameOf(Op), Pipe::V, BELAY_PC);
  BinaryFn Fn = findBinary(Op, DstT, SrcT);
  if (!Fn)
    I.unsupported(DstT, SrcT);
  uint32_t D = bytesOf(DstT), S = bytesOf(SrcT);
  Lanes L = Lanes::resolve(*W, std::max(D, S), I);
  I.read(Src0, extentOf(L, W->Operand[1], S), SrcT);
  I.read(Src1, extentOf(L, W->Operand[2], S), SrcT);
  if (readsDestination(Op))
    I.read(Dst, extentOf(L, W->Operand[0], D), DstT);
  I.write(Dst, extentOf(L, W->Operand[0], D), DstT);
  forEachRun<3>(L, W->Operand, {D, S, S},
                [&](const uint64_t (&O)[3], size_t N) {
                  Fn(at(Dst, O[0]), at(Src0, O[1]), at(Src1, O[2]), N);
                });
}
