//===- ProofReport.cpp - What was proven, as a report ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProofReport.h"

#include "lsp/Remarks.h"
#include "toolchain/ProvenKernels.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using belay::support::DiagId;
using belay::support::Diagnostic;
using llvm::lsp::DiagnosticSeverity;

static Diagnostic toDiagnostic(const belay::lsp::Remark &R,
                               const std::string &File) {
  const belay::support::DiagInfo *Info = belay::support::findDiagnostic(R.Id);
  Diagnostic D;
  D.Id = Info ? static_cast<DiagId>(Info - belay::support::AllDiagnostics)
              : DiagId::CompileError;
  D.Where = {File, R.Line, R.Column};
  D.Message = R.Message;
  D.Notes = R.Notes;
  D.Help = R.Help;
  return D;
}

report::CaseResult belay::tool::reportProof(const std::string &Source,
                                            StringRef Messages, bool Accepted) {
  report::CaseResult Result;
  Result.Name = Source;
  report::TopicVerdict Proof;
  Proof.Topic = "proof";
  Proof.Verdict = Accepted ? "clean" : "finding";
  for (const belay::lsp::Remark &R :
       belay::lsp::parseMessages(Messages, Source))
    if (!Accepted && toolchain::saysOnlyTemplates(R.Message)) {
      Proof.Verdict = "unknown";
      Proof.Reasons.push_back({{Source, 0, 0}, R.Message});
    } else if (R.Severity == DiagnosticSeverity::Error) {
      Result.Problems.push_back(toDiagnostic(R, Source));
    } else {
      Proof.Verdict = Accepted ? "unknown" : "finding";
      Proof.Reasons.push_back({{Source, R.Line, R.Column}, R.Message});
    }
  Result.Verdicts.push_back(std::move(Proof));
  return Result;
}

void belay::tool::addProof(report::CaseResult &Result,
                           const std::string &Source) {
  if (!Result.ProofMessages)
    return;
  Result.Proof =
      std::move(reportProof(Source, *Result.ProofMessages, /*Accepted=*/true)
                    .Verdicts[0]);
}
