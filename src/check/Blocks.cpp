//===- Blocks.cpp - What a number of one block is in another --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"
#include "llvm/Support/SaveAndRestore.h"
#include <numeric>

using namespace belay;
using namespace belay::check;
using namespace llvm;

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
static constexpr uint64_t MostNone = 2000;

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
  // That the paths exclude each other is easy to show, or left to what they
  // use.
  llvm::SaveAndRestore Limit(
      Names.SearchUntil,
      std::min(Names.SearchUntil, Names.Searched + MostNone));
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
  SmallSetVector<SymbolId, 4> Own, Others;
  Distance.forEachSymbol([&](SymbolId S) {
    if (Names[S].Iteration)
      (StringRef(Names[S].Name).starts_with("other ") ? Others : Own).insert(S);
  });
  for (SymbolId S : Own)
    for (SymbolId Other : Others)
      if (Distance.split(S).first + Distance.split(Other).first == Number())
        return Number::symbol(Other) - Number::symbol(S);
  return std::nullopt;
}

/// Pieces of rows: X begins in a row that is a multiple of Width after 0, and
/// so does Y, at Begin. In other rows they are apart if they stay within
/// theirs, in the same row if their columns are.
static bool apartByRows(const Operand &X, const Number &Begin,
                        const Number &Span, SymbolId Width,
                        const Facts &Known) {
  auto [Row, Column] = X.Begin.split(Width);
  auto [OtherRow, OtherColumn] = Begin.split(Width);
  const Number Further = OtherRow - Row, W = Number::symbol(Width);
  int64_t Unit = std::gcd(Row.commonFactor(), OtherRow.commonFactor());
  if (!Further.fits() || Further.isConstant() || !Further.dividedBy(Unit) ||
      !Known.holds(W))
    return false;
  std::optional<Number> Wide = Number::multiply(W, Unit);
  if (!Wide)
    return false;
  const Number After = OtherColumn - Column - X.Span,
               Before = Column - OtherColumn - Span;
  auto Under = [&](const Number &Fact, const Number &Needed) {
    Facts Assumed = Known;
    Assumed.assume(Fact);
    return Assumed.holds(Needed);
  };
  const Number Below = Number() - Further;
  return (Under(Further, After) &&
          Under(Below - Number(Unit), *Wide + Before)) ||
         (Under(Below, Before) &&
          Under(Further - Number(Unit), *Wide + After)) ||
         (Known.holds(Further - Number(Unit)) && Known.holds(*Wide + After)) ||
         (Known.holds(Below - Number(Unit)) && Known.holds(*Wide + Before));
}

/// As above, with any width that the launch decides.
bool Runtime::apartInRows(const Operand &X, const Number &Begin,
                          const Number &Span, const Facts &Known) {
  bool Apart = false;
  X.Begin.forEachSymbol([&](SymbolId S) {
    Apart = Apart || (Kernel.Names[S].From == Origin::Launch &&
                      !X.Begin.split(S).first.isConstant() &&
                      apartByRows(X, Begin, Span, S, Known));
  });
  return Apart;
}

/// Whether X and what Y is in any later block are certainly different bytes: if
/// not by themselves, then because each stays in its tensor.
bool Runtime::apart(const Operand &X, const Operand &Y, const Neighbours &Of,
                    uint64_t Most) {
  Symbols &Names = Kernel.Names;
  SaveAndRestore Limit(Names.SearchUntil,
                       std::min(Names.SearchUntil, Names.Searched + Most));
  if (Of.None || bytesApart(X, Y, Of))
    return true;
  if (!X.TensorBytes && !Y.TensorBytes)
    return false;
  Operand All = X, AllOfOther = Y;
  All.Pitch = AllOfOther.Pitch = std::nullopt;
  All.Span = X.TensorBytes.value_or(X.Span);
  AllOfOther.Span = Y.TensorBytes.value_or(Y.Span);
  bool Apart = bytesApart(All, AllOfOther, Of);
  Kernel.ReliesOnTensors |= Apart;
  return Apart;
}

/// The bytes of the same operand in another block.
std::optional<Operand> Runtime::operandInBlock(const Number &Other,
                                               const Operand &O,
                                               const Facts &Known) {
  std::optional<Number> Begin = inBlock(Other, O.Begin, Known),
                        Span = inBlock(Other, O.Span, Known), Each, Pitch;
  if (!Begin || !Span)
    return std::nullopt;
  if (O.Pitch) {
    Each = inBlock(Other, O.Certain, Known);
    Pitch = inBlock(Other, *O.Pitch, Known);
  }
  Operand There = O;
  There.Begin = *Begin;
  There.Span = *Span;
  There.Pitch = Each ? Pitch : std::nullopt;
  if (There.Pitch)
    There.Certain = *Each;
  return There;
}

