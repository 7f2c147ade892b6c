//===- Cores.cpp - What cores do to each other ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All cores run the same path. An access of block b is compared with each
// access of block b + 1 between the same two barriers of all cores.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Pipe;
using sim::Space;
namespace wording = sim::wording;

void Runtime::noteGlobal(const Event &E, const Operand &O, sim::Epoch When) {
  for (const Number::Term &T : O.Begin.terms()) {
    SmallVector<SymbolId, 4> Alike;
    for (SymbolId S : T.Of)
      if (I.symbols()[S].From != Origin::Block)
        Alike.push_back(S);
    if (Kernel.Offsets.insert(T.Of.id()).second)
      Kernel.OffsetProducts.push_back(T.Of);
    Kernel.Offsets.insert(Product(Alike).id());
  }
  (O.Write ? Kernel.GlobalWrites : Kernel.GlobalReads)
      .insert(globalNumber(O.In));
  // A flag told other cores to go on, and this store may not be done by then.
  if (CrossWaits && !O.Write)
    for (const GlobalAccess &X : Global)
      if (X.Bytes.In == O.In && X.Bytes.Write && !X.Told) {
        wording::Actor Before = {X.Name, X.On, true},
                       After = {E.Name, E.On, false};
        Kernel.find("race-between-cores", {E.At, wording::roleOf(After)},
                    {X.At, wording::roleOf(Before)},
                    wording::raceBetweenCores(Before, After), bufferOf(O));
      }
  if (E.On == Pipe::S && O.Begin.isConstant())
    (O.Write ? Kernel.ScalarWrites : Kernel.ScalarReads)
        .push_back({O.In, O.Begin.constant(), Phase, E.At, E.Name, Kernel.Paths,
                    false});
  Global.push_back({O, E.Name, E.On, E.At, Phase, When, false, true,
                    Kernel.Found.choices()});
}

/// CrossCoreSetFlag waits for the pipe that it names, and for what that pipe
/// has waited for.
void Runtime::crossSet(const Event &E) {
  for (GlobalAccess &X : Global)
    if (X.Bytes.Write && X.On != E.On && E.On != Pipe::All &&
        !Clocks.ordered(X.When, E.On))
      X.Told = false;
}

/// What the scalar unit wrote and did not clean stays in its cache when the
/// cores have a barrier.
void Runtime::leaveCaches() {
  for (auto &W : Kernel.ScalarWrites)
    if (W.Path == Kernel.Paths && !Clean)
      W.Left = true;
  Clean = false;
}

/// Flags between cores: ids, and as many waits as sets.
void Runtime::crossFlag(const Event &E) {
  CrossSynced = true;
  // Sets and waits are on different cores, which take different paths; a vector
  // core may be one of two that a cube core waits for.
  Kernel.unknown(Topic::Flags, E.At,
                 "whether as many cores set the flag as others wait for is not "
                 "followed");
  if (E.Id < 0) {
    Kernel.unknown(Topic::Flags, E.At, "which flag id is used is not known");
    return;
  }
  uint32_t Ids = Kernel.Target.arch->crossCoreFlagIds;
  CrossState &C = Cross[E.Id];
  if (E.Kind == EventKind::CrossSet) {
    ++C.Sets;
    C.SetAt = E.At;
    C.On = E.On;
    if (Ids && static_cast<uint32_t>(E.Id) >= Ids && E.Id < 16)
      Kernel.find("flag-reserved", {E.At, "set"}, {},
                  {"CrossCoreSetFlag uses id " + std::to_string(E.Id) +
                       ", which SyncAll keeps for itself",
                   "use an id below " + std::to_string(Ids)});
  } else {
    ++C.Waits;
    C.WaitAt = E.At;
  }
}

