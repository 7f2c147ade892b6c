//===- EmitAscendC.cpp - From instructions to AscendC C++ -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Emitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <map>

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::emit;

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// All views, then the extents that their types leave open, then scalars.
LogicalResult Emitter::emitSignature(func::FuncOp Kernel) {
  SmallVector<std::string> Parameters;
  SmallVector<std::pair<Value, std::string>> Views;
  for (BlockArgument Argument : Kernel.getArguments())
    if (isView(Argument.getType())) {
      std::string Name = Names.declare(Argument, "view");
      Views.push_back({Argument, Names.fresh(Name + "Address")});
      Parameters.push_back("GM_ADDR " + Views.back().second);
    }
  for (auto &[View, Address] : Views)
    for (auto [I, Extent] :
         llvm::enumerate(cast<MemRefType>(View.getType()).getShape()))
      if (ShapedType::isDynamic(Extent)) {
        std::string Name = Names.fresh(Names.lookup(View).str() + "Extent" +
                                       std::to_string(I));
        Extents[{View, I}] = Name;
        Parameters.push_back("int64_t " + Name);
      }
  for (BlockArgument Argument : Kernel.getArguments())
    if (!isView(Argument.getType()))
      Parameters.push_back(cppType(Argument.getType()) + " " +
                           Names.declare(Argument, "scalar"));
  Out << "extern \"C\" __global__ __aicore__ void " << Kernel.getName() << "("
      << llvm::join(Parameters, ", ") << ") {\n";
  Out.indent();
  if (Soc.split)
    Out << "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_"
        << (On.both() ? "MIX_AIC_1_1"
            : On.Cube ? "AIC_ONLY"
                      : "AIV_ONLY")
        << ");\n";
  for (auto &[View, Address] : Views) {
    auto Type = cast<MemRefType>(View.getType());
    std::string Element = cppType(Type.getElementType());
    std::string Size = extentOf(View, 0);
    for (unsigned I = 1; I < Type.getRank(); ++I)
      Size += " * " + extentOf(View, I);
    StringRef Name = Names.lookup(View);
    Out << "GlobalTensor<" << Element << "> " << Name << ";\n"
        << Name << ".SetGlobalBuffer(reinterpret_cast<__gm__ " << Element
        << " *>(" << Address << "), " << Size << ");\n";
  }
  return success();
}

/// Cores that do no work return at once, as the kernel's `ascend.cores` says.
LogicalResult Emitter::emitCores(func::FuncOp Kernel) {
  Cores = getCores(Kernel);
  if (!Cores && Soc.arch->copiesWholeBlocks())
    return Kernel.emitError(
        "it is not decided which cores work; run ascend-decide-cores");
  if (!Cores)
    Cores = CoresAttr::all(Kernel.getContext());
  if (!Cores.getOne())
    return success();
  Out << "// Less than 32 bytes are written by the scalar unit, in lines of 64 "
         "that cores\n// must not share: one core does all the work";
  if (Cores.isAlways()) {
    Out << ".\nif (GetBlockIdx() != 0) {\n  return;\n}\n";
    return success();
  }
  SmallVector<std::string> Odd;
  for (const CoresAttr::Extent &E : Cores.getExtents())
    Odd.push_back(extentOf(Kernel.getArgument(E.Argument), E.Dim) + " % " +
                  std::to_string(E.Of) + " != 0");
  Out << ", if that happens.\nconst bool alone = " << llvm::join(Odd, " || ")
      << ";\nif (alone && GetBlockIdx() != 0) {\n  return;\n}\n";
  return success();
}

/// Masks have a bit for each element, and are handled as bytes.
void Emitter::emitBuffer(BufferOp Buffer) {
  MemRefType Type = Buffer.getBuffer().getType();
  bool Mask = Type.getElementType().isInteger(1);
  std::string Element = Mask ? "uint8_t" : cppType(Type.getElementType());
  int64_t Bits = Mask ? 8 : Type.getElementTypeBitWidth();
  std::string Name =
      Names.declare(Buffer.getBuffer(), bufferHint(Buffer.getBuffer()));
  Out << "LocalTensor<" << Element << "> " << Name << " = "
      << stringifyMemorySpace(*getSpace(Type)) << ".GetWithOffset<" << Element
      << ">(" << Buffer.getSlotBytes() * 8 / Bits << ", ";
  if (*Buffer.getOffset() || !Buffer.getSlot())
    Out << *Buffer.getOffset() << (Buffer.getSlot() ? " + " : "");
  if (Buffer.getSlot())
    Out << text(Buffer.getSlot()) << " * " << Buffer.getSlotBytes();
  Out << ");\n";
}

