//===- StoreTest.cpp - A queue whose jobs are never lost ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Store.h"
#include "../Testing.h"
#include "bench/Postgres.h"
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

/// In a file, and in the database that test_queue.py starts and names.
class StoreTest : public testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    Path = Folder / "bench.db";
    if (GetParam()) {
      const char *Url = std::getenv("BELAY_TEST_QUEUE");
      if (!Url)
        GTEST_SKIP() << "test_queue.py runs these with a PostgreSQL of its own";
      Path = Url;
      auto Link = cantFail(PostgresConnection::create(Url));
      cantFail(Link->connect());
      cantFail(Link->run("SET client_min_messages TO warning; DROP SCHEMA IF "
                         "EXISTS belay_bench CASCADE"));
    }
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
    cantFail(S->enqueue("e", "h", Candidates, Keys));
  }
  std::vector<Job> claim(StringRef Worker, unsigned Most, double Lease = 60) {
    return cantFail(S->claim(All, Worker, Most, Lease));
  }
  void finish(StringRef Key, StringRef Worker = "w") {
    EXPECT_TRUE(
        cantFail(S->finish(Finished{Key.str(), passed()}, Worker)).empty());
  }
  static Result passed() {
    Result R;
    R.Compiled = R.Correct = R.Safe = true;
    R.Cycles = R.AnswerCycles = 100;
    return R;
  }

  const Choice All{"h", "", {}};
  TemporaryFolder Folder;
  std::string Path;
  std::unique_ptr<Store> S;
};

TEST_P(StoreTest, EachJobIsClaimedOnce) {
  enqueue(0, 100);
  std::set<std::string> Seen;
  while (true) {
    std::vector<Job> Jobs = claim("w", 7);
    if (Jobs.empty())
      break;
    for (const Job &J : Jobs)
      EXPECT_TRUE(Seen.insert(J.Key).second);
  }
  EXPECT_EQ(Seen.size(), 100u);
}

TEST_P(StoreTest, ResultsAreKeptAndNotRunAgain) {
  enqueue(0, 2);
  std::vector<Job> Jobs = claim("w", 1);
  finish(Jobs[0].Key);
  S.reset();
  S = open();
  enqueue(0, 3);
  EXPECT_EQ(cantFail(S->counts("e")).Waiting, 2u);
  std::vector<Row> Rows = cantFail(S->rows("e"));
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows[0].Verdict, "passed");
  EXPECT_EQ(Rows[0].Score, 1);
  EXPECT_EQ(Rows[1].Verdict, "");
  EXPECT_EQ(cantFail(S->record("key0")), Rows[0].Body);
  EXPECT_EQ(cantFail(S->record("key1")), "");
  EXPECT_EQ(cantFail(S->find("key0")).Verdict, "passed");
  EXPECT_NE(messageOf(S->find("nothing")), "");
}

TEST_P(StoreTest, EqualSourcesAreOneJob) {
  Candidate C = {"m", "t", "0", "p", "s"}, D = {"n", "t", "1", "q", "s"};
  cantFail(S->enqueue("e", "h", {C, D}, {"k", "k"}));
  EXPECT_EQ(cantFail(S->counts("e")).Jobs, 1u);
  EXPECT_EQ(cantFail(S->counts("e")).Candidates, 2u);
  ASSERT_EQ(claim("w", 9).size(), 1u);
  finish("k");
  for (const Row &R : cantFail(S->rows("e")))
    EXPECT_EQ(R.Verdict, "passed");
}

TEST_P(StoreTest, TheFirstResultWins) {
  enqueue(0, 1);
  finish("key0");
  finish("key0", "v");
  Result Other = passed();
  Other.Correct = false;
  std::vector<std::string> Differ =
      cantFail(S->finish(Finished{"key0", Other}, "v"));
  EXPECT_EQ(Differ, std::vector<std::string>{"key0"});
  EXPECT_EQ(cantFail(S->rows("e"))[0].Verdict, "passed");
}

TEST_P(StoreTest, LeasesEndAndPoisonEnds) {
  enqueue(0, 1);
  for (unsigned I = 0; I < Store::MaxAttempts; ++I) {
    EXPECT_EQ(claim("w", 1, -1).size(), 1u);
    cantFail(S->begin({"key0"}));
  }
  EXPECT_EQ(claim("w", 1, -1).size(), 0u);
  EXPECT_EQ(cantFail(S->rows("e"))[0].Verdict, "unjudged");
  // What Belay failed on is not the candidate's fault for ever.
  enqueue(0, 1);
  EXPECT_EQ(cantFail(S->counts("e")).Waiting, 1u);
}

TEST_P(StoreTest, OnlyWhatHasBegunCountsAsTried) {
  enqueue(0, 1);
  for (unsigned I = 0; I < 3 * Store::MaxAttempts; ++I)
    EXPECT_EQ(claim("w", 1, -1).size(), 1u);
}

TEST_P(StoreTest, GivenBackJobsAreTakenAgain) {
  enqueue(0, 1);
  for (unsigned I = 0; I < 10; ++I) {
    std::vector<Job> Jobs = claim("w", 1);
    ASSERT_EQ(Jobs.size(), 1u);
    EXPECT_TRUE(claim("v", 1).empty());
    bool Begun = I % 2;
    if (Begun)
      cantFail(S->begin(Jobs[0].Key));
    cantFail(S->release(Jobs[0].Key, "v", Begun));
    EXPECT_TRUE(claim("v", 1).empty());
    cantFail(S->release(Jobs[0].Key, "w", Begun));
  }
}

