//===- Translate.cpp - From planned kernels to PTO ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/pto/Translate.h"

#include "dialect/Pipes.h"
#include "emit/SplitCores.h"
#include "emit/pto/Translator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "targets/PtoNames.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::pto;
using ascend::CoresAttr;

/// ptoas writes infinities as a word that is not C++, also where it finds them
/// by folding constants. So their bits come from a choice that it cannot make,
/// although there is always a core.
static void hideInfinity(arith::ConstantOp Constant, FloatAttr Value) {
  OpBuilder Builder(Constant);
  Location Loc = Constant.getLoc();
  auto Number = [&](const APInt &Bits) {
    return arith::ConstantOp::create(
        Builder, Loc,
        Builder.getIntegerAttr(Builder.getIntegerType(Bits.getBitWidth()),
                               Bits));
  };
  APInt Bits = Value.getValue().bitcastToAPInt();
  auto Cores = GetBlockNumOp::create(Builder, Loc, Builder.getI64Type());
  auto Some = arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::sgt,
                                    Cores, Number(APInt(64, 0)));
  auto Chosen = arith::SelectOp::create(Builder, Loc, Some, Number(Bits),
                                        Number(APInt(Bits.getBitWidth(), 0)));
  auto Hidden = arith::BitcastOp::create(Builder, Loc, Value.getType(), Chosen);
  Constant.replaceAllUsesWith(Hidden.getOperation());
  Constant.erase();
}

static void hideInfinities(ModuleOp Module) {
  Module.walk([](arith::ConstantOp Constant) {
    auto Value = dyn_cast<FloatAttr>(Constant.getValue());
    if (Value && !Value.getValue().isFinite())
      hideInfinity(Constant, Value);
  });
}

static LogicalResult translateParts(func::FuncOp Kernel, OpBuilder &Builder,
                                    const targets::Soc &Soc, Sync Who);

OwningOpRef<ModuleOp> pto::translateToPto(ModuleOp Planned,
                                          const targets::Soc &Soc, Sync Who) {
  MLIRContext *Context = Planned.getContext();
  Context->getOrLoadDialect<PtoDialect>();
  StringRef Arch = targets::ptoNameOf(*Soc.arch);
  if (Arch.empty()) {
    Planned.emitError() << "PTO has no kernels for " << Soc.name
                        << " [not-in-pto]";
    return {};
  }
  OwningOpRef<ModuleOp> Result = ModuleOp::create(Planned.getLoc());
  (*Result)->setAttr("pto.target_arch", StringAttr::get(Context, Arch));
  OpBuilder Builder(Context);
  for (func::FuncOp Kernel : Planned.getOps<func::FuncOp>()) {
    Builder.setInsertionPointToEnd(Result->getBody());
    auto Cores = Kernel->getAttrOfType<StringAttr>(ascend::KernelCoreAttrName);
    if (Cores && Cores.getValue() == ascend::BothCores) {
      if (failed(translateParts(Kernel, Builder, Soc, Who)))
        return {};
      continue;
    }
    auto Core = Cores ? ascend::Core::Cube : ascend::Core::Vector;
    if (failed(Translator(Kernel, Builder, Soc, Who, Core).run()))
      return {};
  }
  PassManager Passes(Context);
  Passes.addPass(createCanonicalizerPass());
  Passes.addPass(createCSEPass());
  if (failed(Passes.run(*Result)))
    return {};
  hideInfinities(*Result);
  return Result;
}

/// A function for each core, and one that calls both: what a core does not run
/// is left out of what is compiled for it.
static LogicalResult translateParts(func::FuncOp Kernel, OpBuilder &Builder,
                                    const targets::Soc &Soc, Sync Who) {
  if (!targets::ptoHasCoreFlags(*Soc.arch))
    return Kernel.emitError(
        "PTO has no flags between cube and vector cores "
        "that stop all of a core for this SoC [not-in-pto]");
  OwningOpRef<ModuleOp> Parts = ModuleOp::create(Kernel.getLoc());
  Location Loc = Kernel.getLoc();
  SmallVector<func::FuncOp> Made;
  for (ascend::Core Core : {ascend::Core::Cube, ascend::Core::Vector}) {
    func::FuncOp Part = Kernel.clone();
    Parts->push_back(Part);
    bool IsCube = Core == ascend::Core::Cube;
    Part.setName((Kernel.getName() + (IsCube ? "_cube" : "_vector")).str());
    OpBuilder::InsertionGuard Guard(Builder);
    Translator Translate(Part, Builder, Soc, Who, Core, /*IsPart=*/true);
    if (failed(emit::keepCore(Part, Core)) || failed(Translate.run()))
      return failure();
    Made.push_back(Translate.function());
  }
  auto Entry = func::FuncOp::create(Builder, Loc, Kernel.getName(),
                                    Made.front().getFunctionType());
  Entry->setAttr("pto.entry", Builder.getUnitAttr());
  Builder.setInsertionPointToStart(Entry.addEntryBlock());
  for (func::FuncOp Part : Made)
    func::CallOp::create(Builder, Loc, Part, Entry.getArguments());
  func::ReturnOp::create(Builder, Loc);
  return success();
}

