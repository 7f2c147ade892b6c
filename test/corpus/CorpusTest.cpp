//===- CorpusTest.cpp - Reading labels ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "corpus/Trials.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace belay::corpus;

namespace {

std::string label(StringRef Changed = "", StringRef To = "") {
  std::string Text = R"({
    "id": "V6.1", "class": "missing-sync", "description": "A load.",
    "seed": {"kind": "real", "commit": "ops-nn-123"},
    "archs": [2201, 3510], "autoSync": "any",
    "run": {"blocks": 2, "args": [{"in": "f32:8=ones"}]},
    "expected": {"dynamic": {"id": "missing-sync", "other": true},
                 "static": {"none": "a reason"}}})";
  if (size_t At = Text.find(Changed); !Changed.empty())
    Text.replace(At, Changed.size(), To);
  return Text;
}

std::string errorOf(StringRef Json,
                    StringRef Folder = "corpus/missing-sync/v6-1-load") {
  Expected<Pattern> P = parsePattern(Json, Folder);
  return P ? "" : toString(P.takeError());
}

TEST(Corpus, ReadsALabel) {
  Expected<Pattern> P = parsePattern(label(), "corpus/missing-sync/v6-1-load");
  ASSERT_TRUE(bool(P)) << toString(P.takeError());
  EXPECT_EQ(P->Id, "V6.1");
  EXPECT_EQ(P->Origin.Commit, "ops-nn-123");
  EXPECT_EQ(P->Archs, (std::vector<uint32_t>{2201, 3510}));
  EXPECT_EQ(P->Dynamic.Id, "missing-sync");
  EXPECT_TRUE(P->Dynamic.Site);
  EXPECT_TRUE(P->Dynamic.Other);
  EXPECT_FALSE(P->Static.showable());
  EXPECT_EQ(P->Static.None, "a reason");
}

TEST(Corpus, RefusesWhatItDoesNotKnow) {
  EXPECT_NE(errorOf(label("\"archs\"", "\"arches\"")).find("no such member"),
            std::string::npos);
  EXPECT_NE(errorOf(label("[2201", "[1234")).find("simulated"),
            std::string::npos);
  EXPECT_NE(errorOf(label("\"any\"", "\"maybe\"")).find("\"off\""),
            std::string::npos);
  EXPECT_NE(errorOf(label("\"other\"", "\"ohter\"")).find("no member"),
            std::string::npos);
}

TEST(Corpus, RefusesHalfLabels) {
  EXPECT_NE(errorOf(label(R"("id": "missing-sync", )")).find("either"),
            std::string::npos);
  EXPECT_NE(errorOf(label(R"(, "commit": "ops-nn-123")")).find("commit"),
            std::string::npos);
  EXPECT_NE(errorOf(label(R"("description": "A load.",)")).find("missing"),
            std::string::npos);
}

TEST(Corpus, HoldsIdsToFolders) {
  EXPECT_EQ(errorOf(label()), "");
  EXPECT_NE(errorOf(label(), "corpus/queue/v6-1-load").find("folder"),
            std::string::npos);
  EXPECT_NE(errorOf(label(), "corpus/missing-sync/v6-10-load").find("folder"),
            std::string::npos);
}

TEST(Corpus, FindsMarkers) {
  Marks Lines =
      parseMarks("a\nb; // site\nc; // other\n// site of it\nd // site");
  EXPECT_EQ(Lines.Site, (std::set<unsigned>{2, 5}));
  EXPECT_EQ(Lines.Other, (std::set<unsigned>{3}));
}

TEST(Trials, CoversTargetsAndModes) {
  Expected<Pattern> P = parsePattern(label(), "corpus/missing-sync/v6-1-load");
  ASSERT_TRUE(bool(P)) << toString(P.takeError());
  Expected<std::vector<Trial>> Trials = trialsOf(*P, 0);
  ASSERT_TRUE(bool(Trials)) << toString(Trials.takeError());
  EXPECT_EQ(Trials->size(), 2u * 2 * 2); // kernels, targets, modes
  EXPECT_EQ(Trials->front().str(),
            "missing-sync/v6-1-load/unsafe.cpp on 2201, auto-sync on");
  EXPECT_TRUE(Trials->front().Case.Check);
  EXPECT_EQ(Trials->front().Case.Blocks, 2u);

  P->Sync = SyncMode::Off;
  Trials = trialsOf(*P, 3510);
  ASSERT_TRUE(bool(Trials)) << toString(Trials.takeError());
  ASSERT_EQ(Trials->size(), 2u);
  EXPECT_FALSE(Trials->front().AutoSync);
  EXPECT_EQ(Trials->front().Arch, 3510u);
}

TEST(Trials, LetsTheHostDiffer) {
  Expected<Pattern> P =
      parsePattern(label("\"run\"", "\"unsafe\": {\"blocks\": 8}, \"run\""),
                   "corpus/missing-sync/v6-1-load");
  ASSERT_TRUE(bool(P)) << toString(P.takeError());
  Expected<std::vector<Trial>> Trials = trialsOf(*P, 2201);
  ASSERT_TRUE(bool(Trials)) << toString(Trials.takeError());
  for (const Trial &T : *Trials)
    EXPECT_EQ(T.Case.Blocks, T.Unsafe ? 8u : 2u);
}

} // namespace
