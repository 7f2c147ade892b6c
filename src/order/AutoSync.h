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

  /// ByPointer: one of the two is a load or a store through a plain pointer,
  /// for which bisheng inserts nothing: it does for GetValue, SetValue and
  /// instructions on tensors.
  bool orders(Pipe Before, Pipe After, bool ByPointer = false) const {
    if (Before == Pipe::S && After == Pipe::S)
      return true; // the scalar unit is in order
    bool Inserted = Inserts && !ByPointer;
    if (Before == Pipe::V && After == Pipe::V)
      return VectorInterlock || Inserted;
    return Inserted && (scalarAnd(Before, After) || scalarAnd(After, Before));
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
