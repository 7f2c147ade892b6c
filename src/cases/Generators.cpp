//===- Generators.cpp - Reproducible argument values ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled with -ffp-contract=off: a fused multiply-add would round otherwise
// on hosts that have one.
//
//===----------------------------------------------------------------------===//

#include "cases/Generators.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace llvm;
using namespace belay::cases;

//===----------------------------------------------------------------------===//
// Random bits
//===----------------------------------------------------------------------===//

/// The finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection whose
/// outputs on a counter pass the usual statistical batteries.
static uint64_t mix(uint64_t X) {
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9;
  X = (X ^ (X >> 27)) * 0x94d049bb133111eb;
  return X ^ (X >> 31);
}

namespace {

/// 64 random bits for each counter.
struct Stream {
  uint64_t Key;
  explicit Stream(uint64_t Seed) : Key(mix(Seed + 0x9e3779b97f4a7c15)) {}
  uint64_t operator[](uint64_t Counter) const {
    return mix(Key + Counter * 0x9e3779b97f4a7c15);
  }
};

constexpr unsigned Chunk = 1024;

} // namespace

/// Natural logarithm for normal, positive arguments, by the series of
/// 2 artanh((m-1)/(m+1)) with m within sqrt(2) of 1.
static float logOf(float X) {
  uint32_t Bits = bit_cast<uint32_t>(X) - 0x3f3504f3; // bits of sqrt(1/2)
  auto Exponent = static_cast<float>(static_cast<int32_t>(Bits) >> 23);
  float M = bit_cast<float>((Bits & 0x007fffff) + 0x3f3504f3);
  float S = (M - 1.0f) / (M + 1.0f);
  float S2 = S * S;
  float Series =
      2.0f +
      S2 * (2.0f / 3 + S2 * (2.0f / 5 + S2 * (2.0f / 7 + S2 * (2.0f / 9))));
  return Exponent * 0.693147180559945f + S * Series;
}

/// Box-Muller on Chunk/2 counters from First: Out[2k], Out[2k+1] belong to
/// counter First+k. Written as plain loops that the compiler vectorises.
static void fillNormal(const Stream &Bits, uint64_t First, float *Out) {
  constexpr unsigned Pairs = Chunk / 2;
  uint32_t Radius[Pairs], Angle[Pairs];
  for (unsigned K = 0; K < Pairs; ++K) {
    uint64_t Word = Bits[First + K];
    Radius[K] = static_cast<uint32_t>(Word >> 32);
    Angle[K] = static_cast<uint32_t>(Word);
  }
  float Cos[Pairs], Sin[Pairs];
  for (unsigned K = 0; K < Pairs; ++K) {
    // Two 16-bit halves, because conversion from unsigned 32-bit integers is
    // slow without AVX-512. U lies in (0, 1].
    auto High = static_cast<float>(static_cast<int32_t>(Radius[K] >> 16));
    auto Low = static_cast<float>(static_cast<int32_t>(Radius[K] & 0xffff));
    float U = (High * 65536.0f + (Low + 0.5f)) * 0x1p-32f;
    float R = std::sqrt(-2.0f * logOf(U) + 0x1p-40f);

    // The nearest multiple of pi/2, and what is left, within an eighth.
    uint32_t Quarter = (Angle[K] + 0x20000000) >> 30;
    auto Rest = static_cast<int32_t>(Angle[K] - (Quarter << 30));
    float A = static_cast<float>(Rest) * 1.46291807926716e-9f; // 2 pi / 2^32
    float A2 = A * A;
    float S =
        A * (1.0f + A2 * (-1.0f / 6 +
                          A2 * (1.0f / 120 +
                                A2 * (-1.0f / 5040 + A2 * (1.0f / 362880)))));
    float C =
        1.0f + A2 * (-1.0f / 2 + A2 * (1.0f / 24 + A2 * (-1.0f / 720 +
                                                         A2 * (1.0f / 40320))));
    float X = Quarter & 1 ? S : C;
    float Y = Quarter & 1 ? C : S;
    uint32_t SignX = ((Quarter + 1) & 2) << 30;
    uint32_t SignY = (Quarter & 2) << 30;
    Cos[K] = R * bit_cast<float>(bit_cast<uint32_t>(X) ^ SignX);
    Sin[K] = R * bit_cast<float>(bit_cast<uint32_t>(Y) ^ SignY);
  }
  for (unsigned K = 0; K < Pairs; ++K) {
    Out[2 * K] = Cos[K];
    Out[2 * K + 1] = Sin[K];
  }
}

