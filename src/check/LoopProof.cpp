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

/// What stands for written memory among the variables that are lost.
static constexpr const char *Filled = "(written memory)";
/// And what for iterations that stand for others.
static constexpr const char *Unrolled = "(iterations)";

bool LoopProof::isUnrolled(const KernelState &Kernel, const clang::Stmt *Loop) {
  return Kernel.LostVariables.count({Loop, Unrolled});
}

LoopProof::LoopProof(Interpreter &I, Runtime &Device, KernelState &Kernel,
                     const clang::Stmt *Loop, const clang::Expr *Condition,
                     bool Long)
    : I(I), Device(Device), Kernel(Kernel), Loop(Loop), Condition(Condition),
      Long(Long), Period(Kernel.periodOf(Loop)), Outer(I.store().size()),
      Made(I.made()) {}

/// Known: what the path has learned since may say that two numbers are one.
static bool same(const Value &A, const Value &B, const Facts &Known) {
  return A.What == B.What && A.Id == B.Id && A.Callee == B.Callee &&
         (A.N == B.N || Known.normal(A.N) == Known.normal(B.N));
}

/// Whether P is a variable that outlives an iteration. Generations of buffers
/// are left out: the runtime counts them, and compares them with its own.
bool LoopProof::isFollowed(PathId P) const {
  const Store &Memory = I.store();
  PathId Root = Memory.rootIdOf(P);
  // A constant is set when it is first used, and does not change by that.
  if ((Root >= Outer && !I.isGlobal(Root)) || I.isConstant(Root))
    return false;
  const clang::ValueDecl *D = Memory.declOf(P);
  return !D || !D->getDeclName().isIdentifier() ||
         !D->getName().ends_with_insensitive("generation") ||
         !Kernel.inHeaders(D->getLocation());
}

/// What such a variable holds.
const Value *LoopProof::find(PathId P) const {
  const Value *V = I.store().find(P);
  return V && isFollowed(P) ? V : nullptr;
}

/// Learns by what the variables change in a period. False if one of them may
/// only seem to change, because the period is a longer one.
bool LoopProof::learn(const Snapshot &Before) {
  Steps.clear();
  Relations.clear();
  WhileRunning.clear();
  for (PathId P : Before.changed()) {
    const Value *Now = find(P), *Old = Before.find(P);
    if (!Now || (Old && same(*Old, *Now, I.facts())))
      continue;
    const Value &V = *Now;
    Steps[P] = std::nullopt;
    if (Kernel.LostVariables.count({Loop, I.store().keyOf(P)}))
      continue;
    if (!Old || Old->What != V.What || Old->Id != V.Id ||
        !(V.isNumber() || V.isAddress())) {
      // A tensor of global memory is mostly set anew in each iteration.
      bool WasNone = !Old || !(Old->isAddress() || Old->isPointer());
      if (V.isPointer() ||
          (V.isAddress() && !(WasNone && Device.isGlobal(V.Id))))
        return false;
      continue;
    }
    Number Step = I.facts().normal(V.N - Old->N);
    if (isStep(Step))
      Steps[P] = Step;
    else if (V.isNumber() && Step.fits()) {
      learnWhileRunning(P, *Old, Step);
      learnCarried(P, Step);
    }
  }
  return true;
}

/// Whether a variable can change by that in each period: it is a number of the
/// launch.
bool LoopProof::isStep(const Number &Change) const {
  bool Launch = Change.fits();
  Change.forEachSymbol([&](SymbolId S) {
    const Symbol &Each = Kernel.Names[S];
    Launch &= !Each.Chosen &&
              (Each.From == Origin::Launch || Each.From == Origin::Block ||
               Each.From == Origin::Blocks);
  });
  return Launch;
}

void LoopProof::learnWhileRunning(PathId P, const Value &Old,
                                  const Number &Change) {
  if (!Condition || !Kernel.Names.findChosen(Change))
    return;
  Number Step = I.factsWhere(Condition).settled(Change);
  if (!isStep(Step))
    return;
  Running Of = {Old, Step};
  Of.First.N = Old.N + Step;
  WhileRunning.emplace(P, std::move(Of));
}

Value LoopProof::runningValue(PathId P, const Number &Periods) const {
  const Running &Of = WhileRunning.at(P);
  Value Result = Of.First;
  std::optional<Number> Far = Number::multiply(Of.Step, Periods);
  if (!Far)
    return Value();
  Result.N = Result.N + *Far;
  Result.Wrapped = Result.MayWrap = Result.MayBeNegative = Result.Narrowed =
      nullptr;
  return Result;
}

/// Whether the variable is what it has to be one period on, if the loop goes
/// on.
bool LoopProof::isAsRunning(PathId P, const Value &Now) const {
  if (!WhileRunning.count(P))
    return true;
  Value Want = runningValue(P, Number::symbol(Iteration) + Number(1));
  return Want.isNumber() && Now.isNumber() &&
         I.factsWhere(Condition).settled(Now.N) == Want.N;
}

