//===- DataTypeTest.cpp - Narrow floats -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/DataType.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace belay::cases;

TEST(DataType, NamesAreParsedBack) {
  for (const char *Name : {"f16", "bf16", "f32", "f64", "i8", "u8", "i16",
                           "u16", "i32", "u32", "i64", "u64", "bool"}) {
    auto Type = parseDataType(Name);
    ASSERT_TRUE(Type) << Name;
    EXPECT_EQ(nameOf(*Type), Name);
  }
  EXPECT_FALSE(parseDataType("half"));
  EXPECT_FALSE(parseDataType(""));
}

TEST(DataType, EveryHalfSurvivesTheWayThroughFloat) {
  for (unsigned Bits = 0; Bits < 0x10000; ++Bits) {
    Half Value = {static_cast<uint16_t>(Bits)};
    float Wide = toFloat(Value);
    if (std::isnan(Wide)) {
      EXPECT_GT(Bits & 0x7fff, 0x7c00u);
      continue;
    }
    EXPECT_EQ(toHalf(Wide).Bits, Bits);
  }
}

TEST(DataType, EveryHalfIsWhatTheCompilerSays) {
  for (unsigned Bits = 0; Bits < 0x10000; ++Bits) {
    _Float16 Value = llvm::bit_cast<_Float16>(static_cast<uint16_t>(Bits));
    float Wide = toFloat(Half{static_cast<uint16_t>(Bits)});
    if (!std::isnan(Wide)) {
      EXPECT_EQ(Wide, static_cast<float>(Value));
    }
  }
}

TEST(DataType, HalfRoundsToNearestEven) {
  // Halfway between neighbours, a little below and a little above, for every
  // pair of neighbours.
  for (unsigned Bits = 0; Bits < 0x7bff; ++Bits) {
    float Low = toFloat(Half{static_cast<uint16_t>(Bits)});
    float High = toFloat(Half{static_cast<uint16_t>(Bits + 1)});
    float Middle = Low + (High - Low) / 2;
    unsigned Even = Bits & 1 ? Bits + 1 : Bits;
    EXPECT_EQ(toHalf(Middle).Bits, Even);
    EXPECT_EQ(toHalf(std::nextafter(Middle, Low)).Bits, Bits);
    EXPECT_EQ(toHalf(std::nextafter(Middle, High)).Bits, Bits + 1);
  }
  EXPECT_EQ(toHalf(65519.996f).Bits, 0x7bff);
  EXPECT_EQ(toHalf(65520.0f).Bits, 0x7c00);
  EXPECT_EQ(toHalf(-1e30f).Bits, 0xfc00);
  EXPECT_EQ(toHalf(1e-30f).Bits, 0);
  EXPECT_EQ(toHalf(-0.0f).Bits, 0x8000);
}

TEST(DataType, BFloat16RoundsToNearestEven) {
  EXPECT_EQ(toBFloat16(1.0f).Bits, 0x3f80);
  EXPECT_EQ(toBFloat16(llvm::bit_cast<float>(0x3f808000)).Bits, 0x3f80);
  EXPECT_EQ(toBFloat16(llvm::bit_cast<float>(0x3f818000)).Bits, 0x3f82);
  EXPECT_EQ(toBFloat16(llvm::bit_cast<float>(0x3f808001)).Bits, 0x3f81);
  EXPECT_EQ(toBFloat16(INFINITY).Bits, 0x7f80);
  // A NaN whose payload lies in the lower half only stays one.
  EXPECT_TRUE(
      std::isnan(toFloat(toBFloat16(llvm::bit_cast<float>(0x7f800001)))));
}
