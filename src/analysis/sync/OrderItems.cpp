//===- OrderItems.cpp - What is proven of which instructions --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions and waits of a kernel, and which of them must not overlap;
// OrderProof.cpp proves that they do not.
//
//===----------------------------------------------------------------------===//

#include "analysis/sync/OrderProof.h"
#include "analysis/sync/ProductOrder.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using namespace belay::ascend;

std::string OrderProof::quoted(Operation *Op) {
  return ("'" + Op->getName().getStringRef() + "'").str();
}

void OrderProof::addItem(Operation *Op) {
  using Kind = Refusal::Kind;
  if (auto Instruction = dyn_cast<InstructionInterface>(Op)) {
    FailureOr<Footprint> Uses = footprintOf(Instruction);
    if (failed(Uses))
      report({Kind::NotOfOrder, Op},
             quoted(Op) + " uses a buffer that has no place in memory");
    IndexOf[Op] = Items.size();
    Items.push_back({Op, Instruction.getPipe(),
                     succeeded(Uses) ? std::move(*Uses) : Footprint()});
  } else if (auto Wait = dyn_cast<FlagWaitOp>(Op)) {
    IndexOf[Op] = Items.size();
    Items.push_back({Op, Wait.getTo(), {}});
    Items.back().Uses.Loops = loopsAround(Op);
  } else if (Op->getNumRegions() && !isLoop(Op) &&
             !isa<scf::IfOp, func::FuncOp>(Op)) {
    report({Kind::NotOfOrder, Op},
           "the order inside " + quoted(Op) + " cannot be proven");
  }
}

template <typename FlagOp> void OrderProof::addFlag(FlagOp Op) {
  uint64_t Last = Op.getEvent() + (Op.getSlot() ? 1 : 0);
  unsigned Events =
      isBetweenCores(Op.getFrom(), Op.getTo()) ? Rules.CoreFlags : Rules.Events;
  if (Last >= Events)
    report({Refusal::Kind::WrongFlag, Op},
           "event " + Twine(Last) + " is out of range; " +
               stringifyPipe(Op.getFrom()) + " to " +
               stringifyPipe(Op.getTo()) + " has " + Twine(Events));
  for (uint64_t Number = Op.getEvent();
       isBetweenCores(Op.getFrom(), Op.getTo()) && Number <= Last; ++Number)
    if (Awaiting.try_emplace(Number, Op.getTo()).first->second != Op.getTo())
      report({Refusal::Kind::WrongFlag, Op},
             "flag " + Twine(Number) +
                 " goes from core to core in both "
                 "directions");
  if (!Op.getSlot())
    return;
  Event Alternates = eventOf(Op);
  Alternates.Relative = false;
  if (scf::ForOp Loop = alternatesIn(Op.getSlot()))
    Alternating[Loop].insert(Alternates);
  else
    report({Refusal::Kind::WrongFlag, Op},
           "which event this is cannot be seen: its slot does not alternate");
}

/// Items of a loop follow each other, and so do their lanes.
void OrderProof::addLanes() {
  for (auto [I, Item] : llvm::enumerate(Items)) {
    Item.FirstLane = ItemOf.size();
    ItemOf.push_back(I);
    for (auto [Depth, Loop] : llvm::enumerate(Item.Uses.Loops)) {
      auto [Info, New] = Loops.try_emplace(Loop);
      if (New)
        Info->second.FirstItem = I;
      Info->second.Depth = Depth;
      Info->second.EndItem = I + 1;
      if (!Alternating.count(Loop))
        continue;
      Info->second.SlotLanes.push_back(ItemOf.size());
      ItemOf.insert(ItemOf.end(), 2, I);
    }
    Item.NumLanes = ItemOf.size() - Item.FirstLane;
  }
}

