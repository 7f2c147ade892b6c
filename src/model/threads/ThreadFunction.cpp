//===- ThreadFunction.cpp - A function of many threads, in the model ------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/threads/ThreadFunction.h"

#include "abi/Functions.h"
#include "model/core/Device.h"
#include "model/core/FunctionNames.h"
#include "model/core/Issue.h"

#include <cstdlib>
#include <mutex>
#include <sys/mman.h>

namespace belay::sim {

/// Shared memory does not count against the kernel's limit.
void *reserveStacks(size_t Bytes) {
  void *Room = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Room == MAP_FAILED)
    std::abort();
  return Room;
}

ThreadFunction &ThreadFunction::current() {
  static thread_local ThreadFunction TheFunction;
  return TheFunction;
}

static void checkExtents(uint32_t X, uint32_t Y, uint32_t Z, const void *PC) {
  uint64_t All = uint64_t(X) * Y;
  All = All > MostThreads ? All : All * Z;
  if (All == 0 || All > MostThreads)
    fail("thread-count", PC,
         "start 1 to 2048 threads: give each more elements, or call the "
         "function again for the rest",
         "a function is started with %u x %u x %u threads; a core has 1 to %u",
         X, Y, Z, MostThreads);
}

/// The threads' data cache lies in the UB as well, above what the API keeps.
static void checkCapacity(const Core &C, const void *PC) {
  constexpr uint32_t Cache = 32 << 10;
  uint32_t Used = C.Used[static_cast<unsigned>(Space::UB)],
           Most = C.machine().UsableUbBytes - Cache;
  if (Used > Most)
    fail(
        "local-capacity", PC,
        "make the buffers smaller: a function of threads needs 32 KB of UB for "
        "its data cache",
        "the buffers of this kernel take %u bytes of UB, and functions of "
        "threads leave %u",
        Used, Most);
}

bool ThreadFunction::begin(uint32_t X, uint32_t Y, uint32_t Z, const void *PC) {
  if (Inside && C == Core::currentOrNull())
    fail("unsupported-api", PC, "let the function that calls it start it",
         "a function of threads is started inside of another");
  checkExtents(X, Y, Z, PC);
  Issue I(ThreadsName, Pipe::V, PC);
  I.drain();
  I.record().OfFunction = true;
  C = &I.core();
  C->NumNotes = 0;
  BeginPC = PC;
  Count = X * Y * Z;
  Dropped = I.dropped();
  checkCapacity(*C, PC);
  Watched = C->Watcher && !Dropped;
  Inside = true;
  if (Watched)
    Seen.begin(*C, Count, X, Y);
  return !Dropped;
}

void ThreadFunction::end(const void *PC) {
  if (!Inside || C != Core::currentOrNull())
    fail("unsupported-api", PC, "call it by asc_vf_call",
         "a function of threads ends that has not begun");
  if (Watched && C->Watcher)
    Seen.end();
  Inside = false;
}

void ThreadFunction::requireInside(uint32_t Thread, const void *PC) const {
  if (!Inside || C != Core::currentOrNull() || Thread >= Count)
    fail("unsupported-api", PC,
         "call the function by asc_vf_call, or start the kernel with threads",
         "only functions of threads have threads");
}

void ThreadFunction::access(uint32_t Thread, const void *Address,
                            uint64_t Bytes, bool Write, const void *PC) {
  requireInside(Thread, PC);
  if (Watched && C->Watcher && Bytes)
    Seen.access({Thread, PC, "a pointer", Write, /*Atomic=*/false}, Address,
                Bytes);
}

void ThreadFunction::event(ThreadEvent What, uint32_t Thread, uint32_t Other,
                           uint32_t Mask, const void *PC) {
  requireInside(Thread, PC);
  Other = std::min(Other, MostThreads - 1); // a lane that no thread has
  if (Watched && C->Watcher)
    return Seen.event(What, Thread, Other, Mask, PC);
  // The device would wait for ever.
  if (What == ThreadEvent::Diverged || What == ThreadEvent::Elsewhere) {
    const ThreadAccesses::Misuse M = ThreadAccesses::misuseOf(
        What, std::to_string(Thread), std::to_string(Other));
    fail(M.Id, PC, M.Hint, "%s", M.Message.c_str());
  }
}

/// The vector units of all cores share one lock, as they share one L2.
static uint64_t applyAlone(ThreadAtomic Op, Elem T, void *Address,
                           uint64_t Value, uint64_t Expected) {
  static std::mutex OneAtATime;
  std::lock_guard<std::mutex> Lock(OneAtATime);
  return atomicOnBits(Op, T, Address, Value, Expected);
}

