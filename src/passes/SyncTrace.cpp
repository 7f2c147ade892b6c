//===- SyncTrace.cpp - Running a kernel to see who must wait --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pipe has a clock: how many instructions of every pipe are complete when
// its next one starts. Some runs with a few turns of each loop are enough to
// find what has to wait; that they were enough for all is shown by
// ascend-verify-sync, by other means.
//
//===----------------------------------------------------------------------===//

#include "passes/SyncTrace.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::passes;

static unsigned index(Pipe P) { return static_cast<unsigned>(P); }

scf::ForOp Flag::upAround() {
  scf::ForOp Outermost = CarriedBy;
  for (scf::ForOp Loop = CarriedBy; Loop;
       Loop = Loop->getParentOfType<scf::ForOp>())
    Outermost = Loop;
  return Outermost;
}

LogicalResult SyncTrace::prepare() {
  WalkResult Result = Kernel.walk([&](Operation *Op) {
    if (auto Buffer = dyn_cast<BufferOp>(Op))
      if (scf::ForOp Loop = slotLoopOf(Buffer.getSlot()))
        LoopsWithSlots.insert(Loop);
    auto Interface = dyn_cast<InstructionInterface>(Op);
    if (!Interface)
      return WalkResult::advance();
    FailureOr<Instruction> What = describe(Interface);
    if (failed(What))
      return WalkResult::interrupt();
    Instructions[Op] = std::move(*What);
    return WalkResult::advance();
  });
  return failure(Result.wasInterrupted());
}

bool SyncTrace::hasSlots(scf::ForOp Loop) const {
  return LoopsWithSlots.contains(Loop);
}

/// How many turns a loop makes in one run of the kernel. Slots repeat after two
/// turns, and what one run of a loop leaves the next one finds; so all make
/// three, then two, then one; then inner loops make none; and then each its own
/// number, in the same way every time.
static unsigned turnsOf(unsigned Scenario, unsigned Depth, unsigned Visit) {
  if (Scenario < 3)
    return 3 - Scenario;
  if (Scenario < 6)
    return Depth + 3 <= Scenario ? 2 : 0;
  uint32_t Mixed = (Scenario * 73u + Visit) * 2654435761u;
  return Depth == 0 ? 2 + (Mixed >> 31) : Mixed >> 30;
}

static constexpr unsigned NumScenarios = 20;

std::optional<Violation> SyncTrace::run(SyncPlan &Given) {
  Plan = &Given;
  SetsAfter.clear();
  WaitsBefore.clear();
  BarriersBefore.clear();
  Primed.clear();
  for (auto [I, Flag] : llvm::enumerate(Plan->Flags)) {
    SetsAfter[Flag.After].push_back(I);
    WaitsBefore[Flag.Before].push_back(I);
    if (Flag.CarriedBy)
      Primed[Flag.upAround()].push_back(I);
  }
  for (auto [I, Barrier] : llvm::enumerate(Plan->Barriers))
    BarriersBefore[Barrier.Before].push_back(I);
  for (Scenario = 0; Scenario < NumScenarios; ++Scenario) {
    Visits = 0;
    Now = {};
    Issued = {};
    Here.clear();
    Past.clear();
    Found.reset();
    execute(Kernel.getBody().front());
    if (Found)
      break;
  }
  return std::move(Found);
}

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

/// What is issued now starts after all that the scalar unit has waited for.
SyncTrace::Epoch SyncTrace::issue(Pipe P) {
  Clock &Mine = Now.Known[index(P)];
  const Clock &Scalar = Now.Known[index(Pipe::S)];
  for (unsigned I = 0; I < NumPipes; ++I)
    Mine[I] = std::max(Mine[I], Scalar[I]);
  return {P, ++Issued[index(P)]};
}

bool SyncTrace::ordered(Epoch Before, Pipe P) const {
  return Now.Known[index(P)][index(Before.On)] >= Before.Time;
}

/// Raised next to At: behind an instruction, or before a loop that carries it.
void SyncTrace::set(unsigned Flag, unsigned Slot, Operation *At) {
  auto &F = Plan->Flags[Flag];
  issue(F.From);
  FlagKey Key = {F.From, F.To, F.Event + Slot};
  auto Last = Now.Awaited.find(Key);
  bool StillUp = Now.Raised.count(Key);
  // The scalar unit itself has waited before it issues this.
  bool MayBeUp = Last != Now.Awaited.end() && F.To != Pipe::S &&
                 !ordered(Last->second.When, F.From);
  if ((StillUp || MayBeUp) && !Found) {
    Found = Violation{Violation::Kind::RunAhead, {}, {At, F.From, Here}, Flag};
    if (Last != Now.Awaited.end())
      Found->First = {Last->second.At, F.To, Last->second.Where};
  }
  Clock Published = Now.Known[index(F.From)];
  Published[index(F.From)] = Issued[index(F.From)];
  Now.Raised[Key] = Published;
}

void SyncTrace::wait(unsigned Flag, unsigned Slot, Operation *At) {
  auto &F = Plan->Flags[Flag];
  FlagKey Key = {F.From, F.To, F.Event + Slot};
  Now.Awaited.insert_or_assign(Key, Wait{issue(F.To), At, Here});
  auto Raised = Now.Raised.find(Key);
  if (Raised == Now.Raised.end())
    return; // events share a number where they must not; conflicts follow
  Clock &Mine = Now.Known[index(F.To)];
  for (unsigned I = 0; I < NumPipes; ++I)
    Mine[I] = std::max(Mine[I], Raised->second[I]);
  Now.Raised.erase(Raised);
}

