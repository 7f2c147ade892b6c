//===- DiagnosticError.cpp - Errors that carry a diagnostic ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/DiagnosticError.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace belay::support;

char DiagnosticError::ID = 0;

Error belay::support::makeError(DiagId Id, const Twine &Message,
                                ArrayRef<std::string> Notes) {
  Diagnostic Diag;
  Diag.Id = Id;
  Diag.Message = Message.str();
  for (const std::string &Note : Notes)
    Diag.Notes.push_back({{}, Note});
  return make_error<DiagnosticError>(std::move(Diag));
}

/// Whether an error is about the machine and not about what was asked for.
static bool isOfTheMachine(std::error_code Code) {
  for (std::errc Each :
       {std::errc::no_space_on_device, std::errc::not_enough_memory,
        std::errc::too_many_files_open, std::errc::io_error,
        std::errc::too_many_files_open_in_system,
        std::errc::resource_unavailable_try_again})
    if (Code == Each)
      return true;
  return false;
}

Diagnostic belay::support::toDiagnostic(Error E) {
  std::vector<Diagnostic> Diags;
  handleAllErrors(
      std::move(E),
      [&](const DiagnosticError &Own) { Diags.push_back(Own.diagnostic()); },
      [&](const ErrorInfoBase &Other) {
        DiagId Id = isOfTheMachine(Other.convertToErrorCode())
                        ? DiagId::BelayFailed
                        : DiagId::BadCase;
        Diags.push_back({Id, {}, Other.message(), {}});
      });
  Diagnostic First = std::move(Diags.front());
  for (Diagnostic &Diag : MutableArrayRef(Diags).drop_front()) {
    First.Notes.push_back({Diag.Where, Diag.Message});
    First.Notes.insert(First.Notes.end(), Diag.Notes.begin(), Diag.Notes.end());
  }
  return First;
}

ExitStatus belay::support::exitStatusOf(DiagId Id) {
  if (getInfo(Id).Level != belay::support::Severity::Error)
    return ExitStatus::Passed;
  switch (Id) {
  case DiagId::BadCase:
  case DiagId::ArgumentMismatch:
  case DiagId::BadBlockCount:
  case DiagId::BadExtent:
  case DiagId::ExpectsNotMet:
  case DiagId::OpHostFailed:
  case DiagId::TilingMismatch:
  case DiagId::OptionRefused:
  case DiagId::TimeUnknown:
    return ExitStatus::BadCase;
  case DiagId::CompileError:
  case DiagId::CannNotFound:
  case DiagId::DeviceCompileError:
  case DiagId::DeviceCompilerFailed:
    return ExitStatus::NotCompiled;
  case DiagId::KernelTimeout:
  case DiagId::KernelCrash:
  case DiagId::ForgedCall:
  case DiagId::MemoryLimit:
  case DiagId::CheckLimit:
    return ExitStatus::Stopped;
  case DiagId::BelayFailed:
  case DiagId::NoSandbox:
  case DiagId::UnprovenInstruction:
    return ExitStatus::Failed;
  default:
    return ExitStatus::Found;
  }
}
