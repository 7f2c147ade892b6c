//===- Conversions.cpp - Registers of one type to another -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between types of different lengths a register holds as many elements as the
// longer type has; each has a group of places for the shorter one, of which
// RegLayout names one. Masks select elements of the source.
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Convert.h"
#include "model/instructions/ElementFunctions.h"
#include "model/registers/Lanes.h"

#include <algorithm>
#include <cmath>

namespace belay::sim {

namespace {

/// What the documents list; the vector unit has no others.
bool hasCast(Elem From, Elem To) {
  struct Row {
    Elem From;
    std::initializer_list<Elem> To;
  };
  using enum Elem;
  static const Row Rows[] = {
      {S8, {S16, F16, S32}},
      {U8, {U16, F16, U32}},
      {S16, {U8, F16, S32, U32, F32}},
      {U16, {U8, U32}},
      {F16, {S8, U8, S16, BF16, S32, F32}},
      {BF16, {F16, S32, F32}},
      {S32, {U8, S16, F32, S64}},
      {U32, {U8, S16, U16}},
      {F32, {S16, F16, BF16, S32, S64, F8E5M2, F8E4M3}},
      {S64, {S32, F32}},
      {F8E5M2, {F32}},
      {F8E4M3, {F32}},
  };
  for (const Row &R : Rows)
    if (R.From == From)
      return std::find(R.To.begin(), R.To.end(), To) != R.To.end();
  return false;
}

/// Where the elements of both sides lie.
struct Groups {
  uint32_t Src, Dst, Num; // sizes, number of elements
  uint32_t SrcAt, SrcPitch, DstAt, DstPitch;
  uint32_t maskBit(uint32_t I) const {
    return Num * SrcPitch > RegisterBytes ? I * (RegisterBytes / Num)
                                          : SrcAt + I * SrcPitch;
  }
};

Groups groupsOf(const RegisterCompute &C) {
  uint32_t S = bytesOf(C.SrcType), D = bytesOf(C.DstType);
  uint32_t Wide = std::max(S, D), Num = RegisterBytes / Wide;
  if (C.Two) // every element has a place of its own
    return {S, D, 2 * Num, 0, S, 0, D};
  uint32_t Layout = C.Layout;
  return {
      S,   D, Num, S < Wide ? Layout * S : 0, Wide, D < Wide ? Layout * D : 0,
      Wide};
}

/// Convert(destination, source, number) works on elements in a row.
template <typename ConvertFn>
void convertGroups(const Micro &X, const Register &Src, const Register *Src1,
                   ConvertFn Convert) {
  Groups G = groupsOf(X.C);
  if (X.C.Layout >= std::max(G.Src, G.Dst) / std::min(G.Src, G.Dst) &&
      X.C.Layout && !X.C.Two)
    unsupportedForm(X.M, "a RegLayout that the types do not have");
  const MaskRegister &Mask = X.mask();
  alignas(64) uint8_t In[WideBytes], In1[WideBytes], Out[WideBytes];
  for (uint32_t I = 0; I < G.Num; ++I) {
    size_t At = size_t(I) * G.SrcPitch + G.SrcAt;
    std::memcpy(In + size_t(I) * G.Src, Src.Bytes + At, G.Src);
    if (Src1)
      std::memcpy(In1 + size_t(I) * G.Src, Src1->Bytes + At, G.Src);
  }
  Convert(Out, In, In1, G.Num);
  uint8_t Result[WideBytes] = {}, Undefined[WideBytes] = {};
  const void *Root = nullptr;
  uint32_t First = WideBytes, Last = 0;
  for (uint32_t I = 0; I < G.Num; ++I) {
    if (!Mask.test(G.maskBit(I)))
      continue;
    size_t To = size_t(I) * G.DstPitch + G.DstAt;
    uint32_t From = I * G.SrcPitch + G.SrcAt;
    std::memcpy(Result + To, Out + size_t(I) * G.Dst, G.Dst);
    First = std::min(First, From);
    Last = std::max(Last, From + G.Src);
    for (const Register *R : {&Src, Src1})
      if (X.Seen && R && R->Suspect && anyByte(R->Undefined + From, G.Src)) {
        std::memset(Undefined + To, 1, G.Dst);
        Root = R->Root;
      }
  }
  if (X.Seen && Last) {
    X.Seen->use(Src, First, Last);
    if (Src1)
      X.Seen->use(*Src1, First, Last);
  }
  if (X.C.Merge)
    unsupportedForm(X.M, "conversions have no MERGING");
  Register &Dst = X.F.write(X.C.Dst, X.M);
  uint32_t Bytes = G.Num * G.DstPitch;
  std::memcpy(Dst.Bytes, Result, Bytes);
  if (X.Seen)
    std::memcpy(Dst.Undefined, Undefined, Bytes);
  Dst.Suspect = Root != nullptr || (X.Seen && anyByte(Undefined, Bytes));
  Dst.Root = Root;
}

bool isFloatType(Elem T) {
  return T == Elem::F16 || T == Elem::BF16 || T == Elem::F32;
}

void cast(const Micro &X) {
  CastFn Fn = hasCast(X.C.SrcType, X.C.DstType)
                  ? findCast(X.C.DstType, X.C.SrcType)
                  : nullptr;
  if (!Fn)
    unsupportedType(X.M, X.C.DstType, X.C.SrcType);
  bool Clamp = X.C.Saturate && isFloatType(X.C.SrcType);
  convertGroups(
      X, X.read(X.C.Src0), nullptr,
      [&](uint8_t *Out, const uint8_t *In, const uint8_t *, uint32_t N) {
        Fn(Out, In, N, X.C.Round, X.C.Saturate);
        if (Clamp)
          saturateLanes(Out, N, X.C.DstType);
      });
}

/// Of half: in float, without a rounding before the exponential.
void expSub(const Micro &X) {
  if (X.C.SrcType != Elem::F16 || X.C.DstType != Elem::F32)
    unsupportedType(X.M, X.C.DstType, X.C.SrcType);
  const Register &B = X.read(X.C.Src1);
  convertGroups(
      X, X.read(X.C.Src0), &B,
      [](uint8_t *Out, const uint8_t *A, const uint8_t *B, uint32_t N) {
        for (uint32_t I = 0; I < N; ++I) {
          F16 P, Q;
          std::memcpy(&P, A + size_t(I) * 2, 2);
          std::memcpy(&Q, B + size_t(I) * 2, 2);
          float R = std::exp(static_cast<float>(P) - static_cast<float>(Q));
          std::memcpy(Out + size_t(I) * 4, &R, 4);
        }
      });
}

void mulsCast(const Micro &X) {
  ScalarFn Fn = findScalar(ScalarOp::MulsCast, X.C.DstType, X.C.SrcType);
  if (!Fn)
    unsupportedType(X.M, X.C.DstType, X.C.SrcType);
  convertGroups(X, X.read(X.C.Src0), nullptr,
                [&](uint8_t *Out, const uint8_t *In, const uint8_t *,
                    uint32_t N) { Fn(Out, In, &X.C.Scalar, N); });
}

/// To an integral value of the same type.
template <typename T>
void truncateAll(uint8_t *Out, const uint8_t *In, uint32_t N, Rounding Mode) {
  for (uint32_t I = 0; I < N; ++I) {
    T V;
    std::memcpy(&V, In + I * sizeof(T), sizeof(T));
    V = static_cast<T>(
        static_cast<float>(roundTo(static_cast<float>(V), Mode)));
    std::memcpy(Out + I * sizeof(T), &V, sizeof(T));
  }
}

void truncate(const Micro &X) {
  Elem T = X.C.DstType;
  if (!isFloatType(T))
    unsupportedType(X.M, T, T);
  convertGroups(
      X, X.read(X.C.Src0), nullptr,
      [&](uint8_t *Out, const uint8_t *In, const uint8_t *, uint32_t N) {
        if (T == Elem::F16)
          truncateAll<F16>(Out, In, N, X.C.Round);
        else if (T == Elem::BF16)
          truncateAll<BF16>(Out, In, N, X.C.Round);
        else
          truncateAll<float>(Out, In, N, X.C.Round);
      });
}

} // namespace

void computeConverted(const Micro &X) {
  switch (X.C.Op) {
  case RegisterOp::Cast:
    return cast(X);
  case RegisterOp::ExpSub:
    return expSub(X);
  case RegisterOp::MulsCast:
    return mulsCast(X);
  default:
    return truncate(X);
  }
}

} // namespace belay::sim