/// Where AscendC keeps what is in a memory.
static StringRef positionOf(MemorySpace Memory) {
  switch (Memory) {
  case MemorySpace::UB:
    return "VECCALC";
  case MemorySpace::L1:
    return "A1";
  case MemorySpace::L0A:
    return "A2";
  case MemorySpace::L0B:
    return "B2";
  case MemorySpace::L0C:
    return "CO1";
  case MemorySpace::GM:
  case MemorySpace::BT:
  case MemorySpace::FB:
    break;
  }
  llvm_unreachable("no buffers are made there");
}

/// Buffers with one slot are declared once, before everything else.
LogicalResult Emitter::emitMemory(func::FuncOp Kernel) {
  std::map<MemorySpace, int64_t> Bytes;
  WalkResult Placed = Kernel.walk([&](BufferOp Buffer) {
    if (!Buffer.getOffset()) {
      Buffer.emitOpError("has no place in memory; run ascend-plan-memory");
      return WalkResult::interrupt();
    }
    int64_t &Used = Bytes[*getSpace(Buffer.getBuffer().getType())];
    Used = std::max<int64_t>(Used, *Buffer.getOffset() + Buffer.getSlotBytes() *
                                                             Buffer.getSlots());
    return WalkResult::advance();
  });
  if (Placed.wasInterrupted())
    return failure();
  if (Bytes.empty())
    return success();
  Out << "TPipe pipe;\n";
  for (auto [Memory, Used] : Bytes)
    Out << "TBuf<TPosition::" << positionOf(Memory) << "> "
        << stringifyMemorySpace(Memory) << ";\n"
        << "pipe.InitBuffer(" << stringifyMemorySpace(Memory) << ", " << Used
        << ");\n";
  if (Bytes.count(MemorySpace::L1) && !Soc.arch->hasLoadData2Dv2)
    Out << "const uint8_t noPadding[4] = {0, 0, 0, 0};\n";
  Kernel.walk([&](BufferOp Buffer) {
    if (!Buffer.getSlot())
      emitBuffer(Buffer);
  });
  return success();
}

LogicalResult Emitter::emitBody(func::FuncOp Kernel) {
  return failed(emitMemory(Kernel)) ? failure()
                                    : emitBlock(Kernel.getBody().front());
}

/// What one core of two executes. Both have the same names for what is theirs.
LogicalResult Emitter::emitPart(func::FuncOp Kernel, Core Core) {
  OwningOpRef<func::FuncOp> Mine(Kernel.clone());
  if (failed(keepCore(*Mine, Core)))
    return failure();
  class Names Outside = Names;
  for (auto [Argument, Own] :
       llvm::zip_equal(Kernel.getArguments(), Mine->getArguments())) {
    Names.alias(Own, Names.lookup(Argument));
    auto View = dyn_cast<MemRefType>(Argument.getType());
    for (unsigned Dim = 0; View && Dim < View.getRank(); ++Dim)
      if (View.isDynamicDim(Dim))
        Extents[{Own, Dim}] = Extents.lookup({Argument, Dim});
  }
  Part = Core;
  Out << "if ASCEND_IS_" << (Core == Core::Cube ? "AIC" : "AIV") << " {\n";
  Out.indent();
  LogicalResult Done = emitBody(*Mine);
  Out.unindent();
  Out << "}\n";
  // Another part may have values at the same addresses.
  Names = std::move(Outside);
  Inline.clear();
  Part.reset();
  return Done;
}

