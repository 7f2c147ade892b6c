//===- CaseRunner.h - From a case to its result -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_DRIVER_CASERUNNER_H
#define BELAY_SIMULATOR_DRIVER_CASERUNNER_H

#include "simulator/driver/ArgumentBuffers.h"
#include "simulator/driver/Compare.h"
#include "simulator/driver/KernelCompiler.h"
#include "simulator/driver/LanguageKernel.h"
#include "simulator/driver/Schedules.h"
#include "support/Diagnostics.h"

namespace belay::driver {

/// One output of a passed launch.
struct OutputResult {
  std::string Name;
  TensorType Tensor;
  Statistics Values;
  /// Where it was written, or "".
  std::string Path;
  std::string ExpectedPath;
  std::optional<Comparison> Compared;
};

/// What a check that reads the source says about one topic.
struct TopicVerdict {
  std::string Topic;   // "sync"
  std::string Verdict; // "finding", "clean", "unknown", "not asked"
  /// Why it is not known.
  std::vector<support::DiagNote> Reasons;
};

struct CaseResult {
  std::string Name;
  std::string Kernel;
  uint32_t Blocks = 0;
  /// Errors, and warnings: a case that has only those passed.
  std::vector<support::Diagnostic> Problems;
  std::vector<OutputResult> Outputs;
  bool FromCache = false;
  double CompileSeconds = 0;
  /// Of the launch alone, one per repetition.
  std::vector<double> KernelSeconds;
  uint64_t Instructions = 0;
  double RunnerCpuSeconds = 0;
  /// Empty if the kernel was run.
  std::vector<TopicVerdict> Verdicts;

  bool passed() const;
};

/// Runs cases one after the other; each compiled object is used by all cases
/// that can share it.
class CaseRunner {
public:
  struct Options {
    KernelCompiler::Options Compiler;
    uint32_t Slots = 0;
    unsigned Repeat = 1;
    Schedules Orders;
    std::string TracePath;
    sim::Mutation Change = {};
    /// Keeps the wrapper's object and all arrays here.
    std::string KeepDir;
    bool PrintToStderr = false;
  };

  /// Looks at all cases first, to compile for all of them at once.
  static llvm::Expected<CaseRunner> create(llvm::ArrayRef<Case> Cases,
                                           Options Opts);

  CaseResult run(const Case &Case);

private:
  CaseRunner(KernelCompiler Compiler, Options Opts)
      : Compiler(std::move(Compiler)), Opts(std::move(Opts)) {}

  /// Builds a kernel of the language, and checks the launch, first.
  llvm::Error runLanguage(const Case &Given, CaseResult &Result);
  /// Lets the operator's host code decide the launch first.
  llvm::Error runOperator(const Case &Given, CaseResult &Result);
  llvm::Error runInto(const Case &Case, CaseResult &Result);
  /// Compiles the kernel of a case, once for all cases that can share it.
  llvm::Expected<const CompiledKernel *> compiled(const Case &Case,
                                                  bool &FromCache);
  llvm::Error launch(const Case &Case, const CompiledKernel &Kernel,
                     ArgumentBuffers &Arguments, CaseResult &Result);
  llvm::Error finishOutput(const ArgumentBuffer &Buffer, CaseResult &Result);
  llvm::Error keep(const Case &Case, const CompiledKernel &Kernel,
                   const ArgumentBuffers &Arguments, llvm::StringRef Suffix);

  KernelCompiler Compiler;
  Options Opts;
  /// The tiling fields of all cases that can share an object.
  std::vector<std::pair<std::string, std::vector<std::string>>> SharedFields;
  /// What became of sources of the kernel language, for all cases that can
  /// share it.
  std::map<std::string, std::vector<LanguageKernel>> Languages;
  /// Finding an object in the cache reads every header again, which takes
  /// longer than a small launch.
  std::map<std::string, CompiledKernel> Objects;
};

} // namespace belay::driver

#endif // BELAY_SIMULATOR_DRIVER_CASERUNNER_H
