//===- StoreTest.cpp - A queue whose jobs are never lost ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Store.h"
#include "../Testing.h"
#include "support/DiagnosticError.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace belay::bench;
using belay::testing::messageOf;
using belay::testing::TemporaryFolder;

namespace {

class StoreTest : public testing::Test {
protected:
  void SetUp() override {
    Path = Folder / "bench.db";
    S = open();
  }
  std::unique_ptr<Store> open() { return cantFail(Store::open(Path)); }

  void enqueue(unsigned First, unsigned Last) {
    std::vector<Candidate> Candidates;
    std::vector<std::string> Keys;
    for (unsigned I = First; I < Last; ++I) {
      Candidates.push_back({"m", "level1/a/b/c", std::to_string(I), "p", "s"});
      Keys.push_back("key" + std::to_string(I));
    }
    cantFail(S->enqueue("e", Candidates, Keys));
  }
  static Result passed() {
    Result R;
    R.Compiled = R.Correct = R.Safe = true;
    R.Cycles = R.AnswerCycles = 100;
    return R;
  }

  TemporaryFolder Folder;
  std::string Path;
  std::unique_ptr<Store> S;
};

TEST_F(StoreTest, EachJobIsClaimedOnce) {
  enqueue(0, 100);
  std::set<std::string> Seen;
  while (true) {
    std::vector<Job> Jobs = cantFail(S->claim("e", "w", 7, 60));
    if (Jobs.empty())
      break;
    for (const Job &J : Jobs)
      EXPECT_TRUE(Seen.insert(J.Key).second);
  }
  EXPECT_EQ(Seen.size(), 100u);
}

TEST_F(StoreTest, ResultsAreKeptAndNotRunAgain) {
  enqueue(0, 2);
  std::vector<Job> Jobs = cantFail(S->claim("e", "w", 1, 60));
  cantFail(S->finish(Jobs[0].Key, passed(), "w"));
  S.reset();
  S = open();
  enqueue(0, 3);
  EXPECT_EQ(cantFail(S->counts("e")).Waiting, 2u);
  std::vector<Row> Rows = cantFail(S->rows("e"));
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows[0].Verdict, "passed");
  EXPECT_EQ(Rows[0].Score, 1);
  EXPECT_EQ(Rows[1].Verdict, "");
  EXPECT_EQ(cantFail(S->find("key0")).Verdict, "passed");
  EXPECT_NE(messageOf(S->find("nothing")), "");
}

TEST_F(StoreTest, EqualSourcesAreOneJob) {
  Candidate C = {"m", "t", "0", "p", "s"}, D = {"n", "t", "1", "q", "s"};
  cantFail(S->enqueue("e", {C, D}, {"k", "k"}));
  EXPECT_EQ(cantFail(S->counts("e")).Jobs, 1u);
  EXPECT_EQ(cantFail(S->counts("e")).Candidates, 2u);
  ASSERT_EQ(cantFail(S->claim("e", "w", 9, 60)).size(), 1u);
  cantFail(S->finish("k", passed(), "w"));
  for (const Row &R : cantFail(S->rows("e")))
    EXPECT_EQ(R.Verdict, "passed");
}

TEST_F(StoreTest, TheFirstResultWins) {
  enqueue(0, 1);
  cantFail(S->finish("key0", passed(), "w"));
  cantFail(S->finish("key0", passed(), "v"));
  Result Other = passed();
  Other.Correct = false;
  EXPECT_NE(messageOf(S->finish("key0", Other, "v")), "");
  EXPECT_EQ(cantFail(S->rows("e"))[0].Verdict, "passed");
}

