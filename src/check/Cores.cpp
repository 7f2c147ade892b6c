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
    Kernel.Offsets.insert(T.Of.id());
    Kernel.Offsets.insert(Product(Alike).id());
  }
  (O.Write ? Kernel.GlobalWrites : Kernel.GlobalReads)
      .insert(find(Arguments, O.In) - Arguments.begin());
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
    if (static_cast<uint32_t>(E.Id) >= Ids && E.Id < 16)
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

/// A barrier of all cores: each of them has to come, and all have to run.
/// Whether those that took another way come too is seen when all paths are
/// known.
void Runtime::syncAll() {
  if (!Kernel.Target.split)
    return;
  ++Barriers;
  for (const Number &F : I.facts().all())
    if (choosesBlocks(F))
      Kernel.BarriersOfSome.push_back({F, Barriers, I.here()});
}

/// At the end of a path: how many barriers its blocks passed.
void Runtime::countBarriers() {
  for (const Number &F : I.facts().all())
    if (choosesBlocks(F))
      Kernel.BarriersOn.push_back({F, Barriers, {}, !Global.empty()});
}

/// Whether two blocks may get in each other's way if both use the same bytes.
bool Runtime::mayConflict(const GlobalAccess &X, const GlobalAccess &Y) {
  return X.Bytes.In == Y.Bytes.In && X.Phase == Y.Phase &&
         (X.Bytes.Write || Y.Bytes.Write) &&
         !(X.Bytes.Atomic && Y.Bytes.Atomic);
}

/// The same for a number that was chosen: there, the condition is another.
std::optional<Number> Runtime::chosenInBlock(const Number &Other, SymbolId S,
                                             const Facts &Known,
                                             bool OwnIterations) {
  const Alternatives Here = *I.symbols()[S].Chosen;
  Alternatives There = Here;
  bool Same = true;
  for (auto [To, From] :
       {std::pair(&There.Then, &Here.Then), std::pair(&There.Else, &Here.Else),
        std::pair(&There.Yes, &Here.Yes), std::pair(&There.No, &Here.No)}) {
    std::optional<Number> N = inBlock(Other, *From, Known, OwnIterations);
    if (!N)
      return std::nullopt;
    Same = Same && *N == *From;
    *To = *N;
  }
  return Number::symbol(Same ? S : I.symbols().choose(There));
}

/// What each block has a value of its own of, whatever that was computed from:
/// what it has in local memory, or reads at a place of its own.
static bool isOfOneBlock(const Symbol &S) {
  bool Computed = S.Chosen || !(S.Divisor == Number());
  if (Computed || S.From == Origin::Block || S.From == Origin::Blocks)
    return false;
  return S.PerBlock || S.From == Origin::Other ||
         (S.From == Origin::Data && !S.Shared);
}

/// Its value in the other block.
Number Runtime::inOtherBlock(SymbolId S) {
  Symbols &Names = I.symbols();
  const Symbol Here = Names[S];
  // Symbols may share a name.
  return Number::symbol(Names.get("other:" + std::to_string(S), [&] {
    Symbol There = Here;
    There.Name = "other " + Here.Name;
    return There;
  }));
}

/// What a number is in another block: in quotients of what depends on the block
/// as well. Each block is in an iteration of its own.
std::optional<Number> Runtime::inBlock(const Number &Other, const Number &N,
                                       const Facts &Known, bool OwnIterations) {
  Symbols &Names = I.symbols();
  SymbolId Block = Names.get("GetBlockIdx()", [] { return Symbol(); });
  // Through symbols that stand for them, since one block's quotient may be that
  // of the one before.
  SmallVector<std::pair<SymbolId, Number>, 4> Others;
  bool Followed = N.fits();
  N.forEachSymbol([&](SymbolId S) {
    if (Names[S].Iteration && !OwnIterations)
      return;
    if (Names[S].Iteration || isOfOneBlock(Names[S])) {
      Others.push_back({S, inOtherBlock(S)});
      return;
    }
    if (Names[S].Chosen && Followed) {
      std::optional<Number> There =
          chosenInBlock(Other, S, Known, OwnIterations);
      Followed = There.has_value();
      if (There && !(*There == Number::symbol(S)))
        Others.push_back({S, *There});
      return;
    }
    Number Dividend = Names[S].Dividend, Divisor = Names[S].Divisor;
    if ((Divisor.isConstant() && !Divisor.constant()) || !Followed)
      return;
    std::optional<Number> L = inBlock(Other, Dividend, Known, OwnIterations),
                          R = inBlock(Other, Divisor, Known, OwnIterations);
    if (L && R && *L == Dividend && *R == Divisor)
      return;
    std::optional<Number> Q;
    if (L && R && Known.holds(*L) && Known.holds(*R - Number(1)))
      Q = I.quotient(*L, *R);
    Followed = Q.has_value();
    if (Q)
      Others.push_back({S, *Q});
  });
  std::optional<Number> Result = N;
  auto Standing = [&](size_t Index) {
    return Names.get("next:" + std::to_string(Index),
                     [] { return Symbol{"next", 0, 0, Origin::Other, {}}; });
  };
  for (size_t I = 0; I < Others.size() && Result; ++I)
    Result = Result->replace(Others[I].first, Number::symbol(Standing(I)));
  if (Result)
    Result = Result->replace(Block, Other);
  for (size_t I = 0; I < Others.size() && Result; ++I)
    Result = Result->replace(Standing(I), Others[I].second);
  return Followed ? Result : std::nullopt;
}