InFlightDiagnostic Translator::refuse(Operation *Op) {
  return Op->emitError("PTO ");
}

Value Translator::constant(Location Loc, int64_t Value) {
  return arith::ConstantIndexOp::create(Builder, Loc, Value);
}

Value Translator::valueOf(Location Loc, OpFoldResult Of) {
  if (auto Dynamic = dyn_cast<Value>(Of))
    return mapped(Dynamic);
  return constant(Loc, cast<IntegerAttr>(cast<Attribute>(Of)).getInt());
}

void Translator::create(Location Loc, StringRef Name, ValueRange Operands,
                        ArrayRef<NamedAttribute> Attrs) {
  OperationState State(Loc, ("pto." + Name).str());
  State.addOperands(Operands);
  State.addAttributes(Attrs);
  Builder.create(State);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Where the hardware has the flags between cores, as pto-isa takes it.
static Type flagsType(Builder &Builder) {
  constexpr int64_t Words = 256;
  return MemRefType::get({Words}, Builder.getI64Type());
}

/// Views first, then the extents that they leave open, then scalars: as in the
/// entry points of emitted AscendC. Parts of a kernel of both cores know the
/// flags between these as well.
void Translator::declare() {
  SmallVector<Type> Types;
  for (BlockArgument Argument : Kernel.getArguments())
    if (auto View = dyn_cast<MemRefType>(Argument.getType()))
      Types.push_back(PtrType::get(View.getContext(), View.getElementType()));
  for (BlockArgument Argument : Kernel.getArguments())
    if (auto View = dyn_cast<MemRefType>(Argument.getType()))
      Types.append(View.getNumDynamicDims(), Builder.getI64Type());
  for (BlockArgument Argument : Kernel.getArguments()) {
    Type Type = Argument.getType();
    if (isa<MemRefType>(Type))
      continue;
    Types.push_back(isa<IndexType>(Type) ? Builder.getI64Type() : Type);
  }
  if (IsPart)
    Types.push_back(flagsType(Builder));
  Made = func::FuncOp::create(Builder, Kernel.getLoc(), Kernel.getName(),
                              Builder.getFunctionType(Types, {}));
  Made->setAttr(
      "pto.kernel_kind",
      KernelKindAttr::get(Builder.getContext(), Runs == ascend::Core::Cube
                                                    ? KernelKind::Cube
                                                    : KernelKind::Vector));
  Block *Entry = Made.addEntryBlock();
  Builder.setInsertionPointToStart(Entry);
  if (IsPart) {
    Made.setPrivate();
    SetFftsOp::create(Builder, Kernel.getLoc(), Entry->getArguments().back());
  }
}

/// Names the new arguments; extents and indices are numbers of 64 bits outside.
static void bindArguments(func::FuncOp Kernel, func::FuncOp Made,
                          OpBuilder &Builder, IRMapping &Map,
                          function_ref<void(Value, unsigned, Value)> Extent) {
  unsigned Next = 0;
  auto AsIndex = [&](Value Number) -> Value {
    return arith::IndexCastOp::create(Builder, Kernel.getLoc(),
                                      Builder.getIndexType(), Number);
  };
  for (BlockArgument Argument : Kernel.getArguments())
    if (isa<MemRefType>(Argument.getType()))
      Map.map(Argument, Made.getArgument(Next++));
  for (BlockArgument Argument : Kernel.getArguments())
    if (auto View = dyn_cast<MemRefType>(Argument.getType()))
      for (unsigned Dim = 0; Dim != View.getRank(); ++Dim)
        if (View.isDynamicDim(Dim))
          Extent(Argument, Dim, AsIndex(Made.getArgument(Next++)));
  for (BlockArgument Argument : Kernel.getArguments())
    if (!isa<MemRefType>(Argument.getType())) {
      Value New = Made.getArgument(Next++);
      Map.map(Argument,
              isa<IndexType>(Argument.getType()) ? AsIndex(New) : New);
    }
}

Value Translator::extentOf(BlockArgument Argument, unsigned Dim) {
  if (Value Open = Extents.lookup({Argument, Dim}))
    return Open;
  auto View = cast<MemRefType>(Argument.getType());
  OpBuilder::InsertionGuard Guard(Builder);
  return constant(Kernel.getLoc(), View.getDimSize(Dim));
}

/// Nothing where all cores of the launch work. Also notes index and count.
Value Translator::whetherThisCoreWorks() {
  Location Loc = Kernel.getLoc();
  auto Number = [&](auto Op) -> Value {
    return arith::IndexCastOp::create(Builder, Loc, Builder.getIndexType(), Op);
  };
  CoreIndex = Number(GetBlockIdxOp::create(Builder, Loc, Builder.getI64Type()));
  CoreCount = Number(GetBlockNumOp::create(Builder, Loc, Builder.getI64Type()));
  CoresAttr Cores = ascend::getCores(Kernel);
  if (!Cores || !Cores.getOne())
    return {};
  Value Zero = constant(Loc, 0);
  Value Works = arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::eq,
                                      CoreIndex, Zero);
  if (Cores.isAlways())
    return Works;
  Value All = arith::ConstantIntOp::create(Builder, Loc, 1, 1);
  for (const CoresAttr::Extent &E : Cores.getExtents()) {
    Value Rest = arith::RemSIOp::create(
        Builder, Loc, extentOf(Kernel.getArgument(E.Argument), E.Dim),
        constant(Loc, E.Of));
    Value Fits = arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::eq,
                                       Rest, Zero);
    All = arith::AndIOp::create(Builder, Loc, All, Fits);
  }
  CoreCount =
      arith::SelectOp::create(Builder, Loc, All, CoreCount, constant(Loc, 1));
  return arith::OrIOp::create(Builder, Loc, All, Works);
}

