//===- CompareTest.cpp - Outputs against expected values ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Compare.h"
#include "../Testing.h"
#include "cases/Generators.h"

#include <cmath>

using namespace belay::cases;

template <class T>
static ArrayView view(DataType Type, const std::vector<T> &Values) {
  return {Type,
          {reinterpret_cast<const uint8_t *>(Values.data()),
           Values.size() * sizeof(T)}};
}

static Comparison compare(std::vector<float> Got, std::vector<float> Expected,
                          Tolerance Allowed = {}) {
  return compareArrays(view(DataType::F32, Got), view(DataType::F32, Expected),
                       Allowed);
}

TEST(Compare, ToleranceIsThatOfNumpy) {
  EXPECT_TRUE(compare({1.0f, 100.0f}, {1.05f, 101.0f}, {0.01, 0.05}).passed());
  Comparison C = compare({1, 2, 3}, {1, 2.5, 3}, {0.1, 0.1});
  EXPECT_EQ(C.Mismatches, 1u);
  EXPECT_FLOAT_EQ(C.MaxAbsError, 0.5);
  EXPECT_FLOAT_EQ(C.MaxRelError, 0.2);
  ASSERT_EQ(C.First.size(), 1u);
  EXPECT_EQ(C.First[0].Index, 1u);
  EXPECT_EQ(C.First[0].Got, "2");
  EXPECT_EQ(C.First[0].Expected, "2.5");
}

TEST(Compare, NanAndInfinity) {
  EXPECT_TRUE(compare({NAN, INFINITY}, {NAN, INFINITY}).passed());
  EXPECT_FALSE(compare({INFINITY}, {-INFINITY}, {1, 1}).passed());
  EXPECT_FALSE(compare({NAN}, {1}, {1, 1}).passed());
  EXPECT_FALSE(compare({1}, {NAN}, {1, 1}).passed());
  EXPECT_FALSE(compare({1}, {INFINITY}, {1, 1}).passed());
  EXPECT_TRUE(compare({0.0f}, {-0.0f}).passed());
}

TEST(Compare, LargeIntegersAreExact) {
  std::vector<int64_t> Got = {(1ll << 53) + 1}, Expected = {1ll << 53};
  auto Run = [&](Tolerance Allowed) {
    return compareArrays(view(DataType::S64, Got),
                         view(DataType::S64, Expected), Allowed)
        .passed();
  };
  EXPECT_FALSE(Run({}));
  EXPECT_TRUE(Run({0, 1}));
}

TEST(Compare, TypesMayDiffer) {
  std::vector<uint16_t> Got = {0x3c00, 0x4000};
  std::vector<double> Expected = {1.0, 2.0001};
  EXPECT_TRUE(compareArrays(view(DataType::F16, Got),
                            view(DataType::F64, Expected), {1e-3, 0})
                  .passed());
}

TEST(Compare, UnwrittenElementsAreNeverRight) {
  std::vector<float> Got(4);
  fillPoison(DataType::F32,
             {reinterpret_cast<uint8_t *>(Got.data()), 4 * sizeof(float)});
  Comparison C = compare(Got, {NAN, 1, 2, 3}, {1, 1});
  EXPECT_EQ(C.Mismatches, 4u);
  EXPECT_EQ(C.NeverWritten, 4u);
  EXPECT_TRUE(C.First[0].NeverWritten);
  // Not even if the reference holds the same bits.
  EXPECT_FALSE(compare(Got, Got).passed());
}

TEST(Compare, Statistics) {
  std::vector<float> Values = {1, 2, NAN, -5, INFINITY, 4};
  Statistics S = summarise(view(DataType::F32, Values));
  EXPECT_EQ(S.Min, -5);
  EXPECT_EQ(S.Max, 4);
  EXPECT_EQ(S.Mean, 0.5);
  EXPECT_EQ(S.NumNan, 1u);
  EXPECT_EQ(S.NumInf, 1u);
  EXPECT_EQ(S.NeverWritten, 0u);
}

TEST(Compare, Indices) {
  EXPECT_EQ(formatIndex(209, {12, 64}), "[3, 17]");
  EXPECT_EQ(formatIndex(5, {8}), "[5]");
  EXPECT_EQ(formatIndex(0, {}), "[]");
}
