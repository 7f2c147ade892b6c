//===- HelperTexts.h - Functions for emitted code, as texts -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the texts `@` stands for the event that is kept for such functions, $0 for
// the function's own name, and $1 to $3 for the words beside the text.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_HELPERTEXTS_H
#define BELAY_EMIT_HELPERTEXTS_H

#include "emit/Helpers.h"

#include "llvm/ADT/ArrayRef.h"

namespace belay::emit {

struct HelperText {
  Helper Which;
  const char *Name;
  const char *Code;
  const char *Words[3] = {"", "", ""};
};

/// Copies rows to where indices say: $1 is a parameter and $2 an argument where
/// copies need space for a tail; $3 copies a row.
extern const char ScatterCode[];

/// What every architecture has.
llvm::ArrayRef<HelperText> copyHelpers();
/// Where copies are whole blocks of 32 bytes.
llvm::ArrayRef<HelperText> wholeBlockHelpers();

} // namespace belay::emit

#endif // BELAY_EMIT_HELPERTEXTS_H
