//===- LocalShadowTest.cpp - Histories of local memory --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/LocalShadow.h"
#include "gtest/gtest.h"

#include <random>

using namespace belay::sim;

namespace {

void write(AccessHistory &H, uint32_t Time) {
  H = AccessHistory();
  H.WriteTime = Time;
}
void read(AccessHistory &H, uint32_t Time) {
  H.ReadTime[Time % NumPipes] = Time;
  H.AnyRead = true;
}

TEST(LocalShadow, VisitsLongRunsPageByPage) {
  LocalShadow Shadow(8 * LocalShadow::PageBytes);
  unsigned Visits = 0;
  Shadow.visit(0, 8 * LocalShadow::PageBytes, true,
               [&](AccessHistory &) { ++Visits; });
  EXPECT_EQ(Visits, 8u);
}

TEST(LocalShadow, PagesComeTogetherAgain) {
  LocalShadow Shadow(LocalShadow::PageBytes);
  Shadow.visit(3, 40, true, [](AccessHistory &H) { write(H, 1); });
  Shadow.visit(0, LocalShadow::PageBytes, true,
               [](AccessHistory &H) { write(H, 2); });
  unsigned Visits = 0;
  Shadow.visit(0, LocalShadow::PageBytes, false, [&](AccessHistory &H) {
    ++Visits;
    EXPECT_EQ(H.WriteTime, 2u);
  });
  EXPECT_EQ(Visits, 1u);
}

TEST(LocalShadow, AgreesWithAModel) {
  constexpr uint32_t Size = 4 * LocalShadow::PageBytes;
  std::mt19937 Random(1);
  auto Below = [&](uint32_t N) { return uint32_t(Random() % N); };
  LocalShadow Shadow(Size);
  std::vector<AccessHistory> Model(Size);
  for (uint32_t Time = 1; Time < 3000; ++Time) {
    uint32_t Begin = Below(Size);
    uint32_t End = std::min(Size, Begin + Below(Below(2) ? 100 : 6000));
    if (Below(3) == 0) {
      Begin = Begin / LocalShadow::PageBytes * LocalShadow::PageBytes;
      End = std::min(Size, Begin + LocalShadow::PageBytes * (1 + Below(2)));
    }
    bool Writes = Below(2);
    auto Access = [&](AccessHistory &H) {
      Writes ? write(H, Time) : read(H, Time);
    };
    Shadow.visit(Begin, End, Writes, Access);
    std::for_each(Model.begin() + Begin, Model.begin() + End, Access);

    uint32_t Byte = Below(Size);
    Shadow.visit(Byte, Byte + 1, false, [&](AccessHistory &H) {
      ASSERT_TRUE(H == Model[Byte]) << "byte " << Byte << " at " << Time;
    });
  }
}

} // namespace
