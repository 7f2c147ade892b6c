//===- Analyser.cpp - Asks the check, or the proof, about a text
//--------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Analyser.h"
#include "support/DiagnosticError.h"
#include "toolchain/CompilerMessages.h"
#include "toolchain/KernelScan.h"
#include "toolchain/ProvenKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace belay;
using namespace belay::lsp;
using namespace llvm;
using llvm::lsp::DiagnosticSeverity;

/// Nobody reads on after so many messages of a compiler.
static constexpr size_t MaxMessageBytes = 1 << 20;

Expected<Analyser> Analyser::create(const Settings &Options) {
  check::Checker::Options Checks;
  Checks.allow(Options.TimeLimit);
  Expected<check::Checker> Made = check::Checker::create(Checks);
  if (!Made)
    return Made.takeError();
  return Analyser(Options, std::move(*Made));
}

static bool hasError(ArrayRef<Remark> Remarks) {
  return any_of(Remarks, [](const Remark &R) {
    return R.Severity == DiagnosticSeverity::Error;
  });
}

/// What is neither wrong nor clean is said, too: silence after a full check is
/// the claim that all topics are clean.
static void addOpenTopics(std::vector<Remark> &Remarks,
                          const check::Report &Report,
                          const check::KernelReport &Kernel, StringRef Path) {
  for (unsigned T = 0; T < check::NumTopics; ++T) {
    auto Topic = static_cast<check::Topic>(T);
    check::Verdict Verdict = Report.verdictOf(Kernel, Topic);
    auto Doubts = Kernel.Doubts.find(Topic);
    if (!check::isOpen(Verdict) || Doubts == Kernel.Doubts.end() ||
        Doubts->second.empty())
      continue;
    bool Decided = Verdict == check::Verdict::CleanIf;
    auto First = find_if(Doubts->second, [&](const check::Doubt &D) {
      return D.If.has_value() == Decided;
    });
    if (First == Doubts->second.end())
      First = Doubts->second.begin();
    belay::support::SourcePlace Where = First->Where;
    if (Where.File != Path || !Where.Line)
      Where = Kernel.Where;
    Remark &R = Remarks.emplace_back();
    R.Severity =
        Decided ? DiagnosticSeverity::Hint : DiagnosticSeverity::Information;
    R.Line = Where.File == Path ? Where.Line : 0;
    R.Message = (check::nameOf(Topic) + " of " + Kernel.Name + " is " +
                 check::nameOf(Verdict) + ": ")
                    .str();
    // One reason will do; of conditions, all have to hold.
    if (!Decided)
      R.Message += First->Why;
    else
      R.Message +=
          join(map_range(Doubts->second,
                         [](const check::Doubt &D) { return D.If->Text; }),
               "; ");
  }
}

std::vector<Remark> Analyser::check(const std::string &Path,
                                    const std::string &Text, bool Quick) {
  check::CheckRequest Request;
  Request.Source = Path;
  Request.Text = Text;
  Request.Soc = Options.Soc;
  Request.Defines = Options.Defines;
  Request.IncludeDirs = Options.IncludeDirs;
  Request.Quick = Quick;
  check::Report Report = Checker.check(Request);
  std::vector<Remark> Remarks = parseMessages(Report.Messages, Path);
  // That it does not compile is said by what Clang said.
  bool Explained = hasError(Remarks);
  for (const belay::support::Diagnostic &Problem : Report.Problems)
    if (!Explained || Problem.Id != belay::support::DiagId::CompileError)
      Remarks.push_back(toRemark(Problem, Path));
  for (const check::KernelReport &Kernel : Report.Kernels) {
    for (const belay::support::Diagnostic &Finding : Kernel.Findings)
      Remarks.push_back(toRemark(Finding, Path));
    if (!Quick)
      addOpenTopics(Remarks, Report, Kernel, Path);
  }
  return Remarks;
}

std::vector<Remark> Analyser::prove(const std::string &Path,
                                    const std::string &Text) {
  // What each key makes is not worth keeping, and goes with its compiler.
  toolchain::KernelCompiler::Options Compiles;
  Compiles.CacheRoot.clear();
  Compiles.TimeLimit = 6 * Options.TimeLimit;
  Compiles.CpuLimit = Options.TimeLimit;
  Expected<toolchain::KernelCompiler> Compiler =
      toolchain::KernelCompiler::create(Compiles);
  if (!Compiler)
    return {toRemark(belay::support::toDiagnostic(Compiler.takeError()), Path)};
  cases::Case Case;
  Case.Source = Path;
  Case.Text = Text;
  Case.Soc = Options.Soc;
  Case.Defines = Options.Defines;
  Case.IncludeDirs = Options.IncludeDirs;
  toolchain::MessageListener Listener(MaxMessageBytes);
  Expected<std::string> Made = Compiler->compileLanguage(Case);
  std::vector<Remark> Remarks = parseMessages(Listener.text(), Path);
  if (Made) {
    Remark Templates;
    Templates.Severity = DiagnosticSeverity::Information;
    Templates.Message = toolchain::provenKernels(Text, *Made).Missing;
    if (!Templates.Message.empty())
      Remarks.push_back(std::move(Templates));
    return Remarks;
  }
  belay::support::Diagnostic Failure =
      belay::support::toDiagnostic(Made.takeError());
  if (!hasError(Remarks))
    Remarks.push_back(toRemark(Failure, Path));
  for (Remark &R : Remarks)
    if (toolchain::saysOnlyTemplates(R.Message)) {
      R.Severity = DiagnosticSeverity::Information;
      R.Id.clear();
    }
  return Remarks;
}

std::vector<Remark> Analyser::analyse(const std::string &Path,
                                      const std::string &Text, bool Quick) {
  if (toolchain::usesKernelLanguage(Text))
    return prove(Path, Text);
  if (toolchain::scanKernels(Text).Kernels.empty())
    return {};
  return check(Path, Text, Quick);
}
