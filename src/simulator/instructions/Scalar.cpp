//===- Scalar.cpp - A vector and a scalar -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "instructions/Elementwise.h"

#include <cmath>

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
BELAY_MEANING(Divs, A / S)
BELAY_MEANING(Maxs, (A != A || A > S ? A : S))
BELAY_MEANING(Mins, (A != A || A < S ? A : S))
BELAY_MEANING(LeakyRelu, (A >= 0 || A != A ? A : A * S))
BELAY_MEANING(ShiftLefts,
              static_cast<U>(static_cast<std::make_unsigned_t<U>>(S) >=
                                     sizeof(U) * 8
                                 ? 0
                                 : wrap(A) << S))
BELAY_MEANING(ShiftRights,
              static_cast<U>(static_cast<std::make_unsigned_t<U>>(S) >=
                                     sizeof(U) * 8
                                 ? (A < 0 ? -1 : 0)
                                 : A >> S))
BELAY_MEANING(Axpy, static_cast<Wide<T>>(A) * static_cast<Wide<T>>(S) + D)
BELAY_MEANING(Ands, A &S)
BELAY_MEANING(Ors, A | S)
#undef BELAY_MEANING

template <template <typename, typename> class M, typename T, typename U = T>
constexpr ScalarFn loop() {
  return mapScalar<T, U, M<T, U>::apply>;
}

template <template <typename, typename> class M> ScalarFn floatType(Elem T) {
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

template <template <typename, typename> class M> ScalarFn integerType(Elem T) {
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

template <template <typename, typename> class M> ScalarFn anyType(Elem T) {
  ScalarFn F = floatType<M>(T);
  return F ? F : integerType<M>(T);
}

ScalarFn findScalar(ScalarOp Op, Elem DstT, Elem SrcT) {
  if (DstT != SrcT) {
    if (Op == ScalarOp::Axpy && DstT == Elem::F32 && SrcT == Elem::F16)
      return loop<AxpyMeaning, float, F16>();
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
    return floatType<DivsMeaning>(DstT);
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
    return floatType<AxpyMeaning>(DstT);
  case ScalarOp::Ands:
    return integerType<AndsMeaning>(DstT);
  case ScalarOp::Ors:
    return integerType<OrsMeaning>(DstT);
  }
  return nullptr;
}

constexpr const char *nameOf(ScalarOp Op) {
  switch (Op) {
#define BELAY_SCALAR(Name)                                                     \
  case ScalarOp::Name:                                                         \
    return #Name;
#include "abi/Ops.def"
  }
  return "?";
}

template <typename T> void fill(void *Dst, const void *Scalar, size_t N) {
  std::fill_n(static_cast<T *>(Dst), N, *static_cast<const T *>(Scalar));
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_scalar(ScalarOp Op, Elem DstT, Elem SrcT, void *Dst,
                      const void *Src, const void *Scalar, const Walk *W) {
  Issue I(nameOf(Op), Pipe::V, BELAY_PC);
  ScalarFn Fn = findScalar(Op, DstT, SrcT);
  if (!Fn)
    I.unsupported(DstT, SrcT);
  uint32_t D = bytesOf(DstT), S = bytesOf(SrcT);
  Lanes L = Lanes::resolve(*W, std::max(D, S), I);
  I.read(Src, extentOf(L, W->Operand[1], S), SrcT);
  if (Op == ScalarOp::Axpy)
    I.read(Dst, extentOf(L, W->Operand[0], D), DstT);
  I.write(Dst, extentOf(L, W->Operand[0], D), DstT);
  forEachRun<2>(L, W->Operand, {D, S}, [&](const uint64_t (&O)[2], size_t N) {
    Fn(at(Dst, O[0]), at(Src, O[1]), Scalar, N);
  });
}

void belay_sim_duplicate(Elem T, void *Dst, const void *Scalar, const Walk *W) {
  Issue I("Duplicate", Pipe::V, BELAY_PC);
  uint32_t Size = bytesOf(T);
  Lanes L = Lanes::resolve(*W, Size, I);
  I.write(Dst, extentOf(L, W->Operand[0], Size), T);
  using FillFn = void (*)(void *, const void *, size_t);
  FillFn Fill = Size == 1   ? fill<uint8_t>
                : Size == 2 ? fill<uint16_t>
                : Size == 4 ? fill<uint32_t>
                            : fill<uint64_t>;
  forEachRun<1>(L, W->Operand, {Size}, [&](const uint64_t (&O)[1], size_t N) {
    Fill(at(Dst, O[0]), Scalar, N);
  });
}
