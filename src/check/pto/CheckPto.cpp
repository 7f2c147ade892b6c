//===- CheckPto.cpp - What can be said of PTO-MLIR ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/pto/CheckPto.h"

#include "analysis/sync/OrderProof.h"
#include "check/pto/Model.h"
#include "targets/PtoNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace belay;
using namespace belay::check;
using analysis::Refusal;
using belay::support::DiagId;
using belay::support::SourcePlace;
using DiagnosticOf = belay::support::Diagnostic;

static SourcePlace placeIn(Location Loc) {
  SourcePlace Place;
  if (auto At = dyn_cast<FileLineColLoc>(Loc)) {
    Place.File = At.getFilename().str();
    Place.Line = At.getLine();
    Place.Column = At.getColumn();
  }
  return Place;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
class KernelCheck {
public:
  KernelCheck(func::FuncOp Kernel, const targets::Soc &Soc)
      : Kernel(Kernel), Soc(Soc), Model(Kernel, Soc) {}

  KernelReport run();

private:
  void checkTiles();
  void checkTile(const TilePlace &Tile);
  void checkOrder();
  void judge(const Refusal &What);
  void judgeOrder(const Refusal &What);
  void judgeFlag(const Refusal &What);
  DiagnosticOf &find(DiagId Id, Operation *Where, const Twine &Message);
  void doubt(Topic About, Operation *Where, const Twine &Why);

  func::FuncOp Kernel;
  const targets::Soc &Soc;
  OrderModel Model;
  KernelReport Result;
};
} // namespace

DiagnosticOf &KernelCheck::find(DiagId Id, Operation *Where,
                                const Twine &Message) {
  DiagnosticOf Found;
  Found.Id = Id;
  Found.Where = placeIn(Where->getLoc());
  Found.Message = Message.str();
  Result.Findings.push_back(std::move(Found));
  return Result.Findings.back();
}

void KernelCheck::doubt(Topic About, Operation *Where, const Twine &Why) {
  Result.Doubts[About].push_back({placeIn(Where->getLoc()), Why.str()});
}

void KernelCheck::checkTile(const TilePlace &Tile) {
  int64_t Most = capacityOf(Tile.Space, Soc);
  int64_t End = Tile.Chosen ? Tile.Bytes : Tile.end();
  if (Tile.Begin < 0 || End > Most)
    find(DiagId::LocalCapacity, Tile.Made,
         "this tile takes the bytes from " +
             Twine(Tile.Chosen ? 0 : Tile.Begin) + " to " + Twine(End) +
             " of " + nameOf(Tile.Space) + ", which has " + Twine(Most) +
             " on " + Soc.name)
        .Help = "use smaller tiles, or place this one lower";
  int64_t Alignment = ascend::bufferAlignment(*memoryOf(Tile.Space));
  if (!Tile.Chosen &&
      (Tile.Begin % Alignment || (Tile.Slot && Tile.SlotBytes % Alignment)))
    find(DiagId::MisalignedAddress, Tile.Made,
         "this tile begins at byte " + Twine(Tile.Begin) +
             (Tile.Slot ? " or " + std::to_string(Tile.Begin + Tile.SlotBytes)
                        : std::string()) +
             ", which is not a multiple of " + Twine(Alignment))
        .Help =
        "round its address up to a multiple of " + std::to_string(Alignment);
}

