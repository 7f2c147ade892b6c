//===- PipeClocks.h - What each pipe knows to be complete -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The order between the pipes of one core, as a vector clock per pipe. The
// scalar unit's control flow is fixed for a run, and each flag has one producer
// and one consumer pipe that both work in order; so the order computed here is
// the same in every schedule the hardware may choose, and two accesses that it
// leaves unordered really can happen in either order.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ORDER_PIPECLOCKS_H
#define BELAY_ORDER_PIPECLOCKS_H

#include "abi/Types.h"

#include <algorithm>
#include <array>

namespace belay::sim {

inline constexpr unsigned NumPipes = static_cast<unsigned>(Pipe::All);

/// For each pipe, how many of its instructions are known to be complete.
struct Clock {
  std::array<uint32_t, NumPipes> Done = {};
  /// The same for what the scalar unit stores to local memory (SetValue). It is
  /// done with a store when it has issued it; the memory has it later.
  uint32_t Stored = 0;

  uint32_t &operator[](Pipe P) { return Done[static_cast<unsigned>(P)]; }
  uint32_t operator[](Pipe P) const { return Done[static_cast<unsigned>(P)]; }
  void join(const Clock &Other) {
    for (unsigned P = 0; P < NumPipes; ++P)
      Done[P] = std::max(Done[P], Other.Done[P]);
    Stored = std::max(Stored, Other.Stored);
  }
};

/// One instruction: the Time-th of its pipe. Time 0 means never.
struct Epoch {
  uint32_t Time = 0;
  Pipe On = Pipe::S;
};

class PipeClocks {
public:
  /// What an instruction issued now inherits: all that the scalar unit knows,
  /// and all that it has done itself, which is complete before it issues. Only
  /// its stores to local memory may still be on their way.
  Clock scalarNow() const {
    Clock C = Known[index(Pipe::S)];
    C[Pipe::S] = Issued[Pipe::S];
    return C;
  }

  /// P takes in an instruction that was issued when the scalar unit knew
  /// Scalar.
  Epoch issue(Pipe P, const Clock &Scalar) {
    Known[index(P)].join(Scalar);
    return {++Issued[P], P};
  }

  /// Whether an earlier instruction is complete when the newest one of P
  /// starts.
  bool ordered(Epoch Before, Pipe P) const {
    return Known[index(P)][Before.On] >= Before.Time;
  }

  /// The same for a store of the scalar unit to local memory.
  bool storeOrdered(Epoch Before, Pipe P) const {
    return P == Pipe::S || Known[index(P)].Stored >= Before.Time;
  }

  /// What a flag set now on P tells its receiver: all that P knows, and all
  /// that was issued into P before. Setting does not stop P itself.
  Clock publish(Pipe P) const {
    Clock C = Known[index(P)];
    C[P] = Issued[P];
    if (P == Pipe::S)
      C.Stored = Issued[P];
    return C;
  }
  void receive(Pipe P, const Clock &C) { Known[index(P)].join(C); }

  /// Later instructions of P start after the earlier ones have ended.
  void barrier(Pipe P) {
    Known[index(P)][P] = Issued[P];
    if (P == Pipe::S)
      Known[index(P)].Stored = Issued[P];
  }
  void barrierAll() {
    Clock All = Issued;
    All.Stored = Issued[Pipe::S];
    for (Clock &K : Known)
      K = All;
  }

  /// One dependence that the compiler or the hardware takes care of.
  void order(Epoch Before, Pipe P) {
    uint32_t &Done = Known[index(P)][Before.On];
    Done = std::max(Done, Before.Time);
  }
  void orderStore(Epoch Before, Pipe P) {
    uint32_t &Stored = Known[index(P)].Stored;
    Stored = std::max(Stored, Before.Time);
  }

private:
  static unsigned index(Pipe P) { return static_cast<unsigned>(P); }

  Clock Issued;
  std::array<Clock, NumPipes> Known;
};

} // namespace belay::sim

#endif // BELAY_ORDER_PIPECLOCKS_H
