//===- BenchRequest.h - What belay bench is asked to do ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BENCHREQUEST_H
#define BELAY_TOOLS_BENCHREQUEST_H

#include "Command.h"
#include "generate/Generator.h"
#include <thread>

namespace belay::tool {

/// The options of a command line.
struct BenchRequest {
  std::vector<std::string> Patterns;
  std::string TaskFolder, Candidates, Store = "bench.db", Out;
  std::string Experiment = "default", Format = "language";
  bench::Evaluator::Options Evaluate;
  unsigned Jobs = std::max(1U, std::thread::hardware_concurrency());
  double LeaseSeconds = 60;
  bool Json = false, HasQueue = false, UntilEmpty = false;
  generate::ChatServer::Options Ask;
  generate::Generator::Options Generate;
};

/// The tasks that the patterns name; all if there is none.
llvm::Expected<std::vector<bench::Task>> tasksOf(const BenchRequest &Wanted);

/// \name Verbs that judge nothing.
/// @{
int listTasks(const BenchRequest &Wanted);
/// What somebody has to know who wants to write a candidate.
int showTasks(const BenchRequest &Wanted);
int lintTasks(const Command &Self, const BenchRequest &Wanted);
/// Writes the answers of tasks as candidates.
int writeAnswers(const Command &Self, const BenchRequest &Wanted);
/// @}

} // namespace belay::tool

#endif // BELAY_TOOLS_BENCHREQUEST_H