bool Runtime::bytesApart(const Operand &X, const Operand &Y,
                         const Neighbours &Of) {
  Number XEnd = X.Begin + X.Span;
  // With few facts first: the search for a proof is bounded.
  std::optional<Operand> There;
  for (const Facts *Known : {&Of.Later, &Of.Both}) {
    There = operandInBlock(Of.LaterBlock, Y, *Known);
    if (There && (Known->holds(There->Begin - XEnd) ||
                  Known->holds(X.Begin - There->Begin - There->Span) ||
                  rowsApart(X, *There, *Known) ||
                  apartInRows(X, There->Begin, There->Span, *Known)))
      return true;
  }
  // In a later iteration of the other block, or in an earlier one.
  if (There)
    if (std::optional<Number> Later = aheadBy(There->Begin - X.Begin)) {
      auto Case = [&](ArrayRef<Number> Assumed) {
        Facts Known = Of.Both;
        for (const Number &Fact : Assumed)
          Known.assume(Fact);
        return Known.holds(There->Begin - XEnd) ||
               Known.holds(X.Begin - There->Begin - There->Span) ||
               rowsApart(X, *There, Known);
      };
      const Number Earlier = Number() - *Later;
      // In the same iteration it may be either: what alternates from one
      // iteration to the next has two halves in one period.
      if (Case(Earlier - Number(1)) &&
          (Case(*Later) ||
           (Case(*Later - Number(1)) && Case({*Later, Earlier}))))
        return true;
    }
  // From block to block: Y of the next one begins after the end of X, and the
  // ends of X go upwards.
  if (!Of.Chain)
    return false;
  std::optional<Number> Begin = inBlock(Of.NextBlock, Y.Begin, Of.Next),
                        End = inBlock(Of.NextBlock, XEnd, Of.Next, false);
  return Begin && End && Of.Next.holds(*Begin - XEnd) &&
         Of.Next.holds(*End - XEnd);
}

/// Makes it a condition of the launch that what Y is in the next block begins
/// after X: if beginnings go upwards from block to block, so it does in all
/// later ones. False if no launch can be asked for that.
bool Runtime::requireApart(const Operand &X, const Facts &OfX, const Operand &Y,
                           const Facts &OfY, clang::SourceLocation At,
                           const Twine &Why) {
  Symbols &Names = I.symbols();
  auto Own = [](const Symbol &S) { return S.PerBlock; };
  for (const Number *N : {&X.Begin, &X.Span, &Y.Begin, &Y.Span})
    if (Names.any(*N, Own))
      return false;
  const Number Next = blockNumber(LaunchNumber::Kind::Block) + Number(1);
  Facts Both = OfX;
  Both.assume(numberOfCores() - Next - Number(1));
  for (const Number &Fact : OfY.all())
    if (std::optional<Number> There = inBlock(Next, Fact, Both))
      Both.assume(*There);
  // What holds of the next block says something of those after it if Y begins
  // further on in each, whichever path it takes.
  Facts OfLaunch = factsOfLaunch({&OfX, &OfY});
  OfLaunch.assume(numberOfCores() - Next - Number(1));
  std::optional<Number> Begin = inBlock(Next, Y.Begin, Both),
                        Same = inBlock(Next, Y.Begin, OfLaunch, false);
  if (!Begin || !Same || !OfLaunch.holds(*Same - Y.Begin))
    return false;
  const Number Distance = *Begin - X.Begin - X.Span;
  // In a later block, a loop may end elsewhere: it is enough that it begins.
  bool Upwards = true;
  Distance.forEachSymbol([&](SymbolId S) {
    if (Names[S].Iteration && StringRef(Names[S].Name).starts_with("other "))
      Upwards = Upwards && Both.holds(Distance.split(S).first);
  });
  Facts Met = Both;
  Met.assume(Distance);
  if (!Upwards || !Met.arePossible())
    return false;
  // Nor where they are apart only if nothing is touched.
  Facts Touched = Both;
  Touched.assume(X.Span - Number(1));
  if (Touched.holds(Number(-1) - Distance))
    return false;
  SaveAndRestore Where(Kernel.OnPath, static_cast<const Facts *>(&Both));
  Kernel.requireNotNegative(Topic::Cores, At, Why, Distance);
  return true;
}

/// The same of a cube core and a vector core that have the same index.
bool Runtime::apartInHalves(const Operand &X, const Operand &Y,
                            const Facts &OfX, const Facts &OfY) {
  Number Same = blockNumber(LaunchNumber::Kind::Block);
  Facts Both = OfX;
  for (const Number &Fact : OfY.all())
    if (std::optional<Number> There = inBlock(Same, Fact, Both))
      Both.assume(*There);
  std::optional<Operand> There = operandInBlock(Same, Y, Both);
  return There && (Both.holds(There->Begin - X.Begin - X.Span) ||
                   Both.holds(X.Begin - There->Begin - There->Span) ||
                   rowsApart(X, *There, Both));
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
