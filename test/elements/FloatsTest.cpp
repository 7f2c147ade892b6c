//===- FloatsTest.cpp - belay/floats.h against llvm::APFloat --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All values of the small types; of floats and doubles, all that lie on, next
// to and between two neighbours of a small type, and a walk through all
// patterns with a stride that is prime. BELAY_EXHAUSTIVE=1 takes every float.
//
//===----------------------------------------------------------------------===//

#include "belay/floats.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdlib>

using namespace belay;
using llvm::APFloat;
using small_floats::rounding;

namespace {

constexpr rounding Modes[] = {rounding::nearest_even, rounding::nearest_away,
                              rounding::down,         rounding::up,
                              rounding::to_zero,      rounding::to_odd};

llvm::RoundingMode modeOf(rounding Mode) {
  switch (Mode) {
  case rounding::nearest_even:
    return APFloat::rmNearestTiesToEven;
  case rounding::nearest_away:
    return APFloat::rmNearestTiesToAway;
  case rounding::down:
    return APFloat::rmTowardNegative;
  case rounding::up:
    return APFloat::rmTowardPositive;
  case rounding::to_zero:
  case rounding::to_odd: // then the last bit
    break;
  }
  return APFloat::rmTowardZero;
}

/// What APFloat makes of a value, in the bits of the other format.
uint64_t expected(APFloat Value, const llvm::fltSemantics &To, rounding Mode) {
  bool LosesInfo;
  APFloat::opStatus Status = Value.convert(To, modeOf(Mode), &LosesInfo);
  uint64_t Bits = Value.bitcastToAPInt().getZExtValue();
  // The largest stays what it is: there is no larger number.
  bool Finite = Value.isFinite() && !Value.isLargest();
  return Mode == rounding::to_odd && Finite && (Status & APFloat::opInexact)
             ? Bits | 1
             : Bits;
}

template <typename T> bool isSame(T A, T B) {
  return std::isnan(A) ? std::isnan(B)
                       : A == B && std::signbit(A) == std::signbit(B);
}

/// A format, and APFloat's name of it.
template <int E, int M, bool Infinities> struct Format {
  static constexpr unsigned Count = 1u << (1 + E + M);
  const llvm::fltSemantics &Semantics;

  APFloat value(uint32_t Bits) const {
    return APFloat(Semantics, llvm::APInt(1 + E + M, Bits));
  }

  void expectNarrowed(double From, rounding Mode) const {
    uint32_t Is = small_floats::narrow<E, M, Infinities>(From, Mode);
    if (std::isnan(From)) {
      ASSERT_TRUE(value(Is).isNaN()) << From;
      return;
    }
    uint64_t Should = expected(APFloat(From), Semantics, Mode);
    // What is too large for a format without infinities is its only NaN.
    ASSERT_EQ(Is, Should) << From << " in mode " << int(Mode);
  }

  /// Each value, the points between it and its neighbour, and what lies next
  /// to them in double and in float.
  void expectAllNarrowed() const {
    for (uint32_t Bits = 0; Bits < Count; ++Bits) {
      APFloat Wide = value(Bits);
      bool LosesInfo;
      Wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &LosesInfo);
      double At = Wide.convertToDouble();
      double Next = std::ldexp(1.0, std::ilogb(At == 0 ? 0x1p-160 : At) - M);
      Next = std::max(Next, std::ldexp(1.0, 2 - (1 << (E - 1)) - M));
      for (double Point : {At, At + Next / 2, At - Next / 4}) {
        double Infinity = HUGE_VAL;
        for (double Near : {Point, std::nextafter(Point, Infinity),
                            std::nextafter(Point, -Infinity),
                            double(std::nextafterf(float(Point), HUGE_VALF)),
                            double(std::nextafterf(float(Point), -HUGE_VALF))})
          for (rounding Mode : Modes)
            expectNarrowed(Near, Mode);
      }
      if (testing::Test::HasFatalFailure())
        return;
    }
  }

  void expectAllWidened() const {
    if constexpr (E <= 8 && M <= 23)
      for (uint32_t Bits = 0; Bits < Count; ++Bits) {
        APFloat Should = value(Bits);
        bool LosesInfo;
        Should.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                       &LosesInfo);
        ASSERT_TRUE(isSame(small_floats::widen<E, M, Infinities>(Bits),
                           Should.convertToFloat()))
            << Bits;
      }
  }
};

const Format<5, 10, true> Half{APFloat::IEEEhalf()};
const Format<8, 7, true> BFloat{APFloat::BFloat()};
const Format<5, 2, true> E5M2{APFloat::Float8E5M2()};
const Format<4, 3, false> E4M3{APFloat::Float8E4M3FN()};