//===----------------------------------------------------------------------===//
// Conversion to the element type
//===----------------------------------------------------------------------===//

template <class T, class From> static T convert(From Value) {
  if constexpr (std::is_same_v<T, Half>) {
    return toHalf(static_cast<float>(Value));
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return toBFloat16(static_cast<float>(Value));
  } else if constexpr (std::is_same_v<T, Bool>) {
    return {static_cast<uint8_t>(Value != 0)};
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(Value);
  } else if constexpr (std::is_integral_v<From>) {
    if (Value < 0 &&
        (!std::is_signed_v<T> ||
         Value < static_cast<int64_t>(std::numeric_limits<T>::min())))
      return std::numeric_limits<T>::min();
    if (Value > 0 && static_cast<uint64_t>(Value) >
                         static_cast<uint64_t>(std::numeric_limits<T>::max()))
      return std::numeric_limits<T>::max();
    return static_cast<T>(Value);
  } else {
    // 2^bits is exact where max() itself is not.
    constexpr int Digits = std::numeric_limits<T>::digits;
    double Floor = std::floor(static_cast<double>(Value));
    if (!(Floor < std::ldexp(1.0, Digits)))
      return std::isnan(Floor) ? T{0} : std::numeric_limits<T>::max();
    if (Floor < static_cast<double>(std::numeric_limits<T>::min()))
      return std::numeric_limits<T>::min();
    return static_cast<T>(Floor);
  }
}

/// Calls Produce(first element, Chunk slots) and stores what it made.
template <class T, class From, class F>
static void fillChunks(MutableArrayRef<uint8_t> Bytes, F &&Produce) {
  uint64_t Count = Bytes.size() / sizeof(T);
  From Values[Chunk];
  T Converted[Chunk];
  for (uint64_t First = 0; First < Count; First += Chunk) {
    Produce(First, Values);
    for (unsigned I = 0; I < Chunk; ++I)
      Converted[I] = convert<T>(Values[I]);
    uint64_t Take = std::min<uint64_t>(Chunk, Count - First);
    std::memcpy(Bytes.data() + First * sizeof(T), Converted, Take * sizeof(T));
  }
}

/// Fills with copies of one element by doubling.
template <class T>
static void fillCopies(MutableArrayRef<uint8_t> Bytes, T Element) {
  uint64_t Size = Bytes.size() / sizeof(T) * sizeof(T);
  if (Size == 0)
    return;
  T Pattern[4096 / sizeof(T)];
  std::fill(std::begin(Pattern), std::end(Pattern), Element);
  for (uint64_t At = 0; At < Size; At += sizeof Pattern)
    std::memcpy(Bytes.data() + At, Pattern,
                std::min<uint64_t>(sizeof Pattern, Size - At));
}

