//===- Plan.cpp - What went where, and in which order ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Plan.h"

#include "dialect/Ascend.h"
#include "dialect/PassTarget.h"
#include "dialect/Pipes.h"
#include "emit/Names.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::emit;

namespace {
/// Walks over a kernel in the order of its text.
class Reader {
public:
  Reader(const targets::Soc &Soc, KernelPlan &Plan) : Soc(Soc), Plan(Plan) {}

  void read(Block &Block, unsigned Depth);

private:
  void readOp(Operation &Op, unsigned Depth);
  void readBuffer(BufferOp Buffer);
  void readInstruction(InstructionInterface Op, unsigned Depth);
  PlannedStep &add(PlannedStep::Kind What, Operation &Op, unsigned Depth);
  template <typename FlagOp>
  void readFlag(FlagOp Flag, PlannedStep::Kind What, unsigned Depth);
  std::string nameOf(Value Operand);

  const targets::Soc &Soc;
  KernelPlan &Plan;
  Names Known;
};
} // namespace

static unsigned lineOf(Location Loc) {
  auto Place = Loc->findInstanceOf<FileLineColLoc>();
  return Place ? Place.getLine() : 0;
}

/// The parameter that a view is a part of.
static Value parameterOf(Value View) {
  Operation *Op = View.getDefiningOp();
  if (Op && isa<ViewLikeOpInterface, memref::TransposeOp>(Op))
    return parameterOf(Op->getOperand(0));
  return View;
}

static StringRef nameOfCore(Core Core) {
  return Core == Core::Cube ? "cube" : "vector";
}

/// As people know pipes: those of the cube core have the same names.
static std::string nameOfPipe(Pipe Pipe) { return nameOnCore(Pipe).str(); }

static std::string typeOf(MemRefType Type) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  for (int64_t Extent : Type.getShape())
    Out << Extent << 'x';
  Out << Type.getElementType();
  return Text;
}

PlannedStep &Reader::add(PlannedStep::Kind What, Operation &Op,
                         unsigned Depth) {
  PlannedStep &Step = Plan.Steps.emplace_back();
  Step.What = What;
  Step.Depth = Depth;
  Step.Line = lineOf(Op.getLoc());
  return Step;
}

std::string Reader::nameOf(Value Operand) {
  if (StringRef Name = Known.lookup(Operand); !Name.empty())
    return Name.str();
  Value Tensor = parameterOf(Operand);
  if (auto Argument = dyn_cast<BlockArgument>(Tensor))
    return Argument.getOwner()->isEntryBlock() ? parameterName(Argument)
                                               : "a view";
  return "a view";
}

/// What a buffer that the source does not name is for.
static std::string purposeOf(BufferOp Buffer) {
  for (Operation *User : Buffer.getBuffer().getUsers()) {
    if (auto In = dyn_cast<DmaInOp>(User))
      return parameterName(cast<BlockArgument>(parameterOf(In.getView()))) +
             "_tile";
    if (auto In = dyn_cast<CubeInOp>(User))
      return parameterName(cast<BlockArgument>(parameterOf(In.getView()))) +
             "_tile";
  }
  switch (*getSpace(Buffer.getBuffer().getType())) {
  case MemorySpace::L0A:
    return "left";
  case MemorySpace::L0B:
    return "right";
  case MemorySpace::L0C:
    return "sums";
  default:
    return "tile";
  }
}

void Reader::readBuffer(BufferOp Buffer) {
  MemRefType Type = Buffer.getBuffer().getType();
  MemorySpace Space = *getSpace(Type);
  std::string Memory = StringRef(stringifyMemorySpace(Space)).upper();
  std::string Name = Known.declare(Buffer.getBuffer(), purposeOf(Buffer));
  int64_t Offset = Buffer.getOffset().value_or(0);
  auto Slots = static_cast<int64_t>(Buffer.getSlots());
  Plan.Buffers.push_back({Name, Memory, typeOf(Type), Offset,
                          Buffer.getSlotBytes(), Slots,
                          lineOf(Buffer.getLoc())});
  auto Found = llvm::find_if(
      Plan.Memories, [&](const PlannedMemory &M) { return M.Name == Memory; });
  if (Found == Plan.Memories.end())
    Found = Plan.Memories.insert(Found, {Memory, 0, usableBytes(Soc, Space)});
  Found->Used = std::max(Found->Used, Offset + Slots * Buffer.getSlotBytes());
}

/// The name of an instruction, and of what it computes, if it has kinds.
static std::string textOf(Operation *Op) {
  std::string Text = Op->getName().stripDialect().str();
  llvm::raw_string_ostream Out(Text);
  for (StringRef Name : {"kind", "combine"})
    if (Attribute Kind = Op->getAttr(Name)) {
      Out << ' ';
      if (auto Binary = dyn_cast<BinaryAttr>(Kind))
        Out << stringifyBinary(Binary.getValue());
      else if (auto Unary = dyn_cast<UnaryAttr>(Kind))
        Out << stringifyUnary(Unary.getValue());
      else if (auto Combine = dyn_cast<CombineAttr>(Kind))
        Out << stringifyCombine(Combine.getValue());
    }
  return Text;
}

