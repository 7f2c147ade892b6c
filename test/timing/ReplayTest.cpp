//===- ReplayTest.cpp - Pipes, flags and cores against a clock ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "timing/Timeline.h"

#include <gtest/gtest.h>

#include <memory>

using namespace belay::timing;
using test::Writer;

namespace {

/// A launch on a part whose numbers are easy to add up.
class ReplayTest : public ::testing::Test {
protected:
  ReplayTest() : Table(test::tableFor(BELAY_COSTS, "Ascend910B1")) {
    Table.ClockGHz = 1;
    Table.L2Bytes = 1 << 20;
    set("scalar.call", 1, "cycles");
    set("vector.fixed", 10, "cycles");
    set("sync.hand-over", 5, "cycles");
    set("sync.barrier", 3, "cycles");
    set("sync.cross-core", 100, "cycles");
    set("sync.all-cores", 1, "us");
    set("launch.base", 1, "us");
    set("launch.per-core", 0, "us");
    set("dma.issue", 20, "cycles");
    set("dma.burst", 2, "cycles");
    set("gm-ub.latency", 100, "ns");
    set("gm-ub.miss-rate", 64, "GB/s");
    set("gm-ub.hit-rate", 128, "GB/s");
    set("dram.rate", 0.128, "TB/s");
    set("dram.efficiency", 1, "ratio");
    L.GlobalBytes = 8 << 20;
  }

  void set(const char *Name, double Value, const char *Unit) {
    std::string N = std::to_string(Value), Line = Name;
    EXPECT_EQ(Table.parse(Line + "," + N + "," + N + "," + N + "," + Unit +
                          ",test,high\n"),
              "");
  }
  Writer core() {
    L.Cores.reserve(8);
    return Writer(Table, L.Cores.emplace_back());
  }
  /// Cycles after the launch.
  double cycles() {
    Footprint F = footprintOf(L.Cores, L.GlobalBytes);
    ReplayResult R = replay(L, F, Costs(Table, Draws[MiddleDraw]), false);
    EXPECT_TRUE(R.Known);
    return R.Cycles - 1000;
  }
  static void relu(Writer &W, uint32_t Repeats) {
    W.vector("Relu", "b32", Repeats * 256, {0, 0x10000});
  }

  CostTable Table;
  Launch L;
};

} // namespace

// Issued after a cycle each; the second waits for the first.
TEST_F(ReplayTest, OnePipe) {
  Writer W = core();
  relu(W, 20);
  relu(W, 5);
  EXPECT_DOUBLE_EQ(cycles(), 1 + 30 + 15);
}

// Latencies of copies overlap, transfers do not.
TEST_F(ReplayTest, CopiesOverlap) {
  Writer W = core();
  W.load(0, 6400);
  W.load(6656, 6400);
  EXPECT_NEAR(cycles(), 1 + 100 + 100 + 100, 1);
}

// Small copies cost their issue.
TEST_F(ReplayTest, SmallCopies) {
  Writer W = core();
  for (unsigned N = 0; N < 10; ++N)
    W.load(uint64_t(N) * 512, 64);
  EXPECT_NEAR(cycles(), 1 + 10 * 20 + 100, 1);
}

// A flag hands over when all before it is complete.
TEST_F(ReplayTest, Flag) {
  Writer W = core();
  W.load(0, 6400);
  W.event(StepKind::Set, Pipe::MTE2, 0);
  W.event(StepKind::Wait, Pipe::V, 0);
  relu(W, 10);
  EXPECT_NEAR(cycles(), 1 + 100 + 100 + 5 + 20, 1);
}

// A wait that stands before its set holds its pipe back, not the others.
TEST_F(ReplayTest, EarlyWait) {
  Writer W = core();
  W.event(StepKind::Wait, Pipe::V, 0);
  relu(W, 10);
  W.load(0, 6400);
  W.event(StepKind::Set, Pipe::MTE2, 0);
  EXPECT_NEAR(cycles(), 3 + 100 + 100 + 5 + 20, 1);
}

// A wait without a set is no time at all.
TEST_F(ReplayTest, NeverSet) {
  Writer W = core();
  W.event(StepKind::Wait, Pipe::S, 0);
  Footprint F = footprintOf(L.Cores, L.GlobalBytes);
  EXPECT_FALSE(replay(L, F, Costs(Table, Draws[MiddleDraw]), false).Known);
}

// A barrier of all pipes makes the scalar unit wait for the copy.
TEST_F(ReplayTest, BarrierOfAll) {
  Writer W = core();
  W.load(0, 6400);
  W.add(StepKind::Barrier, Pipe::All);
  relu(W, 10);
  EXPECT_NEAR(cycles(), 1 + 200 + 3 + 1 + 20, 1);
}

// One core moves 64 bytes in a cycle, all together 128.
TEST_F(ReplayTest, SharedBandwidth) {
  double Alone = 0;
  for (unsigned Cores = 1; Cores <= 8; Cores *= 2) {
    L.Cores.clear();
    for (unsigned N = 0; N < Cores; ++N) {
      Writer W = core();
      W.load(uint64_t(N) * 65536, 64000);
    }
    if (Cores == 1)
      Alone = cycles();
    EXPECT_NEAR(cycles(), Alone - 1000 + 1000 * std::max(1u, Cores / 2), 140)
        << Cores;
  }
}

