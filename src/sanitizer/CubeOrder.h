//===- CubeOrder.h - What the cube orders by itself -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_CUBEORDER_H
#define BELAY_SANITIZER_CUBEORDER_H

#include "model/core/Observer.h"
#include "order/PipeClocks.h"

#include <vector>

namespace belay::sim {

/// Accesses to L0C that need no flag and no barrier: an Mmad that adds to the
/// result of a large one, and Mmad and Fixpipe that both use unit flags and so
/// hand over each block of the result by itself.
class CubeOrder {
public:
  void note(const InstructionRecord &I, Epoch Now) {
    if (I.UnitFlag)
      set(Now, UnitFlag);
    if (I.Interlocked)
      set(Now, Interlocked);
  }

  bool orders(Epoch Before, Epoch Now) const {
    if (Before.On == Pipe::M && Now.On == Pipe::M)
      return has(Before, Interlocked);
    return has(Before, UnitFlag) && has(Now, UnitFlag);
  }

private:
  enum Trait : uint8_t { UnitFlag = 1, Interlocked = 2 };

  /// What is known of each instruction of the two pipes, by its time.
  std::vector<uint8_t> Matrix, Fixpipe;

  void set(Epoch E, Trait T) {
    auto &Traits = E.On == Pipe::M ? Matrix : Fixpipe;
    if (Traits.size() <= E.Time)
      Traits.resize(E.Time + 1);
    Traits[E.Time] |= T;
  }
  bool has(Epoch E, Trait T) const {
    if (E.On != Pipe::M && E.On != Pipe::FIX)
      return false;
    const auto &Traits = E.On == Pipe::M ? Matrix : Fixpipe;
    return E.Time < Traits.size() && (Traits[E.Time] & T);
  }
};

} // namespace belay::sim

#endif // BELAY_SANITIZER_CUBEORDER_H