LogicalResult Translator::translateBody() {
  Location Loc = Kernel.getLoc();
  Value Works = whetherThisCoreWorks();
  // All views where all can see them.
  for (BlockArgument Argument : Kernel.getArguments())
    if (isa<MemRefType>(Argument.getType()))
      Views[Argument] = viewOf(Argument);
  if (Works) {
    auto If = scf::IfOp::create(Builder, Loc, Works, /*withElseRegion=*/false);
    Builder.setInsertionPointToStart(If.thenBlock());
    if (failed(translate(Kernel.getBody().front())))
      return failure();
    Builder.setInsertionPointAfter(If);
  } else if (failed(translate(Kernel.getBody().front()))) {
    return failure();
  }
  func::ReturnOp::create(Builder, Loc);
  return success();
}

void Translator::notePlace(ascend::BufferOp Buffer) {
  if (!Buffer.getOffset())
    return;
  int64_t End = static_cast<int64_t>(*Buffer.getOffset()) +
                Buffer.getSlots() * Buffer.getSlotBytes();
  if (ascend::isInSpace(Buffer.getType(), ascend::MemorySpace::UB))
    EndOfPlan = std::max(EndOfPlan, End);
  if (ascend::isInSpace(Buffer.getType(), ascend::MemorySpace::L1))
    EndOfL1 = std::max(EndOfL1, End);
}

