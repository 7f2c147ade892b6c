//===- Tensor.cpp - Tensors of the simulated operators --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/nn/Tensor.h"

#include "belay/elements.h"
#include "belay/floats.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace belay::device::nn {

namespace {

const element_types::fact &factOf(int Type) {
  return element_types::of(element_types::from_acl(Type));
}

template <typename Stored> Stored load(const uint8_t *From) {
  Stored Value;
  std::memcpy(&Value, From, sizeof(Value));
  return Value;
}
template <typename Stored> void store(uint8_t *To, Stored Value) {
  std::memcpy(To, &Value, sizeof(Value));
}

/// Real to integer: towards zero; what does not fit becomes the nearest that
/// does, and NaN 0, as the device's conversions have it.
template <typename To> To toInteger(double Value) {
  constexpr auto Least = static_cast<double>(std::numeric_limits<To>::min());
  constexpr auto Most = static_cast<double>(std::numeric_limits<To>::max());
  if (std::isnan(Value))
    return 0;
  if (Value <= Least)
    return std::numeric_limits<To>::min();
  if (Value >= Most)
    return std::numeric_limits<To>::max();
  return static_cast<To>(Value);
}

template <typename To, typename From> To toStored(From Value) {
  if constexpr (std::is_same_v<From, double>)
    return toInteger<To>(Value);
  else
    return static_cast<To>(Value);
}

template <typename T> T loadAs(int Type, const uint8_t *From) {
  switch (Type) {
  case F32:
    return static_cast<T>(load<float>(From));
  case F16:
    return static_cast<T>(load<_Float16>(From));
  case BF16:
    return static_cast<T>(
        small_floats::float_from_bfloat(load<uint16_t>(From)));
  case F64:
    return static_cast<T>(load<double>(From));
  case S8:
    return static_cast<T>(load<int8_t>(From));
  case S16:
    return static_cast<T>(load<int16_t>(From));
  case S32:
    return static_cast<T>(load<int32_t>(From));
  case S64:
    return static_cast<T>(load<int64_t>(From));
  case U8:
    return static_cast<T>(load<uint8_t>(From));
  case U16:
    return static_cast<T>(load<uint16_t>(From));
  case U32:
    return static_cast<T>(load<uint32_t>(From));
  default:
    return static_cast<T>(load<uint8_t>(From) != 0);
  }
}

template <typename T> void storeAs(int Type, uint8_t *To, T Value) {
  switch (Type) {
  case F32:
    return store(To, static_cast<float>(Value));
  case F16:
    return store(To, static_cast<_Float16>(Value));
  case BF16:
    // In one step: through float it would be rounded twice.
    return store(To, static_cast<uint16_t>(small_floats::narrow<8, 7>(
                         static_cast<double>(Value))));
  case F64:
    return store(To, static_cast<double>(Value));
  case S8:
    return store(To, toStored<int8_t>(Value));
  case S16:
    return store(To, toStored<int16_t>(Value));
  case S32:
    return store(To, toStored<int32_t>(Value));
  case S64:
    return store(To, toStored<int64_t>(Value));
  case U8:
    return store(To, toStored<uint8_t>(Value));
  case U16:
    return store(To, toStored<uint16_t>(Value));
  case U32:
    return store(To, toStored<uint32_t>(Value));
  default:
    return store(To, static_cast<uint8_t>(Value != 0));
  }
}

/// Calls with the offset of each element, in row-major order.
template <typename Function> void forEach(const Layout &Of, Function &&Each) {
  int64_t Count = countOf(Of.Extents);
  std::vector<int64_t> Index(Of.Extents.size(), 0);
  int64_t Offset = Of.Offset;
  for (int64_t N = 0; N < Count; ++N) {
    Each(Offset);
    for (size_t D = Index.size(); D-- > 0;) {
      Offset += Of.Strides[D];
      if (++Index[D] < Of.Extents[D])
        break;
      Offset -= Of.Strides[D] * Of.Extents[D];
      Index[D] = 0;
    }
  }
}

} // namespace

bool isKnown(int Type) {
  switch (Type) {
  case U64: // values are computed as int64_t
    return false;
  default:
    const element_types::fact &Fact = factOf(Type);
    return Fact.bits >= 8 && Fact.bits <= 64 &&
           (Fact.what != element_types::kind::Float || Fact.bits >= 16) &&
           Fact.what != element_types::kind::Complex &&
           Fact.what != element_types::kind::Other;
  }
}
bool isReal(int Type) {
  return isKnown(Type) && factOf(Type).what == element_types::kind::Float;
}
size_t sizeOf(int Type) { return isKnown(Type) ? factOf(Type).bits / 8 : 0; }
const char *nameOfType(int Type) { return factOf(Type).name; }

