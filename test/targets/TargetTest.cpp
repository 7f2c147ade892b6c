//===- TargetTest.cpp - The target tables and their lookup ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/Target.h"

#include <gtest/gtest.h>

#include <set>

using namespace belay::targets;

TEST(Targets, EveryNameIsUniqueAndFindable) {
  std::set<std::string_view> names;
  for (const Soc &soc : allSocs()) {
    EXPECT_TRUE(names.insert(soc.name).second) << soc.name;
    EXPECT_EQ(findSoc(soc.name), &soc);
  }
  EXPECT_EQ(names.size(), 73u);
}

TEST(Targets, EveryArchIsUsedAndUnique) {
  std::set<uint32_t> used;
  for (const Soc &soc : allSocs())
    used.insert(soc.arch->number);
  EXPECT_EQ(used.size(), allArchs().size());
  for (const Arch &arch : allArchs())
    EXPECT_EQ(findArch(arch.number), &arch);
  EXPECT_EQ(findArch(1), nullptr);
}

// One part of each simulated architecture, against the published figures.
TEST(Targets, Ascend910B3) {
  const Soc *soc = findSoc("Ascend910B3");
  ASSERT_TRUE(soc);
  EXPECT_STREQ(soc->series, "Ascend910B");
  EXPECT_EQ(soc->arch->number, 2201u);
  EXPECT_STREQ(soc->arch->name, "dav-2201");
  EXPECT_STREQ(soc->ccecAiv, "dav-c220-vec");
  EXPECT_TRUE(soc->split);
  EXPECT_EQ(vectorWorkers(*soc), 40u);
  EXPECT_EQ(cubeWorkers(*soc), 20u);
  EXPECT_EQ(soc->ub, 196608u);
  EXPECT_EQ(usableUb(*soc), 184u * 1024);
  EXPECT_EQ(soc->l1, 524288u);
  EXPECT_EQ(soc->l0c, 131072u);
  EXPECT_EQ(soc->bt, 1024u);
  EXPECT_EQ(soc->fb[2], 2048u);
  EXPECT_EQ(soc->l2, 201326592u);
  EXPECT_EQ(soc->clockMHz, 1800u);
  EXPECT_EQ(soc->memory, 68719476736u);
  EXPECT_FALSE(soc->arch->vectorInterlock);
}

TEST(Targets, Ascend310P3) {
  const Soc *soc = findSoc("Ascend310P3");
  ASSERT_TRUE(soc);
  EXPECT_FALSE(soc->split);
  EXPECT_EQ(vectorWorkers(*soc), 8u);
  EXPECT_EQ(soc->vectorCores, 7u);
  EXPECT_EQ(usableUb(*soc), 248u * 1024);
  EXPECT_FALSE(soc->arch->hasDataCopyPad);
  EXPECT_FALSE(soc->arch->hasCrossCore());
}

TEST(Targets, Ascend950) {
  const Soc *soc = findSoc("Ascend950PR_9599");
  ASSERT_TRUE(soc);
  EXPECT_EQ(soc->arch->number, 3510u);
  EXPECT_EQ(vectorWorkers(*soc), 72u);
  EXPECT_EQ(usableUb(*soc), 248u * 1024);
  EXPECT_TRUE(soc->arch->vectorInterlock);
  EXPECT_TRUE(soc->arch->hasCrossCoreMode(4));
}

TEST(Targets, FactsAreClaimedOnlyWhereTheyAreKnown) {
  for (const Arch &A : allArchs()) {
    if (A.coverage != Coverage::SizesOnly)
      continue;
    EXPECT_FALSE(A.hasVectorShift || A.hasIntEqual || A.hasIntCompare ||
                 A.hasRepeatCopy || A.hasOrderOnlyValue || A.hasScatter)
        << A.name;
    EXPECT_TRUE(A.copiesWholeBlocks()) << A.name;
  }
}

TEST(Targets, FactsThatDependOnEachOther) {
  for (const Arch &A : allArchs()) {
    EXPECT_LE(A.hasIntCompare, A.hasIntEqual) << A.name;
    EXPECT_LE(A.widePadCopy, A.hasDataCopyPad) << A.name;
    EXPECT_LE(A.scattersSigned, A.hasScatter) << A.name;
    EXPECT_LE(A.gathersAnyBlock, A.hasGatherb) << A.name;
    EXPECT_LE(A.fillsEmptyBlocks, A.hasEmptyMask) << A.name;
  }
}

TEST(Targets, NamesAreFoundInAnyCaseAndWithoutPrefix) {
  EXPECT_EQ(findSoc("ascend910b3"), findSoc("Ascend910B3"));
  EXPECT_EQ(findSoc("910b3"), findSoc("Ascend910B3"));
  EXPECT_EQ(findSoc("kirinx90"), findSoc("KirinX90"));
  EXPECT_EQ(findSoc(""), nullptr);
  EXPECT_EQ(findSoc("Ascend"), nullptr);
}

// "Ascend910B" is the name of an old part and the beginning of the names of
// the new ones. The full name means what it says; the short one is refused.
TEST(Targets, OldAndNew910B) {
  const Soc *old = findSoc("Ascend910B");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->arch->number, 1001u);
  EXPECT_NE(nameNote("Ascend910B"), "");
  EXPECT_EQ(findSoc("910B"), nullptr);
  EXPECT_NE(nameNote("910b").find("Ascend910B1"), std::string::npos);
  EXPECT_EQ(nameNote("Ascend910B3"), "");
}

TEST(Targets, SeriesAreExplained) {
  EXPECT_EQ(findSoc("Ascend310P"), nullptr);
  EXPECT_EQ(nameNote("310p"), "Ascend310P is a series; its parts are "
                              "Ascend310P1, Ascend310P3, Ascend310P5, "
                              "Ascend310P7");
  EXPECT_EQ(nameNote("nonsense"), "");
}

TEST(Targets, SuggestsTheNearestName) {
  EXPECT_EQ(suggestSoc("Asend910B3"), findSoc("Ascend910B3"));
  EXPECT_EQ(suggestSoc("310p2"), findSoc("Ascend310P1"));
  EXPECT_EQ(suggestSoc("H100"), nullptr);
}

// Facts that hold for every row, so that a mistyped one is noticed.
TEST(Targets, RowsAreConsistent) {
  for (const Soc &soc : allSocs()) {
    SCOPED_TRACE(soc.name);
    EXPECT_GT(soc.aiCores, 0u);
    EXPECT_GE(soc.ub, 30u * 1024);
    EXPECT_LT(soc.arch->ubReserved, soc.ub);
    EXPECT_NE(std::string_view(soc.ccecAic), "");
    EXPECT_GE(soc.arch->eventIds, soc.arch->userEventIds);
    if (soc.split) {
      EXPECT_EQ(soc.cubeCores, soc.aiCores);
      EXPECT_EQ(soc.vectorCores, 2 * soc.cubeCores);
      EXPECT_TRUE(soc.coreSync);
    }
    if (soc.arch->coverage == Coverage::Simulated) {
      EXPECT_EQ(soc.ub % soc.arch->ubAlign, 0u);
      EXPECT_EQ(soc.arch->blocksPerRepeat(), 8u);
      EXPECT_GT(soc.clockMHz, 0u);
    }
  }
}
