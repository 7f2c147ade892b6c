//===- SyncLadder.cpp - From fast order to slow order ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/SyncLadder.h"
#include "analysis/sync/OrderProof.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;
using analysis::Refusal;

namespace {

/// What the proof refuses, in terms of the kernel and its plan.
struct Complaint {
  Refusal::Kind What;
  Dependence Pair;
  /// The flag of the plan that is wrong, or raised too early.
  std::optional<unsigned> Flag;
  std::string Message;
};

enum Rung : unsigned { AsPlanned, OnePair, OneSlot, AllPipes, OneByOne };

class Ladder {
public:
  Ladder(func::FuncOp Kernel, analysis::OrderRules Rules,
         const LadderOptions &Options)
      : Kernel(Kernel), Rules(Rules), Options(Options), Planner(Kernel, Rules) {
  }

  FailureOr<LadderResult> climb();

private:
  /// What an operation of the clone stands for.
  struct Origin {
    Operation *Op = nullptr; ///< Of the kernel; of a flag, what it is next to.
    std::optional<unsigned> Flag = {};
  };
  class Clone;

  std::vector<Complaint> prove();
  bool answer(ArrayRef<Complaint> Complaints);
  bool answer(const Complaint &About);
  bool orderPair(const Complaint &About);
  bool useOneSlot(const Complaint &About);
  bool waitForAll(const Complaint &About);
  void orderAll(StringRef Reason);
  void relax();

  func::FuncOp Kernel;
  analysis::OrderRules Rules;
  const LadderOptions &Options;
  SyncPlanner Planner;
  LadderResult Result;
  /// Flags are no longer those that complaints speak of.
  bool Replanned = false;
  /// How far a pair of operations, and the loop that carries it, has come.
  std::map<std::tuple<Operation *, Operation *, Operation *>, unsigned> Reached;
};

} // namespace

//===----------------------------------------------------------------------===//
// Asking the proof
//===----------------------------------------------------------------------===//

/// A kernel with its plan written down, and where everything came from.
class Ladder::Clone {
public:
  Clone(func::FuncOp Kernel, const SyncPlan &Plan);

  func::FuncOp kernel() { return Copy; }
  Complaint translate(const Refusal &What) const;

private:
  void setOrigin(Operation *Op, Origin From);
  Origin originOf(Operation *Op) const;

  OwningOpRef<ModuleOp> Holder;
  func::FuncOp Copy;
  std::vector<Origin> Origins;
};

void Ladder::Clone::setOrigin(Operation *Op, Origin From) {
  auto Index = IntegerType::get(Op->getContext(), 64);
  Op->setDiscardableAttr(AscendDialect::OriginAttrName,
                         IntegerAttr::get(Index, Origins.size()));
  Origins.push_back(From);
}

Ladder::Clone::Clone(func::FuncOp Kernel, const SyncPlan &Plan)
    : Holder(ModuleOp::create(Kernel.getLoc())) {
  if (auto Module = Kernel->getParentOfType<ModuleOp>())
    (*Holder)->setAttrs(Module->getAttrDictionary());
  IRMapping Map;
  Copy = cast<func::FuncOp>(Kernel->clone(Map));
  Holder->push_back(Copy);
  Kernel.walk([&](Operation *Op) {
    if (Op != Kernel)
      setOrigin(Map.lookup(Op), {Op});
  });
  writePlan(
      Plan, [&](Operation *Op) { return Map.lookup(Op); },
      [&](Operation *New, std::optional<unsigned> Flag, Operation *At) {
        setOrigin(New, {At, Flag});
      });
}

Ladder::Origin Ladder::Clone::originOf(Operation *Op) const {
  for (; Op && !isa<func::FuncOp>(Op); Op = Op->getParentOp())
    if (auto Index =
            Op->getAttrOfType<IntegerAttr>(AscendDialect::OriginAttrName))
      return Origins[Index.getInt()];
  return {};
}

static Pipe pipeOf(Operation *Op) {
  if (auto Wait = dyn_cast<FlagWaitOp>(Op))
    return Wait.getTo();
  if (auto Set = dyn_cast<FlagSetOp>(Op))
    return Set.getFrom();
  auto Instruction = dyn_cast<InstructionInterface>(Op);
  return Instruction ? Instruction.getPipe() : Pipe::S;
}

