//===- ThreadFunction.h - A function of many threads, in the model -*- C++ -*-//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the rest of the model a function of threads is one instruction of the
// vector unit. In a plain run its code is executed here; in a sealed run by the
// kernel's process, which sends what is told below. All of it is checked.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_THREADS_THREADFUNCTION_H
#define BELAY_MODEL_THREADS_THREADFUNCTION_H

#include "abi/Threads.h"
#include "model/core/Core.h"
#include "model/threads/ThreadAccesses.h"
#include "threads/ThreadBlock.h"

namespace belay::sim {

class ThreadFunction : public ThreadListener {
public:
  /// That of the core which the calling thread plays.
  static ThreadFunction &current();

  /// False if this core leaves it out, because it has no vector unit.
  bool begin(uint32_t X, uint32_t Y, uint32_t Z, const void *PC);
  void end(const void *PC);
  bool isInside() const { return Inside; }

  void access(uint32_t Thread, const void *Address, uint64_t Bytes, bool Write,
              const void *PC);
  void event(ThreadEvent What, uint32_t Thread, uint32_t Other, uint32_t Mask,
             const void *PC);
  /// Returns the bits that were there.
  uint64_t atomic(uint32_t Thread, ThreadAtomic Op, Elem T, void *Address,
                  uint64_t Value, uint64_t Expected, const void *PC);

  void onStack(const Stack &S) override;
  void onEvent(ThreadEvent What, uint32_t Thread, uint32_t Other, uint32_t Mask,
               const ThreadCaller &From) override {
    event(What, Thread, Other, Mask, From.PC);
  }

private:
  void requireInside(uint32_t Thread, const void *PC) const;

  Core *C = nullptr;
  bool Inside = false, Watched = false, Dropped = false;
  uint32_t Count = 0;
  const void *BeginPC = nullptr;
  ThreadAccesses Seen;
};

} // namespace belay::sim

#endif // BELAY_MODEL_THREADS_THREADFUNCTION_H