int promote(int A, int B) {
  if (A == B)
    return A;
  if (isReal(A) != isReal(B))
    return isReal(A) ? A : B;
  if (isReal(A))
    return sizeOf(A) == sizeOf(B) ? F32 : sizeOf(A) > sizeOf(B) ? A : B;
  if (A == Bool || B == Bool)
    return A == Bool ? B : A;
  auto Signed = [](int T) {
    return factOf(T).what == element_types::kind::Signed;
  };
  if (Signed(A) == Signed(B))
    return sizeOf(A) > sizeOf(B) ? A : B;
  int S = Signed(A) ? A : B, U = Signed(A) ? B : A;
  if (sizeOf(S) > sizeOf(U))
    return S;
  return sizeOf(U) == 1 ? S16 : sizeOf(U) == 2 ? S32 : S64;
}

int64_t countOf(const Shape &Extents) {
  int64_t Count = 1;
  for (int64_t Extent : Extents)
    Count *= Extent;
  return Count;
}

bool broadcast(const Shape &A, const Shape &B, Shape &Result) {
  size_t Rank = std::max(A.size(), B.size());
  Result.assign(Rank, 1);
  for (size_t N = 1; N <= Rank; ++N) {
    int64_t X = N <= A.size() ? A[A.size() - N] : 1;
    int64_t Y = N <= B.size() ? B[B.size() - N] : 1;
    if (X != Y && X != 1 && Y != 1)
      return false;
    Result[Rank - N] = X == 1 ? Y : X;
  }
  return true;
}

std::string toString(const Shape &Extents) {
  std::string Text;
  for (int64_t Extent : Extents)
    Text += (Text.empty() ? "" : "x") + std::to_string(Extent);
  return Text.empty() ? "a single element" : Text;
}

int64_t Layout::lowest() const {
  int64_t Result = Offset;
  for (size_t D = 0; D < Extents.size(); ++D)
    Result += std::min<int64_t>(Strides[D], 0) * (Extents[D] - 1);
  return Result;
}
int64_t Layout::highest() const {
  int64_t Result = Offset;
  for (size_t D = 0; D < Extents.size(); ++D)
    Result += std::max<int64_t>(Strides[D], 0) * (Extents[D] - 1);
  return Result;
}

Layout Layout::expandedTo(const Shape &To) const {
  Layout Result = {Type, To, Shape(To.size(), 0), Offset};
  for (size_t N = 1; N <= Extents.size(); ++N)
    if (Extents[Extents.size() - N] != 1)
      Result.Strides[To.size() - N] = Strides[Extents.size() - N];
  return Result;
}

template <typename T> std::vector<T> read(const View &From) {
  std::vector<T> Values;
  Values.reserve(static_cast<size_t>(countOf(From.Of.Extents)));
  auto Bytes = static_cast<int64_t>(sizeOf(From.Of.Type));
  forEach(From.Of, [&](int64_t Offset) {
    Values.push_back(loadAs<T>(From.Of.Type, From.Data + Offset * Bytes));
  });
  return Values;
}

template <typename T> void write(const View &To, const std::vector<T> &Values) {
  auto Next = Values.begin();
  auto Bytes = static_cast<int64_t>(sizeOf(To.Of.Type));
  forEach(To.Of, [&](int64_t Offset) {
    storeAs<T>(To.Of.Type, To.Data + Offset * Bytes, *Next++);
  });
}

template std::vector<double> read(const View &);
template std::vector<int64_t> read(const View &);
template void write(const View &, const std::vector<double> &);
template void write(const View &, const std::vector<int64_t> &);

std::vector<uint8_t> gather(const View &From) {
  std::vector<uint8_t> Bytes;
  auto Size = static_cast<int64_t>(sizeOf(From.Of.Type));
  forEach(From.Of, [&](int64_t Offset) {
    const uint8_t *At = From.Data + Offset * Size;
    Bytes.insert(Bytes.end(), At, At + Size);
  });
  return Bytes;
}

bool findOverflow(const View &In, bool Saturate) {
  if (In.Of.Type != F16 && In.Of.Type != BF16)
    return false;
  const uint16_t Exponent = In.Of.Type == F16 ? 0x7c00 : 0x7f80;
  constexpr uint16_t Sign = 0x8000;
  bool Any = false;
  forEach(In.Of, [&](int64_t Offset) {
    uint8_t *At = In.Data + Offset * 2;
    auto Bits = load<uint16_t>(At);
    if ((Bits & Exponent) != Exponent)
      return;
    Any = true;
    bool Infinite = (Bits & ~Sign) == Exponent;
    // The largest is one below the infinity.
    if (Saturate)
      store(At, static_cast<uint16_t>(Infinite ? Bits - 1 : 0));
  });
  return Any;
}

double narrow(int Type, double Value) {
  uint8_t Bytes[8];
  storeAs(Type, Bytes, Value);
  return loadAs<double>(Type, Bytes);
}
int64_t narrow(int Type, int64_t Value) {
  uint8_t Bytes[8];
  storeAs(Type, Bytes, Value);
  return loadAs<int64_t>(Type, Bytes);
}

} // namespace belay::device::nn
