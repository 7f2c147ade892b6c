//===- Store.h - Jobs and results -------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_STORE_H
#define BELAY_BENCH_STORE_H

#include "bench/Evaluator.h"
#include <memory>

namespace belay::bench {

/// A source that is to be judged for a task.
struct Job {
  std::string Key, Task, Source;
  /// Evaluations of it that began and did not end.
  unsigned Attempts = 0;
};

/// What a job became.
struct Finished {
  std::string Key;
  Result What;
};

/// A candidate of an experiment, and its result as far as there is one.
struct Row {
  std::string Model, Task, Sample, Path, Key, Source;
  std::string Verdict; ///< "" while it waits.
  double Score = 0;
  std::string Body, Digest, Costs;
};

/// Which jobs somebody wants.
struct Choice {
  /// Of the build and the options that judge them: another one would give them
  /// another key.
  std::string Harness;
  /// Of one experiment only; "": of all.
  std::string Experiment;
  /// Not of these tasks.
  std::vector<std::string> Except;
};

/// What a queue and its results are. Every job has a place in the queue or a
/// result, at all times; the first result of a key is its result. Functions may
/// be called from several threads.
class Store {
public:
  /// postgres://... is a database that many hosts share, everything else the
  /// path of a SQLite file.
  static llvm::Expected<std::unique_ptr<Store>> open(llvm::StringRef Where);
  virtual ~Store() = default;
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  /// Whether other hosts may work for the same experiments.
  virtual bool isShared() const = 0;

  /// What hidden cases are made from; drawn when the store is new. One that is
  /// given has to be the same each time.
  llvm::Expected<std::string> secret(llvm::StringRef Wanted = "");

  /// Makes these the candidates of an experiment, and queues those that have no
  /// result.
  virtual llvm::Error enqueue(llvm::StringRef Experiment,
                              llvm::StringRef Harness,
                              llvm::ArrayRef<Candidate> Candidates,
                              llvm::ArrayRef<std::string> Keys) = 0;

  /// Says which options a harness stands for, so that others can judge its
  /// jobs.
  virtual llvm::Error keepSpec(llvm::StringRef Harness,
                               llvm::StringRef Spec) = 0;
  /// The specs of harnesses that have jobs in the queue.
  virtual llvm::Expected<std::map<std::string, std::string>> waitingSpecs() = 0;

  /// The next jobs, for this worker alone until its lease is over. A job that
  /// MaxAttempts evaluations did not end gets the verdict unjudged instead.
  llvm::Expected<std::vector<Job>> claim(const Choice &Which,
                                         llvm::StringRef Worker, unsigned Most,
                                         double LeaseSeconds);
  /// The evaluations of these jobs begin now. A job that was claimed and not
  /// begun does not count as tried.
  virtual llvm::Error begin(llvm::ArrayRef<std::string> Keys) = 0;
  /// Makes leases last longer, as far as the worker still has them.
  virtual llvm::Error renew(llvm::ArrayRef<std::string> Keys,
                            llvm::StringRef Worker, double LeaseSeconds) = 0;
  /// Gives jobs back that the worker has; \p Begun: and that begin() was told
  /// of.
  virtual llvm::Error release(llvm::ArrayRef<std::string> Keys,
                              llvm::StringRef Worker, bool Begun) = 0;
  /// Keeps results and takes their jobs out of the queue, all or none. The keys
  /// of those that had another result before: the evaluation is not
  /// deterministic.
  virtual llvm::Expected<std::vector<std::string>>
  finish(llvm::ArrayRef<Finished> Results, llvm::StringRef Worker) = 0;

  /// Ends the leases of workers of this machine that are no more. Workers are
  /// named by the id of their process, a dot, and a number.
  virtual llvm::Error releaseDead() = 0;

  /// Jobs in the queue, whoever has them.
  virtual llvm::Expected<uint64_t> waiting(const Choice &Which) = 0;

  struct Counts {
    uint64_t Candidates = 0, Jobs = 0, Waiting = 0;
    std::map<std::string, uint64_t> ByVerdict; // of jobs
  };
  virtual llvm::Expected<Counts> counts(llvm::StringRef Experiment) = 0;

  /// The record of a result that was judged, or "".
  virtual llvm::Expected<std::string> record(llvm::StringRef Key) = 0;

  virtual llvm::Expected<std::vector<Row>> rows(llvm::StringRef Experiment) = 0;
  /// The row of a result, by the beginning of its key.
  llvm::Expected<Row> find(llvm::StringRef KeyPrefix);

  virtual llvm::Expected<std::optional<Baseline>>
  baseline(llvm::StringRef Key) = 0;
  virtual llvm::Error keepBaseline(llvm::StringRef Key, const Baseline &B) = 0;

  static constexpr unsigned MaxAttempts = 3;

protected:
  Store() = default;
  virtual llvm::Expected<std::vector<Job>> lease(const Choice &Which,
                                                 llvm::StringRef Worker,
                                                 unsigned Most,
                                                 double LeaseSeconds) = 0;
  /// Keeps \p Fresh unless there is a value; the value that there is then.
  virtual llvm::Expected<std::string> keepMeta(llvm::StringRef Name,
                                               llvm::StringRef Fresh) = 0;
  /// Up to two rows of different keys.
  virtual llvm::Expected<std::vector<Row>>
  rowsByPrefix(llvm::StringRef KeyPrefix) = 0;
};

/// A file of this machine.
llvm::Expected<std::unique_ptr<Store>> openSqlite(llvm::StringRef Path);
/// A database; passwords come from PGPASSWORD or a password file.
llvm::Expected<std::unique_ptr<Store>> openPostgres(llvm::StringRef Url);

/// Seconds of this machine by stage, as they are stored.
std::string costsOf(const Result &R);

} // namespace belay::bench

#endif // BELAY_BENCH_STORE_H
