//===- replay.h - A recorded launch, on the device --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls a kernel with the words that multikernelbench/record.h wrote down, and
// the addresses that tensors have in this launch.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MULTIKERNELBENCH_REPLAY_H
#define BELAY_MULTIKERNELBENCH_REPLAY_H

#include "kernel_operator.h"
#include "multikernelbench/record.h"

namespace belay::record {

/// Tensors of the launch, inputs and then the result; which of the allocated
/// ones is the result; and where in Room the others are.
struct Memory {
  using Address = GM_ADDR; // a macro, which const would belong to
  const Address *Tensors;
  unsigned Inputs;
  uint64_t Result;
  const uint64_t *Places;
  Address Room;

  __aicore__ inline Address at(uint64_t Number) const {
    if (Number == Result)
      return Tensors[Inputs];
    return Number >= FirstAllocated ? Room + Places[Number - FirstAllocated]
                                    : Tensors[Number - 1];
  }
};

template <typename T>
__aicore__ inline T take(const uint64_t *Words, unsigned &At, const Memory &M) {
  if constexpr (std::is_pointer_v<T>) {
    uint64_t Word = Words[At++];
    uint64_t Number = Word >> AddressBits;
    uint64_t Offset = Word & ((uint64_t(1) << AddressBits) - 1);
    if (Number == 0)
      return nullptr;
    return reinterpret_cast<T>(M.at(Number) + Offset);
  } else {
    T Value;
    __builtin_memcpy(&Value, Words + At, sizeof(T));
    At += (sizeof(T) + 7) / 8;
    return Value;
  }
}

template <typename... P>
__aicore__ inline void call(void (*Kernel)(P...), const uint64_t *Words,
                            const Memory &M) {
  unsigned At = 0;
  // In braces arguments are taken from left to right.
  struct Arguments {
    void (*Kernel)(P...);
    __aicore__ inline Arguments(void (*Kernel)(P...), std::decay_t<P>... Values)
        : Kernel(Kernel) {
      Kernel(Values...);
    }
  };
  Arguments{Kernel, take<std::decay_t<P>>(Words, At, M)...};
}

} // namespace belay::record

#endif // BELAY_MULTIKERNELBENCH_REPLAY_H
