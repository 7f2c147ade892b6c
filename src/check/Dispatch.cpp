//===- Dispatch.cpp - The functions of the ABI ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

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
  if (!Kernel.CubeAlone) // or the kernel does not say so
    Kernel.BothHalves = true;
  Auto = sim::AutoSync(Kernel.Target.arch->vectorInterlock, sim::CoreKind::Cube,
                       Kernel.CompilerSync);
}

Value Runtime::argument(unsigned Index, const std::string &Name, bool Tiling) {
  while (Arguments.size() <= Index)
    Arguments.push_back(0);
  if (!Arguments[Index])
    Arguments[Index] =
        makeArgument(Name, Tiling ? Origin::Launch : Origin::Data);
  return Value::address(Arguments[Index], 0);
}

/// The workspace that nobody passed is no argument.
static constexpr unsigned WorkspaceArgument = 63;

std::optional<unsigned> Runtime::argumentOf(RegionId R) const {
  auto At = find(Arguments, R);
  if (!R || At == Arguments.end() ||
      At - Arguments.begin() == WorkspaceArgument)
    return std::nullopt;
  return At - Arguments.begin();
}

std::optional<unsigned> Runtime::tilingArgument(RegionId R) const {
  return Regions[R].From == Origin::Launch ? argumentOf(R) : std::nullopt;
}

void Runtime::changed(RegionId R, std::optional<ArgumentElements> Copied) {
  ++Regions[R].Contents;
  Kernel.wroteElements(Regions[R].Name, Copied);
  if (std::optional<unsigned> Argument = argumentOf(R))
    Kernel.ChangedArguments.insert(*Argument);
}

void Runtime::wroteScalar(const Value &Address) { changed(Address.Id); }

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

static std::optional<sim::Elem> elementIn(const Value &V) {
  std::optional<int64_t> C = V.constant();
  return C ? std::optional(static_cast<sim::Elem>(*C)) : std::nullopt;
}

static PathId pathOf(const Value &V) { return V.isPointer() ? V.Id : 0; }

//===----------------------------------------------------------------------===//
// Groups of functions
//===----------------------------------------------------------------------===//

Value Runtime::callBuffers(BuffersCall Which, Args A) {
  auto Occupied = [&](Space S, const Value &Bytes) {
    PathId B =
        take(S, 1, Bytes.isNumber() ? Bytes.N : Number(), 0, I.firstArgument());
    Buffers[B].State = sim::BufferState::Occupied;
    return Value::pointer(B);
  };
  switch (Which) {
  case BuffersCall::pipe_reset:
    pipeReset();
    break;
  case BuffersCall::queue_init:
    queueInit(pathOf(A[0]), spaceOf(A[1]), A[2], A[3]);
    break;
  case BuffersCall::queue_alloc:
    return queueAlloc(pathOf(A[0]));
  case BuffersCall::queue_enque:
    queueEnque(pathOf(A[0]), A[1], A[2], pipeOf(A[3]), pipeOf(A[4]));
    break;
  case BuffersCall::queue_deque:
    return queueDeque(pathOf(A[0]), pipeOf(A[1]), pipeOf(A[2]));
  case BuffersCall::queue_free:
    queueFree(pathOf(A[0]), A[1], A[2]);
    break;
  case BuffersCall::buffer_init:
    reserve(spaceOf(A[0]), Value::number(1), A[1]);
    return Occupied(spaceOf(A[0]), A[1]);
  case BuffersCall::pool_init:
    reserve(spaceOf(A[1]), Value::number(1), A[2]);
    [[fallthrough]];
  case BuffersCall::pool_split:
  case BuffersCall::pool_share:
    Kernel.unknown(Topic::Capacity, I.here(),
                   "how much of a TBufPool is in use is not followed");
    Kernel.unknown(Topic::Sync, I.here(),
                   "pools that share memory are not followed");
    break;
  case BuffersCall::pool_queue:
    queueInit(pathOf(A[0]), Space::Host, A[2], A[3]);
    break;
  case BuffersCall::pool_buffer:
    return Occupied(Space::UB, A[1]);
  }
  return {};
}

