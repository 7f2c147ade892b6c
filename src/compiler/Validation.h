//===- Validation.h - Whether a source may go to the device -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_VALIDATION_H
#define BELAY_COMPILER_VALIDATION_H

#include "compiler/DeviceTargets.h"
#include "compiler/UserOptions.h"
#include "support/Diagnostics.h"
#include <chrono>
#include <string>
#include <vector>

namespace belay::compiler {

struct Validation {
  enum class Verdict : uint8_t {
    NotRun,
    Passed,   ///< All that was asked has the answer "clean".
    Findings, ///< Diags say what is wrong.
    Unknown,  ///< Nothing was found; Reason says what could not be told.
  };
  Verdict What = Verdict::NotRun;
  /// Whether anything can be said at all: the source was read to its end.
  bool Read = false;
  /// Belay or the machine failed, which says nothing about the source.
  bool Broken = false;
  std::string Reason;
  std::vector<support::Diagnostic> Diags;
};

/// "not-run", "passed", "findings", "unknown".
llvm::StringRef nameOf(Validation::Verdict What);

/// What is looked at before it is compiled.
struct SourceToCheck {
  /// Its text, what the user calls it, and its file ("" if it is in none).
  llvm::StringRef Content, Shown, Path;
  /// Of the target's architecture.
  std::string Soc;
  const DeviceTarget *Target = nullptr;
  const UserOptions *Options = nullptr;
  /// The device's compiler inserts its flags.
  bool CompilerSync = true;
  /// One path only.
  bool Quick = false;
  std::chrono::milliseconds Timeout{0};
  /// Where precompiled headers are kept; nowhere if empty.
  std::string CacheRoot;
};

/// Lets the checker of `belay check` read the source, in a process of its own.
/// The only place that decides what is looked for before compiling.
Validation validateSource(const SourceToCheck &Source);

/// All that tells one checker from the next.
std::string checkerIdentity();

/// Whether a finding is certain enough to refuse what the user asks for. The
/// others depend on numbers of the launch, between which the host may keep a
/// relation that no kernel shows.
bool stopsCompilation(support::DiagId Id);

/// Gives the places of a file another name.
void renameFile(support::Diagnostic &Diag, llvm::StringRef From,
                llvm::StringRef To);

/// Whether the checker reports an id.
bool isFinding(support::DiagId Id);

} // namespace belay::compiler

#endif // BELAY_COMPILER_VALIDATION_H
