//===- SyncTrace.cpp - Running a kernel to see who must wait --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pipe has a clock: how many instructions of every pipe are complete when
// its next one starts. Some runs with a few iterations of each loop find nearly
// all that has to wait; what they miss, the proof of order asks for.
//
//===----------------------------------------------------------------------===//

#include "passes/SyncTrace.h"

#include <map>

using namespace mlir;
using namespace belay::ascend;
using namespace belay::passes;

static unsigned index(Pipe P) { return static_cast<unsigned>(P); }

//===----------------------------------------------------------------------===//
// What does not depend on a plan
//===----------------------------------------------------------------------===//

void SyncTrace::addStep(Operation *Op) {
  auto [Known, New] = StepOf.try_emplace(Op, Steps.size());
  if (!New)
    return;
  Step &Added = Steps.emplace_back();
  Added.Op = Op;
  if (auto Loop = dyn_cast<LoopLikeOpInterface>(Op)) {
    Added.What = Step::Kind::Loop;
    Added.Body = bodyOf(Loop);
  } else if (isa<scf::IfOp>(Op)) {
    Added.What = Step::Kind::Branch;
  } else if (isa<SyncCoresOp>(Op)) {
    Added.What = Step::Kind::SyncCores;
  } else {
    // The scalar unit waits for the pipe before it does its part.
    Added.WaitsForItsPipe = usesScalarUnit(Op);
  }
  for (Operation *Up = Op; (Up = Up->getParentOp());)
    Added.Depth += isa<LoopLikeOpInterface>(Up);
}

/// Whether an instruction would be executed once more than the body of a loop.
/// The lowering of tiles moves such ones into the body.
static bool isInCondition(Operation *Op) {
  for (; Op; Op = Op->getParentOp())
    if (auto Loop = dyn_cast_or_null<LoopLikeOpInterface>(Op->getParentOp()))
      if (Op->getBlock() == conditionOf(Loop))
        return true;
  return false;
}

LogicalResult SyncTrace::prepare(unsigned MostRuns) {
  Instructions.clear();
  LoopsWithSlots.clear();
  Steps.clear();
  StepOf.clear();
  StepsIn.clear();
  WalkResult Result = Kernel.walk<WalkOrder::PreOrder>([&](Operation *Op) {
    if (auto Buffer = dyn_cast<BufferOp>(Op))
      if (scf::ForOp Loop = slotLoopOf(Buffer.getSlot()))
        LoopsWithSlots.insert(Loop);
    auto Interface = dyn_cast<InstructionInterface>(Op);
    if (Op == Kernel ||
        (!Interface && !isa<LoopLikeOpInterface, scf::IfOp, SyncCoresOp>(Op)))
      return WalkResult::advance();
    StepsIn[Op->getBlock()].push_back(Steps.size());
    addStep(Op);
    if (!Interface)
      return WalkResult::advance();
    if (isInCondition(Op)) {
      Op->emitOpError("is in the condition of a loop, where nothing can wait "
                      "for it");
      return WalkResult::interrupt();
    }
    FailureOr<Instruction> What = describe(Interface);
    if (failed(What))
      return WalkResult::interrupt();
    What->Index = Instructions.size();
    Steps.back().Instruction = What->Index;
    Instructions.push_back(std::move(*What));
    return WalkResult::advance();
  });
  if (Result.wasInterrupted())
    return failure();
  findPartners();
  findScenarios(MostRuns);
  return success();
}

/// How many loops are around sums that both add products to. As long as these
/// exist, the cube orders them, and ascend-expand-instructions adds a barrier
/// where they are too few for it.
static std::optional<unsigned> depthOfSums(Operation *First,
                                           Operation *Second) {
  auto A = dyn_cast<CubeMmadOp>(First), B = dyn_cast<CubeMmadOp>(Second);
  if (!A || !B || A.getDst() != B.getDst())
    return std::nullopt;
  unsigned Depth = 0;
  for (Operation *Around = A.getDst().getDefiningOp();
       (Around = Around->getParentOp());)
    Depth += isa<LoopLikeOpInterface>(Around);
  return Depth < 32 ? std::optional(Depth) : std::nullopt;
}

