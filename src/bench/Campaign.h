//===- Campaign.h - All candidates of a folder ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_CAMPAIGN_H
#define BELAY_BENCH_CAMPAIGN_H

#include "bench/Workers.h"

namespace belay::bench {

/// The candidates below a folder: [MODEL/]TASK/SAMPLE.cpp, where TASK is the id
/// of one of the tasks. Other files are left alone. For foreign tasks they are
/// operator projects: [MODEL/]TASK/SAMPLE/op_host and op_kernel.
llvm::Expected<std::vector<Candidate>>
readCandidates(llvm::StringRef Folder, llvm::ArrayRef<Task> Tasks);

struct Progress {
  uint64_t Done = 0, Total = 0;
  double Seconds = 0;
  std::map<std::string, uint64_t> ByVerdict;
};

/// Judges candidates by several threads, through a store. All of them are
/// judged by one build with the same options.
class Campaign {
public:
  struct Options {
    Evaluator::Options Evaluate;
    std::string Experiment = "default";
    unsigned Jobs = 1;
    double LeaseSeconds = 60;
    /// Called after each result, by one thread at a time.
    std::function<void(const Progress &)> OnProgress;
    /// Set from outside to end after what has begun.
    std::atomic<bool> *Stop = nullptr;
  };

  static llvm::Expected<std::unique_ptr<Campaign>>
  create(Store &To, std::vector<Task> Tasks, Options Opts);

  /// Queues what the store has no result of.
  llvm::Error submit(llvm::ArrayRef<Candidate> Candidates);
  /// The same, and judges until the experiment has all its results, or others
  /// have the rest.
  llvm::Error run(llvm::ArrayRef<Candidate> Candidates);

  /// Judges jobs of all experiments until none can be claimed.
  llvm::Error help();
  /// The jobs of help(), whoever has them.
  llvm::Expected<uint64_t> waiting() { return To.waiting(Helped); }

  /// Has values made, and gives each task its name.
  llvm::Error prepare(llvm::ArrayRef<std::string> TaskIds);
  /// Judges one source again, whatever the store has.
  llvm::Expected<Result> judge(llvm::StringRef TaskId, llvm::StringRef Source);
  /// The record of a source's result: the store's, or one that is made by a
  /// thread below Options::Jobs and kept.
  llvm::Expected<std::string> recordFor(unsigned Thread, llvm::StringRef TaskId,
                                        llvm::StringRef Source);
  /// The key that a source has today, of a task that was prepared.
  llvm::Expected<std::string> keyOf(llvm::StringRef TaskId,
                                    llvm::StringRef Source) const;
  /// The name of this build and the options.
  const std::string &harness() const { return Harness; }

private:
  Campaign(Store &To, Options Opts, ValueCache Values, std::string Harness);
  llvm::Expected<const Task *> taskNamed(llvm::StringRef Id) const;
  llvm::Expected<std::string> identityOf(llvm::StringRef TaskId) const;
  llvm::Error nameTask(const Task &T);
  llvm::Expected<Result> evaluate(Evaluator &By, const Job &J);
  llvm::Expected<Baseline> baselineOf(Evaluator &By, const Task &T);
  llvm::Expected<std::vector<bool>> admit(llvm::ArrayRef<Job> Jobs);
  Workers::Options workersFor(Progress &Shared);

  Store &To;
  Options Opts;
  ValueCache Values;
  std::string Harness;
  Choice Helped;
  Progress HelpedSoFar;
  std::map<std::string, Task> Tasks;
  std::vector<std::unique_ptr<Evaluator>> Evaluators; // one for each thread
  mutable std::mutex Guard;
  std::map<std::string, std::string> Identities;
};

} // namespace belay::bench

#endif // BELAY_BENCH_CAMPAIGN_H