/// SetFlag and WaitFlag.
void Runtime::callFlag(EventKind Kind, Args A) {
  Event E = makeEvent(pipeOf(A[0]), Kind);
  E.To = pipeOf(A[1]);
  std::optional<int64_t> Id =
      A[2].isNumber() ? I.facts().constantOf(A[2].N) : std::nullopt;
  uint32_t Ids = Kernel.Target.arch->eventIds;
  std::pair Pair(E.On, E.To);
  if (!Id) {
    Kernel.unknown(Topic::Flags, E.At, "which event id is used is not known");
    Kernel.unknown(Topic::Sync, E.At, "which event id is used is not known");
    LostFlags.insert(Pair);
  }
  // Which of these flags are set is not known from here on: to accuse nobody,
  // each wait is taken to be for all that was done before.
  if (LostFlags.contains(Pair)) {
    if (Kind == EventKind::WaitFlag)
      issue(makeEvent(Pipe::All, EventKind::Barrier));
    catchUp();
    return;
  }
  if (*Id < 0 || *Id >= Ids) {
    Kernel.find("event-id-range", {E.At, ""}, {},
                {E.Name + " uses event id " + std::to_string(*Id) +
                     ", but they end at " + std::to_string(Ids - 1),
                 "use an id from GetTPipePtr()->FetchEventID, or i % 2"});
    I.stopAtMistake();
    return;
  }
  E.Id = *Id;
  issue(std::move(E));
}

void Runtime::callSync(SyncCall Which, Args A) {
  auto Cross = [&](EventKind Kind) {
    Event E = makeEvent(pipeOf(A[1]), Kind);
    E.Id = A[2].constant().value_or(-1);
    crossFlag(E);
    issue(std::move(E));
  };
  auto Awaited = [&] {
    CrossSynced = true;
    Kernel.unknown(Topic::Flags, I.here(),
                   "whether the core that is waited for comes is not followed");
  };
  const targets::Arch &Arch = *Kernel.Target.arch;
  bool BetweenCores = Which == SyncCall::sync_all ||
                      Which == SyncCall::cross_set ||
                      Which == SyncCall::cross_wait;
  checkExists(I.apiName(), (!BetweenCores || Arch.crossCoreFlagIds) &&
                               (Which != SyncCall::mutex || Arch.mutexIds));
  switch (Which) {
  case SyncCall::set_flag:
    return callFlag(EventKind::SetFlag, A);
  case SyncCall::wait_flag:
    return callFlag(EventKind::WaitFlag, A);
  case SyncCall::pipe_barrier:
    return issue(makeEvent(pipeOf(A[0]), EventKind::Barrier));
  case SyncCall::sync_all:
  case SyncCall::soft_sync:
    AnySyncAll = true;
    SyncAllAt = I.here();
    issue(makeEvent(Pipe::All, EventKind::SyncAll));
    if (Which == SyncCall::sync_all)
      syncAll();
    return;
  case SyncCall::cross_set:
    return Cross(EventKind::CrossSet);
  case SyncCall::cross_wait:
    return Cross(EventKind::CrossWait);
  case SyncCall::mutex: {
    Event E = makeEvent(pipeOf(A[1]), A[0].constant().value_or(1)
                                          ? EventKind::Lock
                                          : EventKind::Unlock);
    E.Id = A[2].constant().value_or(0);
    return issue(std::move(E));
  }
  case SyncCall::ib_set:
  case SyncCall::ib_wait:
  case SyncCall::order_init:
  case SyncCall::order_notify:
  case SyncCall::order_wait:
    Awaited();
    return issue(makeEvent(Pipe::All, EventKind::Barrier));
  case SyncCall::group_init:
    return;
  case SyncCall::group_arrive: // only stops MTE3 for the scalar unit
  case SyncCall::group_wait:
    return Awaited();
  }
}

/// GetValue and SetValue of a tensor.
void Runtime::callAccess(Args A) {
  Event E = makeEvent(Pipe::S);
  constexpr size_t MostElements = 16;
  if (E.Name == "operator()" && Elements.size() < MostElements)
    Elements.push_back(A[0]);
  scalarAccess(std::move(E), A[0], A[1].isNumber() ? A[1].N : Number(1),
               A[2].constant().value_or(0));
}

/// Whether a tensor has named the address since the last instruction:
/// `t(i) = v` stores to it by a reference.
bool Runtime::isElement(const Value &Address) const {
  return any_of(Elements, [&](const Value &X) {
    return X.isAddress() && Address.isAddress() && X.Id == Address.Id &&
           X.N == Address.N;
  });
}

void Runtime::touch(const Value &Address, int64_t Bytes, bool Write,
                    clang::SourceLocation At) {
  if (Threads)
    return registerMove(Address, Write, At);
  Event E = makeEvent(Pipe::S);
  E.Name = "a pointer";
  E.ByPointer = !isElement(Address);
  if (At.isValid() && !Kernel.inHeaders(At))
    E.At = At;
  scalarAccess(std::move(E), Address, Bytes, Write);
}