/// Whether two accesses of different blocks overlap in a launch of a few
/// blocks. Only asked where nothing but the block decides.
bool Runtime::overlapInSmallLaunch(const GlobalAccess &X, const GlobalAccess &Y,
                                   std::string &When) {
  Symbols &Names = I.symbols();
  SymbolId Block = Names.get("GetBlockIdx()", [] { return Symbol(); });
  SymbolId Blocks = Names.get("GetBlockNum()", [] { return Symbol(); });
  for (int64_t Num : {2, 3, 4, 8})
    for (int64_t A = 0; A < Num; ++A)
      for (int64_t B = 0; B < Num; ++B) {
        if (A == B)
          continue;
        std::pair<SymbolId, int64_t> OfX[] = {{Block, A}, {Blocks, Num}},
                                     OfY[] = {{Block, B}, {Blocks, Num}};
        auto Value = [&](const Number &N, auto &Of) {
          return I.facts().evaluate(N, Of);
        };
        auto XFrom = Value(X.Bytes.Begin, OfX),
             YFrom = Value(Y.Bytes.Begin, OfY),
             XSize = Value(X.Bytes.Certain, OfX),
             YSize = Value(Y.Bytes.Certain, OfY);
        if (!XFrom || !YFrom || !XSize || !YSize)
          return false;
        bool Taken = all_of(I.facts().all(), [&](const Number &F) {
          auto XHolds = Value(F, OfX), YHolds = Value(F, OfY);
          return (!XHolds || *XHolds >= 0) && (!YHolds || *YHolds >= 0);
        });
        if (!Taken || *XFrom >= *YFrom + *YSize || *YFrom >= *XFrom + *XSize)
          continue;
        When = "blocks " + std::to_string(A) + " and " + std::to_string(B) +
               " of " + std::to_string(Num);
        return true;
      }
  return false;
}

/// Whether a fact says which of the blocks take this path.
bool Runtime::choosesBlocks(const Number &Fact) const {
  bool OfBlock = false, OfLaunch = false, OfNumber = false;
  Fact.forEachSymbol([&](SymbolId S) {
    OfBlock |= Kernel.Names[S].From == Origin::Block;
    OfLaunch |= Kernel.Names[S].From == Origin::Launch;
    OfNumber |= Kernel.Names[S].From == Origin::Blocks;
  });
  return OfBlock && (OfLaunch || !OfNumber);
}

/// A launch in which this block and the next come here and use these bytes,
/// which are the same for both. What data decide is not asked.
std::optional<std::string> Runtime::meetsNext(const Number &Next, Facts Known,
                                              const Number &Bytes) {
  auto Own = [](const Symbol &S) {
    return S.PerBlock || S.From == Origin::Other ||
           (S.From == Origin::Data && !S.Iteration);
  };
  for (const Number &F : I.facts().all()) {
    std::optional<Number> There = inBlock(Next, F, Known);
    if (!There || Kernel.Names.any(F, Own))
      return std::nullopt;
    Known.assume(*There);
  }
  return Known.counterexample(Number() - Bytes);
}

/// A barrier of all cores: each of them has to come, and all have to run.
/// Whether those that took another way come too is seen when all paths are
/// known.
void Runtime::syncAll() {
  if (!Kernel.Target.split)
    return;
  ++Barriers;
  for (const Number &F : I.facts().all())
    if (choosesBlocks(F))
      Kernel.BarriersOfSome.push_back({F, Barriers, I.here(), true, I.trail()});
}

/// At the end of a path: how many barriers its blocks passed.
void Runtime::countBarriers() {
  for (const Number &F : I.facts().all())
    if (choosesBlocks(F))
      Kernel.BarriersOn.push_back(
          {F, Barriers, {}, !Global.empty(), I.trail()});
}

/// Whether two blocks may get in each other's way if both use the same bytes.
bool Runtime::mayConflict(const GlobalAccess &X, const GlobalAccess &Y) {
  return X.Bytes.In == Y.Bytes.In && X.Phase == Y.Phase &&
         (X.Bytes.Write || Y.Bytes.Write) &&
         !(X.Bytes.Atomic && Y.Bytes.Atomic);
}

/// The bytes that two blocks may not have in common: what a scalar unit stores
/// goes back with the whole line of its cache.
std::pair<Operand, Operand> Runtime::asCached(const GlobalAccess &X,
                                              const GlobalAccess &Y) {
  bool XCached = X.On == Pipe::S, YCached = Y.On == Pipe::S;
  bool Lines = (XCached && YCached) ||
               (X.Bytes.Write && Y.Bytes.Write && (XCached || YCached));
  if (!Lines)
    return {X.Bytes, Y.Bytes};
  if (XCached)
    return {withLines(X.Bytes), Y.Bytes};
  return {X.Bytes, withLines(Y.Bytes)};
}

void Runtime::atClosedLoop() {
  compareGlobal();
  endOfPath(false);
}

