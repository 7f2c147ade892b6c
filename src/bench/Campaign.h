//===- Campaign.h - All candidates of a folder ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_CAMPAIGN_H
#define BELAY_BENCH_CAMPAIGN_H

#include "bench/Store.h"
#include <atomic>
#include <functional>

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

/// Judges candidates by several threads, through a store.
class Campaign {
public:
  struct Options {
    Evaluator::Options Evaluate;
    std::string Experiment = "default";
    unsigned Jobs = 1;
    /// Called after each result, by one thread at a time.
    std::function<void(const Progress &)> OnProgress;
    /// Set from outside to end after what has begun.
    std::atomic<bool> *Stop = nullptr;
  };

  /// Has all values made, and gives each task its name.
  static llvm::Expected<Campaign> create(Store &To, std::vector<Task> Tasks,
                                         Options Opts);

  /// Judges what the store has no result of.
  llvm::Error run(llvm::ArrayRef<Candidate> Candidates);

  /// Judges one source again, whatever the store has.
  llvm::Expected<Result> judge(llvm::StringRef TaskId, llvm::StringRef Source);
  /// The key that a source has today.
  llvm::Expected<std::string> keyOf(llvm::StringRef TaskId,
                                    llvm::StringRef Source) const;

private:
  Campaign(Store &To, Options Opts, ValueCache Values)
      : To(To), Opts(std::move(Opts)), Values(std::move(Values)) {}
  llvm::Expected<const Task *> taskNamed(llvm::StringRef Id) const;
  llvm::Expected<Result> evaluate(Evaluator &By, const Job &J);
  llvm::Expected<Baseline> baselineOf(Evaluator &By, const Task &T);
  llvm::Error work(unsigned Worker, Progress &Shared, std::mutex &Reporting);

  Store &To;
  Options Opts;
  ValueCache Values;
  std::map<std::string, Task> Tasks;
  std::map<std::string, std::string> Identities;
};

} // namespace belay::bench

#endif // BELAY_BENCH_CAMPAIGN_H
