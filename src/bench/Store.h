//===- Store.h - Jobs and results, in a file --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_STORE_H
#define BELAY_BENCH_STORE_H

#include "bench/Evaluator.h"
#include <memory>
#include <mutex>

struct sqlite3;

namespace belay::bench {

/// A source that is to be judged for a task.
struct Job {
  std::string Key, Task, Source;
  unsigned Attempts = 0;
};

/// A candidate of an experiment, and its result as far as there is one.
struct Row {
  std::string Model, Task, Sample, Path, Key, Source;
  std::string Verdict; ///< "" while it waits.
  double Score = 0;
  std::string Body, Digest, Costs;
};

/// What a queue and its results are: one SQLite file, no server. Every job has
/// a place in the queue or a result, at all times; the first result of a key is
/// its result. Functions may be called from several threads.
class Store {
public:
  static llvm::Expected<std::unique_ptr<Store>> open(llvm::StringRef Path);
  ~Store();
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  /// What hidden cases are made from; drawn when the store is new. One that is
  /// given has to be the same each time.
  llvm::Expected<std::string> secret(llvm::StringRef Wanted = "");

  /// Makes these the candidates of an experiment, and queues those that have no
  /// result.
  llvm::Error enqueue(llvm::StringRef Experiment,
                      llvm::ArrayRef<Candidate> Candidates,
                      llvm::ArrayRef<std::string> Keys);

  /// The next jobs of an experiment, for this worker alone until its lease is
  /// over. A job that is claimed more often than MaxAttempts gets the verdict
  /// unjudged.
  llvm::Expected<std::vector<Job>> claim(llvm::StringRef Experiment,
                                         llvm::StringRef Worker, unsigned Most,
                                         double LeaseSeconds);
  /// Keeps a result and takes its job out of the queue. A result of the same
  /// key that differs is reported: the evaluation is not deterministic.
  llvm::Error finish(llvm::StringRef Key, const Result &R,
                     llvm::StringRef Worker);
  /// Gives jobs back that were claimed and not begun.
  llvm::Error release(llvm::ArrayRef<Job> Jobs);

  /// Ends the leases of workers of this machine that are no more. Workers are
  /// named by the id of their process, a dot, and a number.
  llvm::Error releaseDead();

  struct Counts {
    uint64_t Candidates = 0, Jobs = 0, Waiting = 0;
    std::map<std::string, uint64_t> ByVerdict; // of jobs
  };
  llvm::Expected<Counts> counts(llvm::StringRef Experiment);

  llvm::Expected<std::vector<Row>> rows(llvm::StringRef Experiment);
  /// The row of a result, by the beginning of its key.
  llvm::Expected<Row> find(llvm::StringRef KeyPrefix);

  llvm::Expected<std::optional<Baseline>> baseline(llvm::StringRef Key);
  llvm::Error keepBaseline(llvm::StringRef Key, const Baseline &B);

  static constexpr unsigned MaxAttempts = 3;

private:
  explicit Store(sqlite3 *Db) : Db(Db) {}
  sqlite3 *Db;
  std::mutex Guard;
};

} // namespace belay::bench

#endif // BELAY_BENCH_STORE_H
