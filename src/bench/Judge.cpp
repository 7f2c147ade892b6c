//===- Judge.cpp - Whether an output is right -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Judge.h"
#include "cases/Generators.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using cases::DataType;

namespace {
struct Precision {
  double Epsilon;  ///< The distance from 1 to the next number.
  double Smallest; ///< Below this, hardware may give zero.
  double Relative;
  double Largest;
};
} // namespace

static Precision precisionOf(DataType Type) {
  switch (Type) {
  case DataType::F16:
    return {0x1p-10, 0x1p-24, 0x1p-8, 65504};
  case DataType::BF16:
    return {0x1p-7, 0x1p-126, 0x1p-5, 0x1.fep127};
  case DataType::F64:
    return {0x1p-52, 0x1p-1022, 0x1p-40, 0x1.fffffffffffffp1023};
  default:
    return {0x1p-23, 0x1p-126, 0x1p-13, 0x1.fffffep127};
  }
}

double belay::bench::relativeTolerance(DataType Type) {
  return precisionOf(Type).Relative;
}

double belay::bench::allowedError(DataType Type, double Want, double Near) {
  // Four roundings of intermediate values: what the kernels of the library need
  // in float, in whatever type another kernel computes.
  constexpr double Roundings = 4;
  Precision P = precisionOf(Type);
  return P.Relative * std::fabs(Want) + Roundings * P.Epsilon * Near +
         P.Smallest;
}

/// Whether a finite reference is beyond what the type can hold, so that an
/// infinity of its sign is right.
static bool overflows(const Precision &P, double Want) {
  return std::fabs(Want) * (1 + P.Relative) > P.Largest;
}

static bool agrees(DataType Type, double Got, double Want, double Near,
                   Judgement &J) {
  if (std::isnan(Want) || std::isnan(Got))
    return std::isnan(Want) && std::isnan(Got);
  if (Got == Want)
    return true;
  if (std::isinf(Want))
    return false;
  if (std::isinf(Got))
    return std::signbit(Got) == std::signbit(Want) &&
           overflows(precisionOf(Type), Want);
  double Error = std::fabs(Got - Want) / allowedError(Type, Want, Near);
  J.Worst = std::max(J.Worst, Error);
  return Error <= 1;
}

Judgement belay::bench::judge(const Argument &Expected, ArrayRef<uint8_t> Got) {
  Judgement J;
  DataType Type = Expected.Tensor.Type;
  J.Elements = Expected.Tensor.elements();
  unsigned Size = cases::bytesOf(Type);
  if (Got.size() != J.Elements * Size) {
    J.Wrong = J.Elements;
    return J;
  }
  cases::visitType(Type, [&](auto Element) {
    for (uint64_t I = 0; I < J.Elements; ++I) {
      std::memcpy(&Element, Got.data() + I * Size, sizeof Element);
      double Value = cases::toDouble(Element), Want = 0;
      bool Right;
      // The poison of integers is a number like others.
      bool Unwritten = Expected.What == cases::ArgSpec::Role::Out &&
                       cases::isPoison(Type, Got.data() + I * Size);
      if constexpr (std::is_integral_v<decltype(Element)>) {
        Want = static_cast<double>(Expected.WantInteger[I]);
        Right = static_cast<int64_t>(Element) == Expected.WantInteger[I];
        Unwritten &= !Right;
      } else if (!Expected.Want.empty()) {
        Want = Expected.Want[I];
        Right = agrees(Type, Value, Want, Expected.nearAt(I), J) && !Unwritten;
      } else {
        Want = static_cast<double>(Expected.WantInteger[I]);
        Right = Value == Want;
      }
      J.NeverWritten += Unwritten;
      if (!Right && J.Wrong++ == 0) {
        J.FirstAt = I;
        J.Got = Value;
        J.Want = Want;
      }
    }
  });
  return J;
}