void Runtime::endOfPath(bool Ended) {
  auto Mine = std::make_shared<PathSummary>(PathSummary{
      I.trail(), {}, I.facts(), Barriers, Ended, Cube, CrossSynced});
  if (AsksBlock)
    for (const GlobalAccess &X : Global)
      if (none_of(Mine->Uses, [&](const GlobalAccess &Y) {
            return X.Bytes.In == Y.Bytes.In && X.Phase == Y.Phase &&
                   X.Bytes.Write == Y.Bytes.Write &&
                   X.Bytes.Atomic == Y.Bytes.Atomic &&
                   X.Bytes.Begin == Y.Bytes.Begin &&
                   X.Bytes.Span == Y.Bytes.Span &&
                   X.Bytes.Certain == Y.Bytes.Certain &&
                   X.Bytes.Pitch == Y.Bytes.Pitch;
          })) {
        Mine->Uses.push_back(X);
        Mine->Uses.back().Distinct = distinctUse(X, I.facts());
      }
  comparePaths(*Mine);
  Kernel.Summaries.push_back(std::move(Mine));
}

void Runtime::compareCores() {
  for (auto &[Id, C] : Cross)
    if (C.Sets > C.Waits && C.Waits)
      Kernel.find(
          "flag-left-set", {C.SetAt, "set"}, {C.WaitAt, "last waited for"},
          {"cross-core flag " + std::to_string(Id) +
               " is still set when the kernel ends (" + std::to_string(C.Sets) +
               " sets, " + std::to_string(C.Waits) +
               " waits): the next kernel on this core starts with it",
           "wait for it after the loop, or do not set it in the last "
           "iteration"});
  compareGlobal();
}

/// Every block does the same to the same bytes: no more than one may run. Of
/// blocks with several cores each, that is not enough.
void Runtime::requireOneBlock() {
  Number Spare = Number(1) - numberOfBlocks();
  for (const GlobalAccess &X : Global)
    if (any_of(Global, [&](const GlobalAccess &Y) {
          return mayConflict(X, Y) && !disjoint(X.Bytes, Y.Bytes);
        })) {
      std::string Why = "whether a block writes what others use of " +
                        bufferOf(X.Bytes) + " is decided by how many run";
      if (Kernel.BothHalves || CrossSynced)
        Kernel.unknown(Topic::Cores, X.At, Why);
      else if (!I.facts().holds(Spare))
        Kernel.requireNotNegative(Topic::Cores, X.At, Why, Spare);
    }
}

