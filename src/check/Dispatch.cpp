//===- Dispatch.cpp - The functions of the ABI ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"
#include "llvm/ADT/StringSwitch.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Pipe;
using sim::Space;

static sim::CoreKind kindOf(const targets::Soc &Target) {
  return Target.split ? sim::CoreKind::Vector : sim::CoreKind::Coupled;
}

Runtime::Runtime(Interpreter &I, KernelState &Kernel)
    : I(I), Kernel(Kernel), Auto(Kernel.Target.arch->vectorInterlock,
                                 kindOf(Kernel.Target), Kernel.CompilerSync) {
  Regions.push_back({Space::Host, "?", {}, false, Origin::Other, 0});
}

/// The compiler inserts no synchronisation on cube cores.
void Runtime::onCube() {
  Auto = sim::AutoSync(Kernel.Target.arch->vectorInterlock, sim::CoreKind::Cube,
                       Kernel.CompilerSync);
}

Value Runtime::argument(unsigned Index, const std::string &Name, bool Tiling) {
  while (Arguments.size() <= Index)
    Arguments.push_back(0);
  if (!Arguments[Index]) {
    Arguments[Index] = Regions.size();
    Regions.push_back({Space::GM,
                       Name,
                       {},
                       false,
                       Tiling ? Origin::Launch : Origin::Data,
                       0});
  }
  return Value::address(Arguments[Index], 0);
}

void Runtime::wroteScalar(const Value &Address) {
  ++Regions[Address.Id].Contents;
}

static Pipe pipeOf(const Value &V) {
  std::optional<int64_t> C = V.constant();
  return C && *C >= 0 && *C <= static_cast<int64_t>(Pipe::All)
             ? static_cast<Pipe>(*C)
             : Pipe::All;
}

static Space spaceOf(const Value &V) {
  std::optional<int64_t> C = V.constant();
  return C ? static_cast<Space>(*C) : Space::UB;
}

static PathId pathOf(const Value &V) { return V.isPointer() ? V.Id : 0; }

//===----------------------------------------------------------------------===//
// Groups of functions
//===----------------------------------------------------------------------===//

bool Runtime::callBuffers(StringRef Name, Args A, Value &Result) {
  if (Name == "pipe_reset")
    pipeReset();
  else if (Name == "queue_init")
    queueInit(pathOf(A[0]), spaceOf(A[1]), A[2], A[3]);
  else if (Name == "queue_alloc")
    Result = queueAlloc(pathOf(A[0]));
  else if (Name == "queue_enque")
    queueEnque(pathOf(A[0]), A[1], A[2], pipeOf(A[3]), pipeOf(A[4]));
  else if (Name == "queue_deque")
    Result = queueDeque(pathOf(A[0]), pipeOf(A[1]), pipeOf(A[2]));
  else if (Name == "queue_free")
    queueFree(pathOf(A[0]), A[1], A[2]);
  else if (Name == "buffer_init") {
    std::string Of = I.firstArgument();
    reserve(spaceOf(A[0]), Value::number(1), A[1]);
    PathId B =
        take(spaceOf(A[0]), 1, A[1].isNumber() ? A[1].N : Number(), 0, Of);
    Buffers[B].State = sim::BufferState::Occupied;
    Result = Value::pointer(B);
  } else if (Name == "pool_init" || Name == "pool_split" ||
             Name == "pool_share") {
    if (Name == "pool_init")
      reserve(spaceOf(A[1]), Value::number(1), A[2]);
    Kernel.unknown(Topic::Capacity, I.here(),
                   "how much of a TBufPool is in use is not followed");
    Kernel.unknown(Topic::Sync, I.here(),
                   "pools that share memory are not followed");
  } else if (Name == "pool_queue") {
    queueInit(pathOf(A[0]), Space::Host, A[2], A[3]);
  } else if (Name == "pool_buffer") {
    PathId B = take(Space::UB, 1, A[1].isNumber() ? A[1].N : Number(), 0,
                    I.firstArgument());
    Buffers[B].State = sim::BufferState::Occupied;
    Result = Value::pointer(B);
  } else {
    return false;
  }
  return true;
}