// What has been read is in L2, at twice the rate; until others have come.
TEST_F(ReplayTest, L2) {
  Writer W = core();
  W.load(0, 64000);
  W.load(0, 64000);
  EXPECT_NEAR(cycles(), 1 + 1000 + 500 + 100, 2);
  L.Cores.clear();
  Writer Other = core();
  Other.load(0, 64000);
  Other.load(1 << 20, 1 << 20);
  Other.load(0, 64000);
  EXPECT_NEAR(cycles(), 1 + 1000 + 16384 + 1000 + 100, 150);
}

// Flags between cores: the second starts when the first has set.
TEST_F(ReplayTest, CrossCore) {
  L.Feeds = [](uint32_t From, uint32_t To, uint8_t) { return From != To; };
  Writer A = core();
  relu(A, 90);
  A.add(StepKind::CrossSet, Pipe::V);
  Writer B = core();
  B.add(StepKind::CrossWait, Pipe::V);
  relu(B, 10);
  EXPECT_NEAR(cycles(), 1 + 100 + 100 + 1 + 20, 2);
}

TEST_F(ReplayTest, SyncAll) {
  for (unsigned N = 1; N <= 4; ++N) {
    Writer W = core();
    relu(W, 100 * N);
    W.add(StepKind::SyncAll, Pipe::All);
    relu(W, 10);
  }
  EXPECT_NEAR(cycles(), 1 + 410 + 3 + 1000 + 1 + 20, 3);
}

// The causes of the longest chain add up to all of its cycles.
TEST_F(ReplayTest, CausesAddUp) {
  for (test::AddShape Shape :
       {test::AddShape{4, 4096}, {4, 16256, 2}, {1, 512, 2}}) {
    L = test::addKernel(Table, Shape);
    for (Stream &Core : L.Cores)
      Core.Steps.resize(1024);
    auto A = std::make_unique<Answer>();
    measure(L, Table, *A);
    ASSERT_TRUE(A->Known);
    double Sum = 0;
    for (double Each : A->OnChain)
      Sum += Each;
    EXPECT_NEAR(Sum, A->Cycles[MiddleDraw], 1);
    EXPECT_LE(A->Guess, Sum);
    EXPECT_EQ(A->Read, A->LeastRead);
  }
}

// What the runner leaves is not believed.
TEST(AnswerTest, Damaged) {
  auto A = std::make_unique<Answer>();
  *A = {};
  clean(*A);
  EXPECT_FALSE(A->Known);
  EXPECT_STREQ(A->Why, "the runner left no answer");
  *A = {};
  A->Magic = AnswerMagic;
  A->Known = true;
  A->NumSites = MaxSites + 1;
  clean(*A);
  EXPECT_FALSE(A->Known);
  EXPECT_EQ(A->NumSites, 0u);
  *A = {};
  A->Magic = AnswerMagic;
  A->Known = true;
  A->NumSites = 1;
  A->Sites[0].Cycles[3] = -1;
  clean(*A);
  EXPECT_FALSE(A->Known);
}

// A timeline comes back as it was; with any byte changed it is empty or still
// consistent.
TEST(TimelineTest, Damaged) {
  CostTable Table = test::tableFor(BELAY_COSTS, "Ascend910B1");
  Launch L = test::addKernel(Table, {2, 4096});
  for (Stream &Core : L.Cores)
    Core.Steps.resize(64);
  Costs C(Table, Draws[MiddleDraw]);
  Footprint F = footprintOf(L.Cores, L.GlobalBytes);
  Timeline T = drawTimeline(L, C, replay(L, F, C, true));
  EXPECT_EQ(T.Cores.size(), 2u);
  EXPECT_EQ(T.Events.size(), 2u * 4 * 4); // two loads, an Add, a store
  std::vector<uint8_t> Bytes(1 << 14);
  writeTimeline(T, Bytes);
  Timeline Back = readTimeline(Bytes);
  ASSERT_EQ(Back.Events.size(), T.Events.size());
  EXPECT_EQ(Back.Flows.size(), T.Flows.size());
  EXPECT_EQ(Back.Events.back().End, T.Events.back().End);
  for (size_t At = 0; At < Bytes.size(); ++At) {
    uint8_t Was = Bytes[At];
    Bytes[At] ^= 0xff;
    Timeline Read = readTimeline(Bytes);
    for (const TimelineEvent &E : Read.Events) {
      ASSERT_LT(E.Core, Read.Cores.size());
      ASSERT_LT(E.Site, Read.Sites.size());
      ASSERT_LT(static_cast<unsigned>(E.Why), NumCauses);
    }
    Bytes[At] = Was;
  }
  // Too small a room holds nothing.
  std::vector<uint8_t> Small(100);
  writeTimeline(T, Small);
  EXPECT_TRUE(readTimeline(Small).Events.empty());
}
