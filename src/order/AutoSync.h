//===- AutoSync.h - What a target orders without being asked ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ORDER_AUTOSYNC_H
#define BELAY_ORDER_AUTOSYNC_H

#include "abi/Types.h"

namespace belay::sim {

/// Dependences that need no flag in the source, because the hardware interlocks
/// or because the compiler inserts the flag.
class AutoSync {
public:
  AutoSync(bool VectorInterlock, CoreKind Kind, bool CompilerInserts)
      : VectorInterlock(VectorInterlock),
        // bisheng inserts on vector cores only; on parts with one kind of core
        // it does for the vector unit.
        Inserts(CompilerInserts && Kind != CoreKind::Cube) {}

  bool orders(Pipe Before, Pipe After) const {
    if (Before == Pipe::S && After == Pipe::S)
      return true; // the scalar unit is in order
    if (Before == Pipe::V && After == Pipe::V)
      return VectorInterlock || Inserts;
    return Inserts && (scalarAnd(Before, After) || scalarAnd(After, Before));
  }

private:
  static bool scalarAnd(Pipe S, Pipe Other) {
    return S == Pipe::S &&
           (Other == Pipe::V || Other == Pipe::MTE2 || Other == Pipe::MTE3);
  }

  bool VectorInterlock;
  bool Inserts;
};

} // namespace belay::sim

#endif // BELAY_ORDER_AUTOSYNC_H