bool Runtime::callSync(StringRef Name, Args A) {
  if (Name == "set_flag" || Name == "wait_flag") {
    Event E = makeEvent(pipeOf(A[0]), Name == "set_flag" ? EventKind::SetFlag
                                                         : EventKind::WaitFlag);
    E.To = pipeOf(A[1]);
    std::optional<int64_t> Id = A[2].constant();
    uint32_t Ids = Kernel.Target.arch->eventIds;
    if (!Id) {
      Kernel.unknown(Topic::Flags, E.At, "which event id is used is not known");
      Kernel.unknown(Topic::Sync, E.At, "which event id is used is not known");
      Id = 0;
    } else if (*Id < 0 || *Id >= Ids) {
      Kernel.find("event-id-range", {E.At, ""}, {},
                  {E.Name + " uses event id " + std::to_string(*Id) +
                       ", but they end at " + std::to_string(Ids - 1),
                   "use an id from GetTPipePtr()->FetchEventID, or i % 2"});
      I.stopAtMistake();
      return true;
    }
    E.Id = *Id;
    issue(std::move(E));
  } else if (Name == "pipe_barrier") {
    issue(makeEvent(pipeOf(A[0]), EventKind::Barrier));
  } else if (Name == "sync_all" || Name == "soft_sync") {
    AnySyncAll = true;
    SyncAllAt = I.here();
    issue(makeEvent(Pipe::All, EventKind::SyncAll));
    if (Name == "sync_all")
      syncAll();
  } else if (Name == "cross_set" || Name == "cross_wait") {
    Event E =
        makeEvent(pipeOf(A[1]), Name == "cross_set" ? EventKind::CrossSet
                                                    : EventKind::CrossWait);
    E.Id = A[2].constant().value_or(-1);
    crossFlag(E);
    issue(std::move(E));
  } else if (Name == "mutex") {
    Event E = makeEvent(pipeOf(A[1]), A[0].constant().value_or(1)
                                          ? EventKind::Lock
                                          : EventKind::Unlock);
    E.Id = A[2].constant().value_or(0);
    issue(std::move(E));
  } else if (Name.starts_with("ib_") || Name.starts_with("order_")) {
    CrossSynced = true;
    Kernel.unknown(Topic::Flags, I.here(),
                   "whether the core that is waited for comes is not followed");
    issue(makeEvent(Pipe::All, EventKind::Barrier));
  } else {
    return false;
  }
  return true;
}

bool Runtime::callScalar(StringRef Name, Args A) {
  if (Name == "note_tensor") {
    if (A[1].isNumber())
      Notes.push_back({A[0], A[1].N, pathOf(A[2]),
                       A[3].isNumber() ? A[3].N : Number(), ++Ticks});
  } else if (Name == "note_offset") {
    if (A[0].Wrapped)
      Kernel.find("offset-overflow", {A[0].Wrapped->At, ""},
                  {I.here(), "used as an offset"},
                  sim::wording::wrapped(A[0].Wrapped->Type,
                                        A[0].Wrapped->Result,
                                        "used as an offset"));
  } else if (Name == "scalar_local" || Name == "scalar_global") {
    Event E = makeEvent(Pipe::S);
    bool Write = A[2].constant().value_or(0);
    Number Bytes = A[1].isNumber() ? A[1].N : Number(1);
    addBytes(E, A[0], Write, sim::Elem::U8, Bytes, Bytes);
    E.Alignment = 1;
    if (!E.Operands.empty()) {
      checkOperands(E);
      flow(E);
      issue(std::move(E));
    }
  } else if (Name == "note_buffer" || Name == "note_slice" ||
             Name == "element_past_end" || Name == "print" ||
             Name == "printf" || Name == "dump" || Name == "time_stamp" ||
             Name == "uncached") {
    return true;
  } else if (Name == "set_mask") {
    MaskHigh = A[0].isNumber() ? std::optional(A[0].N) : std::nullopt;
    MaskLow = A[1].isNumber() ? std::optional(A[1].N) : std::nullopt;
  } else if (Name == "set_mask_counter") {
    Counter = A[0].constant().value_or(0);
    CounterAt = I.here();
  } else if (Name == "set_atomic") {
    Atomic = A[0].constant().value_or(1) != 0;
    AtomicAt = I.here();
  } else if (Name == "set_atomic_type") {
    Atomic = true;
    AtomicAt = I.here();
  } else if (Name == "cache_clean" || Name == "data_barrier") {
    Clean = true;
  } else {
    return false;
  }
  return true;
}

