//===- CostsTest.cpp - Files of costs -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace belay::timing;

namespace {

/// All that there is a file for.
std::vector<std::string> socs() {
  std::vector<std::string> Names;
  for (const auto &Each : std::filesystem::directory_iterator(BELAY_COSTS))
    if (Each.path().filename().string().rfind("Ascend", 0) == 0)
      Names.push_back(Each.path().stem().string());
  return Names;
}

TEST(Costs, FilesAreWhole) {
  EXPECT_GE(socs().size(), 35u);
  for (const std::string &Soc : socs()) {
    EXPECT_TRUE(belay::targets::findSoc(Soc)) << Soc;
    CostTable T;
    EXPECT_EQ(T.parse(test::readCosts(BELAY_COSTS, Soc + ".csv")), "") << Soc;
    EXPECT_EQ(T.missing(), "") << Soc;
  }
}

// In no draw is a slow kernel faster than in the fast one.
TEST(Costs, DrawsAreInOrder) {
  for (const std::string &Soc : socs()) {
    CostTable T = test::tableFor(BELAY_COSTS, Soc);
    Launch L = test::addKernel(T, {8, 4096});
    L.Cores.resize(1);
    L.Cores[0].Steps.resize(1600);
    Footprint F = footprintOf(L.Cores, L.GlobalBytes);
    double Cycles[NumDraws];
    for (unsigned D = 0; D < NumDraws; ++D)
      Cycles[D] = replay(L, F, Costs(T, Draws[D]), false).Cycles;
    for (double Each : Cycles) {
      EXPECT_LE(Cycles[0], Each) << Soc;
      EXPECT_GE(Cycles[2], Each) << Soc;
    }
  }
}

TEST(Costs, Mistakes) {
  auto Wrong = [](const char *Line) { return CostTable().parse(Line); };
  EXPECT_EQ(Wrong("dma.issue,1,2,3,cycles,page 7,high\n"), "");
  EXPECT_EQ(Wrong("dma.issue,1,3,2,cycles,page 7,high\n"),
            "line 1: dma.issue: low, middle and high are not in order");
  EXPECT_EQ(Wrong("dma.issue,1,2,x,cycles,page 7,high\n"),
            "line 1: dma.issue: low, middle and high are numbers that are not "
            "negative");
  EXPECT_EQ(Wrong("# a comment\ndma.issue,1,2,3,ns,page 7,high\n"),
            "line 2: dma.issue: the unit is cycles");
  EXPECT_EQ(Wrong("dma.issue,1,2,3,cycles,,high\n"),
            "line 1: dma.issue: no source is given");
  EXPECT_EQ(Wrong("dma.issue,1,2,3,cycles,page 7,sure\n"),
            "line 1: dma.issue: the confidence is high, medium, low or none");
  EXPECT_EQ(Wrong("dma.isue,1,2,3,cycles,page 7,high\n"),
            "line 1: dma.isue: no such parameter");
  EXPECT_EQ(Wrong("V.Add,1,2,3,cycles,page 7,high\n"),
            "line 1: V.Add: an instruction has a slope and a fixed cost");
  EXPECT_EQ(CostTable().missing(), "no value for dram.rate");
}

TEST(Costs, RowsByType) {
  CostTable T = test::tableFor(BELAY_COSTS, "Ascend910B3");
  EXPECT_EQ(T.rows()[T.rowOf("Exp", "b16")].Slope.Middle, 4);
  EXPECT_EQ(T.rows()[T.rowOf("Exp", "b32")].Slope.Middle, 2);
  EXPECT_EQ(T.rowOf("SoftMax", "b32"), CostTable::NoRow);
}

} // namespace