TEST_F(StoreTest, LeasesEndAndPoisonEnds) {
  enqueue(0, 1);
  for (unsigned I = 0; I < Store::MaxAttempts; ++I)
    EXPECT_EQ(cantFail(S->claim("e", "w", 1, -1)).size(), 1u);
  EXPECT_EQ(cantFail(S->claim("e", "w", 1, -1)).size(), 0u);
  EXPECT_EQ(cantFail(S->rows("e"))[0].Verdict, "unjudged");
  // What Belay failed on is not the candidate's fault for ever.
  enqueue(0, 1);
  EXPECT_EQ(cantFail(S->counts("e")).Waiting, 1u);
}

TEST_F(StoreTest, GivenBackJobsAreTakenAgain) {
  enqueue(0, 1);
  for (unsigned I = 0; I < 10; ++I) {
    std::vector<Job> Jobs = cantFail(S->claim("e", "w", 1, 60));
    ASSERT_EQ(Jobs.size(), 1u);
    EXPECT_TRUE(cantFail(S->claim("e", "v", 1, 60)).empty());
    cantFail(S->release(Jobs));
  }
}

TEST_F(StoreTest, JobsOfDeadWorkersAreTakenAgain) {
  enqueue(0, 2);
  pid_t Child = ::fork();
  if (Child == 0)
    ::_exit(0);
  int Status;
  ::waitpid(Child, &Status, 0);
  cantFail(S->claim("e", std::to_string(Child) + ".0", 1, 600));
  cantFail(S->claim("e", std::to_string(::getpid()) + ".0", 1, 600));
  EXPECT_TRUE(cantFail(S->claim("e", "w", 9, 60)).empty());
  cantFail(S->releaseDead());
  EXPECT_EQ(cantFail(S->claim("e", "w", 9, 60)).size(), 1u);
}

TEST_F(StoreTest, TheSecretStays) {
  std::string Secret = cantFail(S->secret());
  EXPECT_EQ(Secret.size(), 64u);
  S.reset();
  S = open();
  EXPECT_EQ(cantFail(S->secret()), Secret);
  EXPECT_NE(messageOf(S->secret("another")), "");
  sys::fs::file_status Status;
  ASSERT_FALSE(sys::fs::status(Path, Status));
  EXPECT_EQ(Status.permissions() & 077, 0);
}

TEST_F(StoreTest, ManyThreads) {
  enqueue(0, 200);
  std::atomic<unsigned> Done = 0;
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      std::unique_ptr<Store> Own = open(); // as another process has
      while (true) {
        std::vector<Job> Jobs =
            cantFail(Own->claim("e", std::to_string(T), 8, 60));
        if (Jobs.empty())
          return;
        for (const Job &J : Jobs) {
          cantFail(Own->finish(J.Key, passed(), "w"));
          ++Done;
        }
      }
    });
  for (std::thread &Each : Threads)
    Each.join();
  EXPECT_EQ(Done, 200u);
  EXPECT_EQ(cantFail(S->counts("e")).Waiting, 0u);
}

TEST(Result, ScoresAreProducts) {
  Result R;
  EXPECT_EQ(R.verdict(), Verdict::NotCompiled);
  R.Compiled = true;
  EXPECT_EQ(R.verdict(), Verdict::Unsafe);
  R.Safe = true;
  EXPECT_EQ(R.verdict(), Verdict::Wrong);
  EXPECT_EQ(R.score(), 0);
  R.Correct = true;
  EXPECT_EQ(R.score(), 0) << "it was not timed";
  R.AnswerCycles = 100;
  R.Cycles = 200;
  EXPECT_DOUBLE_EQ(R.score(), 0.5);
  R.Cycles = 50;
  EXPECT_DOUBLE_EQ(R.score(), 1);
  R.Impossible = true;
  EXPECT_EQ(R.verdict(), Verdict::Impossible);
  EXPECT_EQ(R.score(), 0);
  R.Judged = false;
  EXPECT_EQ(R.verdict(), Verdict::Unjudged);
  for (Verdict V : {Verdict::Passed, Verdict::Wrong, Verdict::Unjudged})
    EXPECT_EQ(verdictNamed(nameOf(V)), V);
}

} // namespace