/// Calls with the patterns of a walk through all floats.
template <typename Fn> void forFloats(Fn Each) {
  const char *All = std::getenv("BELAY_EXHAUSTIVE");
  uint64_t Stride = All && *All == '1' ? 1 : 1009;
  for (uint64_t Bits = 0; Bits <= UINT32_MAX; Bits += Stride) {
    Each(small_floats::bits_as<float>(static_cast<uint32_t>(Bits)));
    if (testing::Test::HasFatalFailure())
      return;
  }
}

/// Calls with the floats on, next to and halfway to each value of a format
/// whose neighbours differ in this bit of a float.
template <typename Fn> void forTies(unsigned LowBits, Fn Each) {
  uint64_t Step = uint64_t(1) << LowBits;
  for (uint64_t Bits = 0; Bits <= UINT32_MAX; Bits += Step)
    for (uint64_t Offset : {uint64_t(0), uint64_t(1), Step / 2 - 1, Step / 2,
                            Step / 2 + 1, Step - 1}) {
      Each(small_floats::bits_as<float>(static_cast<uint32_t>(Bits + Offset)));
      if (testing::Test::HasFatalFailure())
        return;
    }
}

void expectHalf(float Value) {
  ASSERT_EQ(
      small_floats::half_from_float(Value),
      expected(APFloat(Value), APFloat::IEEEhalf(), rounding::nearest_even))
      << Value << " " << small_floats::bits_as<uint32_t>(Value);
}
void expectBFloat(float Value) {
  ASSERT_EQ(small_floats::bfloat_from_float(Value),
            expected(APFloat(Value), APFloat::BFloat(), rounding::nearest_even))
      << Value << " " << small_floats::bits_as<uint32_t>(Value);
}

} // namespace

TEST(Floats, EveryHalfBecomesItsFloat) {
  for (uint32_t Bits = 0; Bits < Half.Count; ++Bits) {
    float Is = small_floats::float_from_half(static_cast<uint16_t>(Bits));
    ASSERT_EQ(small_floats::bits_as<uint32_t>(Is),
              expected(Half.value(Bits), APFloat::IEEEsingle(),
                       rounding::nearest_even));
  }
}

TEST(Floats, EveryBFloatBecomesItsFloat) {
  for (uint32_t Bits = 0; Bits < BFloat.Count; ++Bits) {
    float Is = small_floats::float_from_bfloat(static_cast<uint16_t>(Bits));
    ASSERT_TRUE(isSame(Is, BFloat.value(Bits).convertToFloat())) << Bits;
    ASSERT_EQ(small_floats::bits_as<uint32_t>(Is), Bits << 16);
  }
}

// Bit by bit, NaNs too. Normal halves differ in bit 13, subnormal ones in
// higher bits up to 23; bfloats in bit 16.
TEST(Floats, FloatsBecomeTheNearestHalf) {
  forFloats(expectHalf);
  for (unsigned LowBits : {13u, 16u, 20u, 23u})
    forTies(LowBits, expectHalf);
}
TEST(Floats, FloatsBecomeTheNearestBFloat) {
  forFloats(expectBFloat);
  forTies(16, expectBFloat);
}

TEST(Floats, WidenIsExact) {
  Half.expectAllWidened();
  BFloat.expectAllWidened();
  E5M2.expectAllWidened();
  E4M3.expectAllWidened();
}

TEST(Floats, NarrowRoundsOnceInEveryMode) {
  Half.expectAllNarrowed();
  BFloat.expectAllNarrowed();
  E5M2.expectAllNarrowed();
  E4M3.expectAllNarrowed();
}

TEST(Floats, NarrowOfEdges) {
  for (double Edge : {0.0,
                      -0.0,
                      0x1p-1074,
                      -0x1p-1074,
                      0x1p-1022,
                      0x1.fffffffffffffp1023,
                      -0x1.fffffffffffffp1023,
                      HUGE_VAL,
                      -HUGE_VAL,
                      double(NAN),
                      65504.0,
                      65519.999999999,
                      65520.0,
                      65536.0,
                      448.0,
                      463.99999,
                      464.0,
                      464.00001,
                      57344.0,
                      61439.99999,
                      61440.0,
                      0x1p-24,
                      0x1p-25,
                      0x1.0000000000001p-25,
                      0x1p-133,
                      0x1p-134,
                      0x1.fep127,
                      0x1.ffp127,
                      0x1.fefffffffffffp127})
    for (rounding Mode : Modes) {
      Half.expectNarrowed(Edge, Mode);
      BFloat.expectNarrowed(Edge, Mode);
      E5M2.expectNarrowed(Edge, Mode);
      E4M3.expectNarrowed(Edge, Mode);
    }
}

TEST(Floats, NarrowToFloatIsTheCompilersOwn) {
  forFloats([](float Value) {
    double Between = Value * (1 + 0x1p-25);
    ASSERT_TRUE(isSame(
        small_floats::bits_as<float>(small_floats::narrow<8, 23>(Between)),
        static_cast<float>(Between)))
        << Value;
  });
}