uint64_t ThreadFunction::atomic(uint32_t Thread, ThreadAtomic Op, Elem T,
                                void *Address, uint64_t Value,
                                uint64_t Expected, const void *PC) {
  requireInside(Thread, PC);
  if (!hasAtomic(Op, T))
    fail("unsupported-dtype", PC, "use a type that the atomic has",
         "%s has no form for %s", nameOf(Op), nameOf(T));
  if (reinterpret_cast<uintptr_t>(Address) % bytesOf(T))
    fail("misaligned-address", PC, "align the element to its size",
         "%s works on an address that is no multiple of %u bytes", nameOf(Op),
         bytesOf(T));
  if (Watched && C->Watcher)
    Seen.access({Thread, PC, nameOf(Op), /*Write=*/true, /*Atomic=*/true},
                Address, bytesOf(T));
  else
    Seen.inside(*C, {Thread, PC, nameOf(Op), true, true}, Address, bytesOf(T));
  uint64_t Old = applyAlone(Op, T, Address, Value, Expected);
  if (Op >= ThreadAtomic::Exchange && C->device().plan().NumBlocks > 1)
    C->device().slots().yield(); // it may wait for another core
  return Old;
}

void ThreadFunction::onStack(const Stack &S) {
  setStackBounds(reinterpret_cast<uintptr_t>(S.Begin),
                 reinterpret_cast<uintptr_t>(S.End));
}

} // namespace belay::sim

using namespace belay::sim;

#define BELAY_CALLER                                                           \
  ThreadCaller { BELAY_PC, __builtin_frame_address(0) }

/// The block of the running thread; ends the run outside of one.
static ThreadBlock &block(const void *PC) {
  if (ThreadBlock *B = ThreadBlock::current())
    return *B;
  fail("unsupported-api", PC,
       "call the function by asc_vf_call, or start the kernel with threads",
       "only functions of threads have threads");
}

bool belay_sim_threads_run(ThreadBody *Body, void *Closure, uint32_t X,
                           uint32_t Y, uint32_t Z) {
  ThreadFunction &F = ThreadFunction::current();
  if (F.begin(X, Y, Z, BELAY_PC))
    ThreadBlock(F, Body, Closure, X, Y, Z).run();
  F.end(BELAY_PC);
  return false;
}
uint32_t belay_sim_thread_index(uint32_t Dimension) {
  return block(BELAY_PC).index(Dimension);
}
uint32_t belay_sim_thread_extent(uint32_t Dimension) {
  return block(BELAY_PC).extent(Dimension);
}
void belay_sim_thread_barrier() { block(BELAY_PC).barrier(BELAY_CALLER); }
void belay_sim_thread_fence() {
  ThreadBlock &B = block(BELAY_PC);
  ThreadFunction::current().event(ThreadEvent::Fence, B.thread(), 0, 0,
                                  BELAY_PC);
  B.pass();
}
uint64_t belay_sim_thread_warp(WarpOp Op, Elem T, uint64_t Value,
                               uint32_t Argument, uint32_t Width) {
  return block(BELAY_PC).exchange({Op, T, Argument, Width, Value},
                                  BELAY_CALLER);
}
uint64_t belay_sim_thread_atomic(ThreadAtomic Op, Elem T, void *Address,
                                 uint64_t Value, uint64_t Expected) {
  ThreadBlock &B = block(BELAY_PC);
  uint64_t Old = ThreadFunction::current().atomic(B.thread(), Op, T, Address,
                                                  Value, Expected, BELAY_PC);
  // Whoever changes nothing may wait for another thread.
  if (mayWait(Op, T, Old, Value, Expected))
    B.pass();
  return Old;
}

void belay_sim_threads_begin(uint32_t X, uint32_t Y, uint32_t Z) {
  ThreadFunction::current().begin(X, Y, Z, BELAY_PC);
}
void belay_sim_threads_end() { ThreadFunction::current().end(BELAY_PC); }
void belay_sim_threads_access(uint32_t Thread, const void *Address,
                              uint32_t Bytes, bool Write) {
  ThreadFunction::current().access(Thread, Address, Bytes, Write, BELAY_PC);
}
void belay_sim_threads_event(ThreadEvent What, uint32_t Thread, uint32_t Other,
                             uint32_t Mask) {
  ThreadFunction::current().event(What, Thread, Other, Mask, BELAY_PC);
}
uint64_t belay_sim_threads_atomic(uint32_t Thread, ThreadAtomic Op, Elem T,
                                  void *Address, uint64_t Value,
                                  uint64_t Expected) {
  return ThreadFunction::current().atomic(Thread, Op, T, Address, Value,
                                          Expected, BELAY_PC);
}