/// Questions about where the kernel runs.
Value Runtime::callSystem(StringRef Name, Args A, const clang::CallExpr *E) {
  clang::QualType Type = E->getType();
  auto Named = [&](StringRef Key, Origin From, int64_t Least, int64_t Most) {
    SymbolId S = I.symbols().get(
        Key, [&] { return Symbol{Key.str(), Least, Most, From, {}, false}; });
    return Value::number(Number::symbol(S));
  };
  constexpr int64_t MostBlocks = 65535;
  if (Name == "block_idx") {
    AsksBlock = true;
    Value Idx = Named("GetBlockIdx()", Origin::Block, 0, MostBlocks);
    Value Num = Named("GetBlockNum()", Origin::Blocks, 1, MostBlocks);
    I.facts().assume(Num.N - Idx.N - Number(1));
    return Idx;
  }
  if (Name == "block_num")
    return Named("GetBlockNum()", Origin::Blocks, 1, MostBlocks);
  if (Name == "sub_block_idx")
    return Named("GetSubBlockIdx()", Origin::Other, 0, 1);
  if (Name == "sub_block_num")
    return Named("GetSubBlockNum()", Origin::Other, 1, 2);
  // A mixed kernel: each half is a path of its own.
  if ((Name == "is_cube" || Name == "is_vector") && Kernel.Target.split &&
      !HalfChosen && !Kernel.inHeaders(E->getBeginLoc())) {
    HalfChosen = true;
    Cube = I.either("half");
    if (Cube)
      onCube();
  }
  if (Name == "is_cube" || Name == "matmul_serves")
    return Value::number(Cube || (!Kernel.Target.split && Name == "is_cube"));
  if (Name == "is_vector")
    return Value::number(!Cube);
  if (Name == "memory_bytes")
    return Value::number(capacityOf(spaceOf(A[0])));
  if (Name == "tiling_key")
    return Named("TILING_KEY", Origin::Launch, 0, int64_t(1) << 61);
  if (Name == "workspace") {
    Value V = argument(63, "workspace", false);
    return V;
  }
  if (Name == "memory") {
    Space S = spaceOf(A[0]);
    auto [At, New] = Spaces.try_emplace(S, Regions.size());
    if (New)
      Regions.push_back(
          {S, sim::nameOf(S), Number(capacityOf(S)), true, Origin::Other, 0});
    return Value::address(At->second, 0);
  }
  if (Name == "memory_rest") {
    Space S = spaceOf(A[0]);
    RegionId R = Regions.size();
    Number Rest = Number(capacityOf(S)) - Used[static_cast<unsigned>(S)];
    Regions.push_back({S, "the rest of " + std::string(sim::nameOf(S)), Rest,
                       true, Origin::Other, 0});
    if (A[1].isPointer())
      I.store().set(A[1].Id, Value::number(Rest));
    return Value::address(R, 0);
  }
  // Each call has an answer of its own.
  std::string Key = "abi:" + Name.str() + ":" +
                    std::to_string(I.here().getRawEncoding()) + ":" +
                    std::to_string(++Ticks);
  return I.makeSymbol(Key, Name, Type, Origin::Data);
}

Value Runtime::call(StringRef Name, const clang::FunctionDecl *Function,
                    ArrayRef<Value> A, const clang::CallExpr *E) {
  if (Name == "belay_sim_set_workspace")
    return Value(); // where it is, not what it holds
  Name.consume_front("belay_sim_");
  if (Name == "trap" || Name == "assert") {
    I.stop(); // what a kernel asserts, holds
    return {};
  }
  if (Name == "fail") {
    I.giveUp(I.here(), "the simulator refuses " + I.apiName());
    return {};
  }
  Value Result;
  if (callScalar(Name, A) || callSync(Name, A) ||
      callBuffers(Name, A, Result) || callRegisters(Name, A, Result))
    return Result;
  if (instruction(Name, Function, A)) {
    if (E->getType()->isVoidType())
      return {};
    return callSystem(Name, A, E);
  }
  return callSystem(Name, A, E);
}

void Runtime::atEnd() {
  catchUp();
  for (const auto &Queue : Delayed)
    if (!Queue.empty()) {
      reportDeadlock();
      return;
    }
  reportLeaks();
  reportLeftovers();
  reportWideOffsets();
  if (Counter)
    Kernel.find("mask-left-on", {CounterAt, ""}, {},
                sim::wording::counterModeAtEnd());
  if (Atomic)
    Kernel.find("atomic-left-on", {AtomicAt, ""}, {},
                sim::wording::atomicAtEnd());
  countBarriers();
  compareCores();
  endOfPath(true);
}