void Runtime::scalarAccess(Event E, const Value &Address, const Number &Bytes,
                           bool Write) {
  addBytes(E, Address, Write, sim::Elem::U8, Bytes, Bytes);
  E.Alignment = 1;
  if (E.Operands.empty())
    return;
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}

void Runtime::callScalar(ScalarCall Which, Args A) {
  switch (Which) {
  case ScalarCall::note_tensor:
    if (A[1].isNumber())
      Notes.push_back({A[0], A[1].N, pathOf(A[2]),
                       A[3].isNumber() ? A[3].N : Number(), ++Ticks});
    return;
  case ScalarCall::note_offset:
    if (A[0].Wrapped)
      Kernel.find("offset-overflow", {A[0].Wrapped->At, ""},
                  {I.here(), "used as an offset"},
                  sim::wording::wrapped(A[0].Wrapped->Type,
                                        A[0].Wrapped->Result,
                                        "used as an offset"));
    return;
  case ScalarCall::scalar_local:
  case ScalarCall::scalar_global:
  case ScalarCall::pointer:
    return callAccess(A);
  case ScalarCall::set_mask:
    MaskHigh = A[0].isNumber() ? std::optional(A[0].N) : std::nullopt;
    MaskLow = A[1].isNumber() ? std::optional(A[1].N) : std::nullopt;
    return;
  case ScalarCall::set_mask_counter:
    Counter = A[0].constant().value_or(0);
    CounterAt = I.here();
    return;
  case ScalarCall::set_atomic:
    Atomic = A[0].constant().value_or(1) != 0;
    AtomicType = elementIn(A[1]);
    AtomicAt = I.here();
    return;
  case ScalarCall::set_atomic_type:
    Atomic = true;
    AtomicType = elementIn(A[0]);
    AtomicAt = I.here();
    return;
  case ScalarCall::cache_clean:
    cleanCache(A[0], A[1].constant().value_or(0));
    [[fallthrough]];
  case ScalarCall::data_barrier:
    Clean = true;
    Clocks.barrier(Pipe::S); // what it has stored is there
    return;
  }
}

/// The index of this block, or how many there are.
Number Runtime::blockNumber(LaunchNumber::Kind Which) {
  constexpr int64_t Most = 65535;
  bool All = Which == LaunchNumber::Kind::Blocks;
  StringRef Name = All ? "GetBlockNum()" : "GetBlockIdx()";
  return Number::symbol(I.symbols().get(Name, [&] {
    Symbol New{Name.str(), All, Most, All ? Origin::Blocks : Origin::Block, {}};
    New.InLaunch.emplace();
    New.InLaunch->What = Which;
    return New;
  }));
}

/// How many indices of blocks there are.
Number Runtime::numberOfCores() {
  return *Number::multiply(numberOfBlocks(), Kernel.TwoPerBlock ? 2 : 1);
}

/// Questions about where the kernel runs.
Value Runtime::callQuestion(QuestionCall Which, Args A,
                            const clang::CallExpr *E) {
  auto Named = [&](StringRef Key, Origin From, int64_t Least, int64_t Most) {
    return Value::number(Number::symbol(I.symbols().get(
        Key, [&] { return Symbol{Key.str(), Least, Most, From, {}, false}; })));
  };
  // A mixed kernel: each half is a path of its own.
  auto ChooseHalf = [&] {
    if (!Kernel.Target.split || HalfChosen ||
        Kernel.inHeaders(E->getBeginLoc()))
      return;
    HalfChosen = true;
    Kernel.hasTwoPerBlock();
    Cube = I.either("half");
    if (Cube)
      onCube();
  };
  switch (Which) {
  case QuestionCall::block_idx: {
    AsksBlock = true;
    Number Index = blockNumber(LaunchNumber::Kind::Block);
    Kernel.AskedIndex = true;
    I.facts().assume(numberOfCores() - Index - Number(1));
    return Value::number(Index);
  }
  case QuestionCall::block_num:
    return Value::number(numberOfBlocks());
  case QuestionCall::sub_block_idx:
    return Named("GetSubBlockIdx()", Origin::Other, 0, 1);
  case QuestionCall::sub_block_num:
    return Named("GetSubBlockNum()", Origin::Other, 1, 2);
  case QuestionCall::is_cube:
    ChooseHalf();
    return Value::number(Cube || !Kernel.Target.split);
  case QuestionCall::is_vector:
    ChooseHalf();
    return Value::number(!Cube);
  case QuestionCall::matmul_serves:
    return Value::number(Cube);
  case QuestionCall::memory_bytes:
    return Value::number(capacityOf(spaceOf(A[0])));
  case QuestionCall::tiling_key:
    return Named("TILING_KEY", Origin::Launch, 0, int64_t(1) << 61);
  case QuestionCall::workspace:
    return argument(WorkspaceArgument, "workspace", false);
  case QuestionCall::memory: {
    Space S = spaceOf(A[0]);
    auto [At, New] = Spaces.try_emplace(S, Regions.size());
    if (New)
      Regions.push_back(
          {S, sim::nameOf(S), Number(capacityOf(S)), true, Origin::Other, 0});
    return Value::address(At->second, 0);
  }
  case QuestionCall::memory_rest: {
    Space S = spaceOf(A[0]);
    Number Rest = Number(capacityOf(S)) - UsedRounded[static_cast<unsigned>(S)];
    // As long as nothing more is taken, it is the same.
    RegionId R = Regions.size();
    if (auto At = Rests.find(S);
        At != Rests.end() && Regions[At->second].Bytes == Rest)
      R = At->second;
    else if (!Rests.try_emplace(S, R).second)
      sharesMemory();
    if (R == Regions.size())
      Regions.push_back({S, "the rest of " + std::string(sim::nameOf(S)), Rest,
                         true, Origin::Other, 0});
    if (A[1].isPointer())
      I.store().set(A[1].Id, Value::number(Rest));
    return Value::address(R, 0);
  }
  }
  llvm_unreachable("all questions are answered");
}

