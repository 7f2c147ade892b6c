//===- MemoryPlan.cpp - Where buffers can lie -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/MemoryPlan.h"

#include "dialect/PassTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

//===----------------------------------------------------------------------===//
// Live ranges
//===----------------------------------------------------------------------===//

/// Gives each operation its place, and those with regions their end.
void MemoryPlan::number() {
  unsigned Next = 0;
  auto Visit = [&](auto &&Self, Operation *Op) -> void {
    unsigned Begin = Next++;
    for (Region &Region : Op->getRegions())
      for (Block &Block : Region)
        for (Operation &Inner : Block)
          Self(Self, &Inner);
    Places[Op] = {Begin, Next++};
  };
  Visit(Visit, Kernel);
}

scf::ForOp MemoryPlan::Space::loop() const {
  return dyn_cast<scf::ForOp>(Buffers.front()->getParentOp());
}

void MemoryPlan::Space::join(const Space &Other) {
  Buffers.append(Other.Buffers);
  Bytes = std::max(Bytes, Other.Bytes);
  Begin = std::min(Begin, Other.Begin);
  End = std::max(End, Other.End);
  From = std::min(From, Other.From);
  To = std::max(To, Other.To);
  CopiedIn |= Other.CopiedIn;
  CopiedOut |= Other.CopiedOut;
  InFirst |= Other.InFirst;
  InLast |= Other.InLast;
}

/// A buffer from outside a loop is in use as long as the loop runs: the next
/// iteration needs it again.
void MemoryPlan::use(Space &Space, Operation *User, Block *Home) {
  Operation *Ancestor = Home->findAncestorOpInBlock(*User);
  auto [Begin, End] = Places.lookup(Ancestor);
  unsigned From = Begin, To = End;
  if (Ancestor == User) {
    To = End = Begin;
    if (Together) {
      auto [First, Last] = Together->around(User);
      From = Places.lookup(First).first;
      To = Places.lookup(Last).first;
      Space.InFirst |= Together->isFirst(User);
      Space.InLast |= Together->isLast(User);
    }
  }
  Space.Begin = std::min(Space.Begin, Begin);
  Space.End = std::max(Space.End, End);
  Space.From = std::min(Space.From, From);
  Space.To = std::max(Space.To, To);
  Space.CopiedIn |= isa<DmaInOp, CubeInOp, CubeLoadOp>(User);
  Space.CopiedOut |= isa<DmaOutOp, CubeOutOp>(User);
}

void MemoryPlan::add(BufferOp Buffer) {
  Space Space;
  Space.Buffers.push_back(Buffer);
  Space.Bytes = Buffer.getSlotBytes();
  for (Operation *User : Buffer->getUsers())
    use(Space, User, Buffer->getBlock());
  if (Space.Begin > Space.End)
    Space.Begin = Space.End = Space.From = Space.To =
        Places.lookup(Buffer).first;
  SpaceOf[Buffer.getBuffer()] = Spaces.size();
  Spaces.push_back(std::move(Space));
}

/// Whether another instruction of Op's stage uses a space: then Op cannot write
/// to it without a barrier.
bool MemoryPlan::isUsedBeside(const Space &Space, Operation *Op) const {
  return Together && llvm::any_of(Space.Buffers, [&](BufferOp Buffer) {
           return llvm::any_of(Buffer->getUsers(), [&](Operation *User) {
             return User != Op && Together->areTogether(User, Op);
           });
         });
}

/// Lets a result take the place of an operand that nobody needs any more.
void MemoryPlan::tryInPlace(Operation *Op, Value Src, Value Dst,
                            Merging Which) {
  if (Src.getType() != Dst.getType() ||
      Src.getParentBlock() != Dst.getParentBlock() ||
      Op->getBlock() != Dst.getParentBlock())
    return;
  auto From = SpaceOf.find(Src), To = SpaceOf.find(Dst);
  if (From == SpaceOf.end() || To == SpaceOf.end() ||
      From->second == To->second)
    return;
  Space &Old = Spaces[From->second], &New = Spaces[To->second];
  unsigned Now = Places.lookup(Op).first, Place = From->second;
  bool Copied = Old.isCopied() || New.isCopied();
  bool BothWays =
      (Old.CopiedIn || New.CopiedIn) && (Old.CopiedOut || New.CopiedOut);
  if (Which == Merging::None || Old.End != Now || New.Begin != Now ||
      isUsedBeside(Old, Op) || (Which == Merging::NotCopied && Copied) ||
      (Which == Merging::OneWay && BothWays))
    return;
  for (BufferOp Moved : New.Buffers)
    SpaceOf[Moved.getBuffer()] = Place;
  Old.join(New);
  New.Buffers.clear();
  ++InPlace;
}

