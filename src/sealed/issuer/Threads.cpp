//===- Threads.cpp - Code for many threads in a sealed run ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in src/model/threads/ThreadFunction.cpp: the threads run here, and the
// model hears what they do. Their loads and stores go through pointers, as
// those of the scalar unit; atomics on global memory are the model's.
//
//===----------------------------------------------------------------------===//

#include "threads/ThreadBlock.h"

#include "sealed/issuer/Issuer.h"

#include <unistd.h>

namespace belay::sim {

void *reserveStacks(size_t Bytes) { return sealed::takeReserved(Bytes); }

} // namespace belay::sim

namespace belay::sim::sealed {

namespace {

/// A record that tells of the threads: nothing of the model depends on their
/// stores, and it changes no memory.
template <Function F, typename... Params>
void note(const void *Frame, Params... P) {
  beginNote(F, Frame);
  TheIssuer.Record.parameters<F>(P...);
  sendRecord();
}

class Notes : public ThreadListener {
public:
  void onStack(const Stack &) override {}
  void onEvent(ThreadEvent What, uint32_t Thread, uint32_t Other, uint32_t Mask,
               const ThreadCaller &From) override {
    // A warp or a barrier that nobody watches is nobody's business.
    if (belay_sim_observed || What > ThreadEvent::Fence)
      note<Function::threads_event>(What < ThreadEvent::Fence ? nullptr
                                                              : From.Frame,
                                    What, Thread, Other, Mask);
    // The run ends if nobody watches: the device would wait for ever.
    if (!belay_sim_observed &&
        (What == ThreadEvent::Diverged || What == ThreadEvent::Elsewhere))
      drain();
  }
};

/// The model ends the run because of a call outside of threads.
[[noreturn]] void refuseOutside(const void *Frame) {
  note<Function::threads_event>(Frame, ThreadEvent::Fence, MostThreads, 0u, 0u);
  drain();
  for (;;)
    pause();
}

ThreadBlock &block(const void *Frame) {
  ThreadBlock *B = ThreadBlock::current();
  return B ? *B : (refuseOutside(Frame), *B);
}

} // namespace

void tellThreadAccess(const void *Frame, uint32_t Thread, const void *Address,
                      uint64_t Bytes, bool Write) {
  note<Function::threads_access>(Frame, Thread, Address,
                                 static_cast<uint32_t>(Bytes), Write);
  // Out of bounds: the model ends the run before the access does.
  if (!isGated(Address))
    drain();
}

} // namespace belay::sim::sealed

using namespace belay::sim;
using namespace belay::sim::sealed;

#define BELAY_FRAME __builtin_frame_address(0)
#define BELAY_CALLER                                                           \
  ThreadCaller { __builtin_return_address(0), BELAY_FRAME }

bool belay_sim_threads_run(ThreadBody *Body, void *Closure, uint32_t X,
                           uint32_t Y, uint32_t Z) {
  const void *Frame = BELAY_FRAME;
  if (ThreadBlock::current())
    refuseOutside(Frame);
  issue<Function::threads_begin>(Frame, X, Y, Z);
  drain(); // it may be too many
  Notes Listener;
  if (!TheIssuer.Self.IsCube || TheIssuer.Self.IsVector)
    ThreadBlock(Listener, Body, Closure, X, Y, Z).run();
  issue<Function::threads_end>(Frame);
  return false;
}

uint32_t belay_sim_thread_index(uint32_t Dimension) {
  return block(BELAY_FRAME).index(Dimension);
}
uint32_t belay_sim_thread_extent(uint32_t Dimension) {
  return block(BELAY_FRAME).extent(Dimension);
}
void belay_sim_thread_barrier() { block(BELAY_FRAME).barrier(BELAY_CALLER); }
void belay_sim_thread_fence() {
  ThreadBlock &B = block(BELAY_FRAME);
  if (belay_sim_observed)
    note<Function::threads_event>(BELAY_FRAME, ThreadEvent::Fence, B.thread(),
                                  0u, 0u);
  B.pass();
}
uint64_t belay_sim_thread_warp(WarpOp Op, Elem T, uint64_t Value,
                               uint32_t Argument, uint32_t Width) {
  return block(BELAY_FRAME)
      .exchange({Op, T, Argument, Width, Value}, BELAY_CALLER);
}

uint64_t belay_sim_thread_atomic(ThreadAtomic Op, Elem T, void *Address,
                                 uint64_t Value, uint64_t Expected) {
  ThreadBlock &B = block(BELAY_FRAME);
  ask<Function::threads_atomic>(BELAY_FRAME, B.thread(), Op, T, Address, Value,
                                Expected);
  uint64_t Old;
  std::memcpy(&Old, TheIssuer.Channel->Answer, sizeof(Old));
  if (mayWait(Op, T, Old, Value, Expected))
    B.pass();
  return Old;
}