void LoopProof::goOn() {
  if (!Generic || WhileRunning.empty() || (Heads - 1 - First) % Period)
    return;
  for (const auto &Each : WhileRunning)
    if (Value V = runningValue(Each.first, Number::symbol(Iteration));
        V.isNumber()) {
      I.store().set(Each.first, V);
      Expected->update(Each.first);
    }
  // It was known of numbers that these replace.
  I.assumeCondition(Condition);
}

void LoopProof::learnCarried(PathId P, const Number &Change) {
  Carried New = {Change};
  if (I.facts().holds(Change))
    New.Direction = 1;
  else if (I.facts().holds(Number() - Change))
    New.Direction = -1;
  for (const auto &[Other, Of] : Relations) {
    if (Of.With || New.With)
      continue;
    if (Of.Change + Change == Number())
      New.With = {Other, 1};
    else if (Of.Change == Change)
      New.With = {Other, -1};
  }
  Relations[P] = std::move(New);
}

/// Now: the values at this head. The variable that another one goes with has
/// its new value.
Value LoopProof::carriedValue(PathId P, const Snapshot &Now,
                              const std::string &Key, const std::string &Name) {
  Value New = I.anyValue(P, Key, Name);
  auto Known = Relations.find(P);
  const Number &Is = Now.find(P)->N;
  if (New.isNumber())
    New.N.forEachSymbol([&](SymbolId S) { Kernel.CarriedBy[S] = {Loop, P}; });
  if (Known == Relations.end() || !New.isNumber())
    return New;
  const Carried &Of = Known->second;
  if (Of.With) {
    auto [Other, Times] = *Of.With;
    const Value *There = I.store().find(Other);
    Number Sum = Is;
    Sum.add(Now.find(Other)->N, Times);
    Sum.add(There->N, -Times);
    New.N = Sum;
  }
  Number Further = New.N - Is;
  if (Of.Direction)
    I.facts().assume(Of.Direction > 0 ? Further : Number() - Further);
  return New;
}

/// Whether what was learned of a variable holds after a period that stands for
/// any.
bool LoopProof::keepsRelations(PathId P) const {
  auto Known = Relations.find(P);
  if (Known == Relations.end())
    return true;
  const Carried &Of = Known->second;
  auto Change = [&](PathId Which) -> std::optional<Number> {
    const Value *After = find(Which), *Before = Expected->find(Which);
    if (!After || !Before || !After->isNumber() || !Before->isNumber())
      return std::nullopt;
    return After->N - Before->N;
  };
  std::optional<Number> Mine = Change(P);
  if (!Mine || !Mine->fits() || (Of.Direction > 0 && !I.facts().holds(*Mine)) ||
      (Of.Direction < 0 && !I.facts().holds(Number() - *Mine)))
    return false;
  if (!Of.With)
    return true;
  std::optional<Number> Other = Change(Of.With->first);
  return Other && Mine->add(*Other, Of.With->second) && *Mine == Number();
}

