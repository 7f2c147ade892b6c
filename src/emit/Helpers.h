//===- Helpers.h - Functions that emitted code brings along -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar functions, and the copies of the 310P, which are the last operations
// that are not single instructions when they are written. These functions stand
// before the kernels that use them.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_HELPERS_H
#define BELAY_EMIT_HELPERS_H

#include "targets/Target.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace belay::emit {

/// The order is that in which they are written.
enum class Helper {
  CeilDiv,
  FloorDiv,
  Guard,
  PlaceOf,
  CopyIn,
  CopyInPadded,
  CopyInStrided,
  CopyOut,
  AddOut,
  CopyOutStrided,
  GatherRows,
  GatherElements,
  ScatterRows,
  ScatterAddRows,
  ScatterElements,
};

class Helpers {
public:
  explicit Helpers(const targets::Arch &Arch) : Arch(Arch) {}

  /// Its name, to be called.
  llvm::StringRef use(Helper Helper);
  void print(llvm::raw_ostream &Out) const;

private:
  const targets::Arch &Arch;
  std::set<Helper> Used;
};

/// Event of pairs with the scalar unit that these functions use inside.
unsigned internalEvent(const targets::Arch &Arch);

} // namespace belay::emit

#endif // BELAY_EMIT_HELPERS_H
