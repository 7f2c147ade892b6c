//===- Registers.cpp - Vector functions and threads -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector function is one instruction of the vector unit. Which buffers it
// reads and writes is followed; how far, which masks decide, is not. Of code
// for threads, one thread is followed, for what it computes.
//
//===----------------------------------------------------------------------===//

#include "abi/Threads.h"
#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Pipe;
using sim::Space;

/// What stands inside a vector function is not read: a run shows it.
void Runtime::enterFunction(bool OfThreads) {
  I.setOneWay(true);
  Threads = OfThreads;
  for (Topic T : {Topic::Bounds, Topic::Values, Topic::Sync})
    Kernel.unknown(T, I.here(),
                   "how far a vector function reads and writes is not "
                   "followed");
  // Raw addresses: whose buffer they are in, and what forms of loads and stores
  // and their indices ask of them, only a run shows.
  for (Topic T : {Topic::Queues, Topic::Alignment, Topic::Parameters})
    Kernel.unknown(T, I.here(),
                   "instructions inside a vector function are not read");
  if (Threads)
    for (Topic T : {Topic::Cores, Topic::Overflow, Topic::Capacity})
      Kernel.unknown(T, I.here(),
                     "what threads do is followed for one of them");
}

Value Runtime::callRegisters(RegistersCall Which, Args A) {
  switch (Which) {
  case RegistersCall::vector_begin:
    enterFunction(/*OfThreads=*/false);
    return Value::number(1);
  case RegistersCall::vector_end:
  case RegistersCall::threads_end:
    I.setOneWay(false);
    Threads = false;
    return Value::number(0);
  case RegistersCall::register_load:
    registerMove(A[0], /*Write=*/false);
    return {};
  case RegistersCall::register_store:
    registerMove(A[0], /*Write=*/true);
    return {};
  case RegistersCall::threads_begin:
  case RegistersCall::threads_access:
  case RegistersCall::threads_event:
  case RegistersCall::threads_atomic:
    // The runtime's own: a kernel that calls them is not understood.
    I.giveUp(I.here(), "a call that only the runtime makes");
    return {};
  }
  llvm_unreachable("all calls are handled");
}

/// Conditions are never decided by it twice in the same way.
Value Runtime::threadNumber(int64_t Least, int64_t Most) {
  std::string Key = "thread:" + std::to_string(I.here().getRawEncoding());
  SymbolId S = I.symbols().get(Key, [&] {
    return Symbol{"a thread's number", Least, Most, Origin::Other, {}, false};
  });
  return Value::number(Number::symbol(S));
}

Value Runtime::callThreads(ThreadsCall Which, Args A) {
  switch (Which) {
  case ThreadsCall::threads_run:
    enterFunction(/*OfThreads=*/true);
    return Value::number(1);
  case ThreadsCall::thread_index:
    return threadNumber(0, sim::MostThreads - 1);
  case ThreadsCall::thread_extent:
    return threadNumber(1, sim::MostThreads);
  case ThreadsCall::thread_barrier:
  case ThreadsCall::thread_fence:
    return {};
  case ThreadsCall::thread_atomic:
    registerMove(A[2], /*Write=*/true);
    return threadNumber(0, INT64_MAX);
  case ThreadsCall::thread_warp:
    return threadNumber(0, INT64_MAX);
  }
  llvm_unreachable("all calls are handled");
}

/// Something at the address is read or written; what of the rest is, nobody
/// says.
void Runtime::registerMove(const Value &Address, bool Write,
                           clang::SourceLocation At) {
  if (Threads && Address.isAddress() && Regions[Address.Id].Where == Space::GM)
    return;
  Event E = makeEvent(Pipe::V);
  if (At.isValid() && !Kernel.inHeaders(At))
    E.At = At;
  addBytes(E, Address, Write, sim::Elem::U8, Number(1), Number(1));
  if (E.Operands.empty())
    return;
  if (Write) {
    const Operand &O = E.Operands.front();
    ++Regions[O.In].Contents;
    if (Regions[O.In].Sized)
      write(O.In, Number(0), Regions[O.In].Bytes, Defined::Unknown);
  }
  issue(std::move(E));
}
