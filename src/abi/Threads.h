//===- Threads.h - What calls are given: code for threads -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the 3510 that many threads execute. Their code runs where the
// kernel is loaded (src/threads); what the model is told of it are notes with
// the number of the thread (decision 20).
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_THREADS_H
#define BELAY_ABI_THREADS_H

#include "abi/Types.h"

namespace belay::sim {

inline constexpr uint32_t MostThreads = 2048, WarpThreads = 32;

/// What each thread executes, with what the caller gave.
using ThreadBody = void(void *Closure);

/// Among the threads of a warp that are active.
enum class WarpOp : uint8_t {
  Shuffle, // from lane Argument of the group
  Up,      // from the lane that is Argument lower
  Down,
  Xor,
  All,
  Any,
  Ballot,
  ActiveMask,
  ReduceAdd,
  ReduceMax,
  ReduceMin,
};

struct WarpCall {
  WarpOp Op;
  Elem Type;
  uint32_t Argument, Width;
  uint64_t Value;
};

enum class ThreadAtomic : uint8_t {
  Add,
  Sub,
  Exchange,
  Max,
  Min,
  Inc, // back to 0 above the operand
  Dec, // to the operand at 0 and above it
  And,
  Or,
  Xor,
  Compare, // replaces what equals Expected
};
constexpr const char *nameOf(ThreadAtomic Op) {
  constexpr const char *Names[] = {
      "asc_atomic_add", "asc_atomic_sub", "asc_atomic_exch", "asc_atomic_max",
      "asc_atomic_min", "asc_atomic_inc", "asc_atomic_dec",  "asc_atomic_and",
      "asc_atomic_or",  "asc_atomic_xor", "asc_atomic_cas"};
  return Names[static_cast<unsigned>(Op)];
}

/// What threads do besides touching memory.
enum class ThreadEvent : uint8_t {
  Barrier,   // all threads have passed one
  Warp,      // the lanes Mask of the warp of Thread have exchanged something
  Fence,     // of Thread, for its block
  Diverged,  // Thread waits at a barrier that Other does not come to
  Elsewhere, // ... that Other waits for at another line
  Inactive,  // Thread asks for a value of Other, which is not active
};

/// How an atomic changes a value of type T; src/model and the issuer of sealed
/// runs, which has the unified buffer to itself, carry them out.
template <typename T>
constexpr T applyAtomic(ThreadAtomic Op, T Now, T Value, T Expected) {
  constexpr bool IsFloat = T(0.5) != T(0);
  switch (Op) {
  case ThreadAtomic::Exchange:
    return Value;
  case ThreadAtomic::Max:
    return Now > Value ? Now : Value;
  case ThreadAtomic::Min:
    return Now < Value ? Now : Value;
  case ThreadAtomic::Compare:
    return Now == Expected ? Value : Now;
  case ThreadAtomic::Add:
    if constexpr (IsFloat)
      return Now + Value;
    else
      return static_cast<T>(static_cast<uint64_t>(Now) +
                            static_cast<uint64_t>(Value));
  case ThreadAtomic::Sub:
    if constexpr (IsFloat)
      return Now - Value;
    else
      return static_cast<T>(static_cast<uint64_t>(Now) -
                            static_cast<uint64_t>(Value));
  default:
    break;
  }
  if constexpr (!IsFloat)
    switch (Op) {
    case ThreadAtomic::Inc:
      return Now >= Value ? T(0) : T(Now + 1);
    case ThreadAtomic::Dec:
      return Now == T(0) || Now > Value ? Value : T(Now - 1);
    case ThreadAtomic::And:
      return Now & Value;
    case ThreadAtomic::Or:
      return Now | Value;
    case ThreadAtomic::Xor:
      return Now ^ Value;
    default:
      break;
    }
  return Now;
}

/// Whether there is an atomic for values of a type.
constexpr bool hasAtomic(ThreadAtomic Op, Elem T) {
  switch (T) {
  case Elem::S32:
  case Elem::S64:
    return Op != ThreadAtomic::Inc && Op != ThreadAtomic::Dec;
  case Elem::U32:
  case Elem::U64:
    return true;
  case Elem::F32:
    return Op <= ThreadAtomic::Min || Op == ThreadAtomic::Compare;
  default:
    return false;
  }
}

/// Carries one out on bits in memory; returns what was there.
template <typename T>
uint64_t atomicOnBits(ThreadAtomic Op, void *Address, uint64_t Value,
                      uint64_t Expected) {
  T Now, V, E;
  __builtin_memcpy(&Now, Address, sizeof(T));
  __builtin_memcpy(&V, &Value, sizeof(T));
  __builtin_memcpy(&E, &Expected, sizeof(T));
  uint64_t Old = 0;
  __builtin_memcpy(&Old, &Now, sizeof(T));
  Now = applyAtomic<T>(Op, Now, V, E);
  __builtin_memcpy(Address, &Now, sizeof(T));
  return Old;
}
inline uint64_t atomicOnBits(ThreadAtomic Op, Elem T, void *Address,
                             uint64_t Value, uint64_t Expected) {
  switch (T) {
  case Elem::S32:
    return atomicOnBits<int32_t>(Op, Address, Value, Expected);
  case Elem::U32:
    return atomicOnBits<uint32_t>(Op, Address, Value, Expected);
  case Elem::S64:
    return atomicOnBits<int64_t>(Op, Address, Value, Expected);
  case Elem::U64:
    return atomicOnBits<uint64_t>(Op, Address, Value, Expected);
  default:
    return atomicOnBits<float>(Op, Address, Value, Expected);
  }
}

/// Whether an atomic changed nothing: its thread may be waiting for another.
inline bool mayWait(ThreadAtomic Op, Elem T, uint64_t Old, uint64_t Value,
                    uint64_t Expected) {
  uint64_t Now = Old;
  atomicOnBits(Op, T, &Now, Value, Expected);
  return Now == Old;
}

} // namespace belay::sim

#endif // BELAY_ABI_THREADS_H