void SyncTrace::findPartners() {
  auto Writes = [](const Instruction &Of) {
    return llvm::any_of(Of.Accesses, [](const Access &A) { return A.Write; });
  };
  Partners.assign(Instructions.size(), {});
  HavePartners.clear();
  HavePartners.resize(Instructions.size() * Instructions.size());
  for (const Instruction &Second : Instructions)
    for (const Instruction &First : Instructions) {
      // Only a loop brings what comes later back to what came before.
      if (First.Index >= Second.Index &&
          (First.Loops.empty() || Second.Loops.empty() ||
           First.Loops[0] != Second.Loops[0]))
        continue;
      // The scalar unit reads at once; what it writes has to be told.
      bool AtOnce = isScalar(First.On) &&
                    coreOf(First.On) == coreOf(Second.On) &&
                    (First.On == Second.On || !Writes(First));
      bool Interlocked =
          VectorInterlock && First.On == Pipe::V && Second.On == Pipe::V;
      if (AtOnce || Interlocked)
        continue;
      SmallVector<Overlap, 1> Ways = overlaps(First, Second);
      if (std::optional<unsigned> Depth = depthOfSums(First.Op, Second.Op))
        for (Overlap &Way : Ways)
          Way.Apart |= ~0u << *Depth;
      if (Ways.empty())
        continue;
      Partners[Second.Index][index(First.On)].push_back(
          {First.Index, std::move(Ways)});
      HavePartners.set(First.Index * Instructions.size() + Second.Index);
    }
}

const SyncTrace::Partner *SyncTrace::partnerOf(unsigned First,
                                               unsigned Second) const {
  if (!HavePartners.test(First * Instructions.size() + Second))
    return nullptr;
  return &*llvm::lower_bound(
      Partners[Second][index(Instructions[First].On)], First,
      [](const Partner &P, unsigned Index) { return P.Before < Index; });
}

bool SyncTrace::hasSlots(LoopLikeOpInterface Loop) const {
  return LoopsWithSlots.contains(Loop);
}

/// How many iterations a loop makes in one run of the kernel. Slots repeat
/// after two iterations, and what one run of a loop leaves the next one finds;
/// so all make three, then two, then one; then inner loops make none; and then
/// each its own number, in the same way every time.
static unsigned iterationsOf(unsigned Scenario, unsigned Depth,
                             unsigned Visit) {
  if (Scenario < 3)
    return 3 - Scenario;
  if (Scenario < 6)
    return Depth + 3 <= Scenario ? 3 : 0;
  uint32_t Mixed = (Scenario * 73u + Visit) * 2654435761u;
  return Depth == 0 ? 2 + (Mixed >> 31) : Mixed >> 30;
}

/// The iterations of one more run of a loop. In deep nests all loops with three
/// would be thousands, which look alike: after nine runs of a loop, as many as
/// the third of a nest has, it makes two, and then one.
unsigned SyncTrace::enter(Operation *Loop, unsigned Depth) {
  unsigned Before = VisitsOf[Loop]++;
  unsigned Most = Before < 9 ? 3 : Before < 27 ? 2 : 1;
  return std::min(Most, iterationsOf(Scenario, Depth, Visits++));
}

static constexpr unsigned NumScenarios = 20;

void SyncTrace::countIterations(Block &Block, unsigned Depth,
                                SmallVectorImpl<unsigned> &Counts) {
  for (Operation &Op : Block) {
    if (auto Loop = dyn_cast<LoopLikeOpInterface>(Op)) {
      unsigned Count = enter(Loop, Depth);
      Counts.push_back(Count);
      for (unsigned I = 0; I < Count; ++I)
        countIterations(*bodyOf(Loop), Depth + 1, Counts);
    } else if (auto If = dyn_cast<scf::IfOp>(Op)) {
      for (Region &Branch : If->getRegions())
        if (!Branch.empty())
          countIterations(Branch.front(), Depth, Counts);
    }
  }
}

