//===- Model.cpp - PTO as instructions that use memory --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/pto/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::check;
using ascend::MemorySpace;
using ascend::MemorySpaceAttr;

/// How flags, barriers, loops and branches of the model know their origin.
static constexpr StringLiteral OriginAttr = "order.origin";

void OrderModel::gap(Operation *Where, const Twine &Why) {
  Gaps.push_back({Where, Why.str()});
}

void OrderModel::note(Operation *Made, Operation &Of) {
  Made->setAttr(OriginAttr, Builder.getI64IntegerAttr(Origins.size()));
  Origins.push_back(&Of);
}

Operation *OrderModel::originOf(Operation *Op) {
  auto Number = Op->getAttrOfType<IntegerAttr>(OriginAttr);
  return Number ? Origins[Number.getInt()] : Kernel.getOperation();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// As the function says, or as its tiles do.
void OrderModel::findCore() {
  bool HasCube = false, HasVector = false;
  Kernel.walk([&](Operation *Op) {
    for (Type Type : Op->getOperandTypes()) {
      std::optional<pto::Space> Space = pto::spaceOf(Type);
      if (!Space || *Space == pto::Space::Gm)
        continue;
      (*Space == pto::Space::Vec ? HasVector : HasCube) = true;
    }
  });
  auto Kind = Kernel->getAttrOfType<pto::KernelKindAttr>("pto.kernel_kind");
  Cube = Kind ? Kind.getValue() == pto::KernelKind::Cube : HasCube;
  if (HasCube && HasVector)
    gap(Kernel, "it has tiles of both cores");
}

void OrderModel::declare() {
  auto Gm = MemorySpaceAttr::get(Builder.getContext(), MemorySpace::GM);
  SmallVector<Type> Types;
  for (Type Type : Kernel.getArgumentTypes()) {
    Attribute Space = Gm;
    if (auto Pointer = dyn_cast<pto::PtrType>(Type))
      Type = MemRefType::get({ShapedType::kDynamic}, Pointer.getElementType(),
                             MemRefLayoutAttrInterface(), Space);
    else if (auto Memory = dyn_cast<MemRefType>(Type))
      Type = MemRefType::get(Memory.getShape(), Memory.getElementType(),
                             Memory.getLayout(), Space);
    Types.push_back(Type);
  }
  Module = ModuleOp::create(Kernel.getLoc());
  Builder.setInsertionPointToEnd(Module->getBody());
  Made = func::FuncOp::create(Builder, Kernel.getLoc(), Kernel.getName(),
                              Builder.getFunctionType(Types, {}));
  Block *Entry = Made.addEntryBlock();
  Builder.setInsertionPointToStart(Entry);
  // As for ptoas, pointers are taken to be to different memory.
  auto Role = ascend::RoleAttr::get(Builder.getContext(), ascend::Role::InOut);
  for (auto [I, Argument] : llvm::enumerate(Made.getArguments())) {
    if (isa<MemRefType>(Argument.getType()))
      Made.setArgAttr(I, ascend::AscendDialect::RoleAttrName, Role);
    Numbers.map(Kernel.getArgument(I), Argument);
  }
}

void OrderModel::build() {
  findCore();
  declare();
  if (!Kernel.getBody().hasOneBlock()) {
    gap(Kernel, "it has jumps");
    return;
  }
  translate(Kernel.getBody().front());
  func::ReturnOp::create(Builder, Kernel.getLoc());
}

std::optional<ascend::Pipe> OrderModel::pipeOf(Operation *Op, pto::Pipe Of) {
  using ascend::Pipe;
  switch (Of) {
  case pto::Pipe::PIPE_S:
    return Cube ? Pipe::CubeS : Pipe::S;
  case pto::Pipe::PIPE_MTE2:
    return Cube ? Pipe::CubeMTE2 : Pipe::MTE2;
  case pto::Pipe::PIPE_V:
  case pto::Pipe::PIPE_MTE3:
    if (!Cube)
      return Of == pto::Pipe::PIPE_V ? Pipe::V : Pipe::MTE3;
    break;
  case pto::Pipe::PIPE_M:
  case pto::Pipe::PIPE_MTE1:
  case pto::Pipe::PIPE_FIX:
    if (Cube)
      return Of == pto::Pipe::PIPE_M      ? Pipe::M
             : Of == pto::Pipe::PIPE_MTE1 ? Pipe::MTE1
                                          : Pipe::FIX;
    break;
  case pto::Pipe::PIPE_ALL:
    break;
  }
  gap(Op, Twine(stringifyPipe(Of)) + " of " + (Cube ? "cube" : "vector") +
              " cores is not known here");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Numbers, loops, branches
//===----------------------------------------------------------------------===//

/// What a number is in the model. One that comes from where a gap is may be
/// any.
Value OrderModel::numberOf(Value Old) {
  if (Value New = Numbers.lookupOrNull(Old))
    return New;
  auto Any = order::UseOp::create(
      Builder, Old.getLoc(), TypeRange(Old.getType()),
      Cube ? ascend::Pipe::CubeS : ascend::Pipe::S, ValueRange(), ValueRange());
  return Any->getResult(0);
}

OpFoldResult OrderModel::numberOf(OpFoldResult Number) {
  if (auto Constant = getConstantIntValue(Number))
    return Builder.getIndexAttr(*Constant);
  return numberOf(cast<Value>(Number));
}

SmallVector<OpFoldResult> OrderModel::numbersOf(ArrayRef<OpFoldResult> Of) {
  SmallVector<OpFoldResult> Result;
  for (OpFoldResult Each : Of)
    Result.push_back(numberOf(Each));
  return Result;
}

/// Arithmetic is kept; of other numbers nothing is known.
void OrderModel::translateNumber(Operation &Op) {
  Location Loc = Op.getLoc();
  auto Index = [&](Value Of) {
    return arith::IndexCastOp::create(Builder, Loc, Builder.getI64Type(), Of);
  };
  if (isa<pto::GetBlockIdxOp>(Op)) {
    Numbers.map(Op.getResult(0),
                Index(ascend::CoreIndexOp::create(Builder, Loc)));
    return;
  }
  if (isa<pto::GetBlockNumOp>(Op)) {
    Numbers.map(Op.getResult(0),
                Index(ascend::CoreCountOp::create(Builder, Loc)));
    return;
  }
  bool Known = isa<arith::ArithDialect>(Op.getDialect()) &&
               llvm::all_of(Op.getOperands(), [&](Value Operand) {
                 return Numbers.lookupOrNull(Operand);
               });
  if (Known) {
    Builder.clone(Op, Numbers);
    return;
  }
  auto Values = order::UseOp::create(
      Builder, Loc, Op.getResultTypes(),
      Cube ? ascend::Pipe::CubeS : ascend::Pipe::S, ValueRange(), ValueRange());
  note(Values, Op);
  Numbers.map(Op.getResults(), Values.getValues());
}

static bool areNumbers(TypeRange Types) {
  return llvm::all_of(Types, [](Type T) { return T.isIntOrIndexOrFloat(); });
}

void OrderModel::translateLoop(scf::ForOp Loop) {
  if (!areNumbers(Loop.getResultTypes())) {
    gap(Loop, "a loop carries tiles");
    return;
  }
  SmallVector<Value> Init;
  for (Value Each : Loop.getInitArgs())
    Init.push_back(numberOf(Each));
  auto New = scf::ForOp::create(
      Builder, Loop.getLoc(), numberOf(Loop.getLowerBound()),
      numberOf(Loop.getUpperBound()), numberOf(Loop.getStep()), Init);
  note(New, *Loop);
  OpBuilder::InsertionGuard Guard(Builder);
  if (!New.getBody()->empty())
    New.getBody()->back().erase();
  Builder.setInsertionPointToEnd(New.getBody());
  Numbers.map(Loop.getBody()->getArguments(), New.getBody()->getArguments());
  translate(*Loop.getBody());
  SmallVector<Value> Carried;
  for (Value Each : Loop.getBody()->getTerminator()->getOperands())
    Carried.push_back(numberOf(Each));
  scf::YieldOp::create(Builder, Loop.getLoc(), Carried);
  Numbers.map(Loop.getResults(), New.getResults());
}

void OrderModel::translateIf(scf::IfOp If) {
  if (!areNumbers(If.getResultTypes())) {
    gap(If, "a branch chooses between tiles");
    return;
  }
  auto New = scf::IfOp::create(Builder, If.getLoc(), If.getResultTypes(),
                               numberOf(If.getCondition()),
                               /*addThenBlock=*/true,
                               /*addElseBlock=*/!If.getElseRegion().empty());
  note(New, *If);
  auto Fill = [&](Region &Old, Region &Into) {
    if (Old.empty())
      return;
    OpBuilder::InsertionGuard Guard(Builder);
    Builder.setInsertionPointToEnd(&Into.front());
    translate(Old.front());
    SmallVector<Value> Chosen;
    for (Value Each : Old.front().getTerminator()->getOperands())
      Chosen.push_back(numberOf(Each));
    scf::YieldOp::create(Builder, If.getLoc(), Chosen);
  };
  unsigned Before = NumSyncs;
  Fill(If.getThenRegion(), New.getThenRegion());
  Fill(If.getElseRegion(), New.getElseRegion());
  FlagsUnderConditions |= NumSyncs != Before;
  Numbers.map(If.getResults(), New.getResults());
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

void OrderModel::flag(Operation &Op, pto::Pipe From, pto::Pipe To,
                      int64_t Event, Value Slot, bool Sets) {
  ++NumSyncs;
  std::optional<ascend::Pipe> Src = pipeOf(&Op, From), Dst = pipeOf(&Op, To);
  if (!Src || !Dst)
    return;
  if (Slot)
    Slot = numberOf(Slot);
  Operation *New = Sets ? ascend::FlagSetOp::create(Builder, Op.getLoc(), *Src,
                                                    *Dst, Event, Slot)
                              .getOperation()
                        : ascend::FlagWaitOp::create(Builder, Op.getLoc(), *Src,
                                                     *Dst, Event, Slot)
                              .getOperation();
  note(New, Op);
}

void OrderModel::dynamicFlag(Operation &Op, pto::Pipe From, pto::Pipe To,
                             Value Event, bool Sets) {
  std::optional<SlotSum> Sum = slotSumOf(Event);
  if (!Sum || (Sum->Slot && Sum->Factor != 1) || Sum->Constant < 0) {
    ++NumSyncs;
    gap(&Op, "it cannot be told which event this is");
    return;
  }
  flag(Op, From, To, Sum->Constant, Sum->Slot, Sets);
}

/// The pipe of what `record_event` calls an operation.
static std::optional<pto::Pipe> pipeNamed(Attribute Name) {
  using pto::Pipe;
  auto Foreign = dyn_cast<pto::ForeignAttr>(Name);
  if (!Foreign)
    return std::nullopt;
  StringRef Word = Foreign.getText().split('<').second.drop_back();
  return llvm::StringSwitch<std::optional<Pipe>>(Word)
      .Case("TLOAD", Pipe::PIPE_MTE2)
      .Case("TSTORE_VEC", Pipe::PIPE_MTE3)
      .Case("TSTORE_ACC", Pipe::PIPE_FIX)
      .Cases({"TMOV_M2L", "TMOV_M2R", "TMOV_M2B"}, Pipe::PIPE_MTE1)
      .Cases({"TMOV_A2V", "TMOV_M2S"}, Pipe::PIPE_FIX)
      .Case("TMOV_V2M", Pipe::PIPE_MTE3)
      .Case("TMATMUL", Pipe::PIPE_M)
      .Cases({"TVEC", "TVECWAIT_EVENT", "TMOV_V2V"}, Pipe::PIPE_V)
      .Default(std::nullopt);
}

void OrderModel::namedFlag(Operation &Op, Attribute From, Attribute To,
                           pto::Event Event, bool Sets) {
  std::optional<pto::Pipe> Src = pipeNamed(From), Dst = pipeNamed(To);
  if (Src && Dst)
    return flag(Op, *Src, *Dst, static_cast<int64_t>(Event), {}, Sets);
  ++NumSyncs;
  gap(&Op, "it cannot be told which pipes this orders");
}

void OrderModel::barrier(Operation &Op, pto::Pipe Of) {
  ++NumSyncs;
  if (Of == pto::Pipe::PIPE_ALL) {
    note(ascend::BarrierOp::create(Builder, Op.getLoc(), ascend::PipeAttr()),
         Op);
    return;
  }
  if (std::optional<ascend::Pipe> On = pipeOf(&Op, Of))
    note(ascend::BarrierOp::create(
             Builder, Op.getLoc(),
             ascend::PipeAttr::get(Builder.getContext(), *On)),
         Op);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void OrderModel::use(Operation &Op, pto::Pipe On, ValueRange Reads,
                     ValueRange Writes) {
  ++NumInstructions;
  std::optional<ascend::Pipe> Pipe = pipeOf(&Op, On);
  if (!Pipe || llvm::is_contained(Reads, Value()) ||
      llvm::is_contained(Writes, Value()))
    return;
  auto Use = order::UseOp::create(Builder, Op.getLoc(), Op.getResultTypes(),
                                  *Pipe, Reads, Writes);
  note(Use, Op);
  Numbers.map(Op.getResults(), Use.getValues());
}

void OrderModel::translateInstruction(pto::TileInstruction Instruction) {
  Operation &Op = *Instruction;
  size_t NumIns = Op.getNumOperands() - Instruction.getNumOuts();
  // The shape of the tile at the other end says how large a window is.
  Type Tile;
  for (Type Type : Op.getOperandTypes())
    if (pto::spaceOf(Type).value_or(pto::Space::Gm) != pto::Space::Gm)
      Tile = Type;
  SmallVector<Value> Reads, Writes;
  for (auto [I, Operand] : llvm::enumerate(Op.getOperands())) {
    if (!pto::spaceOf(Operand.getType()))
      continue;
    bool Written =
        I >= NumIns || llvm::is_contained(Instruction.getScratch(), I);
    (Written ? Writes : Reads).push_back(memoryOf(Op, Operand, Tile));
  }
  use(Op, Instruction.getPipe(), Reads, Writes);
}

/// One element, by the scalar unit.
void OrderModel::translateElement(Operation &Op, Value Memory, Value Offset,
                                  bool Writes) {
  Value Root = rootOf(Memory, {});
  if (!Root) {
    gap(&Op, "it cannot be told which memory this is");
    return;
  }
  OpFoldResult One = Builder.getIndexAttr(1);
  Value Element =
      memref::SubViewOp::create(Builder, Op.getLoc(), Root,
                                {numberOf(OpFoldResult(Offset))}, {One}, {One});
  SmallVector<Value> None, Some = {Element};
  use(Op, pto::Pipe::PIPE_S, Writes ? None : Some, Writes ? Some : None);
}

void OrderModel::translate(Operation &Op) {
  if (auto Instruction = dyn_cast<pto::TileInstruction>(Op))
    return translateInstruction(Instruction);
  if (translateView(Op))
    return;
  TypeSwitch<Operation *>(&Op)
      .Case<scf::ForOp>([&](auto Loop) { translateLoop(Loop); })
      .Case<scf::IfOp>([&](auto If) { translateIf(If); })
      .Case<pto::SetFlagOp, pto::WaitFlagOp>([&](auto Flag) {
        flag(Op, Flag.getSrcPipe(), Flag.getDstPipe(),
             static_cast<int64_t>(Flag.getEventId()), {},
             isa<pto::SetFlagOp>(Op));
      })
      .Case<pto::SetFlagDynOp, pto::WaitFlagDynOp>([&](auto Flag) {
        dynamicFlag(Op, Flag.getSrcPipe(), Flag.getDstPipe(), Flag.getEventId(),
                    isa<pto::SetFlagDynOp>(Op));
      })
      .Case<pto::RecordEventOp, pto::WaitEventOp>([&](auto Flag) {
        namedFlag(Op, Flag.getSrcOp(), Flag.getDstOp(), Flag.getEventId(),
                  isa<pto::RecordEventOp>(Op));
      })
      .Case<pto::BarrierOp>(
          [&](auto Barrier) { barrier(Op, Barrier.getPipe()); })
      .Case<pto::BarrierSyncOp>([&](auto Barrier) {
        if (std::optional<pto::Pipe> Of = pipeNamed(Barrier.getOpType()))
          return barrier(Op, *Of);
        gap(&Op, "it cannot be told which pipe this orders");
      })
      .Case<pto::TGetValOp>([&](pto::TGetValOp Get) {
        use(Op, pto::Pipe::PIPE_S, {tileOf(Op, Get.getSrc())}, {});
      })
      .Case<pto::LoadScalarOp>([&](pto::LoadScalarOp Load) {
        translateElement(Op, Load.getPtr(), Load.getOffset(), false);
      })
      .Case<pto::StoreScalarOp>([&](pto::StoreScalarOp Store) {
        translateElement(Op, Store.getPtr(), Store.getOffset(), true);
      })
      .Case<pto::SetValidShapeOp, pto::TrapOp>([](auto) {})
      .Default([&](Operation *) {
        if (Op.getNumRegions() || !areNumbers(Op.getResultTypes()))
          return gap(&Op,
                     "'" + Op.getName().getStringRef() + "' is not known here");
        bool Numeric =
            areNumbers(Op.getOperandTypes()) && isMemoryEffectFree(&Op);
        if (!Numeric)
          return gap(&Op,
                     "'" + Op.getName().getStringRef() + "' is not known here");
        translateNumber(Op);
      });
}

void OrderModel::translate(Block &Block) {
  for (Operation &Op : Block.without_terminator())
    translate(Op);
}
