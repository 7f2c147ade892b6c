//===- Quant.cpp - To and from scaled integers ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "routines/Routine.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace belay::sim {

namespace {

float loadAny(const void *P, Elem T, uint64_t Index) {
  const auto *Bytes = static_cast<const uint8_t *>(P);
  switch (T) {
  case Elem::S8:
    return static_cast<float>(static_cast<int8_t>(Bytes[Index]));
  case Elem::S4: {
    // Two to a byte, the lower half first.
    int Nibble = Bytes[Index / 2] >> (Index % 2 * 4) & 15;
    return static_cast<float>(Nibble < 8 ? Nibble : Nibble - 16);
  }
  case Elem::S32:
    return static_cast<float>(static_cast<const int32_t *>(P)[Index]);
  case Elem::U64: {
    // Scales of the cube unit: the float is in the lower half.
    uint64_t Bits = static_cast<const uint64_t *>(P)[Index];
    return std::bit_cast<float>(static_cast<uint32_t>(Bits));
  }
  default: {
    float F;
    widen(T, &F, elementAt(P, T, Index), 1);
    return F;
  }
  }
}

float rounded(float X, Rounding R) {
  switch (R) {
  case Rounding::Floor:
    return std::floor(X);
  case Rounding::Ceil:
    return std::ceil(X);
  case Rounding::Round:
    return std::round(X);
  case Rounding::Trunc:
    return std::trunc(X);
  default:
    return std::rint(X);
  }
}

void storeAny(void *P, Elem T, uint64_t Index, float X, Rounding R) {
  if (T != Elem::S8)
    return narrow(T, elementAt(P, T, Index), &X, 1);
  float Clamped = X != X ? 0 : std::clamp(rounded(X, R), -128.0f, 127.0f);
  static_cast<int8_t *>(P)[Index] = static_cast<int8_t>(Clamped);
}

/// Every step rounds to half where the routine computes in half.
float step(const QuantCall &C, float X) {
  return C.HalfSteps ? static_cast<float>(static_cast<F16>(X)) : X;
}

uint64_t groupsOf(uint32_t N, uint32_t Size) { return divideUp(N, Size); }

/// Where the parameters of an element are.
uint64_t parameterOf(const QuantCall &C, uint32_t Row, uint32_t Column) {
  switch (C.Policy) {
  case QuantPolicy::Tensor:
    return 0;
  case QuantPolicy::Channel:
    return Column;
  case QuantPolicy::Token:
    return Row;
  case QuantPolicy::Group:
    return C.GroupRows ? uint64_t(Row / C.GroupSize) * C.Columns + Column
                       : uint64_t(Row) * groupsOf(C.Columns, C.GroupSize) +
                             Column / C.GroupSize;
  }
  return 0;
}

uint64_t parametersOf(const QuantCall &C) {
  switch (C.Policy) {
  case QuantPolicy::Tensor:
    return 1;
  case QuantPolicy::Channel:
    return C.Computed;
  case QuantPolicy::Token:
    return C.Rows;
  case QuantPolicy::Group:
    return C.GroupRows ? groupsOf(C.Rows, C.GroupSize) * C.Columns
                       : C.Rows * groupsOf(C.Columns, C.GroupSize);
  }
  return 0;
}

float converted(const QuantCall &C, float X, float Scale, float Offset) {
  X = step(C, X);
  switch (C.Op) {
  case QuantOp::Quant:
    X = step(C, X * Scale);
    return C.Offset.Data ? step(C, X + Offset) : X;
  case QuantOp::Dequant:
    return X * Scale;
  case QuantOp::AntiQuant:
    if (C.Offset.Data)
      X = step(C, X + Offset);
    return step(C, X * Scale);
  }
  return X;
}

void checkTypes(Routine &R, const QuantCall &C) {
  using namespace types;
  constexpr TypeSet Floating = HalfFloat | Bfloat;
  if (C.Modern)
    R.accepts(C.SrcType, None, Anything);
  switch (C.Op) {
  case QuantOp::Quant:
    R.accepts(C.SrcType, HalfFloat, Floating);
    // Conversions to 8- and 4-bit floats are not modelled.
    R.accepts(C.DstType, only(Elem::S8), only(Elem::S8));
    R.accepts(C.ParamType, HalfFloat, Floating);
    return;
  case QuantOp::Dequant:
    R.accepts(C.SrcType, Int32, Int32 | Float);
    R.accepts(C.DstType, Floating, Floating);
    R.accepts(C.ParamType, Float | Bfloat | only(Elem::U64),
              Floating | only(Elem::U64));
    return;
  case QuantOp::AntiQuant:
    R.accepts(C.SrcType, only(Elem::S8) | only(Elem::S4), only(Elem::S8));
    R.accepts(C.DstType, only(Elem::F16) | Bfloat, Floating);
    R.accepts(C.ParamType, only(Elem::F16) | Bfloat, Floating);
    return;
  }
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_quant(const QuantCall *C) {
  if (Routine::absent())
    return;
  Routine R(C->Name, BELAY_PC);
  checkTypes(R, *C);
  if (C->Computed > C->Columns ||
      (C->Policy == QuantPolicy::Group && !C->GroupSize))
    fail("bad-repeat", BELAY_PC,
         "calCount is at most n, and groups have at least one element",
         "%s got %u of %u columns in groups of %u", C->Name, C->Computed,
         C->Columns, C->GroupSize);
  // Half-byte elements are declared by the bytes that hold them.
  bool Packed = C->SrcType == Elem::S4;
  R.readsRows(C->Src, C->Rows, Packed ? C->Computed / 2 : C->Computed,
              Packed ? C->SrcStride / 2 : C->SrcStride, C->SrcType);
  if (Packed && C->Rows)
    R.issue().inside(
        C->Src, {divideUp(product(C->Rows - 1, C->SrcStride) + C->Computed, 2)},
        C->SrcType);
  R.reads(C->Scale, parametersOf(*C), C->ParamType);
  if (C->Offset.Data)
    R.reads(C->Offset, parametersOf(*C), C->ParamType);
  R.writesRows(C->Dst, C->Rows, C->Computed, C->DstStride, C->DstType);
  if (!R.ready(C->Tmp, belay_sim_quant, C) || !C->Computed)
    return;
  // Parameters as floats, once; a scalar stands for all of them.
  auto Parameters = [&](const Source &From) {
    std::vector<float> P(!From.Data ? 0 : From.Scalar ? 1 : parametersOf(*C));
    for (size_t I = 0; I < P.size(); ++I)
      P[I] = step(*C, loadAny(From.Data, C->ParamType, I));
    return P;
  };
  std::vector<float> Scale = Parameters(C->Scale),
                     Offset = Parameters(C->Offset);
  for (uint32_t Row = 0; Row < C->Rows; ++Row)
    for (uint32_t I = 0; I < C->Computed; ++I) {
      uint64_t At = parameterOf(*C, Row, I);
      float X = loadAny(C->Src, C->SrcType, uint64_t(Row) * C->SrcStride + I);
      storeAny(
          C->Dst, C->DstType, uint64_t(Row) * C->DstStride + I,
          converted(*C, X, Scale[C->Scale.Scalar ? 0 : At],
                    Offset.empty() ? 0 : Offset[C->Offset.Scalar ? 0 : At]),
          C->Round);
    }
}
