//===- Agent.h - One machine that works for a queue -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_AGENT_H
#define BELAY_BENCH_AGENT_H

#include "bench/Campaign.h"

namespace belay::bench {

/// Judges jobs of all experiments of a queue whose build and options are those
/// of this machine.
class Agent {
public:
  struct Options {
    unsigned Jobs = 1;
    double LeaseSeconds = 60;
    /// End when no job is left that can be judged here.
    bool UntilEmpty = false;
    /// Whether jobs may ask for no sandbox.
    bool Sandbox = true;
    std::function<void(const Progress &)> OnProgress;
    std::atomic<bool> *Stop = nullptr;
  };
  Agent(Store &From, std::vector<Task> Tasks, Options Opts)
      : From(From), Tasks(std::move(Tasks)), Opts(std::move(Opts)) {}

  llvm::Error run();

private:
  /// The campaign that judges jobs of a harness; none if this machine cannot.
  llvm::Expected<Campaign *> serve(const std::string &Harness,
                                   llvm::StringRef Spec);
  llvm::Expected<uint64_t> helpAll();

  Store &From;
  std::vector<Task> Tasks;
  Options Opts;
  std::map<std::string, std::unique_ptr<Campaign>> ByHarness;
};

} // namespace belay::bench

#endif // BELAY_BENCH_AGENT_H