/// Which loops make how many iterations does not depend on a plan: scenarios
/// that come to the same are run once.
void SyncTrace::findScenarios(unsigned MostRuns) {
  std::vector<SmallVector<unsigned>> Seen;
  Scenarios.clear();
  for (Scenario = 0; Scenario < NumScenarios; ++Scenario) {
    SmallVector<unsigned> Counts;
    Visits = 0;
    VisitsOf.clear();
    countIterations(Kernel.getBody().front(), 0, Counts);
    if (Scenarios.size() == MostRuns || llvm::is_contained(Seen, Counts))
      continue;
    Seen.push_back(std::move(Counts));
    Scenarios.push_back(Scenario);
  }
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void SyncTrace::usePlan(SyncPlan &P) {
  Plan = &P;
  for (Step &At : Steps) {
    At.SetsAfter.clear();
    At.WaitsBefore.clear();
    At.BarriersBefore.clear();
    At.Primed.clear();
  }
  auto At = [&](Operation *Op) -> Step & { return Steps[StepOf.at(Op)]; };
  for (auto [I, Flag] : llvm::enumerate(Plan->Flags)) {
    At(Flag.After).SetsAfter.push_back(I);
    At(Flag.Before).WaitsBefore.push_back(I);
    if (Flag.CarriedBy)
      At(Flag.outermost()).Primed.push_back(I);
  }
  for (auto [I, Barrier] : llvm::enumerate(Plan->Barriers))
    At(Barrier.Before).BarriersBefore.push_back(I);
  std::map<FlagKey, unsigned> Numbers;
  EventOf.clear();
  for (const Flag &Flag : Plan->Flags) {
    std::array<unsigned, 2> &Mine = EventOf.emplace_back();
    for (unsigned Slot = 0; Slot < Flag.events(); ++Slot)
      Mine[Slot] =
          Numbers.try_emplace(keyOf(Flag, Slot), Numbers.size()).first->second;
  }
  NumEvents = Numbers.size();
}

void SyncTrace::run(unsigned Which) {
  Scenario = Which;
  Visits = 0;
  VisitsOf.clear();
  Now.Known = {};
  Now.IsRaised.clear();
  Now.IsRaised.resize(NumEvents);
  Now.Raised.assign(NumEvents, {});
  Awaited.assign(NumEvents, {});
  Issued = {};
  Here.clear();
  Paths.clear();
  PathIsStale = true;
  for (std::vector<Occurrence> &OnPipe : Past)
    OnPipe.clear();
  PlacesOf.assign(Instructions.size(), {});
  NumOccurrences = 0;
  Found.reset();
  execute(Kernel.getBody().front());
  if (Found)
    LastFailing = Which;
}

std::optional<Violation> SyncTrace::findViolation(SyncPlan &P) {
  usePlan(P);
  Found.reset();
  for (unsigned Which : Scenarios) {
    run(Which);
    if (Found)
      break;
  }
  return std::move(Found);
}

bool SyncTrace::accepts(SyncPlan &P) {
  usePlan(P);
  Found.reset();
  unsigned First = LastFailing;
  if (llvm::is_contained(Scenarios, First))
    run(First);
  for (unsigned Which : Scenarios) {
    if (Found)
      return false;
    if (Which != First)
      run(Which);
  }
  return !Found;
}

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

/// What is issued now starts after all that the scalar unit has waited for.
SyncTrace::Epoch SyncTrace::issue(Pipe P) {
  Clock &Mine = Now.Known[index(P)];
  const Clock &Scalar = Now.Known[index(scalarPipeOf(coreOf(P)))];
  for (unsigned I = 0; I < NumPipes; ++I)
    Mine[I] = std::max(Mine[I], Scalar[I]);
  return {P, ++Issued[index(P)]};
}

bool SyncTrace::ordered(Epoch Before, Pipe P) const {
  return Now.Known[index(P)][index(Before.On)] >= Before.Time;
}

/// The index of the current path.
unsigned SyncTrace::here() {
  if (PathIsStale)
    Paths.push_back(Here);
  PathIsStale = false;
  return Paths.size() - 1;
}

SyncTrace::FlagKey SyncTrace::keyOf(const Flag &Flag, unsigned Slot) {
  Pipe From = Flag.From, To = Flag.To;
  if (isBetweenCores(From, To)) {
    From = scalarPipeOf(coreOf(From));
    To = scalarPipeOf(coreOf(To));
  }
  return {From, To, Flag.Event + Slot};
}

/// Raised next to At: after an instruction, or before a loop that carries it.
void SyncTrace::set(unsigned Flag, unsigned Slot, Operation *At) {
  auto &F = Plan->Flags[Flag];
  issue(F.From);
  const unsigned Event = EventOf[Flag][Slot];
  const Wait &Last = Awaited[Event];
  // The scalar unit itself has waited before it issues this.
  bool MayBeUp = Last.At && F.To != scalarPipeOf(coreOf(F.From)) &&
                 !ordered(Last.When, F.From);
  if ((Now.IsRaised.test(Event) || MayBeUp) && !Found) {
    Found = Violation{Violation::Kind::RunAhead, {}, {At, F.From, Here}, Flag};
    if (Last.At)
      Found->First = {Last.At, F.To, Paths[Last.Where]};
  }
  Now.IsRaised.set(Event);
  Now.Raised[Event] = Now.Known[index(F.From)];
  Now.Raised[Event][index(F.From)] = Issued[index(F.From)];
}

void SyncTrace::wait(unsigned Flag, unsigned Slot, Operation *At) {
  auto &F = Plan->Flags[Flag];
  const unsigned Event = EventOf[Flag][Slot];
  Epoch When = issue(F.To);
  // What the scalar unit issues later knows that it has waited.
  if (isScalar(F.To))
    Now.Known[index(F.To)][index(F.To)] = When.Time;
  Awaited[Event] = {When, At, here()};
  if (!Now.IsRaised.test(Event))
    return; // events share a number where they must not; conflicts follow
  Clock &Mine = Now.Known[index(F.To)];
  for (unsigned I = 0; I < NumPipes; ++I)
    Mine[I] = std::max(Mine[I], Now.Raised[Event][I]);
  Now.IsRaised.reset(Event);
}

void SyncTrace::barrier(std::optional<Pipe> On) {
  if (On) {
    Now.Known[index(*On)][index(*On)] = Issued[index(*On)];
    return;
  }
  for (Clock &Known : Now.Known)
    Known = Issued;
}

/// Both paths may have led here. Whoever knows all of a pipe that one path
/// issued knows all of it, whatever the other path did.
void SyncTrace::join(State &Into, const State &Other, const Clock &OtherEnd) {
  auto KeepCommon = [&](Clock &A, const Clock &B) {
    for (unsigned I = 0; I < NumPipes; ++I) {
      uint32_t Mine = B[I] >= OtherEnd[I] ? Issued[I] : B[I];
      A[I] = std::min(A[I], Mine);
    }
  };
  for (auto [A, B] : llvm::zip_equal(Into.Known, Other.Known))
    KeepCommon(A, B);
  for (unsigned Event : Into.IsRaised.set_bits())
    if (Other.IsRaised.test(Event))
      KeepCommon(Into.Raised[Event], Other.Raised[Event]);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Whether the two can never be executed in the same run through a branch.
static bool areExclusive(const Path &A, const Path &B) {
  for (auto [First, Second] : llvm::zip(A, B))
    if (First != Second)
      return First.first == Second.first && isa<scf::IfOp>(First.first);
  return false;
}

/// Whether an execution has to be over, and is the latest of such so far.
bool SyncTrace::isLatest(const Occurrence &Before, const Partner &Partner,
                         const Occurrence *&Latest) const {
  const Path &Where = Paths[Before.Where];
  if ((Latest && Before.Number < Latest->Number) || areExclusive(Where, Here) ||
      !conflict(Partner.Ways, Where, Here))
    return false;
  Latest = &Before;
  return true;
}

/// Looks for the latest execution on a pipe that has to be over, among those
/// that are not known to be complete: the last ones of the pipe. They are
/// looked through, or all that touch the same memory, whatever is less.
void SyncTrace::lookBack(const Instruction &What, unsigned Pipe,
                         const Occurrence *&Latest) const {
  const std::vector<Occurrence> &All = Past[Pipe];
  const std::vector<Partner> &Others = Partners[What.Index][Pipe];
  if (Others.empty() || All.empty())
    return;
  uint32_t Known = Now.Known[index(What.On)][Pipe];
  auto First = std::upper_bound(
      All.begin(), All.end(), Known,
      [](uint32_t Time, const Occurrence &O) { return Time < O.Time; });
  size_t Open = All.end() - First;
  if (Open <= Others.size()) {
    for (auto Before = All.end(); Before-- != First;)
      if (const Partner *Other = partnerOf(Before->Instruction, What.Index))
        if (isLatest(*Before, *Other, Latest))
          return;
    return;
  }
  for (const Partner &Other : Others)
    for (unsigned Place : llvm::reverse(PlacesOf[Other.Before]))
      if (All[Place].Time <= Known || isLatest(All[Place], Other, Latest))
        break;
}

void SyncTrace::touch(const Instruction &What) {
  ++NumSteps;
  Epoch When = issue(What.On);
  const Occurrence *Latest = nullptr;
  for (unsigned P = 0; P < NumPipes; ++P)
    lookBack(What, P, Latest);
  if (Latest) {
    const Instruction &First = Instructions[Latest->Instruction];
    Found = Violation{Violation::Kind::Unordered,
                      {First.Op, First.On, Paths[Latest->Where]},
                      {What.Op, What.On, Here},
                      0};
    return;
  }
  std::vector<Occurrence> &Mine = Past[index(What.On)];
  PlacesOf[What.Index].push_back(Mine.size());
  Mine.push_back({What.Index, When.Time, here(), NumOccurrences++});
}

unsigned SyncTrace::slotFor(const Flag &Flag) const {
  scf::ForOp SlotLoop = Flag.SlotLoop;
  if (SlotLoop)
    for (auto [Loop, Iteration] : Here)
      if (Loop == SlotLoop.getOperation())
        return Iteration % 2;
  return 0;
}

void SyncTrace::execute(Block &Block) {
  auto Here = StepsIn.find(&Block);
  if (Here == StepsIn.end())
    return;
  for (unsigned Number : Here->second) {
    const Step &At = Steps[Number];
    for (unsigned I : At.WaitsBefore)
      wait(I, slotFor(Plan->Flags[I]), At.Op);
    for (unsigned I : At.BarriersBefore)
      barrier(Plan->Barriers[I].On);
    execute(At);
    if (Found)
      return;
    for (unsigned I : At.SetsAfter)
      set(I, slotFor(Plan->Flags[I]), At.Op);
    if (Found)
      return;
  }
}

void SyncTrace::execute(const Step &At) {
  switch (At.What) {
  case Step::Kind::Loop:
    return executeLoop(At);
  case Step::Kind::Branch:
    return execute(cast<scf::IfOp>(At.Op));
  case Step::Kind::SyncCores:
    return barrier(std::nullopt);
  case Step::Kind::Instruction:
    return executeInstruction(At);
  }
}

void SyncTrace::executeInstruction(const Step &At) {
  const Instruction &What = Instructions[At.Instruction];
  if (At.WaitsForItsPipe)
    barrier(What.On);
  touch(What);
}

/// The body of a loop or branch.
void SyncTrace::executeAt(Operation *Op, unsigned Number, Block &Body) {
  Here.push_back({Op, Number});
  PathIsStale = true;
  execute(Body);
  Here.pop_back();
  PathIsStale = true;
}

void SyncTrace::executeLoop(const Step &At) {
  for (unsigned I : At.Primed)
    for (unsigned Slot = 0; Slot < Plan->Flags[I].events(); ++Slot)
      set(I, Slot, At.Op);
  const unsigned Count = enter(At.Op, At.Depth);
  for (unsigned I = 0; I < Count && !Found; ++I)
    executeAt(At.Op, I, *At.Body);
  if (Found)
    return;
  for (unsigned I : At.Primed)
    for (unsigned Slot = 0; Slot < Plan->Flags[I].events(); ++Slot)
      wait(I, Slot, At.Op);
}

void SyncTrace::execute(scf::IfOp If) {
  State Before = Now;
  executeAt(If, 0, If.getThenRegion().front());
  State Then = std::move(Now);
  Clock ThenEnd = Issued;
  // Nothing of the first branch has happened in the second.
  Now = std::move(Before);
  if (!Found && !If.getElseRegion().empty())
    executeAt(If, 1, If.getElseRegion().front());
  if (!Found)
    join(Now, Then, ThenEnd);
}