template <class T>
static void fillAs(const Generator &G, MutableArrayRef<uint8_t> Bytes) {
  Stream Bits(G.Seed);
  switch (G.What) {
  case Generator::Kind::Value:
    return fillCopies<T>(Bytes, convert<T>(G.A));
  case Generator::Kind::Normal: {
    auto Mean = static_cast<float>(G.A), Deviation = static_cast<float>(G.B);
    return fillChunks<T, float>(Bytes, [&](uint64_t First, float *Out) {
      fillNormal(Bits, First / 2, Out);
      for (unsigned I = 0; I < Chunk; ++I)
        Out[I] = Out[I] * Deviation + Mean;
    });
  }
  case Generator::Kind::Uniform: {
    double Span = G.B - G.A;
    return fillChunks<T, double>(Bytes, [&](uint64_t First, double *Out) {
      for (unsigned I = 0; I < Chunk; ++I) {
        auto Fraction = static_cast<int64_t>(Bits[First + I] >> 11);
        Out[I] = G.A + Span * (static_cast<double>(Fraction) * 0x1p-53);
      }
    });
  }
  case Generator::Kind::RandInt: {
    uint64_t Span =
        static_cast<uint64_t>(G.High) - static_cast<uint64_t>(G.Low);
    return fillChunks<T, int64_t>(Bytes, [&](uint64_t First, int64_t *Out) {
      for (unsigned I = 0; I < Chunk; ++I) {
        auto Scaled = static_cast<unsigned __int128>(Bits[First + I]) * Span;
        Out[I] = static_cast<int64_t>(static_cast<uint64_t>(G.Low) +
                                      static_cast<uint64_t>(Scaled >> 64));
      }
    });
  }
  case Generator::Kind::Range:
    return fillChunks<T, double>(Bytes, [&](uint64_t First, double *Out) {
      for (unsigned I = 0; I < Chunk; ++I)
        Out[I] =
            G.A + G.B * static_cast<double>(static_cast<int64_t>(First + I));
    });
  }
  llvm_unreachable("unknown generator");
}

