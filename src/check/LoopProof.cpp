//===- LoopProof.cpp - One iteration that stands for all later ones -------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/LoopProof.h"
#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "check/Runtime.h"

using namespace belay::check;
using namespace llvm;

/// So many states of the device are followed from, in one execution.
static constexpr size_t MostStates = 5;

LoopProof::LoopProof(Interpreter &I, Runtime &Device, KernelState &Kernel,
                     const clang::Stmt *Loop, const clang::Expr *Condition)
    : I(I), Device(Device), Kernel(Kernel), Loop(Loop), Condition(Condition),
      Period(Kernel.periodOf(Loop)), Outer(I.store().size()) {}

static bool same(const Value &A, const Value &B) {
  return A.What == B.What && A.Id == B.Id && A.N == B.N && A.Callee == B.Callee;
}

/// The values of all variables that outlive an iteration. Generations of
/// buffers are left out: the runtime counts them, and compares them with its
/// own.
LoopProof::Snapshot LoopProof::takeSnapshot() const {
  Snapshot All;
  const Store &Memory = I.store();
  for (PathId P = 1; P < Memory.size(); ++P) {
    const Value *V = Memory.find(P);
    PathId Root = Memory.rootIdOf(P);
    // A constant is set when it is first used, and does not change by that.
    if (!V || I.isConstant(Root) || (Root >= Outer && !I.isGlobal(Root)))
      continue;
    const clang::ValueDecl *D = Memory.declOf(P);
    if (D && Kernel.inHeaders(D->getLocation()) &&
        D->getDeclName().isIdentifier() &&
        D->getName().ends_with_insensitive("generation"))
      continue;
    All.emplace(P, *V);
  }
  return All;
}

/// Learns by what the variables change in a period. False if one of them may
/// only seem to change, because the period is a longer one.
bool LoopProof::learn(const Snapshot &Before, const Snapshot &Now) {
  Steps.clear();
  for (const auto &[P, V] : Now) {
    auto Old = Before.find(P);
    if (Old != Before.end() && same(Old->second, V))
      continue;
    Steps[P] = std::nullopt;
    if (Kernel.LostVariables.count({Loop, I.store().keyOf(P)}))
      continue;
    if (Old == Before.end() || Old->second.What != V.What ||
        Old->second.Id != V.Id || !(V.isNumber() || V.isAddress())) {
      if (V.isPointer() || V.isAddress())
        return false;
      continue;
    }
    Number Step = V.N - Old->second.N;
    bool Launch = true;
    Step.forEachSymbol([&](SymbolId S) {
      Origin From = Kernel.Names[S].From;
      Launch &= From == Origin::Launch || From == Origin::Block ||
                From == Origin::Blocks;
    });
    if (Launch && Step.fits())
      Steps[P] = Step;
  }
  return true;
}

/// Any number of periods later, and at least one after those before.
void LoopProof::generalise(bool Runs) {
  SymbolId Before = Iteration;
  std::string Key = "iteration " + std::to_string(I.countIteration()) + " of " +
                    std::to_string(Kernel.place(Loop->getBeginLoc()).Line);
  Iteration = Kernel.Names.get(Key, [&] {
    return Symbol{Key, 0, int64_t(1) << 31, Origin::Data, {}, false};
  });
  Kernel.Names[Iteration].Iteration = true;
  Kernel.Iterations[Iteration] = Loop;
  Number Times = Number::symbol(Iteration);
  Number Further = Times - Number::symbol(Before) - Number(1);
  if (Generic) {
    I.facts().assume(Further);
    // Steps of the launch's, so many times further: the prover adds facts, and
    // does not multiply them.
    for (const auto &[P, Step] : Steps)
      if (Step && !Step->isConstant() && I.facts().holds(*Step))
        if (std::optional<Number> Far = Number::multiply(*Step, Further))
          I.facts().assume(*Far);
  }
  Expected.clear();
  for (const auto &[P, Step] : Steps) {
    const Value *V = I.store().find(P);
    Value New;
    std::optional<Number> Far =
        Step ? Number::multiply(*Step, Times) : std::nullopt;
    if (Far && V) {
      // Its value now is that of the generic iteration before, one step on.
      New = Generic ? Base.at(P) : *V;
      New.N = New.N + *Far;
      New.Wrapped = New.MayWrap = New.MayBeNegative = New.Narrowed = nullptr;
      if (!Generic)
        Base.emplace(P, *V);
    } else if (V && V->isNumber()) {
      New = I.anyValue(P, Key);
    } else if (V && V->What == Value::Kind::Real) {
      New = Value::real();
    }
    I.store().set(P, New);
  }
  assumeNotPassed();
  if (Runs)
    I.assumeCondition(Condition);
  Expected = takeSnapshot();
  BarriersBefore = Device.barriers();
  ++Generic;
}

