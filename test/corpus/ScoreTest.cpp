//===- ScoreTest.cpp - What counts as found -------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "corpus/Score.h"
#include "gtest/gtest.h"

using namespace belay::corpus;
using belay::support::DiagId;
using belay::support::Diagnostic;

namespace {

Diagnostic diag(DiagId Id, unsigned Line, unsigned Other = 0,
                const char *File = "/a/corpus/unsafe.cpp") {
  Diagnostic Result{Id, {File, Line, 1}, "message", {}};
  if (Other)
    Result.Notes.push_back({{File, Other, 1}, "here"});
  return Result;
}

const Marks Lines = {{10}, {20}};
const Verdict OneSide = {"use-after-free", "", true, false};
const Verdict TwoSides = {"missing-sync", "", true, true};

TEST(Score, FoundAtTheSite) {
  EXPECT_EQ(judge(OneSide, Lines, {diag(DiagId::UseAfterFree, 10)}),
            Outcome::Found);
  EXPECT_EQ(judge(OneSide, Lines, {diag(DiagId::UseAfterFree, 11)}),
            Outcome::WrongPlace);
  EXPECT_EQ(judge(OneSide, Lines, {diag(DiagId::DoubleFree, 10)}),
            Outcome::WrongId);
  EXPECT_EQ(judge(OneSide, Lines, {}), Outcome::Silent);
}

TEST(Score, AnotherFileIsAnotherPlace) {
  EXPECT_EQ(judge(OneSide, Lines,
                  {diag(DiagId::UseAfterFree, 10, 0, "/a/corpus/tile.h")}),
            Outcome::WrongPlace);
}

TEST(Score, FindsItAmongOthers) {
  Diagnostic Said[] = {diag(DiagId::DoubleFree, 10),
                       diag(DiagId::UseAfterFree, 12),
                       diag(DiagId::UseAfterFree, 10)};
  EXPECT_EQ(judge(OneSide, Lines, Said), Outcome::Found);
}

TEST(Score, TwoSidesInEitherOrder) {
  EXPECT_EQ(judge(TwoSides, Lines, {diag(DiagId::MissingSync, 10, 20)}),
            Outcome::Found);
  EXPECT_EQ(judge(TwoSides, Lines, {diag(DiagId::MissingSync, 20, 10)}),
            Outcome::Found);
  EXPECT_EQ(judge(TwoSides, Lines, {diag(DiagId::MissingSync, 10, 21)}),
            Outcome::WrongPlace);
  EXPECT_EQ(judge(TwoSides, Lines, {diag(DiagId::MissingSync, 10)}),
            Outcome::WrongPlace);
}

TEST(Score, SafeKernels) {
  EXPECT_EQ(judgeSafe({}, false), Outcome::Clean);
  EXPECT_EQ(judgeSafe({diag(DiagId::MissingSync, 3)}, false),
            Outcome::FalseAlarm);
  EXPECT_EQ(judgeSafe({diag(DiagId::MissingSync, 3)}, true),
            Outcome::FalseAlarm);
  EXPECT_EQ(judgeSafe({diag(DiagId::UnsupportedApi, 3)}, true),
            Outcome::NotForIt);
  EXPECT_EQ(judgeSafe({diag(DiagId::UnsupportedApi, 3)}, false),
            Outcome::FalseAlarm);
}

TEST(Score, WhatNoRunCanShowIsSilent) {
  Verdict Unshowable;
  Unshowable.None = "the defect is in host code";
  EXPECT_EQ(judge(Unshowable, Lines, {}), Outcome::Clean);
  EXPECT_EQ(judge(Unshowable, Lines, {diag(DiagId::MissingSync, 10)}),
            Outcome::FalseAlarm);
}

TEST(Score, APatternIsFoundOnEveryTargetOrNot) {
  Pattern P;
  P.Class = "queue";
  P.Dynamic.None = "not needed here"; // so that no source is read for markers
  Trial Safe = {&P, false, 2201, true, {}};
  Safe.Case.Source = "corpus/queue/q-1-x/safe.cpp";
  Trial Elsewhere = Safe;
  Elsewhere.Arch = 3510;
  belay::report::CaseResult Passed, Alarm;
  Alarm.Problems = {diag(DiagId::MissingSync, 3)};
  Trial Both[] = {Safe, Elsewhere};
  belay::report::CaseResult Results[] = {Passed, Alarm};
  auto Board = score(Both, Results);
  ASSERT_TRUE(bool(Board)) << toString(Board.takeError());
  EXPECT_EQ(Board->Classes["queue"].SafeKernels, 1u);
  EXPECT_EQ(Board->Total.FalseAlarms, 1u);
  EXPECT_EQ(Board->Alarms.size(), 1u);
  EXPECT_FALSE(Board->perfect());
}

} // namespace
