//===- DiagnosticIds.h - The ids of all diagnostics -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ids without the printing, and without LLVM, for the simulated core.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_DIAGNOSTICIDS_H
#define BELAY_SUPPORT_DIAGNOSTICIDS_H

#include <cstdint>
#include <string_view>

namespace belay::support {

enum class DiagId : uint16_t {
#define BELAY_DIAGNOSTIC(Enumerator, Id, Level, Title) Enumerator,
#include "support/Diagnostics.def"
};

enum class Severity : uint8_t { Note, Warning, Error };

constexpr std::string_view nameOf(Severity Level) {
  return Level == Severity::Error     ? "error"
         : Level == Severity::Warning ? "warning"
                                      : "note";
}

struct DiagInfo {
  DiagId Id;
  std::string_view Name; ///< "gm-out-of-bounds".
  Severity Level;
  std::string_view Title;
};

inline constexpr DiagInfo AllDiagnostics[] = {
#define BELAY_DIAGNOSTIC(Enumerator, Id, Level, Title)                         \
  {DiagId::Enumerator, Id, Severity::Level, Title},
#include "support/Diagnostics.def"
};

constexpr const DiagInfo &getInfo(DiagId Id) {
  return AllDiagnostics[static_cast<uint16_t>(Id)];
}

constexpr std::string_view getName(DiagId Id) { return getInfo(Id).Name; }

/// The diagnostic with this exact name, or null.
constexpr const DiagInfo *findDiagnostic(std::string_view Name) {
  for (const DiagInfo &Info : AllDiagnostics)
    if (Info.Name == Name)
      return &Info;
  return nullptr;
}

} // namespace belay::support

#endif // BELAY_SUPPORT_DIAGNOSTICIDS_H
