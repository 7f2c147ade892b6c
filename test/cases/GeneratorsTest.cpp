//===- GeneratorsTest.cpp - The values of --in ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Generators.h"
#include "../Testing.h"

#include <chrono>
#include <cmath>

using namespace belay::cases;
using namespace belay::testing;

template <class T>
static std::vector<T> make(const char *Text, DataType Type, size_t Count) {
  std::vector<T> Values(Count);
  valueOf(Generator::parse(Text))
      .fill(Type,
            {reinterpret_cast<uint8_t *>(Values.data()), Count * sizeof(T)});
  return Values;
}

TEST(Generators, Constants) {
  EXPECT_EQ(make<float>("zeros", DataType::F32, 3),
            (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(make<int32_t>("ones", DataType::S32, 2),
            (std::vector<int32_t>{1, 1}));
  EXPECT_EQ(make<float>("value:-3.5", DataType::F32, 2),
            (std::vector<float>{-3.5, -3.5}));
  EXPECT_EQ(make<uint16_t>("value:1", DataType::BF16, 1)[0], 0x3f80);
  EXPECT_EQ(make<uint16_t>("value:1", DataType::F16, 5000)[4999], 0x3c00);
  EXPECT_TRUE(std::isinf(make<float>("value:inf", DataType::F32, 1)[0]));
}

TEST(Generators, Range) {
  EXPECT_EQ(make<int32_t>("range", DataType::S32, 3),
            (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(make<float>("range:1:0.5", DataType::F32, 3),
            (std::vector<float>{1, 1.5, 2}));
  auto Long = make<int64_t>("range", DataType::S64, 5000);
  EXPECT_EQ(Long[4999], 4999);
  // Saturates where it does not fit.
  EXPECT_EQ(make<int8_t>("range", DataType::S8, 200)[199], 127);
}

TEST(Generators, NormalHasItsMoments) {
  constexpr size_t Count = 1 << 20;
  auto Values = make<float>("normal:7", DataType::F32, Count);
  double Sum = 0, Square = 0, Fourth = 0, Neighbour = 0;
  unsigned Beyond3 = 0;
  for (size_t I = 0; I < Count; ++I) {
    double V = Values[I];
    ASSERT_TRUE(std::isfinite(V));
    Sum += V;
    Square += V * V;
    Fourth += V * V * V * V;
    Neighbour += V * Values[(I + 1) % Count];
    Beyond3 += std::fabs(V) > 3;
  }
  EXPECT_NEAR(Sum / Count, 0, 0.005);
  EXPECT_NEAR(Square / Count, 1, 0.01);
  EXPECT_NEAR(Fourth / Count, 3, 0.05);
  EXPECT_NEAR(Neighbour / Count, 0, 0.005);
  EXPECT_NEAR(Beyond3 / double(Count), 0.0027, 0.0003);

  auto Moved = make<float>("normal:7:10:0.5", DataType::F32, 4);
  EXPECT_FLOAT_EQ(Moved[0], Values[0] * 0.5f + 10);
}

TEST(Generators, ValuesNeverChange) {
  // Bits, because cases and their references are kept for years.
  auto Bits = make<uint32_t>("normal:1", DataType::F32, 1025);
  EXPECT_EQ(Bits[0], 0xbf0abaccu);
  EXPECT_EQ(Bits[1], 0xbd163944u);
  EXPECT_EQ(Bits[1024], 0xbf23901cu);
  EXPECT_EQ(make<uint64_t>("uniform:1:0:1", DataType::F64, 1)[0],
            0x3feb9c847f90581au);
  EXPECT_EQ(make<int64_t>("randint:1:-1000000:1000000", DataType::S64, 1)[0],
            725712);
}

TEST(Generators, ElementsDoNotDependOnTheCount) {
  auto Long = make<uint16_t>("normal:3", DataType::F16, 5001);
  auto Short = make<uint16_t>("normal:3", DataType::F16, 1500);
  Long.resize(1500);
  EXPECT_EQ(Long, Short);
  EXPECT_NE(Short, make<uint16_t>("normal:4", DataType::F16, 1500));
}

TEST(Generators, UniformAndRandIntStayInside) {
  for (float V : make<float>("uniform:1:-2:3", DataType::F32, 10000)) {
    EXPECT_GE(V, -2);
    EXPECT_LE(V, 3);
  }
  std::vector<unsigned> Seen(8);
  for (int32_t V : make<int32_t>("randint:1:-3:5", DataType::S32, 8000)) {
    ASSERT_GE(V, -3);
    ASSERT_LT(V, 5);
    ++Seen[static_cast<unsigned>(V + 3)];
  }
  for (unsigned Count : Seen)
    EXPECT_NEAR(Count, 1000, 150);
  // The whole range of a type.
  make<int64_t>("randint:1:-9223372036854775808:9223372036854775807",
                DataType::S64, 100);
}

TEST(Generators, RefusesNonsense) {
  for (const char *Text :
       {"", "nothing", "zeros:1", "value", "value:x", "normal", "normal:x",
        "normal:1:2", "normal:1:0:inf", "uniform:1", "uniform:1:3:2",
        "randint:1:5:5", "range:1:2:3", "normal:1:0:1:5"})
    EXPECT_NE(messageOf(Generator::parse(Text)), "") << Text;
}

TEST(Generators, ChecksThatValuesFit) {
  auto Check = [](const char *Text, DataType Type) {
    return messageOf(valueOf(Generator::parse(Text)).check(Type));
  };
  EXPECT_EQ(Check("value:127", DataType::S8), "");
  EXPECT_NE(Check("value:128", DataType::S8), "");
  EXPECT_NE(Check("value:-1", DataType::U32), "");
  EXPECT_EQ(Check("randint:1:0:256", DataType::U8), "");
  EXPECT_NE(Check("randint:1:0:257", DataType::U8), "");
  EXPECT_EQ(Check("value:1e30", DataType::F16), "");
}

TEST(Generators, PoisonIsRecognised) {
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  {                                                                            \
    std::vector<uint8_t> Bytes(100 * sizeof(Stored));                          \
    fillPoison(DataType::Id, Bytes);                                           \
    EXPECT_EQ(countPoison(DataType::Id, Bytes), 100u);                         \
    Bytes[5 * sizeof(Stored)] ^= 1;                                            \
    EXPECT_EQ(countPoison(DataType::Id, Bytes), 99u);                          \
  }
#include "belay/elements.def"
}
