//===- Task.h - What candidates have to compute -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_TASK_H
#define BELAY_BENCH_TASK_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace belay::bench {

/// One variant of a task: an operator for one choice of element types and
/// constants. docs/bench.md has the schema of task.json.
struct Task {
  std::string Id; ///< "level1/activation/elu/half"
  unsigned Level = 0;
  std::string Category, Name, Variant;
  std::string Summary, Signature;
  /// A kernel of the language that is right.
  std::string Answer;
  /// Its instance, "elu<half>".
  std::string Instance;
  /// "in f16[n]", for people and prompts.
  std::vector<std::string> Arguments;
  std::vector<std::string> Socs;
  /// The folder of all tasks.
  std::string Root;
  /// Of task.json, and reference.py if there is one.
  std::string DefinedBy;

  /// \name Of a foreign set only: candidates are operator projects then, Answer
  /// is the folder of one, and Instance the kernel's name.
  /// @{
  std::string Set, Checkout, IdInSet;
  std::vector<std::string> Includes, Defines;
  /// Candidates are single files, which the set's adapter makes projects of;
  /// there is neither an Answer nor an Instance.
  bool TakesFiles = false;
  bool isForeign() const { return !Set.empty(); }
  /// @}

  bool runsOn(llvm::StringRef Soc) const;
};

/// All tasks below a folder, sorted by id.
llvm::Expected<std::vector<Task>> readTasks(llvm::StringRef Root);

/// Those that any of the patterns names: an id or the beginning of one up to a
/// slash, with or without its level; '*' stands for any characters. All of them
/// if there is no pattern. A pattern that names none is an error.
llvm::Expected<std::vector<Task>>
chooseTasks(std::vector<Task> All, llvm::ArrayRef<std::string> Patterns);

} // namespace belay::bench

#endif // BELAY_BENCH_TASK_H