/// Any number of periods later, and at least one after those before.
void LoopProof::generalise(bool Runs) {
  SymbolId Before = Iteration;
  unsigned Which = I.countIteration(Loop);
  std::string Name = "iteration " + std::to_string(Which) + " of " +
                     std::to_string(Kernel.place(Loop->getBeginLoc()).Line);
  // Instances of a template are loops of the same line.
  std::string Key = Name + " in " + std::to_string(uintptr_t(Loop));
  Iteration = Kernel.Names.get(Key, [&] {
    return Symbol{Name, 0, int64_t(1) << 31, Origin::Data, {}, false};
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
  Expected.reset();
  const Snapshot Now(I.store());
  // Those that go with another one come after it.
  std::vector<std::pair<PathId, std::optional<Number>>> Order, Last;
  for (const auto &Step : Steps) {
    auto Known = Relations.find(Step.first);
    bool Goes = Known != Relations.end() && Known->second.With.has_value();
    (Goes ? Last : Order).push_back(Step);
  }
  llvm::append_range(Order, Last);
  for (const auto &[P, Step] : Order) {
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
      New = Relations.empty() ? I.anyValue(P, Key, Name)
                              : carriedValue(P, Now, Key, Name);
    } else if (V && V->What == Value::Kind::Real) {
      New = Value::real();
    }
    I.store().set(P, New);
  }
  moveFills(Before);
  assumeNotPassed();
  Expected = std::make_unique<Snapshot>(I.store());
  if (Runs) {
    I.assumeCondition(Condition);
    goOn();
  }
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
  if (Long && Kernel.loseVariable(Loop, Unrolled))
    return Step::Failed;
  if (OtherPeriod)
    for (unsigned Next : Tried)
      if (Next > Period) {
        Kernel.retryWith(Loop, Next);
        return Step::Failed;
      }
  Kernel.unknownEverywhere(Loop->getBeginLoc(), Why);
  return Step::Failed;
}

/// Before: the iteration that was followed last.
void LoopProof::moveFills(SymbolId Before) {
  for (Fill &F : Fills) {
    std::optional<Number> Since =
        Number::multiply(F.Piece, Number::symbol(Iteration));
    std::optional<Number> Until =
        Generic ? Number::multiply(F.Piece, Number::symbol(Before) + Number(1))
                : Number();
    if (!Since || !Until)
      continue;
    Number End = F.End - *Until + *Since;
    Device.moveFill(F, End);
    F.End = End;
  }
}

/// Whether the period has written its pieces of memory.
bool LoopProof::keepsFills() {
  for (Fill &F : Fills)
    F.End = F.End + F.Piece;
  if (all_of(Fills, [&](const Fill &F) { return Device.isFilled(F); }))
    return true;
  if (!Kernel.loseVariable(Loop, Filled))
    Kernel.unknown(Topic::Values, Loop->getBeginLoc(),
                   "how much the loop has written is not followed");
  return !Kernel.Retry;
}

/// After a period of iterations that stand for any: all is as it was before
/// them, one step on.
LoopProof::Step LoopProof::verify() {
  if (!keepsFills())
    return Step::Failed;
  std::vector<PathId> Which = Expected->changed();
  for (const auto &Step : Steps)
    Which.push_back(Step.first);
  llvm::sort(Which);
  Which.erase(llvm::unique(Which), Which.end());
  for (PathId P : Which)
    if (const Value *V = find(P))
      if (Step S = verify(P, *V); S != Step::GoOn)
        return S;
  return Step::GoOn;
}

LoopProof::Step LoopProof::verify(PathId P, const Value &V) {
  auto Change = Steps.find(P);
  if (Change != Steps.end() && !Change->second) {
    if (isAsRunning(P, V) && keepsRelations(P))
      return Step::GoOn;
    if (Kernel.loseVariable(Loop, I.store().keyOf(P)))
      return Step::Failed;
    return fail("how '" + I.store().nameOf(P) +
                    "' changes in the loop is not followed",
                false);
  }
  const Value *Was = Expected->find(P);
  if (Was) {
    Value Want = *Was;
    if (Change != Steps.end())
      Want.N = Want.N + *Change->second;
    if (same(V, Want, I.facts()))
      return Step::GoOn;
  } else if (Kernel.LostVariables.count({Loop, I.store().keyOf(P)})) {
    // Not set before, and nothing is to be known of it.
    Steps[P] = std::nullopt;
    return Step::GoOn;
  }
  // It may alternate; else, what it is in later iterations is not known.
  if (Period > 1 && Kernel.loseVariable(Loop, I.store().keyOf(P)))
    return Step::Failed;
  return fail("how '" + I.store().nameOf(P) +
                  "' changes in the loop is not followed",
              true);
}

/// What a period does after its last barrier of all cores, another block may
/// meet before the first one of the next: one more is followed.
bool LoopProof::goesOn() const {
  return Generic < 2 && Device.barriers() != BarriersBefore;
}

LoopProof::State LoopProof::stateNow(bool Runs) const {
  Runtime::LoopHead Head = Device.loopHead(Loop, Iteration, Made);
  return {Device.orderState(Head), Device.valueState(Head), Runs};
}

void LoopProof::follow(State From) {
  bool Runs = From.Runs;
  States.push_back(std::move(From));
  Device.forgetEarlier(Device.loopHead(Loop, Iteration, Made));
  generalise(Runs);
}

/// Whether the iteration wrote a few bytes, as those of a loop do that fills a
/// tensor: the next one tells where it goes on.
bool LoopProof::mayFill() const {
  constexpr int64_t Few = 64;
  return Period == 1 && !Kernel.LostVariables.count({Loop, Filled}) &&
         any_of(Device.pieces(), [&](const Fill &F) {
           return F.Piece.isConstant() && F.Piece.constant() > 0 &&
                  F.Piece.constant() <= Few && !is_contained(Pieces, F);
         });
}

LoopProof::Step LoopProof::atHead() {
  // Where the loop alternates, its first iteration is often another one.
  unsigned Head = Heads++;
  First = Period == 1 ? 1 + Waited : Period + 1;
  if (Head == First && !Waited && mayFill()) {
    Waited = true;
    ++First;
  }
  if (Head < First) {
    if (Head + Period >= First)
      Seen[Head] = std::make_unique<Snapshot>(I.store());
    Pieces = Device.pieces();
    return Step::GoOn;
  }
  ExitCovered = false;
  std::optional<bool> Runs = I.knownCondition(Condition);
  if (Runs == false)
    return Step::GoOn;
  if (Head == First) {
    if (!learn(*Seen[First - Period]) && Period == 1)
      return fail("", true);
    Seen.clear();
    if (Period == 1 && !Kernel.LostVariables.count({Loop, Filled}))
      Fills = Device.learnFills(Pieces);
    follow(stateNow(Runs.value_or(false)));
    return Step::GoOn;
  }
  // It was known to end, and went on.
  if (!Expected)
    return fail("later iterations of the loop are not followed", false);
  if ((Head - First) % Period)
    return Step::GoOn;
  if (Step S = verify(); S != Step::GoOn)
    return S;
  State Now = stateNow(Runs.value_or(false));
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
