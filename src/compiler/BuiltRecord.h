//===- BuiltRecord.h - What is kept beside a binary -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_BUILTRECORD_H
#define BELAY_COMPILER_BUILTRECORD_H

#include "compiler/Validation.h"

namespace belay::compiler {

/// What the checker and the compiler said of a source, for whoever gets the
/// binary from the cache.
struct BuiltRecord {
  std::string Source; ///< As the user called it.
  std::string Target, Output, Cann;
  Validation::Verdict Checked = Validation::Verdict::NotRun;
  bool Read = false; ///< Whether the checker could read the source.
  std::string Reason, Log;
  std::vector<support::Diagnostic> Findings;
};

std::string toText(const BuiltRecord &Record);
/// Nothing for a text that toText did not make.
std::optional<BuiltRecord> parseBuiltRecord(llvm::StringRef Text);

} // namespace belay::compiler

#endif // BELAY_COMPILER_BUILTRECORD_H
