//===- BanksTest.cpp - The examples of the UB bank pages ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <gtest/gtest.h>

using namespace belay::timing;

namespace {

Conflicts conflicts(const char *Soc, std::vector<BlockWalk> Walks,
                    uint32_t Repeats = 1) {
  CostTable T = test::tableFor(BELAY_COSTS, Soc);
  return Banks(T).of(Walks.data(), static_cast<unsigned>(Walks.size()),
                     Repeats);
}

BlockWalk at(uint64_t Address, bool Write = false, uint64_t BlockStride = 32) {
  BlockWalk W;
  W.Address = Address;
  W.Write = Write;
  W.BlockStride = BlockStride;
  return W;
}

} // namespace

// Two sources in the same groups take two cycles, half of the groups apart one.
TEST(Banks, SourcesInOneGroup) {
  EXPECT_EQ(conflicts("Ascend910B1", {at(0), at(0x4000)}, 64).Reads, 64u);
  EXPECT_EQ(conflicts("Ascend910B1", {at(0), at(0x4100)}, 64).Reads, 0u);
  // Other banks of the same groups conflict, too: 0x10020 and 0x20020.
  EXPECT_EQ(conflicts("Ascend910B1", {at(0x10000), at(0x20000)}).Reads, 1u);
}

// The manual's block strides: 16 puts all eight blocks into one group, 8 puts
// four into each of two.
TEST(Banks, BlockStrides) {
  EXPECT_EQ(conflicts("Ascend910B1", {at(0x1fe00, true, 512)}).Reads, 7u);
  EXPECT_EQ(conflicts("Ascend910B1", {at(0x1fe00, true, 256)}).Reads, 3u);
  EXPECT_EQ(conflicts("Ascend910B1", {at(0x1fe00, false, 512)}).Reads, 7u);
}

// Reading and writing one bank: 0x10020 and 0x10e20 are in bank 17.
TEST(Banks, ReadAndWrite) {
  EXPECT_EQ(conflicts("Ascend910B1", {at(0), at(0x8000, true)}, 64).ReadWrites,
            64u);
  EXPECT_EQ(conflicts("Ascend910B1", {at(0), at(0x10000, true)}, 64).ReadWrites,
            0u);
  EXPECT_EQ(conflicts("Ascend910B1", {at(0), at(0x8100, true)}, 64).ReadWrites,
            0u);
}

// 950: a group has two banks and two ports for reads, so only the same bank
// conflicts, and 0x10000 lies in bank 0.
TEST(Banks, TwoPorts) {
  const char *Soc = "Ascend950PR_9589";
  EXPECT_EQ(conflicts(Soc, {at(0), at(0x4000)}, 64).Reads, 64u);
  EXPECT_EQ(conflicts(Soc, {at(0), at(0x4100)}, 64).Reads, 0u);
  EXPECT_EQ(conflicts(Soc, {at(0), at(0x10000, true)}, 64).ReadWrites, 64u);
}

// Repeats that are not multiples of all groups: the sum is that of the single
// ones.
TEST(Banks, OddStrides) {
  BlockWalk X = at(0), Y = at(0x4000);
  X.RepeatStride = 96;
  Y.RepeatStride = 288;
  uint32_t Sum = 0;
  for (uint32_t R = 0; R < 100; ++R)
    Sum += conflicts("Ascend910B1", {at(96 * R), at(0x4000 + 288 * R)}).Reads;
  EXPECT_EQ(conflicts("Ascend910B1", {X, Y}, 100).Reads, Sum);
}

// Operands that leave their bank on the way: the sum is that of the single
// ones.
TEST(Banks, AcrossBanks) {
  uint64_t X = 0, Y = 32512, Z = 65024;
  Conflicts Sum;
  for (uint32_t R = 0; R < 127; ++R) {
    Conflicts One = conflicts("Ascend910B1", {at(X + 256 * R), at(Y + 256 * R),
                                              at(Z + 256 * R, true)});
    Sum.Reads += One.Reads;
    Sum.ReadWrites += One.ReadWrites;
  }
  Conflicts All = conflicts("Ascend910B1", {at(X), at(Y), at(Z, true)}, 127);
  EXPECT_EQ(All.Reads, Sum.Reads);
  EXPECT_EQ(All.ReadWrites, Sum.ReadWrites);
  EXPECT_EQ(All.ReadWrites, 2u);
}

// An operand that is read twice is read once.
TEST(Banks, SameRow) {
  EXPECT_EQ(conflicts("Ascend910B1", {at(64), at(64)}, 8).Reads, 0u);
}
