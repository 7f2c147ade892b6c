//===- Diagnostics.h - Reports in the form that editors read ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_DIAGNOSTICS_H
#define BELAY_SUPPORT_DIAGNOSTICS_H

#include "support/DiagnosticIds.h"
#include "support/Styling.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace belay::support {

/// A place in a source file. Line 0: the file as a whole. No file: nowhere.
struct SourcePlace {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
};

/// A second place that explains the first: the other side, where it was freed.
struct DiagNote {
  SourcePlace Where;
  std::string Message;
};

/// The simulated core, and which of its visits to this location.
struct Visitor {
  std::string Core; // "vector core of block 0"
  /// Which execution in its block, from 1; 0 if not counted.
  uint32_t Execution = 0;
};

/// The second of two places that a finding is about.
struct OtherSide {
  SourcePlace Where;
  std::string Role; // "written by DataCopy on PIPE_MTE2"
  Visitor Who;
};

/// One thing that is wrong. Message says what happened with its numbers; what
/// the rule is stands on the page of the id. Notes tell people the whole story;
/// the fields after Help repeat parts of it for programs.
struct Diagnostic {
  DiagId Id;
  SourcePlace Where;
  std::string Message;
  std::vector<DiagNote> Notes;
  /// How to fix it, in one line.
  std::string Help = {};
  /// Statements that fix it if they are inserted before Where.
  std::string Insert = {};
  Visitor Who = {};
  std::optional<OtherSide> Other = {};
  /// The buffer as the kernel calls it.
  std::string Buffer = {};
  uint32_t Count = 1;
};

/// Prints as compilers do, so that editors and CI find the line:
///
///   add.cpp:41:5: error: ... [gm-out-of-bounds]
///       DataCopy(x, gm[i], 128);
///       ^
///   add.cpp:20: note: ...
///   belay: help: ...
///
/// The source line is shown where the file can still be read.
void printDiagnostic(llvm::raw_ostream &OS, const Diagnostic &Diag,
                     const Styling &Style);

/// "belay explain a", "belay explain b": one line that sends the reader to the
/// pages of the ids in \p Diags, each once.
void printExplainHint(llvm::raw_ostream &OS, llvm::ArrayRef<Diagnostic> Diags,
                      const Styling &Style);

/// The page of a diagnostic, Markdown, as written in docs/errors/<id>.md. Empty
/// if there is none, which a test forbids.
llvm::StringRef getExplainPage(llvm::StringRef Name);

/// Names of all embedded pages, sorted.
std::vector<llvm::StringRef> allExplainPages();

} // namespace belay::support

#endif // BELAY_SUPPORT_DIAGNOSTICS_H
