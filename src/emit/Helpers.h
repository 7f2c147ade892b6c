//===- Helpers.h - What emitted code defines for itself ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic that C++ has no operator for, and the check of a guard. None of
// them issues an instruction: these are in the IR, where the proofs read them.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_HELPERS_H
#define BELAY_EMIT_HELPERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace belay::emit {

enum class Helper { CeilDiv, FloorDiv, Guard };

/// Those that a kernel uses.
class Helpers {
public:
  /// Its name, to be called.
  llvm::StringRef use(Helper Helper);
  void print(llvm::raw_ostream &Out) const;

private:
  std::set<Helper> Used;
};

} // namespace belay::emit

#endif // BELAY_EMIT_HELPERS_H