void Runtime::compareGlobal() {
  if (Kernel.isSettled(Topic::Cores))
    return;
  if (!AsksBlock)
    return requireOneBlock();
  Symbols &Names = I.symbols();
  SymbolId Block = Names.get("GetBlockIdx()", [] { return Symbol(); });
  Facts Known = I.facts();
  Number Next = Number::symbol(Block) + Number(1);
  Known.assume(numberOfCores() - Next - Number(1));
  if (CrossSynced)
    return Kernel.unknown(Topic::Cores, {},
                          "which accesses the flags between cores order is not "
                          "followed");
  std::optional<Neighbours> Alike;
  // Of a path that some blocks take, by their index alone, the next block has
  // to be one of them. One that a single block takes meets other paths only.
  for (const Number &F : I.facts().all())
    if (F.terms().size() == 1 && F.factorOf(Block) && *F.factorOf(Block) < 0) {
      if (!Alike)
        Alike.emplace(neighbours(I.facts(), I.facts(), true));
      if (Alike->None)
        return;
      if (std::optional<Number> There = inBlock(Next, F, Known))
        Known.assume(*There);
    }
  for (size_t A = 0; A < Global.size(); ++A)
    for (size_t B = 0; B < Global.size(); ++B) {
      const GlobalAccess &X = Global[A], &Y = Global[B];
      if (!mayConflict(X, Y))
        continue;
      // What is not known already can only become a finding, which is not
      // apart.
      bool Doubted = Kernel.isDoubted(Topic::Cores);
      if (Doubted && Kernel.Proving)
        return;
      auto [First, Second] = asCached(X, Y);
      if (!Doubted && apartAnyway(First, Second, factsOfUses(First, Second)))
        continue;
      if (!Alike)
        Alike.emplace(neighbours(I.facts(), I.facts(), true));
      if (!Doubted && apart(First, Second, *Alike))
        continue;
      bool Cached =
          !(First.Span == X.Bytes.Span && Second.Span == Y.Bytes.Span);
      if (Cached && apart(X.Bytes, Y.Bytes, *Alike)) {
        Kernel.unknown(Topic::Cores, Y.At,
                       "whether blocks store to the same line of the cache "
                       "with " +
                           Y.Name + " is not known");
        continue;
      }
      std::optional<Number> Begin = inBlock(Next, Y.Bytes.Begin, Known);
      std::optional<Number> Span = inBlock(Next, Y.Bytes.Span, Known);
      std::optional<Number> Certain = inBlock(Next, Y.Bytes.Certain, Known);
      if (!Begin || !Span || !Certain) {
        Kernel.unknown(Topic::Cores, Y.At,
                       "which bytes " + Y.Name +
                           " of the next block touches is not followed");
        continue;
      }
      if (Known.holds(*Begin - X.Bytes.Begin - X.Bytes.Span) ||
          Known.holds(X.Bytes.Begin - *Begin - *Span)) {
        Kernel.unknown(Topic::Cores, Y.At,
                       "whether " + Y.Name + " of one block and " + X.Name +
                           " of a later one touch the same bytes of " +
                           bufferOf(Y.Bytes) + " is not known");
        continue;
      }
      bool Overlaps =
          Known.holds(X.Bytes.Begin + X.Bytes.Certain - *Begin - Number(1)) &&
          Known.holds(*Begin + *Certain - X.Bytes.Begin - Number(1));
      // The facts of a path may exclude each other in ways that no proof sees:
      // some launch has to show it.
      if (Overlaps) {
        Facts Both = Known;
        Both.assume(*Begin + *Certain - X.Bytes.Begin - Number(1));
        Overlaps = Both.counterexample(*Begin - X.Bytes.Begin - X.Bytes.Certain)
                       .has_value();
      }
      // Slices a fixed distance apart, of a length that the launch decides; or
      // none, where all blocks come here.
      std::optional<std::string> When;
      Number Apart = *Begin - X.Bytes.Begin;
      if (!Overlaps && Apart.isConstant() && A == B &&
          !X.Bytes.Certain.isConstant()) {
        if (Apart.constant() > 0)
          When = Known.counterexample(Apart - X.Bytes.Certain);
        else if (Apart.constant() == 0)
          When = meetsNext(Next, Known, X.Bytes.Certain);
      }
      bool Usually = false;
      if (!Overlaps && !When) {
        When = meetsUsually(Next, X.Bytes, *Begin, *Certain);
        Usually = When.has_value();
      }
      std::string Small;
      if (!Overlaps && !When && overlapInSmallLaunch(X, Y, Small))
        When = Small;
      bool PerBlock = false;
      auto Own = [](const Symbol &S) { return S.PerBlock; };
      for (const Operand *O : {&X.Bytes, &Y.Bytes})
        PerBlock |= Names.any(O->Begin, Own) || Names.any(O->Span, Own);
      // All blocks store a word at one place: a sign that any of them may give.
      if (A == B && X.On == Pipe::S && X.Bytes.Write && (Overlaps || Usually)) {
        Kernel.unknown(Topic::Cores, Y.At,
                       "safe if " + Y.Name + " stores the same value to " +
                           bufferOf(Y.Bytes) + " in all blocks");
        continue;
      }
      if ((!Overlaps && !When) || PerBlock) {
        std::string Why = "whether " + Y.Name + " of one block and " + X.Name +
                          " of the next touch the same bytes of " +
                          bufferOf(Y.Bytes) + " is decided by the launch";
        if (!requireApart(First, I.facts(), Second, I.facts(), Y.At, Why))
          Kernel.unknown(Topic::Cores, Y.At, Why);
        continue;
      }
      // The later of the two is where a reader looks first.
      const GlobalAccess &Here = B >= A ? Y : X, &Other = B >= A ? X : Y;
      wording::Actor Before = {Other.Name, Other.On, Other.Bytes.Write},
                     After = {Here.Name, Here.On, Here.Bytes.Write};
      wording::Text T = wording::raceBetweenCores(Before, After);
      if (When)
        T.Message += "; as for " + *When;
      Kernel.find("race-between-cores", {Here.At, wording::roleOf(After)},
                  {Other.At, wording::roleOf(Before)}, T, bufferOf(Here.Bytes),
                  {}, std::max(X.Choices, Y.Choices));
    }
}