Complaint Ladder::Clone::translate(const Refusal &What) const {
  Complaint Result;
  Result.What = What.What;
  Result.Message = What.Message;
  Origin Second = originOf(What.Op);
  Result.Flag = Second.Flag;
  Result.Pair = {nullptr, Second.Op, Pipe::S, pipeOf(What.Op), {}};
  if (What.Other) {
    Result.Pair.First = originOf(What.Other).Op;
    Result.Pair.FirstOn = pipeOf(What.Other);
  }
  LoopLikeOpInterface Carrier = What.CarriedBy;
  if (Carrier)
    Result.Pair.CarriedBy =
        dyn_cast_or_null<LoopLikeOpInterface>(originOf(Carrier).Op);
  Result.Pair.SameSlot = What.SameSlot && Result.Pair.CarriedBy;
  return Result;
}

/// What the proof has against the plan; nothing of it if there is nothing that
/// a plan can change.
std::vector<Complaint> Ladder::prove() {
  ++Result.Proofs;
  Clone Copy(Kernel, Planner.Plan);
  if (Options.PrepareClone && failed(Options.PrepareClone(Copy.kernel())))
    return {};
  analysis::OrderProof Proof(Copy.kernel(), Rules);
  (void)Proof.run();
  Result.Steps += Proof.steps();
  std::vector<Complaint> Complaints;
  for (const Refusal &What : Proof.refusals()) {
    if (What.What == Refusal::Kind::NotOfOrder)
      return {};
    Complaints.push_back(Copy.translate(What));
  }
  return Complaints;
}

//===----------------------------------------------------------------------===//
// Rungs
//===----------------------------------------------------------------------===//

/// One more flag or barrier.
bool Ladder::orderPair(const Complaint &About) {
  const Dependence &Pair = About.Pair;
  bool Inside = Pair.First == Pair.Second && !Pair.CarriedBy;
  if (!Pair.First || !Pair.Second || Inside ||
      About.What == Refusal::Kind::WrongFlag)
    return false;
  Dependence Order = Pair;
  Order.SameSlot &= Planner.hasSlots(Pair.CarriedBy);
  std::string Reason = stringifyPipe(Pair.SecondOn).str();
  if (Pair.FirstOn == Pair.SecondOn)
    Reason += " waits here for what it has been given before";
  else
    Reason += " waits here for " + stringifyPipe(Pair.FirstOn).str();
  return succeeded(Planner.order(Order, Reason + ", or else " + About.Message));
}

/// Both slots of all buffers in the loops around a pair become one. What was
/// planned for two is planned anew.
bool Ladder::useOneSlot(const Complaint &About) {
  SmallVector<LoopLikeOpInterface> Loops;
  for (Operation *Side : {About.Pair.First, About.Pair.Second})
    for (Operation *Up = Side; Up; Up = Up->getParentOp())
      if (auto Loop = dyn_cast<LoopLikeOpInterface>(Up))
        if (Planner.hasSlots(Loop) && !llvm::is_contained(Loops, Loop))
          Loops.push_back(Loop);
  if (Loops.empty())
    return false;
  Kernel.walk([&](BufferOp Buffer) {
    if (Buffer.getSlot() &&
        llvm::is_contained(Loops, slotLoopOf(Buffer.getSlot()))) {
      Buffer.setSlots(1);
      Buffer.getSlotMutable().clear();
    }
  });
  for (LoopLikeOpInterface Loop : Loops)
    Loop->emitRemark("buffers have one slot instead of two in this loop, or "
                     "else ")
        << About.Message << "; copies wait for the iteration before";
  Planner.Plan = {};
  Reached.clear();
  Replanned = true;
  // What could be described before can be described now.
  return succeeded(Planner.prepare(Options.MostRuns));
}

