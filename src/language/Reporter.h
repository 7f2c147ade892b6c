//===- Reporter.h - Refusals, in Clang's voice ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LANGUAGE_REPORTER_H
#define BELAY_LANGUAGE_REPORTER_H

#include "support/DiagnosticIds.h"
#include "clang/Basic/Diagnostic.h"

namespace belay::language {

/// Reports errors of the language. Texts are Clang's format strings; the stable
/// id follows in brackets, as Clang shows its own groups.
class Reporter {
public:
  explicit Reporter(clang::DiagnosticsEngine &Engine) : Engine(Engine) {}

  clang::DiagnosticBuilder error(clang::SourceLocation Where,
                                 support::DiagId Id, llvm::StringRef Format) {
    ++NumErrors;
    llvm::StringRef Name = support::getName(Id);
    std::string Text = (Format + " [" + Name + "]").str();
    return Engine.Report(Where, Engine.getDiagnosticIDs()->getCustomDiagID(
                                    clang::DiagnosticIDs::Error, Text));
  }
  clang::DiagnosticBuilder note(clang::SourceLocation Where,
                                llvm::StringRef Format) {
    return Engine.Report(Where, Engine.getDiagnosticIDs()->getCustomDiagID(
                                    clang::DiagnosticIDs::Note, Format));
  }

  unsigned errors() const { return NumErrors; }

private:
  clang::DiagnosticsEngine &Engine;
  unsigned NumErrors = 0;
};

} // namespace belay::language

#endif // BELAY_LANGUAGE_REPORTER_H