/// Of a loop that goes on while i != n: by steps of one, i does not come past
/// n.
void LoopProof::assumeNotPassed() {
  std::optional<Number> Distance = I.distance(Condition);
  if (!Distance || Period != 1)
    return;
  auto [Each, First] = Distance->split(Iteration);
  for (int64_t Sign : {1, -1})
    if (Number Before; Each == Number(-Sign) && Before.add(First, Sign) &&
                       I.facts().holds(Before))
      if (Number Now; Now.add(*Distance, Sign))
        I.facts().assume(Now);
}

LoopProof::Step LoopProof::fail(const Twine &Why, bool OtherPeriod) {
  static constexpr unsigned Tried[] = {1, 2, 3, 4};
  if (OtherPeriod)
    for (unsigned Next : Tried)
      if (Next > Period) {
        Kernel.retryWith(Loop, Next);
        return Step::Failed;
      }
  Kernel.unknownEverywhere(Loop->getBeginLoc(), Why);
  return Step::Failed;
}

/// After a period of iterations that stand for any: all is as it was before
/// them, one step on.
LoopProof::Step LoopProof::verify() {
  Snapshot Now = takeSnapshot();
  for (const auto &[P, V] : Now) {
    auto Step = Steps.find(P);
    if (Step != Steps.end() && !Step->second)
      continue;
    auto Was = Expected.find(P);
    bool Fits = Was != Expected.end();
    if (Fits) {
      Value Want = Was->second;
      if (Step != Steps.end())
        Want.N = Want.N + *Step->second;
      Fits = same(V, Want);
    }
    if (Fits)
      continue;
    // Not set before, and nothing is to be known of it.
    if (Was == Expected.end() &&
        Kernel.LostVariables.count({Loop, I.store().keyOf(P)})) {
      Steps[P] = std::nullopt;
      continue;
    }
    // It may alternate; else, what it is in later iterations is not known.
    if (Period > 1 && Kernel.loseVariable(Loop, I.store().keyOf(P)))
      return Step::Failed;
    return fail("how '" + I.store().nameOf(P) +
                    "' changes in the loop is not followed",
                true);
  }
  return Step::GoOn;
}

/// What a period does after its last barrier of all cores, another block may
/// meet before the first one of the next: one more is followed.
bool LoopProof::goesOn() const {
  return Generic < 2 && Device.barriers() != BarriersBefore;
}

void LoopProof::follow(State From) {
  bool Runs = From.Runs;
  States.push_back(std::move(From));
  generalise(Runs);
}

LoopProof::Step LoopProof::atHead() {
  // Where the loop alternates, its first iteration is often another one.
  unsigned Head = Heads++, First = Period == 1 ? 1 : Period + 1;
  if (Head < First) {
    if (Head + Period >= First)
      Seen[Head] = takeSnapshot();
    return Step::GoOn;
  }
  ExitCovered = false;
  std::optional<bool> Runs = I.knownCondition(Condition);
  if (Runs == false)
    return Step::GoOn;
  if (Head == First) {
    Snapshot Now = takeSnapshot();
    if (!learn(Seen[First - Period], Now) && Period == 1)
      return fail("", true);
    Seen.clear();
    follow({Device.orderState(Loop, 0), Device.valueState(Loop, 0),
            Runs.value_or(false)});
    return Step::GoOn;
  }
  if ((Head - First) % Period)
    return Step::GoOn;
  if (Step S = verify(); S != Step::GoOn)
    return S;
  State Now = {Device.orderState(Loop, Iteration),
               Device.valueState(Loop, Iteration), Runs.value_or(false)};
  bool SameOrder = false;
  for (const State &Old : States) {
    if (Old.Runs && !Now.Runs)
      continue;
    SameOrder |= Old.Order == Now.Order;
    bool Covers = Old.Values == Now.Values && Old.Order.covers(Now.Order);
    if (Covers && !goesOn())
      return Step::Closed;
    // The first of them was left with what one period has done.
    ExitCovered |= Covers && &Old != &States.front();
  }
  if (SameOrder && States.size() + 1 >= MostStates) {
    Kernel.unknown(Topic::Values, Loop->getBeginLoc(),
                   "what later iterations of the loop find written is not "
                   "followed");
    return Step::Closed;
  }
  if (States.size() >= MostStates)
    return fail("the loop does not come back to a state it was in", true);
  follow(std::move(Now));
  return Step::GoOn;
}