void Generator::fill(DataType Type, MutableArrayRef<uint8_t> Bytes) const {
  // The uniform distribution excludes its end; rounding to a narrow type may
  // bring it back, as it does in NumPy.
  visitType(Type, [&](auto Zero) { fillAs<decltype(Zero)>(*this, Bytes); });
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static std::optional<Generator::Kind> kindOf(StringRef Name) {
  return StringSwitch<std::optional<Generator::Kind>>(Name)
      .Cases({"zeros", "ones", "value"}, Generator::Kind::Value)
      .Case("normal", Generator::Kind::Normal)
      .Case("uniform", Generator::Kind::Uniform)
      .Case("randint", Generator::Kind::RandInt)
      .Case("range", Generator::Kind::Range)
      .Default(std::nullopt);
}

bool Generator::names(StringRef Text) {
  return kindOf(Text.split(':').first).has_value();
}

Expected<Generator> Generator::parse(StringRef Text) {
  SmallVector<StringRef, 4> Parts;
  Text.split(Parts, ':');
  std::optional<Kind> Known = kindOf(Parts[0]);
  if (!Known)
    return createStringError(formatv(
        "'{0}' is neither a .npy or .bin file nor a generator; generators are "
        "zeros, ones, value:V, normal:SEED[:MEAN:STD], uniform:SEED:LO:HI, "
        "randint:SEED:LO:HI, range[:START[:STEP]]",
        Text));

  Generator G;
  G.What = *Known;
  auto Malformed = [&](const char *Usage) {
    return createStringError(
        formatv("'{0}' is not of the form {1}", Text, Usage));
  };
  auto Real = [&](unsigned I, double &Value) {
    return Parts.size() <= I || Parts[I].getAsDouble(Value) ||
           !std::isfinite(Value);
  };
  auto ReadInteger = [&](unsigned I, auto &Value) {
    return Parts.size() <= I || Parts[I].getAsInteger(0, Value);
  };

  switch (G.What) {
  case Kind::Value:
    if (Parts[0] != "value") {
      if (Parts.size() != 1)
        return Malformed(Parts[0] == "zeros" ? "zeros" : "ones");
      G.A = Parts[0] == "ones";
    } else if (Parts.size() != 2 || Parts[1].getAsDouble(G.A)) {
      return Malformed("value:V");
    }
    break;
  case Kind::Normal:
    if (Parts.size() != 2 && Parts.size() != 4)
      return Malformed("normal:SEED[:MEAN:STD]");
    if (ReadInteger(1, G.Seed) ||
        (Parts.size() == 4 && (Real(2, G.A) || Real(3, G.B))))
      return Malformed("normal:SEED[:MEAN:STD]");
    break;
  case Kind::Uniform:
    if (Parts.size() != 4 || ReadInteger(1, G.Seed) || Real(2, G.A) ||
        Real(3, G.B) || G.A > G.B)
      return Malformed("uniform:SEED:LO:HI with LO <= HI");
    break;
  case Kind::RandInt:
    if (Parts.size() != 4 || ReadInteger(1, G.Seed) || ReadInteger(2, G.Low) ||
        ReadInteger(3, G.High) || G.Low >= G.High)
      return Malformed("randint:SEED:LO:HI with LO < HI");
    break;
  case Kind::Range:
    if (Parts.size() > 3 || (Parts.size() > 1 && Real(1, G.A)) ||
        (Parts.size() > 2 && Real(2, G.B)))
      return Malformed("range[:START[:STEP]]");
    break;
  }
  return G;
}

Error Generator::check(DataType Type) const {
  if (isFloating(Type))
    return Error::success();
  auto Holds = [&](double Low, double High) -> Error {
    return visitType(Type, [&](auto Zero) -> Error {
      using T = decltype(Zero);
      double Least = 0, Bound = 2;
      if constexpr (!std::is_same_v<T, Bool> && std::is_integral_v<T>) {
        Least = static_cast<double>(std::numeric_limits<T>::min());
        Bound = std::ldexp(1.0, std::numeric_limits<T>::digits);
      }
      if (Low >= Least && High < Bound)
        return Error::success();
      return createStringError(formatv("{0} cannot hold the value {1}",
                                       nameOf(Type),
                                       Low >= Least ? High : Low));
    });
  };
  switch (What) {
  case Kind::Value:
    return Holds(A, A);
  case Kind::RandInt:
    return Holds(static_cast<double>(Low), static_cast<double>(High - 1));
  default: // these saturate
    return Error::success();
  }
}

//===----------------------------------------------------------------------===//
// Poison
//===----------------------------------------------------------------------===//

template <class T> static T poisonOf() {
  if constexpr (std::is_same_v<T, Half>)
    return {0x7ecd};
  else if constexpr (std::is_same_v<T, BFloat16>)
    return {0x7fcd};
  else if constexpr (std::is_same_v<T, float>)
    return bit_cast<float>(0x7fcdcdcd);
  else if constexpr (std::is_same_v<T, double>)
    return bit_cast<double>(0x7ffdcdcdcdcdcdcd);
  else {
    T Value;
    std::memset(&Value, 0xcd, sizeof Value);
    return Value;
  }
}

void belay::cases::fillPoison(DataType Type, MutableArrayRef<uint8_t> Bytes) {
  visitType(Type, [&](auto Zero) {
    using T = decltype(Zero);
    fillCopies<T>(Bytes, poisonOf<T>());
  });
}

bool belay::cases::isPoison(DataType Type, const uint8_t *Data) {
  return visitType(Type, [&](auto Zero) {
    auto Poison = poisonOf<decltype(Zero)>();
    return std::memcmp(Data, &Poison, sizeof Poison) == 0;
  });
}

uint64_t belay::cases::countPoison(DataType Type, ArrayRef<uint8_t> Bytes) {
  return visitType(Type, [&](auto Zero) -> uint64_t {
    auto Poison = poisonOf<decltype(Zero)>();
    uint64_t Count = 0;
    for (uint64_t At = 0; At + sizeof Poison <= Bytes.size();
         At += sizeof Poison)
      Count += std::memcmp(Bytes.data() + At, &Poison, sizeof Poison) == 0;
    return Count;
  });
}
