//===- Hints.h - What a message of Clang means in a kernel ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LANGUAGE_HINTS_H
#define BELAY_LANGUAGE_HINTS_H

#include "llvm/ADT/StringRef.h"

namespace belay::language {

struct Hint {
  llvm::StringRef Text; ///< Empty if there is none.
  /// Clang's own notes list overloads, which say less.
  bool SaysAll = false;
};

/// What to write instead of what Clang does not understand, for habits of C++
/// and of AscendC. At is the source from the place that the error names.
Hint hintFor(llvm::StringRef Error, llvm::StringRef At);

} // namespace belay::language

#endif // BELAY_LANGUAGE_HINTS_H