void SyncTrace::barrier(std::optional<Pipe> On) {
  if (On) {
    Now.Known[index(*On)][index(*On)] = Issued[index(*On)];
    return;
  }
  for (Clock &Known : Now.Known)
    Known = Issued;
}

/// Both ways may have led here. Whoever knows all of a pipe that one way
/// issued knows all of it, whatever the other way did.
void SyncTrace::join(State &Into, const State &Other, const Clock &OtherEnd) {
  auto Meet = [&](Clock &A, const Clock &B) {
    for (unsigned I = 0; I < NumPipes; ++I) {
      uint32_t Mine = B[I] >= OtherEnd[I] ? Issued[I] : B[I];
      A[I] = std::min(A[I], Mine);
    }
  };
  for (auto [A, B] : llvm::zip_equal(Into.Known, Other.Known))
    Meet(A, B);
  for (auto &[Key, Clock] : Into.Raised) {
    auto Same = Other.Raised.find(Key);
    if (Same != Other.Raised.end())
      Meet(Clock, Same->second);
  }
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

void SyncTrace::touch(const Instruction &What) {
  Epoch When = issue(What.On);
  for (const Occurrence &Before : llvm::reverse(Past)) {
    // The scalar unit reads at once; what it writes has to be told.
    bool AtOnce = Before.When.On == Pipe::S &&
                  (What.On == Pipe::S ||
                   llvm::none_of(Before.What->Accesses,
                                 [](const Access &A) { return A.Write; }));
    bool Interlocked =
        VectorInterlock && Before.When.On == Pipe::V && What.On == Pipe::V;
    if (AtOnce || Interlocked || ordered(Before.When, What.On) ||
        areExclusive(Before.Where, Here) ||
        !conflict(*Before.What, Before.Where, What, Here))
      continue;
    Found = Violation{Violation::Kind::Unordered,
                      {Before.What->Op, Before.When.On, Before.Where},
                      {What.Op, What.On, Here},
                      0};
    return;
  }
  Past.push_back({&What, When, Here});
}

unsigned SyncTrace::slotFor(Flag &Flag) const {
  if (Flag.SlotLoop)
    for (auto [Loop, Turn] : Here)
      if (Loop == Flag.SlotLoop.getOperation())
        return Turn % 2;
  return 0;
}

void SyncTrace::execute(Block &Block) {
  for (Operation &Op : Block) {
    for (unsigned I : WaitsBefore.lookup(&Op))
      wait(I, slotFor(Plan->Flags[I]), &Op);
    for (unsigned I : BarriersBefore.lookup(&Op))
      barrier(Plan->Barriers[I].On);
    execute(Op);
    if (Found)
      return;
    for (unsigned I : SetsAfter.lookup(&Op))
      set(I, slotFor(Plan->Flags[I]), &Op);
    if (Found)
      return;
  }
}

void SyncTrace::execute(Operation &Op) {
  if (auto Loop = dyn_cast<scf::ForOp>(Op))
    return execute(Loop);
  if (auto If = dyn_cast<scf::IfOp>(Op))
    return execute(If);
  if (isa<SyncCoresOp>(Op))
    return barrier(std::nullopt);
  auto What = Instructions.find(&Op);
  if (What == Instructions.end())
    return;
  // The scalar unit waits for the pipe before it does its part.
  if (usesScalarUnit(&Op))
    barrier(What->second.On);
  touch(What->second);
}

void SyncTrace::execute(scf::ForOp Loop) {
  const SmallVector<unsigned, 2> Carried = Primed.lookup(Loop);
  for (unsigned I : Carried)
    for (unsigned Slot = 0; Slot < Plan->Flags[I].events(); ++Slot)
      set(I, Slot, Loop);
  const unsigned Depth = llvm::count_if(
      Here, [](const auto &Step) { return isa<scf::ForOp>(Step.first); });
  const unsigned Turns = turnsOf(Scenario, Depth, Visits++);
  for (unsigned Turn = 0; Turn < Turns && !Found; ++Turn) {
    Here.push_back({Loop, Turn});
    execute(*Loop.getBody());
    Here.pop_back();
  }
  if (Found)
    return;
  for (unsigned I : Carried)
    for (unsigned Slot = 0; Slot < Plan->Flags[I].events(); ++Slot)
      wait(I, Slot, Loop);
}

void SyncTrace::execute(scf::IfOp If) {
  State Before = Now;
  Here.push_back({If, 0});
  execute(If.getThenRegion().front());
  Here.pop_back();
  State Then = Now;
  Clock ThenEnd = Issued;
  // Nothing of the first branch has happened in the second.
  for (unsigned Q = 0; Q < NumPipes; ++Q)
    for (unsigned P = 0; P < NumPipes; ++P)
      Now.Known[Q][P] = Before.Known[Q][P];
  Now.Raised = Before.Raised;
  if (!Found && !If.getElseRegion().empty()) {
    Here.push_back({If, 1});
    execute(If.getElseRegion().front());
    Here.pop_back();
  }
  if (!Found)
    join(Now, Then, ThenEnd);
}