/// Same: both blocks take the same path.
Runtime::Neighbours Runtime::neighbours(const Facts &OfOne,
                                        const Facts &OfOther, bool Same) {
  Symbols &Names = I.symbols();
  auto Get = [&](StringRef Name) {
    return Number::symbol(Names.get(Name, [] { return Symbol(); }));
  };
  Number More = Number::symbol(Names.get("more blocks", [] {
    return Symbol{"more blocks", 0, 65535, Origin::Other, {}};
  }));
  Number NextBlock = Get("GetBlockIdx()") + Number(1);
  Neighbours Result = {OfOne,
                       OfOne,
                       OfOne,
                       NextBlock + More,
                       NextBlock,
                       false,
                       Same && chainable(OfOne)};
  Result.Later.assume(numberOfCores() - Result.LaterBlock - Number(1));
  Result.Next.assume(numberOfCores() - NextBlock - Number(1));
  // Quotients go upwards with what is divided.
  auto QuotientsOf = [&](const Facts &Of) {
    SmallSetVector<SymbolId, 8> All;
    for (const Number &Fact : Of.all())
      Fact.forEachSymbol([&](SymbolId S) {
        if (!(Names[S].Divisor == Number()))
          All.insert(S);
      });
    return All;
  };
  for (SymbolId S : QuotientsOf(OfOther)) {
    std::optional<Number> There =
        inBlock(Result.LaterBlock, Number::symbol(S), Result.Later);
    if (!There || There->terms().size() != 1 ||
        There->terms()[0].Of.size() != 1)
      continue;
    const Symbol Later = Names[There->terms()[0].Of[0]];
    for (SymbolId Mine : QuotientsOf(OfOne))
      if (*There == Number::symbol(There->terms()[0].Of[0]) &&
          Names[Mine].Divisor == Later.Divisor &&
          Result.Later.holds(Later.Dividend - Names[Mine].Dividend))
        Result.Later.assume(*There - Number::symbol(Mine));
  }
  for (const Number &Fact : Result.Later.all())
    Result.Both.assume(Fact);
  for (const Number &Fact : OfOther.all())
    if (std::optional<Number> There =
            inBlock(Result.LaterBlock, Fact, Result.Both)) {
      // No later block goes that way.
      Result.None |= Result.Both.holds(Number(-1) - *There);
      Result.Both.assume(*There);
    }
  Result.None |= Result.Both.holds(Number(-1) - More);
  return Result;
}

/// How many iterations the other block is ahead of this one, where the distance
/// of what they use depends on that.
std::optional<Number> Runtime::aheadBy(const Number &Distance) {
  Symbols &Names = I.symbols();
  std::optional<Number> Ahead;
  Distance.forEachSymbol([&](SymbolId S) {
    if (!Names[S].Iteration || StringRef(Names[S].Name).starts_with("other "))
      return;
    Number Other = inOtherBlock(S);
    Number Apart = Other - Number::symbol(S);
    if (Distance.split(S).first +
            Distance.split(Other.terms()[0].Of[0]).first ==
        Number())
      Ahead = Apart;
  });
  return Ahead;
}

