//===- Checker.h - Checks a file in a process of its own --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_CHECKER_H
#define BELAY_CHECK_CHECKER_H

#include "check/Report.h"
#include "report/CaseResult.h"
#include "toolchain/KernelCompiler.h"
#include <chrono>

namespace belay::check {

/// What is checked, and for what.
struct CheckRequest {
  std::string Source;
  /// What is read instead of the file; Source is then its name only.
  std::optional<std::string> Text;
  std::string Soc = "Ascend910B3";
  /// As for cube cores, where a SoC has two kinds.
  bool Cube = false;
  std::vector<std::string> Defines, IncludeDirs;
  /// Further options of Clang: "-UX", "-iquote/dir", "-include", "file.h".
  std::vector<std::string> ClangArgs;
  /// The operator's host code, which has its tiling structures and types.
  cases::OpHostSpec OpHost;
  /// bisheng inserts its flags.
  bool CompilerSync = true;
  bool Quick = false;
  /// The source is PTO-MLIR.
  bool Pto = false;
  /// '// belay: allow' silences nothing, '// belay: assume' is a comment.
  bool IgnoreAllowances = false;
  /// So many times the usual limits on paths and steps.
  unsigned Effort = 1;
};

class Checker {
public:
  struct Options {
    toolchain::KernelCompiler::Options Compiler;
    /// CPU time, so that the verdict is the same on a machine that is busy; 0
    /// for no limit.
    std::chrono::milliseconds CpuTime{60000};
    /// How long to wait. With a limit on CPU time, a machine that gives less
    /// than that is to blame, not the file.
    std::chrono::seconds Timeout{6 * 60};
    /// The limit on CPU time, and as much patience as by default.
    void allow(std::chrono::seconds Cpu) {
      CpuTime = Cpu;
      Timeout = 6 * Cpu;
    }
    uint64_t MemoryBytes = uint64_t(4) << 30;
  };

  static llvm::Expected<Checker> create(Options Opts);

  /// Prints nothing. A checker that crashes or takes too long is a problem in
  /// the report.
  Report check(const CheckRequest &Request);

private:
  Checker(Options Opts, toolchain::KernelCompiler Compiler)
      : Opts(Opts), Compiler(std::move(Compiler)) {}

  /// HoldsProgram: the file defines main().
  std::vector<std::string> flagsFor(const CheckRequest &Request,
                                    bool HoldsProgram) const;
  /// Prelude: a file that is read before the source, or nothing.
  std::vector<std::string> commandFor(const CheckRequest &Request,
                                      const std::string &Prelude);
  llvm::Expected<std::string> preludeFor(const CheckRequest &Request);

  Options Opts;
  toolchain::KernelCompiler Compiler;
};

/// A report in the form that runs have, for the same writers.
std::vector<report::CaseResult> toResults(const Report &R,
                                          llvm::StringRef Source);

} // namespace belay::check

#endif // BELAY_CHECK_CHECKER_H
