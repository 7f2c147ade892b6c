//===- Remarks.h - What is said about lines of a source -------------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LSP_REMARKS_H
#define BELAY_LSP_REMARKS_H

#include "support/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"
#include <string>
#include <vector>

namespace belay::lsp {

/// One thing that is said about a place of a source: a finding, a message of a
/// compiler, a question that stays open.
struct Remark {
  /// From 1, in bytes, as compilers count; 0: the file, or the line as a whole.
  unsigned Line = 0, Column = 0;
  llvm::lsp::DiagnosticSeverity Severity = llvm::lsp::DiagnosticSeverity::Error;
  /// Of Belay's diagnostics; "" for those of Clang.
  std::string Id;
  std::string Message;
  /// How to fix it, and statements that do if they stand before the line.
  std::string Help, Insert;
  std::vector<support::DiagNote> Notes;
};

/// A finding as a remark about the file Path. Of one in another file, the
/// remark is about the file as a whole, and says where.
Remark toRemark(const support::Diagnostic &Diag, llvm::StringRef Path);

/// Messages in the form of compilers ("file:3:5: error: text [id]"), with their
/// notes and helps.
std::vector<Remark> parseMessages(llvm::StringRef Text, llvm::StringRef Path);

/// The range of the text that a remark is about, in UTF-16 units as editors
/// count: a word, or a line.
llvm::lsp::Range rangeOf(const Remark &About, llvm::StringRef Text);

/// The line, counted from 1, without its end. As editors and Clang count, a
/// carriage return alone ends a line, too.
llvm::StringRef lineOf(llvm::StringRef Text, unsigned Line);

} // namespace belay::lsp

#endif // BELAY_LSP_REMARKS_H