/// Whether X and what Y is in any later block are certainly different bytes.
bool Runtime::apart(const Operand &X, const Operand &Y, const Neighbours &Of) {
  if (Of.None)
    return true;
  Number XEnd = X.Begin + X.Span;
  // With few facts first: the search for a proof is bounded.
  std::optional<Number> Begin, Span;
  for (const Facts *Known : {&Of.Later, &Of.Both}) {
    Begin = inBlock(Of.LaterBlock, Y.Begin, *Known);
    Span = inBlock(Of.LaterBlock, Y.Span, *Known);
    if (Begin && Span &&
        (Known->holds(*Begin - XEnd) || Known->holds(X.Begin - *Begin - *Span)))
      return true;
  }
  // In a later iteration of the other block, or in an earlier one.
  if (Begin && Span)
    if (std::optional<Number> Later = aheadBy(*Begin - X.Begin)) {
      auto Case = [&](const Number &Fact) {
        Facts Known = Of.Both;
        Known.assume(Fact);
        return Known.holds(*Begin - XEnd) ||
               Known.holds(X.Begin - *Begin - *Span);
      };
      if (Case(*Later) && Case(Number(-1) - *Later))
        return true;
    }
  // From block to block: Y of the next one begins after the end of X, and the
  // ends of X go upwards.
  if (!Of.Chain)
    return false;
  Begin = inBlock(Of.NextBlock, Y.Begin, Of.Next);
  std::optional<Number> End = inBlock(Of.NextBlock, XEnd, Of.Next, false);
  return Begin && End && Of.Next.holds(*Begin - XEnd) &&
         Of.Next.holds(*End - XEnd);
}

/// The same of a cube core and a vector core that have the same index.
bool Runtime::apartInHalves(const Operand &X, const Operand &Y,
                            const Facts &OfX, const Facts &OfY) {
  Number Same = blockNumber(LaunchNumber::Kind::Block);
  Facts Both = OfX;
  for (const Number &Fact : OfY.all())
    if (std::optional<Number> There = inBlock(Same, Fact, Both))
      Both.assume(*There);
  std::optional<Number> Begin = inBlock(Same, Y.Begin, Both),
                        Span = inBlock(Same, Y.Span, Both);
  return Begin && Span &&
         (Both.holds(*Begin - X.Begin - X.Span) ||
          Both.holds(X.Begin - *Begin - *Span));
}

/// Whether what is known of two blocks holds for all between them, in the same
/// iterations.
bool Runtime::chainable(const Facts &Known) const {
  const Symbols &Names = Kernel.Names;
  return all_of(Known.all(), [&](const Number &Fact) {
    bool Linear = true, Iteration = false, OfBlock = false;
    Fact.forEachSymbol([&](SymbolId S) {
      Iteration |= Names[S].Iteration;
      if (Names[S].From == Origin::Block) {
        OfBlock = true;
        Linear &= Fact.factorOf(S).has_value();
      } else if (Names.any(Number::symbol(S), [](const Symbol &Of) {
                   return Of.From == Origin::Block || Of.PerBlock;
                 })) {
        OfBlock = true;
        Linear = false;
      }
    });
    return !OfBlock || (Linear && !Iteration);
  });
}

/// Whether two blocks of one launch can take these two paths: the first
/// decision that differs is one that blocks decide by themselves.
static bool coexist(const PathSummary &A, const PathSummary &B) {
  size_t Common = std::min(A.Trail.size(), B.Trail.size());
  for (size_t N = 0; N < Common; ++N)
    if (A.Trail[N].Taken != B.Trail[N].Taken)
      return !A.Trail[N].Alike;
  return true;
}

void Runtime::atClosedLoop() {
  compareGlobal();
  endOfPath(false);
}

void Runtime::endOfPath(bool Ended) {
  auto Mine = std::make_shared<PathSummary>(
      PathSummary{I.trail(), {}, I.facts(), Barriers, Ended, Cube});
  if (AsksBlock)
    for (const GlobalAccess &X : Global)
      if (none_of(Mine->Uses, [&](const GlobalAccess &Y) {
            return X.Bytes.In == Y.Bytes.In && X.Phase == Y.Phase &&
                   X.Bytes.Write == Y.Bytes.Write &&
                   X.Bytes.Atomic == Y.Bytes.Atomic &&
                   X.Bytes.Begin == Y.Bytes.Begin &&
                   X.Bytes.Span == Y.Bytes.Span;
          }))
        Mine->Uses.push_back(X);
  comparePaths(*Mine);
  Kernel.Summaries.push_back(std::move(Mine));
}