LogicalResult Translator::run() {
  if (!Kernel.getBody().hasOneBlock())
    return refuse(Kernel) << "has no jumps [not-in-pto]";
  // trowexpand reads what it repeats with the scalar unit, and orders that by
  // event 0 of both directions, and so does ttrans of some sizes. So do we for
  // tci and for sums of scalars.
  Kernel.walk([&](Operation *Op) {
    ReservesScalarEvent |=
        isa<ascend::VecBroadcastOp, ascend::VecIotaOp, ascend::VecTransposeOp,
            arith::AddFOp, arith::SubFOp>(Op);
    if (auto Buffer = dyn_cast<ascend::BufferOp>(Op))
      notePlace(Buffer);
  });
  declare();
  bindArguments(Kernel, Made, Builder, Map,
                [&](Value View, unsigned Dim, Value Extent) {
                  Extents[{View, Dim}] = Extent;
                });
  if (failed(translateBody()))
    return failure();
  if (!settleParts() || Misfits)
    return refuse(Kernel)
           << "has no tiles of any two sizes in one place that ptoas chooses; "
              "--sync ours has [not-in-pto]";
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow and scalars
//===----------------------------------------------------------------------===//

LogicalResult Translator::translate(Block &Block) {
  for (Operation &Op : Block.without_terminator())
    if (failed(translate(Op)))
      return failure();
  return success();
}

LogicalResult Translator::translateRegions(Operation &Op) {
  Operation *New = Op.cloneWithoutRegions(Map);
  Builder.insert(New);
  OpBuilder::InsertionGuard Guard(Builder);
  for (auto [Old, Into] : llvm::zip_equal(Op.getRegions(), New->getRegions())) {
    if (Old.empty())
      continue;
    if (!Old.hasOneBlock())
      return refuse(&Op) << "has no jumps [not-in-pto]";
    SmallVector<Location> Places(Old.getNumArguments(), Op.getLoc());
    Block *To = Builder.createBlock(&Into, {}, Old.getArgumentTypes(), Places);
    Map.map(Old.getArguments(), To->getArguments());
    if (failed(translate(Old.front())))
      return failure();
    Builder.clone(*Old.front().getTerminator(), Map);
  }
  return success();
}

/// ptoas has products and quotients of floats, but no sums. One of the vector
/// unit is the same number.
LogicalResult Translator::addScalars(Operation &Op, Value Lhs, Value Rhs) {
  Location Loc = Op.getLoc();
  Type Element = Lhs.getType();
  constexpr int64_t BlockBytes = 32;
  if (!Element.isF32() && !Element.isF16())
    return refuse(&Op) << "adds scalars of 16 and 32 bits [not-in-pto]";
  if (Who == Sync::Ours && EndOfPlan + BlockBytes > UsableBytes)
    return refuse(&Op)
           << "needs 32 bytes more than the plan leaves [not-in-pto]";
  int64_t Elements = BlockBytes * 8 / Element.getIntOrFloatBitWidth();
  auto Block = TileBufType::get(Builder.getContext(), 1, Elements, Element, 1,
                                Elements, false);
  auto Hand = [&](Pipe From, Pipe To) {
    if (Who == Sync::Ptoas)
      return;
    SetFlagOp::create(Builder, Loc, From, To, Event::EVENT_ID0);
    WaitFlagOp::create(Builder, Loc, From, To, Event::EVENT_ID0);
  };
  Value Tile = scratch(Loc, Block);
  // First this way, as tci and trowexpand do: what the scalar unit has handed
  // over before is taken then.
  Hand(Pipe::PIPE_V, Pipe::PIPE_S);
  Hand(Pipe::PIPE_S, Pipe::PIPE_V);
  create(Loc, "texpands", {Lhs, Tile});
  if (Who == Sync::Ours)
    pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_V);
  create(Loc, "tadds", {Tile, Rhs, Tile});
  Hand(Pipe::PIPE_V, Pipe::PIPE_S);
  auto Sum = TGetValOp::create(Builder, Loc, Element, Tile, constant(Loc, 0));
  Map.map(Op.getResult(0), Sum.getValue());
  return success();
}

/// By bits: ptoas 0.27 writes a choice that another one depends on without
/// parentheses, so that C++ takes it for what is chosen otherwise.
void Translator::choose(arith::SelectOp Op) {
  Location Loc = Op.getLoc();
  Value Condition = mapped(Op.getCondition());
  Value True = arith::ConstantIntOp::create(Builder, Loc, 1, 1);
  Value Otherwise = arith::XOrIOp::create(Builder, Loc, Condition, True);
  Value First =
      arith::AndIOp::create(Builder, Loc, Condition, mapped(Op.getTrueValue()));
  Value Second = arith::AndIOp::create(Builder, Loc, Otherwise,
                                       mapped(Op.getFalseValue()));
  Map.map(Op.getResult(),
          arith::OrIOp::create(Builder, Loc, First, Second).getResult());
}

