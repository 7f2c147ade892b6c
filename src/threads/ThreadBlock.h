//===- ThreadBlock.h - The threads of one function --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the code of a function for one thread after the other. A thread that has
// to wait (a barrier, an exchange with its warp) keeps its stack and is left; a
// thread that ends leaves its stack to the next, so that a function without
// such calls is a loop over its threads.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_THREADS_THREADBLOCK_H
#define BELAY_THREADS_THREADBLOCK_H

#include "abi/Threads.h"
#include "threads/Switch.h"

#include <vector>

namespace belay::sim {

/// The call of the kernel that something happens in.
struct ThreadCaller {
  const void *PC, *Frame;
};

/// Whoever holds the kernel hears what its threads do.
class ThreadListener {
public:
  virtual ~ThreadListener() = default;
  /// Before code of the kernel runs on another stack.
  virtual void onStack(const Stack &S) = 0;
  virtual void onEvent(ThreadEvent What, uint32_t Thread, uint32_t Other,
                       uint32_t Mask, const ThreadCaller &From) = 0;
};

class ThreadBlock {
public:
  /// The one whose code is running, or null.
  static ThreadBlock *current() { return Current; }

  ThreadBlock(ThreadListener &L, ThreadBody *Body, void *Closure, uint32_t X,
              uint32_t Y, uint32_t Z);
  ~ThreadBlock();
  ThreadBlock(const ThreadBlock &) = delete;
  ThreadBlock &operator=(const ThreadBlock &) = delete;

  /// Until all threads have ended.
  void run();

  // Of the running thread.
  uint32_t thread() const { return Now; }
  uint32_t index(uint32_t Dimension) const;
  uint32_t extent(uint32_t Dimension) const {
    return Dimension < 3 ? Extents[Dimension] : 1;
  }
  void barrier(const ThreadCaller &From);
  uint64_t exchange(const WarpCall &Call, const ThreadCaller &From);
  /// Lets the others go on first: this one may wait for what they do.
  void pass();

private:
  enum class State : uint8_t {
    Ready,
    Passed, // ready when all others have run
    AtBarrier,
    AtExchange,
    Ended,
  };
  struct Fiber {
    Stack Memory;
    void *Pointer = nullptr; // while it is left
  };
  struct Thread {
    State Is = State::Ready;
    uint32_t Fiber = NoFiber;
    /// Of a barrier: a thread that does not come to it.
    uint32_t Missing = NoFiber;
    ThreadEvent Why = ThreadEvent::Barrier;
    /// Of an exchange: the lane that is asked for and not there.
    uint32_t Absent = NoFiber;
    WarpCall Call = {};
    uint64_t Result = 0;
    ThreadCaller At = {};
  };
  static constexpr uint32_t NoFiber = ~0u;

  static void enter();
  uint32_t freeFiber();
  void resume(uint32_t T);
  void leave(State S);
  void runWarp(uint32_t First, uint32_t Last);
  bool settleWarp(uint32_t First, uint32_t Last);
  void exchangeAmong(uint32_t First, uint32_t Mask);
  bool settle();
  void openBarrier();

  static thread_local ThreadBlock *Current
      __attribute__((tls_model("initial-exec")));
  ThreadListener &Listener;
  ThreadBody *Body;
  void *Closure;
  uint32_t Extents[3], Count;
  uint32_t Now = 0;
  void *Scheduler = nullptr;
  std::vector<Thread> Threads;
  std::vector<Fiber> Fibers;
  std::vector<uint32_t> Idle; // fibers whose thread has ended
};

} // namespace belay::sim

#endif // BELAY_THREADS_THREADBLOCK_H
