//===- Atomic.h - Additions in global memory --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_ATOMIC_H
#define BELAY_MODEL_INSTRUCTIONS_ATOMIC_H

#include "model/core/Issue.h"

#include <cstring>
#include <mutex>

namespace belay::sim {

using CombineFn = void (*)(AtomicOp, void *Dst, const void *Src, size_t Bytes);
/// Dst = op(Dst, Src), element by element; null if the type has no atomics.
CombineFn findCombine(Elem T);

/// Writes of one instruction into its destination: plain, or combined with what
/// is there if SetAtomicAdd and its variants say so and it is global memory.
class Store {
public:
  /// Destination is the instruction's last declared operand.
  explicit Store(Issue &I)
      : Store(I, I.core().Regs.Atomic, I.core().Regs.AtomicType) {}
  Store(Issue &I, AtomicOp Op, Elem T);

  void operator()(void *Dst, const void *Src, size_t Bytes) const {
    if (Combine)
      Combine(Op, Dst, Src, Bytes);
    else
      std::memmove(Dst, Src, Bytes);
  }
  bool atomic() const { return Combine; }

private:
  CombineFn Combine = nullptr;
  AtomicOp Op = AtomicOp::None;
  std::unique_lock<std::mutex> Lock;
};

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_ATOMIC_H