/// Each call has an answer of its own.
Value Runtime::answer(StringRef Name, const clang::CallExpr *E) {
  if (E->getType()->isVoidType())
    return {};
  std::string Key = "abi:" + Name.str() + ":" +
                    std::to_string(I.here().getRawEncoding()) + ":" +
                    std::to_string(++Ticks);
  return I.makeSymbol(Key, Name, E->getType(), Origin::Data);
}

void Runtime::callUnfollowed(UnfollowedCall Which, Args A) {
  switch (Which) {
  case UnfollowedCall::set_loop_mode:
    // One iteration of each loop is what copies do without it.
    if (A[1].constant() == 1 && A[2].constant() == 1)
      return;
    break;
  }
  for (Topic T : {Topic::Sync, Topic::Bounds, Topic::Values, Topic::Cores})
    Kernel.unknown(T, I.here(),
                   "what copies touch after " + I.apiName() +
                       " is not followed");
}

Value Runtime::call(StringRef Name, const clang::FunctionDecl *Function,
                    ArrayRef<Value> A, const clang::CallExpr *E) {
  Name.consume_front("belay_sim_");
  const AbiCall *Known = findAbiCall(Name);
  if (!Known) {
    I.giveUp(I.here(), "nothing is known of belay_sim_" + Name.str());
    return {};
  }
  switch (Known->What) {
  case AbiCall::Group::End:
    if (static_cast<EndCall>(Known->Which) == EndCall::fail)
      I.giveUp(I.here(), "the simulator refuses " + I.apiName());
    else
      I.stop(); // what a kernel asserts, holds
    return {};
  case AbiCall::Group::NoEffect:
    return {};
  case AbiCall::Group::Unfollowed:
    callUnfollowed(static_cast<UnfollowedCall>(Known->Which), A);
    return {};
  case AbiCall::Group::State:
  case AbiCall::Group::Answer:
    return answer(Name, E);
  case AbiCall::Group::Question:
    return callQuestion(static_cast<QuestionCall>(Known->Which), A, E);
  case AbiCall::Group::Scalar:
    callScalar(static_cast<ScalarCall>(Known->Which), A);
    return {};
  case AbiCall::Group::Sync:
    callSync(static_cast<SyncCall>(Known->Which), A);
    return {};
  case AbiCall::Group::Buffers:
    return callBuffers(static_cast<BuffersCall>(Known->Which), A);
  case AbiCall::Group::Registers:
    return callRegisters(static_cast<RegistersCall>(Known->Which), A);
  case AbiCall::Group::Threads:
    return callThreads(static_cast<ThreadsCall>(Known->Which), A);
  case AbiCall::Group::Instruction: {
    Elements.clear();
    instruction(*Known, Function, A);
    LastCall = Ticks;
    Value Answer = answer(Name, E);
    answered(Answer);
    return Answer;
  }
  }
  llvm_unreachable("all groups are handled");
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
  findWhatNeverFits();
  countBarriers();
  compareCores();
  endOfPath(true);
}
