//===- Compare.cpp - Outputs against expected values ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Compare.h"
#include "cases/Generators.h"
#include "support/Numbers.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace belay::cases;
using namespace belay::support;

static constexpr size_t MaxSamples = 5;

Tolerance Tolerance::defaultFor(DataType Type) {
  switch (Type) {
  case DataType::F16:
    return {1e-3, 1e-5};
  case DataType::BF16:
    return {1.6e-2, 1e-5};
  case DataType::F32:
    return {1.3e-6, 1e-5};
  case DataType::F64:
    return {1e-7, 1e-7};
  default:
    return {0, 0};
  }
}

template <class T> static T load(ArrayRef<uint8_t> Bytes, uint64_t Index) {
  T Value;
  std::memcpy(&Value, Bytes.data() + Index * sizeof(T), sizeof(T));
  return Value;
}

template <class T> static std::string formatElement(T Value) {
  if constexpr (std::is_integral_v<T>)
    return std::to_string(Value);
  return formatNumber(toDouble(Value), std::is_same_v<T, double> ? 17 : 9);
}

/// Whether two values agree, and by how much they do not.
static bool agree(double Got, double Expected, Tolerance Allowed,
                  Comparison &Result) {
  if (Got == Expected)
    return true;
  if (std::isnan(Got) || std::isnan(Expected))
    return std::isnan(Got) && std::isnan(Expected);
  if (std::isinf(Got) || std::isinf(Expected))
    return false;
  double Difference = std::fabs(Got - Expected);
  Result.MaxAbsError = std::max(Result.MaxAbsError, Difference);
  if (Expected != 0)
    Result.MaxRelError =
        std::max(Result.MaxRelError, Difference / std::fabs(Expected));
  return Difference <= Allowed.Atol + Allowed.Rtol * std::fabs(Expected);
}

template <class G, class E>
static void compareAs(const ArrayView &Got, const ArrayView &Expected,
                      Tolerance Allowed, Comparison &Result) {
  constexpr bool Exact = std::is_integral_v<G> && std::is_same_v<G, E>;
  for (uint64_t I = 0; I < Result.Elements; ++I) {
    auto Left = load<G>(Got.Bytes, I);
    auto Right = load<E>(Expected.Bytes, I);
    bool Unwritten = isPoison(Got.Type, Got.Bytes.data() + I * sizeof(G));
    bool Agree = agree(toDouble(Left), toDouble(Right), Allowed, Result);
    if constexpr (Exact)
      // Neighbouring 64-bit integers are one double.
      Agree =
          Left == Right || (Agree && (Allowed.Rtol != 0 || Allowed.Atol != 0));
    // A NaN that was there before the launch is no result.
    if (Unwritten && std::isnan(toDouble(Left)))
      Agree = false;
    if (Agree)
      continue;
    ++Result.Mismatches;
    Result.NeverWritten += Unwritten;
    if (Result.First.size() < MaxSamples)
      Result.First.push_back(
          {I, formatElement(Left), formatElement(Right), Unwritten});
  }
}

/// Complex numbers as twice as many real ones.
static ArrayView partsOf(const ArrayView &Array) {
  if (Array.Type != DataType::C64)
    return Array;
  return {DataType::F32, Array.Bytes};
}

Comparison belay::cases::compareArrays(const ArrayView &Got,
                                       const ArrayView &Expected,
                                       Tolerance Allowed) {
  assert(Got.elements() == Expected.elements() && "nothing to pair");
  if (Got.Type == DataType::C64 && Expected.Type == DataType::C64) {
    Comparison Parts = compareArrays(partsOf(Got), partsOf(Expected), Allowed);
    Parts.Elements /= 2;
    for (Comparison::Sample &Sample : Parts.First)
      Sample.Index /= 2;
    return Parts;
  }
  Comparison Result;
  Result.Elements = Got.elements();
  // Most arrays are of the expected type and equal: one pass at memory speed.
  if (Got.Type == Expected.Type &&
      std::memcmp(Got.Bytes.data(), Expected.Bytes.data(), Got.Bytes.size()) ==
          0 &&
      countPoison(Got.Type, Got.Bytes) == 0)
    return Result;
  visitType(Got.Type, [&](auto Left) {
    visitType(Expected.Type, [&](auto Right) {
      compareAs<decltype(Left), decltype(Right)>(Got, Expected, Allowed,
                                                 Result);
    });
  });
  return Result;
}

Statistics belay::cases::summarise(const ArrayView &Input) {
  ArrayView Array = partsOf(Input);
  Statistics Result;
  double Sum = 0;
  uint64_t Finite = 0;
  visitType(Array.Type, [&](auto Zero) {
    using T = decltype(Zero);
    uint64_t Count = Array.elements();
    for (uint64_t I = 0; I < Count; ++I) {
      double Value = toDouble(load<T>(Array.Bytes, I));
      if (!std::isfinite(Value)) {
        Result.NumNan += std::isnan(Value);
        Result.NumInf += std::isinf(Value);
        continue;
      }
      Result.Min = Finite ? std::min(Result.Min, Value) : Value;
      Result.Max = Finite ? std::max(Result.Max, Value) : Value;
      Sum += Value;
      ++Finite;
    }
  });
  Result.Min += 0.0; // -0 is a distraction in a summary
  Result.Max += 0.0;
  Result.Mean = Finite ? Sum / static_cast<double>(Finite) : 0;
  Result.NeverWritten = countPoison(Array.Type, Array.Bytes);
  return Result;
}

std::string belay::cases::formatIndex(uint64_t Index,
                                      ArrayRef<uint64_t> Shape) {
  std::string Text;
  for (uint64_t Extent : reverse(Shape)) {
    uint64_t Here = Extent ? Index % Extent : 0;
    Index = Extent ? Index / Extent : 0;
    Text = std::to_string(Here) + (Text.empty() ? "" : ", ") + Text;
  }
  return "[" + Text + "]";
}