LogicalResult Emitter::emit(func::FuncOp Kernel) {
  Names.claim(Kernel);
  On = coresOf(Kernel);
  if (failed(emitSignature(Kernel)) || failed(emitCores(Kernel)))
    return failure();
  LogicalResult Done = On.both()
                           ? success(succeeded(emitPart(Kernel, Core::Cube)) &&
                                     succeeded(emitPart(Kernel, Core::Vector)))
                           : emitBody(Kernel);
  if (failed(Done))
    return failure();
  Out.unindent();
  Out << "}\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// The next line comes from this one of the source. Lines that follow would
/// count up from it, so each instruction says where it is from.
void Emitter::emitLine(Location Loc) {
  auto Place = Loc->findInstanceOf<FileLineColLoc>();
  if (!Opts.Lines || !Place)
    return;
  Out.getOStream() << "#line " << Place.getLine() << " \"";
  Out.getOStream().write_escaped(Place.getFilename().getValue()) << "\"\n";
}

/// Gives variables new values, all at once.
void Emitter::assign(ArrayRef<std::string> Names, ValueRange Values) {
  SmallVector<std::pair<std::string, std::string>> Changes;
  for (auto [Name, Value] : llvm::zip_equal(Names, Values)) {
    std::string New = text(Value);
    if (New == Name)
      continue;
    // A variable that is needed below keeps its value in another.
    bool Needed = Changes.size() && llvm::is_contained(Names, New);
    if (Needed) {
      std::string Kept = this->Names.fresh(New + "Next");
      Out << "const auto " << Kept << " = " << New << ";\n";
      New = Kept;
    }
    Changes.push_back({Name, New});
  }
  for (auto &[Name, New] : Changes)
    Out << Name << " = " << bare(New) << ";\n";
}

LogicalResult Emitter::emitFor(scf::ForOp Loop) {
  SmallVector<std::string> Carried;
  for (auto [Argument, Init, Result] : llvm::zip_equal(
           Loop.getRegionIterArgs(), Loop.getInitArgs(), Loop.getResults())) {
    std::string First = text(Init);
    std::string Name = Names.declare(Argument, "carried");
    Out << cppType(Argument.getType()) << " " << Name << " = " << First
        << ";\n";
    Names.alias(Result, Name);
    Carried.push_back(Name);
  }
  std::string Variable = Names.declare(Loop.getInductionVar(), "i");
  Out << "for (" << cppType(Loop.getInductionVar().getType()) << " " << Variable
      << " = " << text(Loop.getLowerBound()) << "; " << Variable << " < "
      << text(Loop.getUpperBound()) << "; " << Variable
      << " += " << text(Loop.getStep()) << ") {\n";
  Out.indent();
  if (failed(emitBlock(*Loop.getBody())))
    return failure();
  assign(Carried, Loop.getYieldedValues());
  Out.unindent();
  Out << "}\n";
  return success();
}

/// Lets To be written as From, which does not change as long as To is used.
void Emitter::alias(Value To, Value From) {
  if (StringRef Name = Names.lookup(From); !Name.empty())
    Names.alias(To, Name);
  else
    Inline[To] = text(From);
}

/// A condition that is one expression is written as one. Otherwise it is
/// computed at the head of each iteration, which may be the last.
LogicalResult Emitter::emitWhile(scf::WhileOp Loop) {
  scf::ConditionOp Condition = Loop.getConditionOp();
  SmallVector<std::string> Carried, Passed;
  SmallVector<Value> Computed;
  for (auto [Argument, Init] :
       llvm::zip_equal(Loop.getBeforeArguments(), Loop.getInits())) {
    std::string First = text(Init);
    Carried.push_back(Names.declare(Argument, "carried"));
    Out << cppType(Argument.getType()) << " " << Carried.back() << " = "
        << First << ";\n";
  }
  for (auto [Value, Argument, Result] : llvm::zip_equal(
           Condition.getArgs(), Loop.getAfterArguments(), Loop.getResults())) {
    Operation *Def = Value.getDefiningOp();
    bool IsComputed = Def && Loop->isProperAncestor(Def);
    if (IsComputed) {
      Computed.push_back(Value);
      Passed.push_back(Names.declare(Argument, "passed"));
      Out << cppType(Value.getType()) << " " << Passed.back() << ";\n";
    } else {
      alias(Argument, Value);
    }
    alias(Result, Argument);
  }
  auto IsPartOfOne = [](Operation &Op) {
    return isMemoryEffectFree(&Op) && isWrittenInPlace(Op);
  };
  bool IsExpression =
      Computed.empty() &&
      llvm::all_of(Loop.getBeforeBody()->without_terminator(), IsPartOfOne);
  if (!IsExpression) {
    Out << "for (;;) {\n";
    Out.indent();
  }
  if (failed(emitBlock(*Loop.getBeforeBody())))
    return failure();
  std::string GoesOn = text(Condition.getCondition());
  if (IsExpression) {
    Out << "while (" << bare(GoesOn) << ") {\n";
    Out.indent();
  } else {
    assign(Passed, Computed);
    Out << "if (!" << GoesOn << ") {\n  break;\n}\n";
  }
  if (failed(emitBlock(*Loop.getAfterBody())))
    return failure();
  assign(Carried, Loop.getYieldedValues());
  Out.unindent();
  Out << "}\n";
  return success();
}

LogicalResult Emitter::emitIf(scf::IfOp If) {
  SmallVector<std::string> Results;
  for (Value Result : If.getResults()) {
    Results.push_back(Names.declare(Result, "chosen"));
    Out << cppType(Result.getType()) << " " << Results.back() << ";\n";
  }
  Out << "if (" << bare(text(If.getCondition())) << ") {\n";
  Out.indent();
  if (failed(emitBlock(*If.thenBlock())))
    return failure();
  assign(Results, If.thenYield().getOperands());
  Out.unindent();
  if (!If.getElseRegion().empty()) {
    Out << "} else {\n";
    Out.indent();
    if (failed(emitBlock(*If.elseBlock())))
      return failure();
    assign(Results, If.elseYield().getOperands());
    Out.unindent();
  }
  Out << "}\n";
  return success();
}

LogicalResult Emitter::emitOp(Operation &Op) {
  if (isa<func::ReturnOp, scf::YieldOp, scf::ConditionOp, ExpectsOp>(Op))
    return success(); // expects is for the launcher
  if (auto Buffer = dyn_cast<BufferOp>(Op)) {
    if (Buffer.getSlot())
      emitBuffer(Buffer);
    return success();
  }
  if (isa<ViewLikeOpInterface, memref::TransposeOp>(Op))
    return success(); // written where copies use them
  if (auto Loop = dyn_cast<scf::ForOp>(Op))
    return emitFor(Loop);
  if (auto Loop = dyn_cast<scf::WhileOp>(Op))
    return emitWhile(Loop);
  if (auto If = dyn_cast<scf::IfOp>(Op))
    return emitIf(If);
  bool IsScalar =
      Op.getNumResults() == 1 && !isa<ReadScalarOp, GlobalReadOp>(Op);
  if (IsScalar)
    return emitScalar(Op);
  emitLine(Op.getLoc());
  return emitInstruction(Op);
}

LogicalResult Emitter::emitBlock(Block &Block) {
  for (Operation &Op : Block)
    if (failed(emitOp(Op)))
      return failure();
  return success();
}

LogicalResult belay::emit::emitAscendC(ModuleOp Module, const targets::Soc &Soc,
                                       raw_ostream &Out,
                                       const Options &Options) {
  Helpers Uses;
  std::string Kernels;
  llvm::raw_string_ostream Text(Kernels);
  // Of several kernels, each that cannot be emitted says why.
  LogicalResult Emitted = success();
  for (auto Kernel : Module.getOps<func::FuncOp>()) {
    if (Kernel.isExternal() || !Kernel->hasAttr(AscendDialect::KernelAttr))
      continue;
    if (!Options.Only.empty() && Kernel.getName() != Options.Only)
      continue;
    Emitter Writer(Soc, Text, Uses, Options);
    if (failed(Writer.emit(Kernel)))
      Emitted = failure();
    Text << "\n";
  }
  if (failed(Emitted))
    return failure();
  Out << "// Made by Belay for " << Soc.name
      << ". Change the kernel's source, not this file.\n"
      << "#include \"kernel_operator.h\"\n\n"
      << "using namespace AscendC;\n\n";
  Uses.print(Out);
  Out << StringRef(Kernels).rtrim() << "\n";
  return success();
}
