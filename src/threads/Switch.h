//===- Switch.h - From one stack to another ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_THREADS_SWITCH_H
#define BELAY_THREADS_SWITCH_H

#include <cstddef>
#include <cstdint>

namespace belay::sim {

/// Memory of its own for the stack of one thread, with a page below it that
/// nobody may touch.
struct Stack {
  uint8_t *Begin = nullptr, *End = nullptr;
};

/// Memory for stacks, that nobody gives back: whoever holds the kernel knows
/// what counts against its memory limit.
void *reserveStacks(size_t Bytes);

/// Stacks are kept for the next function. All may ask for one.
Stack takeStack();
void giveStack(const Stack &S);

/// A stack pointer that starts Enter, which never returns, on an unused stack.
/// Colour moves it a little: stacks that all begin at the same offset of their
/// pages share few lines of the caches.
void *prepareStack(const Stack &S, void (*Enter)(), uint32_t Colour);

} // namespace belay::sim

/// Leaves the running code, whose stack pointer is kept in *From, for that of
/// To. Returns when someone switches back.
extern "C" __attribute__((visibility("hidden"))) void
belay_switch_stack(void **From, void *To);

#endif // BELAY_THREADS_SWITCH_H