/// Tiles that ptoas places may share memory; those that fit beside each other
/// need not.
void KernelCheck::checkTiles() {
  llvm::DenseMap<unsigned, int64_t> Chosen;
  for (const TilePlace &Tile : Model.tiles()) {
    checkTile(Tile);
    if (Tile.Chosen)
      Chosen[static_cast<unsigned>(Tile.Space)] +=
          llvm::alignTo(Tile.Bytes, 32);
  }
  for (auto [Space, Bytes] : Chosen)
    if (Bytes > capacityOf(static_cast<pto::Space>(Space), Soc))
      doubt(Topic::Capacity, Kernel,
            "tiles without an address take " + Twine(Bytes) + " bytes of " +
                nameOf(static_cast<pto::Space>(Space)) +
                "; whether ptoas can let them share memory is not known here");
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Bytes of the core that two instructions both use, one of them writing, at
/// addresses that are always the same.
static std::optional<std::string> sharedBytes(Operation *A, Operation *B) {
  auto First = analysis::footprintOf(cast<ascend::InstructionInterface>(A));
  auto Second = analysis::footprintOf(cast<ascend::InstructionInterface>(B));
  if (failed(First) || failed(Second))
    return std::nullopt;
  for (const auto &X : First->Uses)
    for (const auto &Y : Second->Uses) {
      const analysis::MemoryRegion &P = X.Where, &Q = Y.Where;
      if ((!P.Written && !Q.Written) || P.isGlobal() || Q.isGlobal() ||
          !P.Fixed || !Q.Fixed || !analysis::shareMemory(P, Q))
        continue;
      int64_t Begin =
          std::max(P.Place.Begin + P.FirstByte, Q.Place.Begin + Q.FirstByte);
      int64_t End =
          std::min(P.Place.Begin + P.EndByte, Q.Place.Begin + Q.EndByte);
      // With slots, in some iterations.
      if (End <= Begin)
        return std::string("the same memory");
      bool Placed = Begin < (int64_t(1) << 40);
      if (!Placed)
        return "the same " + std::to_string(End - Begin) + " bytes";
      return "the bytes from " + std::to_string(Begin) + " to " +
             std::to_string(End) + " of the same memory";
    }
  return std::nullopt;
}

static bool isCube(ascend::Pipe On) { return On == ascend::Pipe::M; }

static std::string pipeName(ascend::Pipe On) {
  return ("PIPE_" + ascend::nameOnCore(On)).str();
}

void KernelCheck::judgeOrder(const Refusal &What) {
  Operation *Now = Model.originOf(What.Op),
            *Before = Model.originOf(What.Other);
  ascend::Pipe On = cast<ascend::InstructionInterface>(What.Op).getPipe();
  ascend::Pipe Other = cast<ascend::InstructionInterface>(What.Other).getPipe();
  auto Quoted = [](Operation *Op, ascend::Pipe Pipe) {
    return "'" + Op->getName().getStringRef().str() + "' on " + pipeName(Pipe);
  };
  std::string Pair = Quoted(Now, On) + " may start while " +
                     Quoted(Before, Other) + " still uses ";
  std::optional<std::string> Bytes = sharedBytes(What.Op, What.Other);
  // Products in the same sums may be ordered by the cube itself.
  if (!Bytes || (isCube(On) && isCube(Other)))
    return doubt(Topic::Sync, Now,
                 "it is not proven that " + Quoted(Now, On) +
                     " starts after '" + Before->getName().getStringRef() +
                     "' at line " + Twine(placeIn(Before->getLoc()).Line) +
                     ", or uses other memory");
  bool Same = On == Other;
  DiagnosticOf &Found = find(
      Same ? DiagId::MissingBarrier : DiagId::MissingSync, Now, Pair + *Bytes);
  std::string Note = "the other is here";
  if (What.CarriedBy)
    Note += ", in an earlier iteration of the loop at line " +
            std::to_string(placeIn(What.CarriedBy->getLoc()).Line);
  Found.Notes.push_back({placeIn(Before->getLoc()), Note});
  Found.Other =
      support::OtherSide{placeIn(Before->getLoc()), Quoted(Before, Other), {}};
  std::string Flag =
      "[<" + pipeName(Other) + ">, <" + pipeName(On) + ">, <EVENT_ID>]";
  Found.Help = Same ? "insert pto.barrier <" + pipeName(On) + "> between them"
                    : "insert pto.set_flag" + Flag +
                          " after the other, and pto.wait_flag" + Flag +
                          " before this";
}

/// What is raised or awaited on one path only may be so on purpose.
void KernelCheck::judgeFlag(const Refusal &What) {
  Operation *Where = Model.originOf(What.Op);
  bool Ends = What.Op->hasTrait<OpTrait::IsTerminator>();
  bool Flag = isa<ascend::FlagSetOp, ascend::FlagWaitOp>(What.Op);
  if ((!Ends && !Flag) || Model.hasFlagsUnderConditions())
    return doubt(Topic::Flags, Where, What.Message);
  DiagId Id = Ends                                      ? DiagId::FlagLeftSet
              : isa<ascend::FlagWaitOp>(What.Op)        ? DiagId::FlagNeverSet
              : What.What == Refusal::Kind::RaisedAgain ? DiagId::FlagSetTwice
                                                        : DiagId::EventIdRange;
  DiagnosticOf &Found = find(Id, Where, What.Message);
  if (What.Other)
    Found.Notes.push_back(
        {placeIn(Model.originOf(What.Other)->getLoc()), What.Note});
}

void KernelCheck::judge(const Refusal &What) {
  switch (What.What) {
  case Refusal::Kind::Unordered:
    return judgeOrder(What);
  case Refusal::Kind::RaisedAgain:
  case Refusal::Kind::WrongFlag:
    return judgeFlag(What);
  case Refusal::Kind::NotOfOrder:
    doubt(Topic::Sync, Model.originOf(What.Op), What.Message);
    doubt(Topic::Flags, Model.originOf(What.Op), What.Message);
    return;
  }
}

void KernelCheck::checkOrder() {
  for (const Gap &Each : Model.gaps()) {
    doubt(Topic::Sync, Each.Where, Each.Why);
    doubt(Topic::Flags, Each.Where, Each.Why);
  }
  if (!Model.gaps().empty())
    return;
  if (!Model.numSyncs() && Model.numInstructions() > 1)
    return doubt(Topic::Sync, Kernel,
                 "it has neither flags nor barriers: ptoas is to insert them, "
                 "and what it inserts can be checked");
  if (llvm::any_of(Model.tiles(),
                   [](const TilePlace &Tile) { return Tile.Chosen; }))
    doubt(Topic::Sync, Kernel,
          "tiles without an address may share memory where ptoas places them; "
          "what it makes of this can be checked");
  // Tiles may be where no buffer of ours can be; that is said above.
  PassManager Passes(Kernel.getContext());
  Passes.enableVerifier(false);
  Passes.addPass(createCanonicalizerPass());
  Passes.addPass(createCSEPass());
  if (failed(Passes.run(Model.module()))) {
    doubt(Topic::Sync, Kernel, "its order cannot be asked");
    return doubt(Topic::Flags, Kernel, "its order cannot be asked");
  }
  // PTO has all events of the hardware.
  analysis::OrderRules Rules = analysis::OrderRules::of(*Soc.arch);
  Rules.Events = 8;
  analysis::OrderProof Proof(Model.function(), Rules);
  if (succeeded(Proof.run()))
    return;
  for (const Refusal &What : Proof.refusals())
    judge(What);
}

KernelReport KernelCheck::run() {
  Result.Name = Kernel.getName().str();
  Result.Where = placeIn(Kernel.getLoc());
  Result.Paths = 1;
  Model.build();
  checkTiles();
  checkOrder();
  for (const Gap &Each : Model.gaps())
    doubt(Topic::Capacity, Each.Where, Each.Why);
  for (Topic Unasked : {Topic::Entry, Topic::Bounds, Topic::Overflow,
                        Topic::Values, Topic::Cores, Topic::Parameters})
    doubt(Unasked, Kernel, "not asked of PTO");
  return std::move(Result);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// What the parser says, as problems of the file.
static DiagnosticOf problemOf(mlir::Diagnostic &Said) {
  DiagnosticOf Problem;
  Problem.Message = Said.str();
  bool Unknown = StringRef(Problem.Message).contains("unregistered") ||
                 StringRef(Problem.Message).contains("unknown");
  Problem.Id = Unknown ? DiagId::UnsupportedApi : DiagId::CompileError;
  Problem.Where = placeIn(Said.getLocation());
  return Problem;
}

/// A program for one architecture says nothing of another.
static std::string otherArch(ModuleOp Module, const targets::Soc &Soc) {
  auto Named = Module->getAttrOfType<StringAttr>("pto.target_arch");
  if (!Named || Named.getValue() == targets::ptoNameOf(*Soc.arch))
    return "";
  return "the program is for " + Named.str() + ", and --soc " + Soc.name +
         " is not";
}

Report check::checkPto(StringRef Text, StringRef Name,
                       const targets::Soc &Soc) {
  Report Result;
  MLIRContext Context(MLIRContext::Threading::DISABLED);
  Context.loadDialect<pto::PtoDialect, ascend::AscendDialect,
                      order::OrderDialect>();
  Context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler Handler(&Context, [&](mlir::Diagnostic &Said) {
    if (Said.getSeverity() == DiagnosticSeverity::Error)
      Result.Problems.push_back(problemOf(Said));
    return success();
  });
  OwningOpRef<ModuleOp> Module =
      parseSourceString<ModuleOp>(Text, ParserConfig(&Context), Name);
  if (!Module || !Result.Problems.empty())
    return Result;
  std::string Other = otherArch(*Module, Soc);
  for (func::FuncOp Kernel : Module->getOps<func::FuncOp>()) {
    if (Kernel.isExternal())
      continue;
    Result.Kernels.push_back(KernelCheck(Kernel, Soc).run());
    for (unsigned T = 0; !Other.empty() && T < NumTopics; ++T)
      Result.Kernels.back().Doubts[static_cast<Topic>(T)].push_back(
          {Result.Kernels.back().Where, Other});
  }
  if (Result.Kernels.empty()) {
    DiagnosticOf None;
    None.Id = DiagId::BadEntry;
    None.Where = {Name.str(), 0, 0};
    None.Message = "the file has no function";
    Result.Problems.push_back(std::move(None));
  }
  return Result;
}
