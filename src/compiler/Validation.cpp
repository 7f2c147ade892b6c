//===- Validation.cpp - Whether a source may go to the device -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Validation.h"
#include "check/Checker.h"
#include "compiler/DeviceMessages.h"
#include "support/Resources.h"
#include "toolchain/KernelScan.h"
#include "toolchain/Tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay;
using namespace belay::compiler;
using belay::support::DiagId;
using belay::support::Diagnostic;
using belay::support::SourcePlace;
using Verdict = Validation::Verdict;

/// A file of this name exists nowhere, and neither does a header beside it.
static constexpr StringLiteral NameOfText = "/<source>/kernel.cpp";

StringRef belay::compiler::nameOf(Verdict What) {
  switch (What) {
  case Verdict::NotRun:
    return "not-run";
  case Verdict::Passed:
    return "passed";
  case Verdict::Findings:
    return "findings";
  case Verdict::Unknown:
    return "unknown";
  }
  llvm_unreachable("verdict outside its enumeration");
}

//===----------------------------------------------------------------------===//
// What stops
//===----------------------------------------------------------------------===//

/// Mistakes in the shape of a kernel: they are there whatever the launch
/// passes. Measured on public code in docs/compatibility.md.
static constexpr DiagId Certain[] = {
    DiagId::BadEntry,     DiagId::MissingSync,  DiagId::MissingBarrier,
    DiagId::FlagSetTwice, DiagId::FlagNeverSet, DiagId::FlagDeadlock,
    DiagId::EventIdRange, DiagId::QueueEmpty,   DiagId::QueueState,
    DiagId::BufferCount,  DiagId::UseAfterFree, DiagId::DoubleFree,
    DiagId::WrongQueue,   DiagId::LocalCapacity};

bool belay::compiler::stopsCompilation(DiagId Id) {
  return is_contained(Certain, Id);
}

bool belay::compiler::isFinding(DiagId Id) {
  return check::topicOf(Id).has_value();
}

//===----------------------------------------------------------------------===//
// Asking the checker
//===----------------------------------------------------------------------===//

static check::CheckRequest requestFor(const SourceToCheck &Source) {
  check::CheckRequest Request;
  Request.Source = Source.Path.empty() ? NameOfText.str() : Source.Path.str();
  // Not the file again: what is validated has to be what is compiled.
  Request.Text = Source.Content.str();
  Request.Soc = Source.Soc;
  Request.Cube = Source.Target->Core == "cube";
  Request.CompilerSync = Source.CompilerSync;
  Request.Quick = Source.Quick;
  const UserOptions &Options = *Source.Options;
  Request.IncludeDirs = Options.IncludeDirs;
  append_range(Request.ClangArgs, Options.Macros);
  for (const std::string &Dir : Options.QuoteDirs)
    Request.ClangArgs.push_back("-iquote" + Dir);
  for (const std::string &File : Options.Includes)
    Request.ClangArgs.insert(Request.ClangArgs.end(), {"-include", File});
  return Request;
}

void belay::compiler::renameFile(Diagnostic &Diag, StringRef From,
                                 StringRef To) {
  auto Rename = [&](SourcePlace &Where) {
    if (Where.File == From)
      Where.File = To.str();
  };
  Rename(Diag.Where);
  for (belay::support::DiagNote &Note : Diag.Notes)
    Rename(Note.Where);
  if (Diag.Other)
    Rename(Diag.Other->Where);
}

/// Why the checker could not read the source: what Belay's headers do not
/// have, the device's compiler may.
static std::string whyUnreadable(const check::Report &Found,
                                 const std::string &Name, StringRef Shown) {
  auto Errors = readDeviceErrors(Found.Messages, Name, Shown);
  if (Errors.empty())
    return Found.Problems.front().Message;
  const SourcePlace &Where = Errors.front().Where;
  std::string Text = "Belay's headers cannot read it: ";
  if (!Where.File.empty())
    Text += formatv("{0}:{1}: ", Where.File, Where.Line);
  Text += Errors.front().Message;
  if (Errors.size() > 1)
    Text += formatv(" (and {0} more)", Errors.size() - 1);
  return Text;
}

/// "bounds, cores": the topics of which nothing was found, and nothing is
/// certain.
static std::string openTopics(const check::Report &Found) {
  std::vector<std::string> Open;
  for (unsigned T = 0; T < check::NumTopics; ++T) {
    auto Each = static_cast<check::Topic>(T);
    if (any_of(Found.Kernels, [&](const check::KernelReport &Kernel) {
          return isOpen(Found.verdictOf(Kernel, Each));
        }))
      Open.push_back(nameOf(Each).str());
  }
  return join(Open, ", ");
}

Validation belay::compiler::validateSource(const SourceToCheck &Source) {
  Validation Result;
  Result.What = Verdict::Unknown;
  check::Checker::Options Options;
  Options.Compiler.CacheRoot = Source.CacheRoot;
  if (Source.Timeout.count()) { // of the caller's time
    Options.Timeout =
        std::min(std::chrono::ceil<std::chrono::seconds>(Options.CpuTime),
                 std::chrono::ceil<std::chrono::seconds>(Source.Timeout));
    Options.CpuTime = {};
  }
  Expected<check::Checker> Checker = check::Checker::create(Options);
  if (!Checker) {
    Result.Reason = toString(Checker.takeError());
    return Result;
  }
  if (toolchain::usesKernelLanguage(Source.Content)) {
    Result.Reason = "it is of the kernel language, which 'belay build' and "
                    "'belay check' prove";
    return Result;
  }
  check::CheckRequest Request = requestFor(Source);
  check::Report Found = Checker->check(Request);
  if (!Found.Problems.empty()) {
    Result.Reason = whyUnreadable(Found, Request.Source, Source.Shown);
    Result.Broken = any_of(Found.Problems, [](const Diagnostic &Diag) {
      return Diag.Id == DiagId::BelayFailed;
    });
    return Result;
  }
  Result.Read = true;
  for (check::KernelReport &Kernel : Found.Kernels)
    for (Diagnostic &Diag : Kernel.Findings) {
      renameFile(Diag, Request.Source, Source.Shown);
      Result.Diags.push_back(std::move(Diag));
    }
  std::string Open = openTopics(Found);
  Result.What = !Result.Diags.empty() ? Verdict::Findings
                : Open.empty()        ? Verdict::Passed
                                      : Verdict::Unknown;
  if (!Open.empty())
    Result.Reason = "not everything could be told of " + Open;
  return Result;
}

std::string belay::compiler::checkerIdentity() {
  return toolchain::stamp(belay::support::getLibexecPath("belay-checker"));
}