/// Compares what this path does with what other blocks do on other paths.
void Runtime::comparePaths(const PathSummary &Mine) {
  constexpr unsigned Most = 20000;
  auto Known = [&](Topic T) {
    auto &Doubts = Kernel.Out.Kernels.back().Doubts;
    return Doubts.count(T) && !Doubts[T].empty();
  };
  for (const auto &Old : Kernel.Summaries) {
    if (!coexist(*Old, Mine))
      continue;
    if (Mine.Ended && Old->Ended && Mine.Barriers != Old->Barriers)
      Kernel.unknown(Topic::Flags, SyncAllAt,
                     "whether all cores come to each SyncAll is not followed");
    if (Mine.Uses.empty() || Old->Uses.empty())
      continue;
    if (Known(Topic::Cores))
      return;
    Neighbours After = neighbours(Mine.Known, Old->Known, false),
               Before = neighbours(Old->Known, Mine.Known, false);
    for (const GlobalAccess &X : Mine.Uses)
      for (const GlobalAccess &Y : Old->Uses) {
        if (!mayConflict(X, Y))
          continue;
        if (++Kernel.PathComparisons > Most ||
            !apart(X.Bytes, Y.Bytes, After) ||
            !apart(Y.Bytes, X.Bytes, Before) ||
            (Mine.Cube != Old->Cube &&
             !apartInHalves(X.Bytes, Y.Bytes, Mine.Known, Old->Known)))
          return Kernel.unknown(
              Topic::Cores, X.At,
              "whether " + X.Name + " of one block and " + Y.Name +
                  " of another, which goes another way, touch "
                  "the same bytes of " +
                  bufferOf(X.Bytes) + " is not known");
      }
  }
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
  if (!AsksBlock)
    return requireOneBlock();
  Symbols &Names = I.symbols();
  SymbolId Block = Names.get("GetBlockIdx()", [] { return Symbol(); });
  // A path that only one block can take overlaps with no other.
  for (const Number &F : I.facts().all())
    if (F.terms().size() == 1 && F.factorOf(Block) && *F.factorOf(Block) < 0)
      return Kernel.unknown(Topic::Cores, {},
                            "blocks that go different ways are not compared");
  Facts Known = I.facts();
  Number Next = Number::symbol(Block) + Number(1);
  Known.assume(numberOfCores() - Next - Number(1));
  if (CrossSynced)
    return Kernel.unknown(Topic::Cores, {},
                          "which accesses the flags between cores order is not "
                          "followed");
  std::optional<Neighbours> Alike;
  for (size_t A = 0; A < Global.size(); ++A)
    for (size_t B = 0; B < Global.size(); ++B) {
      const GlobalAccess &X = Global[A], &Y = Global[B];
      if (!mayConflict(X, Y))
        continue;
      if (!Alike)
        Alike.emplace(neighbours(I.facts(), I.facts(), true));
      bool Cached = X.On == Pipe::S && Y.On == Pipe::S;
      if (apart(Cached ? withLines(X.Bytes) : X.Bytes, Y.Bytes, *Alike))
        continue;
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
      // Slices a fixed distance apart, of a length that the launch decides.
      std::optional<std::string> When;
      Number Apart = *Begin - X.Bytes.Begin;
      if (!Overlaps && Apart.isConstant() && Apart.constant() > 0 && A == B &&
          !X.Bytes.Span.isConstant())
        When = Known.counterexample(Apart - X.Bytes.Span);
      std::string Small;
      if (!Overlaps && !When && overlapInSmallLaunch(X, Y, Small))
        When = Small;
      bool PerBlock = false;
      auto Own = [](const Symbol &S) { return S.PerBlock; };
      for (const Operand *O : {&X.Bytes, &Y.Bytes})
        PerBlock |= Names.any(O->Begin, Own) || Names.any(O->Span, Own);
      // All blocks store a word at one place: a sign that any of them may give.
      if (A == B && X.On == Pipe::S && X.Bytes.Write && Overlaps) {
        Kernel.unknown(Topic::Cores, Y.At,
                       "safe if " + Y.Name + " stores the same value to " +
                           bufferOf(Y.Bytes) + " in all blocks");
        continue;
      }
      if ((!Overlaps && !When) || PerBlock) {
        Kernel.unknown(Topic::Cores, Y.At,
                       "whether " + Y.Name + " of one block and " + X.Name +
                           " of the next touch the same bytes of " +
                           bufferOf(Y.Bytes) + " is decided by the launch");
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
