//===- CheckFile.cpp - What belay check says of one file
//----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckFile.h"
#include "ProofReport.h"

#include "support/DiagnosticError.h"
#include "support/SourceFiles.h"
#include "toolchain/CompilerMessages.h"
#include "toolchain/KernelScan.h"
#include "toolchain/ProvenKernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using belay::support::Diagnostic;

static constexpr size_t MaxMessageBytes = 1 << 20;

/// As for this file: its text, and what its build says.
static check::CheckRequest requestFor(check::CheckRequest Request,
                                      const CheckInput &File) {
  Request.Source = File.Source.Name;
  Request.Text.reset();
  if (File.FromStdin)
    Request.Text = File.Source.Text;
  if (File.How) {
    append_range(Request.Defines, File.How->Defines);
    append_range(Request.IncludeDirs, File.How->IncludeDirs);
    append_range(Request.ClangArgs, File.How->Others);
  }
  return Request;
}

//===----------------------------------------------------------------------===//
// Kernels of the language
//===----------------------------------------------------------------------===//

/// One topic: whether all that the language asks for is proven. What is not has
/// a guard in the compiled kernel, and is unknown here.
static std::vector<report::CaseResult> prove(const check::CheckRequest &Request,
                                             const CheckInput &File) {
  report::CaseResult Result;
  Result.Name = File.Source.Name;
  Expected<toolchain::KernelCompiler> Compiler =
      toolchain::KernelCompiler::create({});
  if (!Compiler) {
    Result.Problems.push_back(
        belay::support::toDiagnostic(Compiler.takeError()));
    return {Result};
  }
  cases::Case Case;
  Case.Source = File.Source.Name;
  Case.Text = File.Source.Text;
  Case.Soc = Request.Soc;
  Case.Defines = Request.Defines;
  Case.IncludeDirs = Request.IncludeDirs;
  toolchain::MessageListener Listener(MaxMessageBytes);
  Expected<std::string> Made = Compiler->compileLanguage(Case);
  Result = reportProof(File.Source.Name, Listener.text(), bool(Made));
  report::TopicVerdict &Proof = Result.Verdicts.back();
  if (!Made) {
    Diagnostic Failure = belay::support::toDiagnostic(Made.takeError());
    if (Proof.Verdict == "unknown" && Result.Problems.empty()) {
      Result.Kernel = "templates";
      return {Result};
    }
    Result.Verdicts.clear();
    if (Result.Problems.empty())
      Result.Problems.push_back(std::move(Failure));
    return {Result};
  }
  toolchain::ProvenKernels Proven =
      toolchain::provenKernels(File.Source.Text, *Made);
  if (!Proven.Missing.empty()) {
    Proof.Verdict = "unknown";
    Proof.Reasons.push_back({{File.Source.Name, 0, 0}, Proven.Missing});
  }
  Result.Kernel = Proven.Names.empty() ? "no kernel" : join(Proven.Names, ", ");
  return {Result};
}

std::vector<report::CaseResult>
belay::tool::checkFile(check::Checker &Checker,
                       const check::CheckRequest &Request,
                       const CheckInput &File, std::string &Messages) {
  check::CheckRequest Mine = requestFor(Request, File);
  if (toolchain::usesKernelLanguage(File.Source.Text))
    return prove(Mine, File);
  check::Report Found = Checker.check(Mine);
  Messages = Found.Messages;
  return toResults(Found, File.Source.Name);
}

//===----------------------------------------------------------------------===//
// Fixes
//===----------------------------------------------------------------------===//

static unsigned numFindings(const check::Report &R) {
  unsigned Count = R.Problems.size();
  for (const check::KernelReport &K : R.Kernels)
    Count += K.Findings.size();
  return Count;
}

/// The text with the statements on a line of their own before a line, indented
/// as that is.
static std::string insertBefore(StringRef Text, unsigned Line,
                                StringRef Statements) {
  StringRef Rest = belay::support::fromLine(Text, Line);
  StringRef Indent =
      Rest.take_while([](char C) { return C == ' ' || C == '\t'; });
  StringRef Before = Text.drop_back(Rest.size());
  StringRef End = Rest.split('\n').first.ends_with("\r") ? "\r\n" : "\n";
  return (Before + Indent + Statements + End + Rest).str();
}

Fixed belay::tool::fixFile(check::Checker &Checker,
                           const check::CheckRequest &Request,
                           const CheckInput &File) {
  check::CheckRequest Mine = requestFor(Request, File);
  Fixed Result{File.Source.Text};
  if (toolchain::usesKernelLanguage(File.Source.Text))
    return Result;
  Mine.Text = Result.Text;
  check::Report Now = Checker.check(Mine);
  // Each fix leaves fewer findings, so that this ends.
  for (bool Progress = true; Progress;) {
    Progress = false;
    std::vector<Diagnostic> Candidates;
    for (const check::KernelReport &K : Now.Kernels)
      append_range(Candidates, K.Findings);
    for (const Diagnostic &Finding : Candidates) {
      if (Finding.Insert.empty() || !Finding.Where.Line ||
          Finding.Where.File != File.Source.Name)
        continue;
      Mine.Text = insertBefore(Result.Text, Finding.Where.Line, Finding.Insert);
      check::Report After = Checker.check(Mine);
      if (After.Kernels.size() != Now.Kernels.size() ||
          numFindings(After) >= numFindings(Now))
        continue;
      Result.Text = *Mine.Text;
      ++Result.NumFixes;
      Now = std::move(After);
      Progress = true;
      break;
    }
  }
  return Result;
}
