//===- DiagnosticError.h - Errors that carry a diagnostic -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_DIAGNOSTICERROR_H
#define BELAY_SUPPORT_DIAGNOSTICERROR_H

#include "support/Diagnostics.h"
#include "support/ExitStatus.h"
#include "llvm/Support/Error.h"

namespace belay::support {

/// An error with an id of its own. Plain string errors count as `bad-case`.
class DiagnosticError : public llvm::ErrorInfo<DiagnosticError> {
public:
  static char ID;

  explicit DiagnosticError(Diagnostic Diag) : Diag(std::move(Diag)) {}

  void log(llvm::raw_ostream &OS) const override { OS << Diag.Message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  const Diagnostic &diagnostic() const { return Diag; }

private:
  Diagnostic Diag;
};

/// An error without a place in a source file.
llvm::Error makeError(DiagId Id, const llvm::Twine &Message,
                      llvm::ArrayRef<std::string> Notes = {});

/// The diagnostic inside an error; several errors are joined as notes.
Diagnostic toDiagnostic(llvm::Error E);

ExitStatus exitStatusOf(DiagId Id);

} // namespace belay::support

#endif // BELAY_SUPPORT_DIAGNOSTICERROR_H
