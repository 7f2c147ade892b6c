//===- CaseRunner.h - From a case to its result -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_CASERUNNER_H
#define BELAY_LAUNCH_CASERUNNER_H

#include "launch/ArgumentBuffers.h"
#include "launch/LanguageKernel.h"
#include "launch/Launcher.h"
#include "launch/Schedules.h"
#include "report/CaseResult.h"
#include "report/FrameResolver.h"
#include "toolchain/KernelCompiler.h"
#include <functional>
#include <map>

namespace belay::launch {

/// Runs cases one after the other; each compiled object is used by all cases
/// that can share it.
class CaseRunner {
public:
  struct Options {
    toolchain::KernelCompiler::Options Compiler;
    uint32_t Slots = 0;
    unsigned Repeat = 1;
    Schedules Orders;
    /// The kernel in processes of its own; see src/sealed. They, and all that
    /// reads its source, are confined if Compiler.Sandbox is set.
    bool Sealed = false;
    /// Compiling, checking and running each case together; 0 for no limit.
    double BudgetSeconds = 0;
    /// The same of CPU time.
    double CpuBudgetSeconds = 0;
    std::string TracePath;
    bool Count = false;
    bool Time = false;
    bool AllDraws = false; // of the costs, for comparisons
    /// Times from the cache where they are known: launches that are only timed
    /// are not simulated again then, and their outputs are not there.
    bool RememberTimes = false;
    /// Files of timelines, .json or .html.
    std::vector<std::string> Timelines;
    /// The most cycles that a launch may cost, in the middle of the range.
    std::optional<uint64_t> MaxCycles;
    sim::Mutation Change = {};
    /// Keeps the wrapper's object and all arrays here.
    std::string KeepDir;
    bool PrintToStderr = false;
    /// Drop what kernels print.
    bool Silent = false;
    /// gdb, to run the kernel in; "" for none.
    std::string Debugger;
    /// Looks at all arguments after a launch without a problem, in place of
    /// comparing and writing outputs.
    std::function<void(const ArgumentBuffers &)> OnArguments;
    /// What is wrong with a launch, before it starts; it runs all the same.
    std::function<std::vector<support::Diagnostic>(
        const cases::Case &, llvm::StringRef Kernel, const ArgumentBuffers &)>
        OnLaunch;
  };

  /// Looks at all cases first, to compile for all of them at once.
  static llvm::Expected<CaseRunner> create(llvm::ArrayRef<cases::Case> Cases,
                                           Options Opts);

  report::CaseResult run(const cases::Case &Case);

  /// What the next case runs with; the compiler's part is settled.
  Options &options() { return Opts; }

private:
  CaseRunner(toolchain::KernelCompiler Compiler, Options Opts)
      : Compiler(std::move(Compiler)), Opts(std::move(Opts)) {}

  /// What became of a source of the kernel language.
  struct CompiledLanguage {
    std::vector<LanguageKernel> Kernels;
    /// What was said of its proofs, each time it is launched.
    std::string Messages;
  };
  llvm::Expected<CompiledLanguage> compileLanguage(const cases::Case &Input);
  /// Builds a kernel of the language, and checks the launch, first.
  llvm::Error runLanguage(const cases::Case &Wanted,
                          report::CaseResult &Result);
  /// Lets the operator's host code decide the launch first.
  llvm::Error runOperator(const cases::Case &Input, report::CaseResult &Result);
  llvm::Error runInto(const cases::Case &Case, report::CaseResult &Result);
  /// Compiles the kernel of a case, once for all cases that can share it.
  llvm::Expected<const toolchain::CompiledKernel *>
  compiled(const cases::Case &Case, bool &FromCache);
  report::FrameResolver
  resolverOf(const toolchain::CompiledKernel &Kernel) const;
  llvm::Error launch(const cases::Case &Case,
                     const toolchain::CompiledKernel &Kernel,
                     ArgumentBuffers &Arguments, report::CaseResult &Result);
  /// The time of a launch that was simulated before; sets the name under which
  /// it is kept otherwise, unless it is not to be.
  bool recallTime(const cases::Case &Case,
                  const toolchain::CompiledKernel &Kernel,
                  const ArgumentBuffers &Arguments, llvm::StringRef Costs,
                  std::string &Name, report::CaseResult &Result);
  void rememberTime(llvm::StringRef Name, const timing::Answer &Time);
  llvm::Error finishTime(const LaunchOutcome &Outcome,
                         report::FrameResolver &Resolver,
                         report::CaseResult &Result);
  llvm::Error finishOutput(const ArgumentBuffer &Buffer,
                           report::CaseResult &Result);
  llvm::Error keep(const cases::Case &Case,
                   const toolchain::CompiledKernel &Kernel,
                   const ArgumentBuffers &Arguments, llvm::StringRef Suffix);

  /// In advance, if it takes long.
  void startRunner(const cases::Case &Case);

  /// How long the kernel of a case may run now.
  double timeLimitOf(const cases::Case &Case) const;
  /// The same of CPU time; 0 for no limit.
  double cpuLimitOf(const cases::Case &Case,
                    const report::CaseResult &Result) const;

  toolchain::KernelCompiler Compiler;
  Options Opts;
  std::optional<AwaitingRunner> Ready;
  std::chrono::steady_clock::time_point Deadline =
      std::chrono::steady_clock::time_point::max();
  /// The tiling fields of all cases that can share an object.
  std::vector<std::pair<std::string, std::vector<std::string>>> SharedFields;
  /// What became of sources of the kernel language, for all cases that can
  /// share it.
  std::map<std::string, CompiledLanguage> Languages;
  /// Finding an object in the cache reads every header again, which takes
  /// longer than a small launch.
  std::map<std::string, toolchain::CompiledKernel> Objects;
};

} // namespace belay::launch

#endif // BELAY_LAUNCH_CASERUNNER_H