/// Functions of the vendor's library, which have work space, may read operands
/// again after they began to write: their results never take an operand's
/// place.
void MemoryPlan::mergeInPlace(Merging Which) {
  Kernel.walk([&](Operation *Op) {
    if (auto Unary = dyn_cast<VecUnaryOp>(Op)) {
      if (!Unary.getWork())
        tryInPlace(Op, Unary.getSrc(), Unary.getDst(), Which);
    } else if (auto Scalar = dyn_cast<VecScalarOp>(Op)) {
      tryInPlace(Op, Scalar.getSrc(), Scalar.getDst(), Which);
    } else if (auto Repeated = dyn_cast<VecRepeatedOp>(Op)) {
      tryInPlace(Op, Repeated.getSrc(), Repeated.getDst(), Which);
    } else if (auto Binary = dyn_cast<VecBinaryOp>(Op);
               Binary && !Binary.getWork()) {
      tryInPlace(Op, Binary.getLhs(), Binary.getDst(), Which);
      tryInPlace(Op, Binary.getRhs(), Binary.getDst(), Which);
    }
  });
  llvm::erase_if(Spaces, [](const Space &S) { return S.Buffers.empty(); });
  SpaceOf.clear();
  for (auto [I, Space] : llvm::enumerate(Spaces))
    for (BufferOp Buffer : Space.Buffers)
      SpaceOf[Buffer.getBuffer()] = I;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// What copies touch is in flight while the rest of the iteration, or the
/// next, works on other buffers: sharing its memory would make them wait. The
/// last instructions of one iteration run beside the first of the next.
Tenant MemoryPlan::tenantFor(const Space &Space, bool KeepCopiedApart) const {
  Tenant Tenant{Space.Bytes * Space.Slots, Space.From, Space.To};
  scf::ForOp Loop = Space.loop();
  if (Loop && (Space.Slots > 1 || (Space.isCopied() && KeepCopiedApart)))
    std::tie(Tenant.Begin, Tenant.End) = Places.lookup(Loop);
  else if (Loop && Space.InLast)
    Tenant.Begin = Places.lookup(Loop).first;
  return Tenant;
}

bool MemoryPlan::pack(bool KeepCopiedApart) {
  SmallVector<Tenant> Tenants;
  for (const Space &Space : Spaces)
    Tenants.push_back(tenantFor(Space, KeepCopiedApart));
  Result = passes::pack(Tenants, Limits.Exact, Limits.Capacity);
  return fits();
}

/// Double-buffers what DMA copies use first, then what is live across the back
/// edge; inner loops first, as they run most often.
void MemoryPlan::doubleWhatFits() {
  SmallVector<std::tuple<bool, unsigned, Space *>> Candidates;
  for (Space &Space : Spaces) {
    unsigned Depth = 0;
    for (Operation *Up = Space.loop(); Up; Up = Up->getParentOp())
      Depth += isLoop(Up);
    if (Depth && (Space.isCopied() || (Space.InFirst && Space.InLast)))
      Candidates.push_back({Space.isCopied(), Depth, &Space});
  }
  // Equal ones in the order of Spaces.
  llvm::sort(Candidates, [](const auto &A, const auto &B) {
    return std::tie(std::get<0>(A), std::get<1>(A), std::get<2>(B)) >
           std::tie(std::get<0>(B), std::get<1>(B), std::get<2>(A));
  });
  Packing Best = Result;
  for (auto [Copied, Depth, Space] : Candidates) {
    Space->Slots = 2;
    if (pack(/*KeepCopiedApart=*/true)) {
      Best = Result;
      ++Doubled;
    } else {
      Space->Slots = 1;
    }
  }
  Result = Best;
}

void MemoryPlan::plan(Merging Merging) {
  mergeInPlace(Merging);
  if (pack(/*KeepCopiedApart=*/true)) {
    if (Limits.DoubleBuffer)
      doubleWhatFits();
    return;
  }
  if (Together || Merging == Merging::None)
    return;
  CopiedApart = false;
  if (pack(/*KeepCopiedApart=*/false))
    return;
  mergeInPlace(Merging::All);
  pack(/*KeepCopiedApart=*/false);
}

/// Bytes after which groups of banks come again, and what a repeat takes of
/// them.
static constexpr int64_t BankSpan = 512, HalfSpan = 256;

/// Which spaces had better begin in the other half of the span: two that an
/// instruction reads in different ones, what it writes in another than what it
/// reads, as far as that goes; what loops do counts more.
SmallVector<bool> MemoryPlan::otherHalf() {
  constexpr int64_t ReadsBoth = 5, ReadsAndWrites = 2, OfLoop = 16;
  struct Use {
    unsigned Space;
    bool Writes;
  };
  SmallVector<SmallVector<int64_t>> Weight(Spaces.size(),
                                           SmallVector<int64_t>(Spaces.size()));
  Kernel.walk([&](InstructionInterface Instruction) {
    auto Effects = dyn_cast<MemoryEffectOpInterface>(*Instruction);
    if (!Effects || Instruction.getPipe() != Pipe::V)
      return;
    SmallVector<Use> Touched;
    int64_t Repeats = 1;
    for (Value Operand : Instruction->getOperands()) {
      auto At = SpaceOf.find(Operand);
      if (At == SpaceOf.end())
        continue;
      bool Writes =
          Effects.getEffectOnValue<MemoryEffects::Write>(Operand).has_value();
      Touched.push_back({At->second, Writes});
      Repeats = std::max(Repeats, Spaces[At->second].Bytes / HalfSpan);
    }
    for (Operation *Up = Instruction->getParentOp(); Up; Up = Up->getParentOp())
      Repeats *= isLoop(Up) ? OfLoop : 1;
    for (const Use &A : Touched)
      for (const Use &B : Touched)
        if (A.Space != B.Space && !(A.Writes && B.Writes))
          Weight[A.Space][B.Space] +=
              Repeats * (A.Writes || B.Writes ? ReadsAndWrites : ReadsBoth);
  });
  SmallVector<bool> Other(Spaces.size());
  // What it would cost to change sides, until nothing is gained.
  constexpr unsigned MostRounds = 8;
  bool Changed = true;
  for (unsigned Round = 0; Changed && Round < MostRounds; ++Round) {
    Changed = false;
    for (size_t A = 0; A < Spaces.size(); ++A) {
      int64_t Gain = 0;
      for (size_t B = 0; B < Spaces.size(); ++B)
        Gain += Other[A] == Other[B] ? Weight[A][B] : -Weight[A][B];
      if (Gain > 0) {
        Other[A] = !Other[A];
        Changed = true;
      }
    }
  }
  return Other;
}

void MemoryPlan::stagger() {
  if (Limits.Memory != MemorySpace::UB || !fits())
    return;
  SmallVector<bool> Other = otherHalf();
  SmallVector<Tenant> Tenants;
  for (auto [Space, Moved] : llvm::zip_equal(Spaces, Other)) {
    Tenants.push_back(tenantFor(Space, CopiedApart));
    Tenants.back().Bytes =
        llvm::alignTo(Tenants.back().Bytes + (Moved ? HalfSpan : 0), BankSpan);
  }
  Packing Staggered = passes::pack(Tenants, Limits.Exact, Limits.Capacity);
  if (Staggered.Bytes > Limits.Capacity)
    return;
  for (auto [Offset, Moved] : llvm::zip_equal(Staggered.Offsets, Other))
    Offset += Moved ? HalfSpan : 0;
  Result = std::move(Staggered);
}

MemoryPlan::MemoryPlan(func::FuncOp Kernel, MemoryLimits Limits,
                       Merging Merging, bool AvoidBarriers)
    : Merged(Merging), Kernel(Kernel), Limits(Limits) {
  if (AvoidBarriers)
    Together.emplace(Kernel);
  number();
  Kernel.walk([&](BufferOp Buffer) {
    if (isInSpace(Buffer.getBuffer().getType(), Limits.Memory))
      add(Buffer);
  });
  plan(Merging);
}

unsigned MemoryPlan::cost() const {
  if (!fits())
    return ~0u;
  unsigned Waiting = 0, Barriers = 0;
  for (const Space &Space : Spaces)
    if (Space.loop() && Space.Slots == 1) {
      Waiting += Space.isCopied();
      Barriers += Space.InFirst && Space.InLast;
    }
  constexpr unsigned Many = 1u << 12;
  // Without stages nobody has looked for barriers.
  if (Limits.Barriers && !Together)
    Barriers = Many - 1;
  return Waiting * Many + std::min(Barriers, Many - 1);
}

MemoryPlan passes::planMemory(func::FuncOp Kernel, const MemoryLimits &Limits) {
  std::optional<MemoryPlan> Best;
  for (bool AvoidBarriers : {true, false})
    for (Merging Merging :
         {Merging::None, Merging::NotCopied, Merging::OneWay}) {
      if ((AvoidBarriers && !Limits.Barriers) || (Best && Best->cost() == 0))
        continue;
      MemoryPlan Plan(Kernel, Limits, Merging, AvoidBarriers);
      if (!Best || Plan.cost() < Best->cost())
        Best.emplace(std::move(Plan));
    }
  assert(Best && "one without stages is always tried");
  Best->stagger();
  return std::move(*Best);
}

SmallVector<MemorySpace> passes::memoriesOf(func::FuncOp Kernel) {
  llvm::SmallSetVector<MemorySpace, 4> Memories;
  Kernel.walk([&](BufferOp Buffer) {
    Memories.insert(*getSpace(Buffer.getBuffer().getType()));
  });
  return Memories.takeVector();
}

MemoryLimits passes::memoryLimitsOf(MemorySpace Memory,
                                    const targets::Soc &Soc) {
  return {.Memory = Memory,
          .Capacity = usableBytes(Soc, Memory),
          .Exact = 10,
          .DoubleBuffer = true,
          .Barriers = !Soc.arch->vectorInterlock};
}

static std::string nameOf(MemorySpace Memory) {
  if (Memory == MemorySpace::UB)
    return "the unified buffer";
  return stringifyMemorySpace(Memory).upper();
}

LogicalResult MemoryPlan::complain() {
  int64_t Most = 0;
  unsigned Where = 0;
  for (const Space &At : Spaces) {
    int64_t Bytes = 0;
    for (const Space &Space : Spaces)
      if (Space.Begin <= At.Begin && At.Begin <= Space.End)
        Bytes = addBytes(Bytes, Space.Bytes);
    if (Bytes > Most) {
      Most = Bytes;
      Where = At.Begin;
    }
  }
  InFlightDiagnostic Error =
      Kernel.emitError() << "'" << Kernel.getName() << "' needs "
                         << std::max(Most, Result.Bytes) << " bytes of "
                         << nameOf(Limits.Memory) << ", and " << Limits.Capacity
                         << " are there [local-capacity]";
  SmallVector<const Space *> Alive;
  for (const Space &Space : Spaces)
    if (Space.Begin <= Where && Where <= Space.End)
      Alive.push_back(&Space);
  // Equal ones in the order of Spaces.
  llvm::sort(Alive, [](const Space *A, const Space *B) {
    return std::tie(A->Bytes, B) > std::tie(B->Bytes, A);
  });
  for (const Space *Space : Alive) {
    BufferOp First = Space->Buffers.front();
    MemRefType Type = First.getBuffer().getType();
    auto Sizes = llvm::map_range(
        Type.getShape(), [](int64_t Size) { return llvm::itostr(Size); });
    Error.attachNote(First.getLoc())
        << Space->Bytes << " bytes for " << llvm::join(Sizes, "x") << " of "
        << Type.getElementType();
  }
  return Error;
}

//===----------------------------------------------------------------------===//
// Writing it down
//===----------------------------------------------------------------------===//

/// A loop that counts 0, 1, 0, 1 beside its own variable.
static Value addSlotCounter(scf::ForOp &Loop) {
  IRRewriter Rewriter(Loop->getContext());
  Rewriter.setInsertionPoint(Loop);
  Location Loc =
      NameLoc::get(StringAttr::get(Loop->getContext(), "slot"), Loop.getLoc());
  Value Zero = arith::ConstantIndexOp::create(Rewriter, Loc, 0);
  auto Toggle = [&](OpBuilder &Builder, Location,
                    ArrayRef<BlockArgument> New) -> SmallVector<Value> {
    Location Plain = Loop.getLoc();
    Value One = arith::ConstantIndexOp::create(Builder, Plain, 1);
    return {arith::SubIOp::create(Builder, Plain, One, New.front())};
  };
  SmallVector<Location> Named = llvm::map_to_vector(
      Loop.getBody()->getArguments(),
      [](BlockArgument Argument) { return Argument.getLoc(); });
  FailureOr<LoopLikeOpInterface> With = Loop.replaceWithAdditionalYields(
      Rewriter, Zero, /*replaceInitOperandUsesInLoop=*/false, Toggle);
  Loop = cast<scf::ForOp>(With->getOperation());
  // Emitted code is named after the locations of values.
  for (auto [Argument, Name] : llvm::zip(Loop.getBody()->getArguments(), Named))
    Argument.setLoc(Name);
  BlockArgument Slot = Loop.getRegionIterArgs().back();
  Slot.setLoc(Loc);
  return Slot;
}

void MemoryPlan::apply(SlotCounters &Counters) {
  for (auto [Space, Offset] : llvm::zip_equal(Spaces, Result.Offsets)) {
    for (BufferOp Buffer : Space.Buffers) {
      Buffer.setOffset(Offset);
      if (Space.Slots == 1)
        continue;
      // The body moves to a new loop with the first counter.
      Value &Counter = Counters[Buffer->getBlock()];
      if (!Counter) {
        auto Loop = cast<scf::ForOp>(Buffer->getParentOp());
        Value Slot = addSlotCounter(Loop);
        Counters[Buffer->getBlock()] = Slot;
        Buffer.getSlotMutable().assign(Slot);
      } else {
        Buffer.getSlotMutable().assign(Counter);
      }
      Buffer.setSlots(Space.Slots);
    }
  }
}