/// ptoas writes `index` as 32 bits, and numbers that have more as what is left.
LogicalResult Translator::translateScalar(Operation &Op) {
  Location Loc = Op.getLoc();
  if (auto Sum = dyn_cast<arith::AddFOp>(Op))
    return addScalars(Op, mapped(Sum.getLhs()), mapped(Sum.getRhs()));
  if (auto Difference = dyn_cast<arith::SubFOp>(Op)) {
    Value Minus =
        arith::NegFOp::create(Builder, Loc, mapped(Difference.getRhs()));
    return addScalars(Op, mapped(Difference.getLhs()), Minus);
  }
  if (auto Select = dyn_cast<arith::SelectOp>(Op);
      Select && Select.getType().isInteger(1)) {
    choose(Select);
    return success();
  }
  // Both are 32 bits to ptoas 0.27, which then has no conversion to write.
  if (auto Cast = dyn_cast<arith::IndexCastOp>(Op);
      Cast && Cast.getType().isInteger(32)) {
    Value Long = arith::IndexCastOp::create(Builder, Loc, Builder.getI64Type(),
                                            mapped(Cast.getIn()));
    Map.map(Cast.getOut(),
            arith::TruncIOp::create(Builder, Loc, Cast.getType(), Long)
                .getResult());
    return success();
  }
  if (auto Constant = dyn_cast<arith::ConstantIndexOp>(Op);
      Constant && !llvm::isInt<32>(Constant.value()))
    return refuse(&Op) << "has indices of 32 bits only, and this needs "
                       << Constant.value() << " [not-in-pto]";
  Builder.clone(Op, Map);
  return success();
}

LogicalResult Translator::translate(memref::DimOp Op) {
  std::optional<int64_t> Index = Op.getConstantIndex();
  Value View = Op.getSource();
  while (auto Permuted = View.getDefiningOp<memref::TransposeOp>()) {
    if (Index)
      Index = Permuted.getPermutation().getDimPosition(*Index);
    View = Permuted.getIn();
  }
  if (auto Argument = dyn_cast<BlockArgument>(View); Argument && Index) {
    Map.map(Op.getResult(), extentOf(Argument, *Index));
    return success();
  }
  return refuse(Op) << "has no such extent [not-in-pto]";
}

void Translator::trapUnless(Location Loc, Value Holds) {
  Value True = arith::ConstantIntOp::create(Builder, Loc, 1, 1);
  Value Fails = arith::XOrIOp::create(Builder, Loc, Holds, True);
  auto If = scf::IfOp::create(Builder, Loc, Fails, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(If.thenBlock());
  TrapOp::create(Builder, Loc);
}

LogicalResult Translator::translate(ascend::GuardOp Op) {
  trapUnless(Op.getLoc(), mapped(Op.getCondition()));
  return success();
}

LogicalResult Translator::translate(Operation &Op) {
  if (isa<arith::ArithDialect>(Op.getDialect()))
    return translateScalar(Op);
  return TypeSwitch<Operation *, LogicalResult>(&Op)
      // Read where they are used, or by whoever launches the kernel.
      .Case<ascend::ExpectsOp, memref::SubViewOp, memref::TransposeOp,
            memref::CastOp>([](auto) { return success(); })
      .Case<ascend::BufferOp>([&](auto Buffer) {
        if (Who == Sync::Ptoas)
          Tiles[Buffer] = tileOf(Buffer);
        return success();
      })
      .Case<scf::ForOp, scf::IfOp>(
          [&](auto Loop) { return translateRegions(*Loop); })
      .Case<memref::DimOp, ascend::GuardOp, ascend::BarrierOp, ascend::DmaInOp,
            ascend::DmaOutOp>([&](auto Known) { return translate(Known); })
      .Case<ascend::FlagSetOp>([&](auto Flag) {
        return translateFlag(Flag, Flag.getFrom(), Flag.getTo(),
                             Flag.getEvent(), Flag.getSlot(), true);
      })
      .Case<ascend::FlagWaitOp>([&](auto Flag) {
        return translateFlag(Flag, Flag.getFrom(), Flag.getTo(),
                             Flag.getEvent(), Flag.getSlot(), false);
      })
      .Case<ascend::CoreIndexOp>([&](auto Core) {
        Map.map(Core.getResult(), CoreIndex);
        return success();
      })
      .Case<ascend::CoreCountOp>([&](auto Core) {
        Map.map(Core.getResult(), CoreCount);
        return success();
      })
      .Default([&](Operation *) { return translateCube(Op); });
}