/// What has to be over before an instruction starts; empty if never.
Sharings OrderProof::sharingsOf(const Item &Before, const Item &Now) const {
  bool Interlocked =
      Rules.VectorInterlock && Before.On == Pipe::V && Now.On == Pipe::V;
  // The scalar unit reads at once; what it writes has to be told.
  bool AtOnce = isScalar(Before.On) && coreOf(Before.On) == coreOf(Now.On) &&
                (Before.On == Now.On || !Before.Uses.Writes);
  if (Interlocked || AtOnce)
    return {};
  Sharings All = analysis::sharingsOf(Before.Uses, Now.Uses);
  Relations Ordered =
      orderedProducts(Before.Op, Now.Op) | separateFractals(Before.Op, Now.Op);
  for (Sharing &How : All)
    How.When &= ~Ordered;
  llvm::erase_if(All, [](const Sharing &How) { return !How.When; });
  return All;
}

/// Where an item has the current slot of a loop, counted from its first lane; 0
/// if the loop has none.
uint16_t OrderProof::slotLaneOf(const Item &Item,
                                LoopLikeOpInterface Loop) const {
  uint16_t Lane = 1;
  for (LoopLikeOpInterface Around : Item.Uses.Loops) {
    bool Alternates = Alternating.count(Around);
    if (Around == Loop)
      return Alternates ? Lane : 0;
    Lane += 2 * Alternates;
  }
  return 0;
}

void OrderProof::addConflict(Operation *Op, unsigned Before, Sharing How) {
  uint16_t Lane = How.SlotLoop ? slotLaneOf(Items[Before], How.SlotLoop) : 0;
  Conflicts[Op].push_back({Before, How.When, Lane});
}

/// When a wait takes the flag that a set raises.
Sharing OrderProof::sharedEvent(Operation *Waiting, FlagSetOp Set) const {
  auto Wait = dyn_cast<FlagWaitOp>(Waiting);
  if (!Wait || eventOf(Wait).From != eventOf(Set).From ||
      eventOf(Wait).To != eventOf(Set).To)
    return {};
  uint64_t A = Wait.getEvent(), B = Set.getEvent();
  if (Wait.getSlot() && Set.getSlot()) {
    if (A == B && Wait.getSlot() == Set.getSlot())
      return {AnyRelation, alternatesIn(Set.getSlot())};
    bool Apart = A + 1 < B || B + 1 < A;
    return {Apart ? Relations(0) : AnyRelation, {}};
  }
  bool Meet =
      A <= B + (Set.getSlot() ? 1 : 0) && B <= A + (Wait.getSlot() ? 1 : 0);
  return {Meet ? AnyRelation : Relations(0), {}};
}

void OrderProof::findConflicts() {
  for (auto [Now, Item] : llvm::enumerate(Items))
    for (auto [Before, Other] : llvm::enumerate(Items)) {
      // Only a loop brings what comes later back to what came before.
      if (Before >= Now &&
          (Item.Uses.Loops.empty() || Other.Uses.Loops.empty() ||
           Item.Uses.Loops[0] != Other.Uses.Loops[0]))
        continue;
      Sharings All = sharingsOf(Other, Item);
      for (const Sharing &How : All)
        addConflict(Item.Op, Before, How);
      NumPairs += !All.empty();
    }
  Kernel.walk([&](FlagSetOp Set) {
    for (auto [I, Item] : llvm::enumerate(Items)) {
      // What the scalar unit waits for is over before it issues anything else.
      if (Item.On == scalarPipeOf(coreOf(Set.getFrom())))
        continue;
      Sharing How = sharedEvent(Item.Op, Set);
      if (How.When)
        addConflict(Set, I, How);
    }
  });
}

ArrayRef<OrderProof::Conflict> OrderProof::conflictsOf(Operation *Op) const {
  auto Found = Conflicts.find(Op);
  if (Found == Conflicts.end())
    return {};
  return Found->second;
}

LogicalResult OrderProof::prepare() {
  Kernel.walk([&](Operation *Op) {
    addItem(Op);
    if (auto Set = dyn_cast<FlagSetOp>(Op))
      addFlag(Set);
    if (auto Wait = dyn_cast<FlagWaitOp>(Op))
      addFlag(Wait);
    if (auto Buffer = dyn_cast<BufferOp>(Op))
      if (scf::ForOp Loop = alternatesIn(Buffer.getSlot()))
        Alternating[Loop];
  });
  if (!Refusals.empty())
    return failure();
  addLanes();
  findConflicts();
  return success();
}
