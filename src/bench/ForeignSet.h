//===- ForeignSet.h - Tasks of other benchmarks -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set of tasks is read from an unchanged checkout by its adapter in
// tasks/foreign, in a process of its own: what it has, what a case launches,
// and, by the set's own rule, whether outputs are right. The set's own Python
// runs there with the user's rights; candidates never do.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_FOREIGNSET_H
#define BELAY_BENCH_FOREIGNSET_H

#include "bench/Task.h"
#include "cases/Case.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>

namespace belay::bench {

/// "npukernelbench:PATH", which names a set and a checkout of it.
struct ForeignSet {
  std::string Name, Checkout;

  /// Nothing if it is no name of a set, but a pattern for tasks.
  static std::optional<ForeignSet> parse(llvm::StringRef Text);
  /// All tasks, sorted by id, which begins with the set's name.
  llvm::Expected<std::vector<Task>> tasks() const;
};

/// The launches of a foreign task, in a folder that only its owner can read;
/// made if it is not there. Shapes of more than \p Largest elements are halved;
/// 0: none is.
llvm::Expected<std::string> prepareCases(const Task &T, uint64_t Largest);

/// What the set's own rule says of a case.
struct ForeignVerdict {
  bool Right = false;
  std::string Why;
};
/// \p Cases is the folder of the launches, \p Results that of their outputs.
llvm::Expected<std::vector<ForeignVerdict>>
judgeForeign(const Task &T, llvm::StringRef Cases, llvm::StringRef Results,
             uint64_t Largest);

/// The files of an operator project, by their paths in it: op_host/..., and
/// op_kernel/....
using ProjectFiles = std::map<std::string, std::string>;

/// A candidate as an operator project, and how it wants to be called.
struct ForeignProject {
  ProjectFiles Files;
  std::string Kernel;
  /// The operator's name; "" is the one that the cases have. So are its
  /// attributes and the order of its inputs then.
  std::string Op;
  llvm::json::Object Attrs;
  std::vector<uint64_t> Inputs;
  /// Folders of the project that its files include from.
  std::vector<std::string> Includes;
  /// Why the set's adapter does not understand it.
  std::string Refused;
};

/// \p Source is a packed project, or the text of a file if the task takes
/// those; \p Cases is the folder of the launches, \p Scratch a folder of the
/// caller's.
llvm::Expected<ForeignProject>
readCandidate(const Task &T, llvm::StringRef Source, llvm::StringRef Cases,
              llvm::StringRef Scratch, uint64_t Largest);

/// The launches of \p How, with outputs that are written to \p Results.
llvm::Expected<std::vector<cases::Case>> readCases(llvm::StringRef Folder,
                                                   llvm::StringRef Results,
                                                   const ForeignProject &How);

/// All sources below a folder. One that is too large, or has too many, is
/// refused.
llvm::Expected<ProjectFiles> readProject(llvm::StringRef Folder);
/// As one text, which is the source of a candidate, and back.
std::string packProject(const ProjectFiles &Files);
llvm::Expected<ProjectFiles> unpackProject(llvm::StringRef Packed);
llvm::Error writeProject(const ProjectFiles &Files, llvm::StringRef Folder);

} // namespace belay::bench

#endif // BELAY_BENCH_FOREIGNSET_H