bool Ladder::waitForAll(const Complaint &About) {
  Operation *At = About.Pair.Second;
  std::vector<Flag> &Flags = Planner.Plan.Flags;
  if (About.What == Refusal::Kind::WrongFlag && About.Flag) {
    At = Flags[*About.Flag].Before;
    Flags.erase(Flags.begin() + *About.Flag);
    Replanned = true;
  }
  return isa_and_nonnull<InstructionInterface, LoopLikeOpInterface, scf::IfOp>(
             At) &&
         Planner.Plan.addBarrier(
             {At, std::nullopt, /*Pinned=*/true,
              "all pipes wait here, or else " + About.Message});
}

void Ladder::orderAll(StringRef Reason) {
  Kernel.emitRemark("no flags order this kernel; all pipes wait before each "
                    "instruction instead")
      << Reason;
  Planner.orderAll();
  Result.Rung = OneByOne;
}

/// Takes the next rung for a pair; false if there is none but the last.
bool Ladder::answer(const Complaint &About) {
  Dependence Pair = About.Pair;
  // Two flags that runs of the kernel never have up together share events; the
  // proof may see a path on which they are.
  if (About.What != Refusal::Kind::Unordered && About.Flag &&
      Planner.giveOwnEvents(*About.Flag)) {
    Replanned = true;
    return true;
  }
  auto Key = std::tuple(Pair.First, Pair.Second, Pair.CarriedBy.getOperation());
  unsigned First = std::max(1u, Options.FirstRung);
  for (unsigned Now = std::max(Reached[Key] + 1, First); Now <= AllPipes;
       ++Now) {
    Reached[Key] = Now;
    if (Now == OnePair   ? orderPair(About)
        : Now == OneSlot ? useOneSlot(About)
                         : waitForAll(About)) {
      Result.Rung = std::max(Result.Rung, Now);
      return true;
    }
  }
  return false;
}

/// One complaint about each operation: what answers it often answers others.
bool Ladder::answer(ArrayRef<Complaint> Complaints) {
  DenseSet<Operation *> Answered;
  Replanned = false;
  for (const Complaint &About : Complaints) {
    if (!Answered.insert(About.Pair.Second).second)
      continue;
    if (!answer(About))
      return false;
    if (Replanned)
      break;
  }
  return true;
}

/// What was added for one complaint may be redundant after another.
void Ladder::relax() {
  constexpr unsigned MostProofs = 64;
  unsigned Last = Result.Proofs + MostProofs;
  auto TryWithout = [&](auto &All) {
    for (size_t I = All.size(); I-- > 0 && Result.Proofs < Last;) {
      if (!All[I].Pinned)
        continue;
      auto Without = All[I];
      All.erase(All.begin() + I);
      if (!prove().empty())
        All.insert(All.begin() + I, Without);
    }
  };
  TryWithout(Planner.Plan.Barriers);
  TryWithout(Planner.Plan.Flags);
}

FailureOr<LadderResult> Ladder::climb() {
  // Every answer adds something or takes a higher rung, so that it ends; the
  // bound is for time.
  constexpr unsigned MostProofs = 200;
  if (failed(Planner.prepare(Options.MostRuns)))
    return failure();
  if (Options.FirstRung >= OneByOne)
    orderAll("");
  else
    Planner.complete();
  std::vector<Complaint> Complaints = prove();
  while (!Complaints.empty() && Result.Rung < OneByOne) {
    if (Result.Proofs < MostProofs && answer(Complaints))
      Planner.complete();
    else
      orderAll(", or else " + Complaints[0].Message);
    Complaints = prove();
  }
  if (Result.Rung > AsPlanned && Result.Rung < OneByOne)
    relax();
  for (const Flag &F : Planner.Plan.Flags)
    if (!F.Reason.empty())
      F.Before->emitRemark(F.Reason);
  for (const Barrier &B : Planner.Plan.Barriers)
    if (!B.Reason.empty())
      B.Before->emitRemark(B.Reason);
  writePlan(
      Planner.Plan, [](Operation *Op) { return Op; },
      [](Operation *, std::optional<unsigned>, Operation *) {});
  Result.Plan = std::move(Planner.Plan);
  Result.Steps += Planner.steps();
  return Result;
}

FailureOr<LadderResult>
belay::passes::orderInstructions(func::FuncOp Kernel,
                                 analysis::OrderRules Rules,
                                 const LadderOptions &Options) {
  return Ladder(Kernel, Rules, Options).climb();
}
