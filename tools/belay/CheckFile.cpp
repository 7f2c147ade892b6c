//===- CheckFile.cpp - What belay check says of one file
//----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckFile.h"
#include "ProofReport.h"

#include "launch/LanguageKernel.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/SourceFiles.h"
#include "toolchain/CompilerMessages.h"
#include "toolchain/KernelScan.h"
#include "toolchain/ProvenKernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using belay::support::Diagnostic;

static constexpr size_t MaxMessageBytes = 1 << 20;
static constexpr size_t MaxOriginBytes = 1 << 20;
/// How AscendC of belay build begins.
static constexpr StringLiteral EmittedMark = "// Made by Belay for ";

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

//===----------------------------------------------------------------------===//
// AscendC that belay build made
//===----------------------------------------------------------------------===//

/// #line says where something comes from, and nothing of what it does.
static bool isLineMarker(StringRef Line) {
  if (!Line.consume_front("#line "))
    return false;
  Line = Line.drop_while(isDigit);
  return Line.consume_front(" \"") && Line.consume_back("\"") &&
         !Line.contains('"') && !Line.contains('\\');
}

/// Whether two texts differ in nothing but where they say that they are from.
static bool isSameCode(StringRef A, StringRef B) {
  auto Next = [](StringRef &Text) {
    StringRef Line;
    do
      std::tie(Line, Text) = Text.split('\n');
    while (isLineMarker(Line));
    return Line;
  };
  while (!A.empty() && !B.empty())
    if (Next(A) != Next(B))
      return false;
  return A.empty() && B.empty();
}

/// The kernel and the source that the description beside an emitted file names,
/// as a case that makes it anew.
static std::optional<cases::Case> readOrigin(const check::CheckRequest &Request,
                                             const CheckInput &File) {
  SmallString<128> Beside(File.Source.Name);
  sys::path::replace_extension(Beside, "json");
  Expected<std::string> Text = belay::support::readFile(Beside, MaxOriginBytes);
  Expected<json::Value> Parsed =
      Text ? belay::support::parseJson(*Text) : Text.takeError();
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return std::nullopt;
  }
  const json::Object *All = Parsed->getAsObject();
  const json::Object *Source = All ? All->getObject("source") : nullptr;
  const json::Object *Target = All ? All->getObject("target") : nullptr;
  auto Kernel = All ? All->getString("kernel") : std::nullopt;
  auto Path = Source ? Source->getString("file") : std::nullopt;
  auto Soc = Target ? Target->getString("soc") : std::nullopt;
  if (!Kernel || !Path || Soc != StringRef(Request.Soc))
    return std::nullopt;
  cases::Case Case;
  Case.Source = Path->str();
  Case.Kernel = Kernel->str();
  Case.Soc = Request.Soc;
  Case.Defines = Request.Defines;
  Case.IncludeDirs = Request.IncludeDirs;
  return Case;
}

/// The proofs of an emitted file are those of its source. Neither the file nor
/// its description is believed: the source is compiled and proven anew, and has
/// to give the same text. Nothing if it does not.
static std::optional<report::CaseResult>
proveEmitted(const check::CheckRequest &Request, const CheckInput &File) {
  if (File.FromStdin || !StringRef(File.Source.Text).starts_with(EmittedMark))
    return std::nullopt;
  std::optional<cases::Case> Case = readOrigin(Request, File);
  Expected<toolchain::KernelCompiler> Compiler =
      toolchain::KernelCompiler::create({});
  if (!Case || !Compiler) {
    consumeError(Compiler.takeError());
    return std::nullopt;
  }
  toolchain::MessageListener Listener(MaxMessageBytes);
  Expected<std::string> Made = Compiler->compileLanguage(*Case);
  Expected<std::vector<launch::LanguageKernel>> Kernels =
      Made ? launch::LanguageKernel::parse(*Made) : Made.takeError();
  if (!Kernels) {
    consumeError(Kernels.takeError());
    return std::nullopt;
  }
  if (Kernels->size() != 1 ||
      !isSameCode(Kernels->front().Code, File.Source.Text))
    return std::nullopt;
  report::CaseResult Result =
      reportProof(File.Source.Name, Listener.text(), /*Accepted=*/true);
  Result.Kernel = Kernels->front().Contract.Entry;
  return Result;
}

CheckedFile belay::tool::checkFile(check::Checker &Checker,
                                   const check::CheckRequest &Request,
                                   const CheckInput &File) {
  CheckedFile Result;
  check::CheckRequest &Mine = Result.Request;
  Mine = requestFor(Request, File);
  if (!Mine.Pto && toolchain::usesKernelLanguage(File.Source.Text)) {
    Result.Results = prove(Mine, File);
    return Result;
  }
  if (Mine.Pto) {
    Mine.Text = File.Source.Text;
  } else if (std::optional<report::CaseResult> Proven =
                 proveEmitted(Mine, File)) {
    Result.Results = {std::move(*Proven)};
    return Result;
  }
  Result.Found = Checker.check(Mine);
  Result.Results = toResults(*Result.Found, File.Source.Name);
  return Result;
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