void Reader::readInstruction(InstructionInterface Op, unsigned Depth) {
  PlannedStep &Step = add(PlannedStep::Kind::Instruction, *Op, Depth);
  Step.Text = textOf(Op);
  Step.Core = nameOfCore(coreOf(Op.getPipe()));
  Step.Pipe = nameOfPipe(Op.getPipe());
  auto Effects = cast<MemoryEffectOpInterface>(Op.getOperation());
  for (Value Operand : Op->getOperands()) {
    if (!isa<MemRefType>(Operand.getType()))
      continue;
    SmallVector<MemoryEffects::EffectInstance> Found;
    Effects.getEffectsOnValue(Operand, Found);
    bool Writes = llvm::any_of(Found, [](const auto &Effect) {
      return isa<MemoryEffects::Write>(Effect.getEffect());
    });
    (Writes ? Step.Writes : Step.Reads).push_back(nameOf(Operand));
  }
}

template <typename FlagOp>
void Reader::readFlag(FlagOp Flag, PlannedStep::Kind What, unsigned Depth) {
  PlannedStep &Step = add(What, *Flag, Depth);
  Pipe From = Flag.getFrom(), To = Flag.getTo();
  // Who does it: the flag is set by the one and awaited by the other.
  bool Sets = What == PlannedStep::Kind::Set;
  Step.Core = nameOfCore(coreOf(Sets ? From : To));
  Step.From = nameOfPipe(From);
  Step.To = nameOfPipe(To);
  if (coreOf(From) != coreOf(To)) {
    Step.From += (" of the " + nameOfCore(coreOf(From)) + " core").str();
    Step.To = ("the " + nameOfCore(coreOf(To)) + " core").str();
  }
  Step.Event = Flag.getEvent();
  Step.BySlot = static_cast<bool>(Flag.getSlot());
}

void Reader::readOp(Operation &Op, unsigned Depth) {
  using Kind = PlannedStep::Kind;
  TypeSwitch<Operation *>(&Op)
      .Case<BufferOp>([&](BufferOp Buffer) { readBuffer(Buffer); })
      .Case<FlagSetOp>([&](auto Flag) { readFlag(Flag, Kind::Set, Depth); })
      .Case<FlagWaitOp>([&](auto Flag) { readFlag(Flag, Kind::Wait, Depth); })
      .Case<BarrierOp>([&](BarrierOp Barrier) {
        PlannedStep &Step = add(Kind::Barrier, Op, Depth);
        if (!Barrier.getPipe())
          return;
        Step.Core = nameOfCore(coreOf(*Barrier.getPipe()));
        Step.Pipe = nameOfPipe(*Barrier.getPipe());
      })
      .Case<InstructionInterface>(
          [&](auto Instruction) { readInstruction(Instruction, Depth); })
      .Case<scf::ForOp>([&](scf::ForOp Loop) {
        auto Name = sourceNameOf(Loop.getInductionVar().getLoc());
        if (!Name)
          Name = sourceNameOf(Loop.getLoc());
        add(Kind::Loop, Op, Depth).Text = Name.value_or("").str();
      })
      .Case<scf::WhileOp>([&](auto) { add(Kind::Loop, Op, Depth); })
      .Case<scf::IfOp>([&](auto) { add(Kind::Branch, Op, Depth); });
  for (Region &Region : Op.getRegions())
    for (Block &Inner : Region)
      read(Inner, Depth + 1);
}

void Reader::read(Block &Block, unsigned Depth) {
  for (Operation &Op : Block)
    readOp(Op, Depth);
}

/// Branches that only choose numbers say nothing of data.
static void dropEmpty(std::vector<PlannedStep> &Steps) {
  for (size_t I = Steps.size(); I-- > 0;) {
    bool IsEmpty =
        I + 1 == Steps.size() || Steps[I + 1].Depth <= Steps[I].Depth;
    bool Opens = Steps[I].What == PlannedStep::Kind::Loop ||
                 Steps[I].What == PlannedStep::Kind::Branch;
    if (Opens && IsEmpty)
      Steps.erase(Steps.begin() + static_cast<ptrdiff_t>(I));
  }
}

KernelPlan emit::planOf(func::FuncOp Kernel, const targets::Soc &Soc) {
  KernelPlan Plan;
  Plan.Kernel = Kernel.getSymName().str();
  Plan.Soc = Soc.name;
  Reader(Soc, Plan).read(Kernel.getBody().front(), 0);
  dropEmpty(Plan.Steps);
  // On the way from global memory and back.
  constexpr StringLiteral Way[] = {"L1", "L0A", "L0B", "L0C", "UB"};
  llvm::sort(Plan.Memories, [&](const auto &A, const auto &B) {
    return llvm::find(Way, A.Name) < llvm::find(Way, B.Name);
  });
  bool Cube = false, Vector = false;
  for (const PlannedStep &Step : Plan.Steps) {
    Cube |= Step.Core == "cube";
    Vector |= Step.Core == "vector";
  }
  Plan.Cores = Cube && Vector ? "both" : Cube ? "cube" : "vector";
  return Plan;
}
