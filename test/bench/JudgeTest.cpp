//===- JudgeTest.cpp - What is right and what is not ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Judge.h"
#include "cases/Generators.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace belay::bench;
using belay::cases::DataType;

namespace {

constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
constexpr double Infinity = std::numeric_limits<double>::infinity();

Judgement judged(std::vector<double> Want, std::vector<float> Got,
                 double Near = 0) {
  Argument Expected;
  Expected.What = belay::cases::ArgSpec::Role::Out;
  Expected.Tensor = {DataType::F32, {Want.size()}};
  Expected.Want = Want;
  Expected.Near = Near;
  return judge(Expected, ArrayRef(reinterpret_cast<const uint8_t *>(Got.data()),
                                  Got.size() * sizeof(float)));
}

TEST(Judge, IsRelative) {
  EXPECT_TRUE(judged({1e20, 1, 1e-20}, {1e20f, 1, 1e-20f}).right());
  EXPECT_TRUE(judged({1000}, {1000.1f}).right());
  EXPECT_FALSE(judged({1000}, {1000.2f}).right());
  // An absolute tolerance would let this pass.
  EXPECT_FALSE(judged({1e-6}, {0}).right());
  EXPECT_FALSE(judged({1e-6}, {1.001e-6f}).right());
}

TEST(Judge, AllowsRoundingOfIntermediateValues) {
  EXPECT_FALSE(judged({1e-6}, {2e-6f}).right());
  EXPECT_TRUE(judged({1e-6}, {2e-6f}, /*Near=*/4).right());
  EXPECT_FALSE(judged({1e-6}, {4e-6f}, /*Near=*/4).right());
}

TEST(Judge, FlushesToZero) {
  EXPECT_TRUE(judged({1e-40}, {0}).right());
  EXPECT_FALSE(judged({1e-37}, {0}).right());
}

TEST(Judge, HasSpecialValues) {
  auto F = [](double Value) { return static_cast<float>(Value); };
  EXPECT_TRUE(judged({NaN, Infinity}, {F(NaN), F(Infinity)}).right());
  EXPECT_FALSE(judged({NaN}, {0}).right());
  EXPECT_FALSE(judged({0}, {F(NaN)}).right());
  EXPECT_FALSE(judged({Infinity}, {F(-Infinity)}).right());
  EXPECT_FALSE(judged({Infinity}, {3e38f}).right());
  EXPECT_FALSE(judged({1e30}, {F(Infinity)}).right());
  EXPECT_TRUE(judged({1e39}, {F(Infinity)}).right());
  EXPECT_FALSE(judged({1e39}, {F(-Infinity)}).right());
}

TEST(Judge, KnowsWhatWasNeverWritten) {
  std::vector<float> Got(3, 1);
  auto *Bytes = reinterpret_cast<uint8_t *>(Got.data());
  belay::cases::fillPoison(DataType::F32, {Bytes + 4, 4});
  Judgement J = judged({1, NaN, 1}, Got);
  EXPECT_EQ(J.NeverWritten, 1u);
  EXPECT_EQ(J.Wrong, 1u);
  EXPECT_EQ(J.FirstAt, 1u);
}

TEST(Judge, CountsBytes) { EXPECT_FALSE(judged({1, 2, 3}, {1, 2}).right()); }

TEST(Judge, IsExactForIntegers) {
  int64_t Want[] = {5, -7};
  int32_t Right[] = {5, -7}, Wrong[] = {5, -6};
  Argument Expected;
  Expected.What = belay::cases::ArgSpec::Role::Out;
  Expected.Tensor = {DataType::S32, {2}};
  Expected.WantInteger = Want;
  auto Bytes = [](const int32_t *Data) {
    return ArrayRef(reinterpret_cast<const uint8_t *>(Data), 8);
  };
  EXPECT_TRUE(judge(Expected, Bytes(Right)).right());
  EXPECT_EQ(judge(Expected, Bytes(Wrong)).FirstAt, 1u);
}

TEST(Judge, HasAToleranceForEachType) {
  EXPECT_LT(relativeTolerance(DataType::F32), relativeTolerance(DataType::F16));
  EXPECT_LT(relativeTolerance(DataType::F16),
            relativeTolerance(DataType::BF16));
  EXPECT_GT(allowedError(DataType::F16, 0, 1), 0);
}

} // namespace