TEST_P(StoreTest, LeasesAreRenewedByThoseWhoHaveThem) {
  enqueue(0, 1);
  EXPECT_EQ(claim("w", 1, -1).size(), 1u);
  cantFail(S->renew({"key0"}, "another", 60));
  EXPECT_EQ(claim("w", 1, -1).size(), 1u);
  cantFail(S->renew({"key0"}, "w", 60));
  EXPECT_TRUE(claim("v", 1).empty());
}

TEST_P(StoreTest, ChoicesAreKept) {
  Candidate A = {"m", "a", "0", "p", "s"}, B = {"m", "b", "0", "q", "t"};
  cantFail(S->enqueue("e", "h", {A, B}, {"ka", "kb"}));
  Candidate C = {"m", "c", "0", "r", "u"};
  cantFail(S->enqueue("f", "i", {C}, {"kc"}));
  auto Keys = [&](const Choice &Which) {
    std::set<std::string> Result;
    for (const Job &J : cantFail(S->claim(Which, "w", 9, -1)))
      Result.insert(J.Key);
    EXPECT_EQ(cantFail(S->waiting(Which)), Result.size());
    return Result;
  };
  using Set = std::set<std::string>;
  EXPECT_EQ(Keys({"h", "", {}}), (Set{"ka", "kb"}));
  EXPECT_EQ(Keys({"h", "f", {}}), Set{});
  EXPECT_EQ(Keys({"i", "f", {}}), Set{"kc"});
  EXPECT_EQ(Keys({"h", "e", {"a"}}), Set{"kb"});
  EXPECT_EQ(Keys({"h", "", {"b", "a"}}), Set{});
  cantFail(S->keepSpec("h", "first"));
  cantFail(S->keepSpec("h", "second"));
  cantFail(S->keepSpec("j", "no job"));
  EXPECT_EQ(cantFail(S->waitingSpecs()),
            (std::map<std::string, std::string>{{"h", "first"}}));
}

TEST_P(StoreTest, AnyBytesAreKept) {
  std::string Bytes = std::string("a\0'\"\\\xff;--", 9) + "\n{}$1";
  Candidate C = {"m'\xff", "t", "0", "p\\\"", Bytes};
  cantFail(S->enqueue("e'; DROP TABLE job", "h", C, {"k"}));
  ASSERT_EQ(claim("w", 1)[0].Source, Bytes);
  EXPECT_EQ(cantFail(S->rows("e'; DROP TABLE job"))[0].Source, Bytes);
  EXPECT_EQ(cantFail(S->rows("e'; DROP TABLE job"))[0].Path, "p\\\"");
}

TEST_P(StoreTest, JobsOfDeadWorkersAreTakenAgain) {
  enqueue(0, 2);
  pid_t Child = ::fork();
  if (Child == 0)
    ::_exit(0);
  int Status;
  ::waitpid(Child, &Status, 0);
  claim(std::to_string(Child) + ".0", 1, 600);
  claim(std::to_string(::getpid()) + ".0", 1, 600);
  EXPECT_TRUE(claim("w", 9).empty());
  cantFail(S->releaseDead());
  // Those of a database may be on other machines: only time ends their leases.
  EXPECT_EQ(claim("w", 9).size(), S->isShared() ? 0u : 1u);
}

TEST_P(StoreTest, TheSecretStays) {
  std::string Secret = cantFail(S->secret());
  EXPECT_EQ(Secret.size(), 64u);
  S.reset();
  S = open();
  EXPECT_EQ(cantFail(S->secret()), Secret);
  EXPECT_NE(messageOf(S->secret("another")), "");
  if (S->isShared())
    return;
  sys::fs::file_status Status;
  ASSERT_FALSE(sys::fs::status(Path, Status));
  EXPECT_EQ(Status.permissions() & 077, 0);
}

TEST_P(StoreTest, ManyThreads) {
  enqueue(0, 200);
  std::atomic<unsigned> Done = 0;
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      std::unique_ptr<Store> Own = open(); // as another process has
      while (true) {
        std::vector<Job> Jobs =
            cantFail(Own->claim(All, std::to_string(T), 8, 60));
        if (Jobs.empty())
          return;
        for (const Job &J : Jobs) {
          cantFail(Own->finish(Finished{J.Key, passed()}, "w"));
          ++Done;
        }
      }
    });
  for (std::thread &Each : Threads)
    Each.join();
  EXPECT_EQ(Done, 200u);
  EXPECT_EQ(cantFail(S->counts("e")).Waiting, 0u);
}

TEST_P(StoreTest, BaselinesAreKeptExactly) {
  EXPECT_FALSE(cantFail(S->baseline("k")).has_value());
  cantFail(S->keepBaseline("k", {1.0 / 3, 1e-17}));
  cantFail(S->keepBaseline("k", {2, 2}));
  std::optional<Baseline> Kept = cantFail(S->baseline("k"));
  ASSERT_TRUE(Kept.has_value());
  EXPECT_EQ(Kept->AnswerCycles, 1.0 / 3);
  EXPECT_EQ(Kept->FloorCycles, 1e-17);
}

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreTest, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Postgres, StoreTest, testing::Values(true));

TEST(Postgres, PasswordsInAddressesAreRefusedAndNotRepeated) {
  for (const char *Url : {"postgres://u:hunter2@nowhere/d",
                          "postgres://nowhere/d?password=hunter2",
                          "postgres://u:hunter2@[nowhere/d"}) {
    std::string Said = messageOf(Store::open(Url));
    EXPECT_NE(Said, "");
    EXPECT_EQ(Said.find("hunter2"), std::string::npos) << Said;
  }
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
