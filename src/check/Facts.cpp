//===- Facts.cpp - What is known of numbers on a path, and proofs ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Number.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <algorithm>

using namespace llvm;
using namespace belay::check;

static constexpr __int128 Infinity = static_cast<__int128>(1) << 100;

/// Limits are exact within 2^100; beyond, they are infinite, and stay so: a sum
/// of an infinite limit and another one is infinite.
static __int128 clamp(__int128 X) {
  return std::clamp<__int128>(X, -Infinity, Infinity);
}

static __int128 times(__int128 A, __int128 B) {
  int64_t ShortA = static_cast<int64_t>(A), ShortB = static_cast<int64_t>(B);
  if (ShortA == A && ShortB == B)
    return clamp(static_cast<__int128>(ShortA) * ShortB);
  __int128 Result;
  if (__builtin_mul_overflow(A, B, &Result))
    return (A < 0) == (B < 0) ? Infinity : -Infinity;
  return clamp(Result);
}

/// The sum of two lower limits. One that is above all finite ones may be taken
/// for the largest of them, one below may not.
static __int128 addLeast(__int128 A, __int128 B) {
  return A <= -Infinity || B <= -Infinity ? -Infinity : clamp(A + B);
}

static __int128 addMost(__int128 A, __int128 B) {
  return A >= Infinity || B >= Infinity ? Infinity : clamp(A + B);
}

const std::pair<__int128, __int128> &Symbols::limitsOf(const Product &P) {
  if (P.id() >= Limits.size())
    Limits.resize(P.id() + 64, {1, 0});
  std::pair<__int128, __int128> &Of = Limits[P.id()];
  // Its limits never change; those that are not known yet exclude each other.
  if (Of.first <= Of.second)
    return Of;
  Of = {1, 1};
  for (SymbolId Each : P) {
    const Symbol &S = All[Each];
    __int128 A = times(Of.first, S.Least), B = times(Of.first, S.Most),
             C = times(Of.second, S.Least), D = times(Of.second, S.Most);
    Of = {std::min({A, B, C, D}), std::max({A, B, C, D})};
  }
  return Of;
}

/// The first of range(), without the other one.
__int128 Facts::least(const Number &N) const {
  if (!N.fits())
    return -Infinity;
  __int128 Least = N.constant();
  for (const Number::Term &T : N.terms()) {
    const auto &[Lo, Hi] = Known.limitsOf(T.Of);
    Least = addLeast(Least, times(T.Factor, T.Factor < 0 ? Hi : Lo));
    if (Least <= -Infinity)
      return Least;
  }
  return Least;
}

std::pair<__int128, __int128> Facts::range(const Number &N) const {
  if (!N.fits())
    return {-Infinity, Infinity};
  __int128 Least = N.constant(), Most = N.constant();
  for (const Number::Term &T : N.terms()) {
    auto [Lo, Hi] = Known.limitsOf(T.Of);
    if (T.Factor < 0)
      std::swap(Lo, Hi);
    Least = addLeast(Least, times(T.Factor, Lo));
    Most = addMost(Most, times(T.Factor, Hi));
  }
  return {Least, Most};
}

/// One bit for each product with this sign: numbers without a bit in common
/// have no product in common.
Facts::Products Facts::productsOf(const Number &N) {
  Products Of;
  for (const Number::Term &T : N.terms())
    (T.Factor < 0 ? Of.Negative : Of.Positive) |= uint64_t(1)
                                                  << (T.Of.id() % 64);
  return Of;
}

/// From here on, a proof may take it away.
void Facts::use(const Number &Fact) {
  if (none_of(Usable, [&](const auto &Old) { return Old.first == Fact; }))
    Usable.push_back({Fact, productsOf(Fact)});
}

Number Facts::normal(Number N) const {
  for (const auto &[S, By] : Equal)
    if (N.uses(S))
      if (std::optional<Number> With = N.replace(S, By))
        N = std::move(*With);
  return N;
}

Number Facts::plain(Number N) const {
  for (const auto &[S, By] : Equal) {
    const Number::Term &Quotient = By.terms()[0];
    auto [Times, Rest] = N.split(Quotient.Of[0]);
    if (Times.uses(Quotient.Of[0]))
      continue;
    std::optional<Number> Often = Times.dividedBy(Quotient.Factor),
                          With = Often ? Number::multiply(*Often,
                                                          Number::symbol(S))
                                       : std::nullopt;
    if (With)
      N = Rest + *With;
  }
  return N;
}

std::optional<std::pair<Number, int64_t>>
Symbols::remainder(const Number &N) const {
  std::optional<std::pair<Number, int64_t>> Result;
  N.forEachSymbol([&](SymbolId Q) {
    const Symbol &Of = All[Q];
    if (!Of.Divisor.isConstant() || Of.Divisor.constant() < 2)
      return;
    std::optional<Number> Is = Number::multiply(Number::symbol(Q), Of.Divisor);
    if (Is && (N == Of.Dividend - *Is || N == *Is - Of.Dividend))
      Result.emplace(Of.Dividend, Of.Divisor.constant());
  });
  return Result;
}

void Facts::assumeZero(const Number &N) {
  assume(N);
  assume(Number() - N);
  auto Of = Known.remainder(N);
  if (!Of || Of->first.constant() || Of->first.terms().size() != 1)
    return;
  const Number::Term &Only = Of->first.terms()[0];
  if (Only.Factor != 1 || Only.Of.size() != 1 ||
      any_of(Equal, [&](const auto &Old) { return Old.first == Only.Of[0]; }))
    return;
  // The multiple, by its quotient.
  const Number Left = Of->first - N;
  Equal.push_back({Only.Of[0], Left.uses(Only.Of[0]) ? Of->first + N : Left});
  for (const Number &Fact : std::vector<Number>(List))
    assume(Fact);
}

void Facts::assume(const Number &Of) {
  const Number N = normal(Of);
  if (!N.fits() || N.isConstant() || is_contained(List, N))
    return;
  List.push_back(N);
  use(N);
  N.forEachSymbol([&](SymbolId S) {
    for (const Number &Fact : Known[S].Facts)
      use(Fact);
  });
  Ids.push_back(Known.longer(Ids.back(), N));
  Examples.assume(N, List, Ids.back());
}

uint32_t Symbols::longer(uint32_t List, const Number &Fact) {
  auto [At, New] = Lists[Fact].try_emplace(List, 0);
  if (New)
    At->second = ++NumLists;
  return At->second;
}

uint32_t Facts::numberOf(Symbols &Names, ArrayRef<Number> List) {
  uint32_t Id = 0;
  for (const Number &Fact : List)
    Id = Names.longer(Id, Fact);
  return Id;
}

Facts &Facts::operator=(const Facts &Other) {
  List = Other.List;
  Usable = Other.Usable;
  Examples = Other.Examples;
  Splits = Other.Splits;
  Equal = Other.Equal;
  Ids = Other.Ids;
  return *this;
}

/// Whether a proof has anything to start with.
bool Facts::touchesFacts(const Number &N) const {
  Products Mine = productsOf(N);
  if (any_of(Usable, [&](const auto &Fact) {
        return (Mine.Positive & Fact.second.Positive) ||
               (Mine.Negative & Fact.second.Negative);
      }))
    return true;
  bool Any = false;
  N.forEachSymbol([&](SymbolId S) { Any |= !Known[S].Facts.empty(); });
  return Any;
}

bool Facts::holds(const Number &Of) const {
  if (!Of.fits())
    return false;
  Number N = normal(Of);
  N.reduce();
  if (N.isConstant())
    return N.constant() >= 0;
  if (least(N) >= 0)
    return true;
  bool HasProducts =
      any_of(N.terms(), [](const Number::Term &T) { return T.Of.size() > 1; });
  if (!HasProducts && !touchesFacts(N) && !Known.findChosen(N))
    return false;
  // Paths share their beginnings, and what a shorter list proves stays proved.
  for (const Symbols::Verdict &V : Known.Proved[N])
    if (V.Depth < Ids.size() && Ids[V.Depth] == V.Under &&
        (V.Holds || V.Depth + 1 == Ids.size()))
      return V.Holds;
  if (Examples.refute(N))
    return false;
  unsigned LeftOut = Known.FactorsLeftOut;
  bool Holds = proveChosen(N) || prove(N) || (HasProducts && proveByFactor(N));
  if (!Holds)
    Examples.learn(N, List);
  // As a question of its own it may have a proof that was left out here.
  bool Finished = Known.Searched < Known.SearchUntil &&
                  (!Known.Factoring || LeftOut == Known.FactorsLeftOut);
  if (Holds || Finished)
    Known.Proved[N].push_back(
        {Ids.back(), static_cast<uint32_t>(Ids.size() - 1), Holds});
  return Holds;
}

bool Facts::prove(const Number &N) const {
  // Short proofs first: a long search in the wrong direction would use up the
  // budget before it comes to them.
  for (unsigned Depth = 1;
       Depth <= DeepestProof && Known.Searched < Known.SearchUntil; ++Depth) {
    Proof Attempt;
    bool Found = derive(N, Depth, Attempt);
    Known.Searched += Proof().Budget - Attempt.Budget;
    if (Found)
      return true;
  }
  return false;
}

/// Windows that follow each other have their distance times a length that the
/// launch decides between them: no fact has that product, but one of its
/// factors does. Where something else is taken away, one such length may be
/// enough for it: of rows that are left, one has the columns.
bool Facts::proveByFactor(const Number &N) const {
  // Each factor leaves a smaller question that has factors of its own.
  constexpr unsigned MostFactors = 3;
  if (Known.Factoring >= MostFactors) {
    ++Known.FactorsLeftOut;
    return false;
  }
  llvm::SaveAndRestore Deeper(Known.Factoring, Known.Factoring + 1);
  auto ProveBy = [&](SymbolId S) {
    auto [Times, Rest] = N.split(S);
    if (!holds(Times))
      return false;
    if (range(Rest).first >= 0)
      return true;
    if (Times.isConstant())
      return false;
    int64_t Unit = Times.commonFactor();
    Number Spared = Rest;
    return holds(Rest) || (Spared.add(Number::symbol(S), Unit) &&
                           holds(Times - Number(Unit)) && holds(Spared));
  };
  SmallVector<SymbolId, 8> Tried;
  auto Try = [&](const Number::Term &T) {
    return any_of(T.Of, [&](SymbolId S) {
      if (is_contained(Tried, S) || Known[S].Least < 0)
        return false;
      Tried.push_back(S);
      return ProveBy(S);
    });
  };
  // A symbol of a negative term has something to outweigh; of the others, only
  // one that is multiplied has another factor.
  return any_of(
             N.terms(),
             [&](const Number::Term &T) { return T.Factor < 0 && Try(T); }) ||
         any_of(N.terms(),
                [&](const Number::Term &T) {
                  return T.Factor > 0 && T.Of.size() > 1 && Try(T);
                }) ||
         any_of(N.terms(), [&](const Number::Term &T) {
           return T.Factor < 0 && T.Of.size() > 1 &&
                  any_of(T.Of, [&](SymbolId S) { return proveByMost(N, S); });
         });
}

/// Rows that are at most so many, each of at most so many columns.
bool Facts::proveByMost(const Number &N, SymbolId S) const {
  auto [Times, Rest] = N.split(S);
  if (Times.isConstant() || Times.uses(S) || !holds(Number() - Times))
    return false;
  std::optional<int64_t> Least;
  for (const Number &Fact : List)
    if (auto [Each, Most] = Fact.split(S);
        Each.isConstant() && Each.constant() < 0 && Most.isConstant() &&
        Most.constant() >= 0)
      Least = std::min(Least.value_or(INT64_MAX),
                       Most.constant() / -Each.constant());
  std::optional<Number> Taken =
      Least ? Number::multiply(Times, *Least) : std::nullopt;
  return Taken && holds(*Taken + Rest);
}

/// A product of numbers that are not negative is at least what it is without
/// one of them that is at least one: blocks have no more than all of them have.
/// And what a quotient is at most, so many of it are: tiles of a part of a
/// block are no more than the block has.
void Facts::forEachProductFact(const Number &N,
                               function_ref<void(const Number &)> Visit) const {
  constexpr size_t MostFactors = 3; // of facts about quotients
  for (const Number::Term &T : N.terms()) {
    if (T.Of.size() < 2 ||
        any_of(T.Of, [&](SymbolId S) { return Known[S].Least < 0; }))
      continue;
    for (const SymbolId *At = T.Of.begin(); At != T.Of.end(); ++At) {
      SmallVector<SymbolId, 4> Others(T.Of.begin(), At);
      Others.append(At + 1, T.Of.end());
      const Number Rest = Number::product(Product(Others));
      if (T.Factor > 0 && Known[*At].Least >= 1) {
        Number Fact = Number::product(T.Of);
        if (Fact.add(Rest, -Known[*At].Least))
          Visit(Fact);
      }
      if (T.Factor > 0 || T.Of.size() > MostFactors)
        continue;
      for (const Number &Fact : Known[*At].Facts)
        if (Fact.factorOf(*At).value_or(0) < 0)
          if (std::optional<Number> Each = Number::multiply(Fact, Rest))
            Visit(*Each);
    }
  }
}

/// Of a sum of products that have a factor in common which is not below zero,
/// what is left of it: where that is not negative, neither is N.
std::optional<Number> Facts::withoutFactor(const Number &N) const {
  if (N.terms().size() < 2 || N.constant() < 0)
    return std::nullopt;
  for (SymbolId S : N.terms().front().Of)
    if (Known[S].Least >= 0)
      if (auto [Times, Rest] = N.split(S);
          Rest.isConstant() && !Times.isConstant())
        return Times;
  return std::nullopt;
}

/// Takes facts away from N, each so often that one of the terms which could
/// make it negative is gone.
bool Facts::derive(const Number &N, unsigned Depth, Proof &Attempt) const {
  if (!Depth || !Attempt.Budget)
    return false;
  // Facts taken away in another order leave the same.
  auto &[Tried, Deep] = Attempt.Tried[N.hash()];
  if (Deep >= Depth && Tried == N)
    return false;
  Tried = N;
  Deep = Depth;
  --Attempt.Budget;
  Products Mine = productsOf(N);
  auto Try = [&](const Number &Fact) {
    for (const Number::Term &T : N.terms())
      for (const Number::Term &F : Fact.terms()) {
        if (!(T.Of == F.Of) || (T.Factor < 0) != (F.Factor < 0))
          continue;
        constexpr int64_t Largest = 1 << 30;
        if (std::min(T.Factor, F.Factor) < -Largest ||
            std::max(T.Factor, F.Factor) > Largest)
          continue;
        int64_t By = std::abs(T.Factor), Times = std::abs(F.Factor);
        Number &Left = Attempt.Left[Depth];
        // N is whole: if Times * N is above -Times, it is not negative.
        if (!Left.setSum(N, Times, Fact, -By) ||
            !Left.add(Number(Times - 1), 1))
          continue;
        if (Left.terms().size() > N.terms().size() + 2)
          continue;
        // Where it is negative it stays so when it is reduced.
        if (least(Left) >= 0)
          return true;
        if (Depth == 1)
          continue;
        if (std::optional<Number> Rest = withoutFactor(Left);
            Rest && (least(*Rest) >= 0 || derive(*Rest, Depth - 1, Attempt)))
          return true;
        Left.reduce();
        if (derive(Left, Depth - 1, Attempt))
          return true;
      }
    return false;
  };
  for (const auto &[Fact, Of] : Usable)
    if (((Mine.Positive & Of.Positive) || (Mine.Negative & Of.Negative)) &&
        Try(Fact))
      return true;
  bool Found = false;
  forEachProductFact(N,
                     [&](const Number &Fact) { Found = Found || Try(Fact); });
  SmallVector<SymbolId, 8> Seen;
  N.forEachSymbol([&](SymbolId S) {
    if (Found || is_contained(Seen, S))
      return;
    Seen.push_back(S);
    for (const Number &Fact : Known[S].Facts)
      if (!Found && Try(Fact))
        Found = true;
  });
  return Found;
}

std::optional<__int128> Facts::evaluate(const Number &N, Values Of) const {
  if (!N.fits())
    return std::nullopt;
  __int128 Sum = N.constant();
  for (const Number::Term &T : N.terms()) {
    __int128 Each = T.Factor;
    for (SymbolId S : T.Of) {
      const auto *At = find_if(Of, [S](const auto &V) { return V.first == S; });
      if (At == Of.end() && Known[S].Chosen) {
        const Alternatives &C = *Known[S].Chosen;
        auto Yes = evaluate(C.Yes, Of);
        bool Then = Yes && (C.Equality ? *Yes == 0 : *Yes >= 0);
        auto Is = Yes ? evaluate(Then ? C.Then : C.Else, Of) : Yes;
        if (!Is)
          return std::nullopt;
        Each = times(Each, *Is);
        continue;
      }
      if (At == Of.end()) {
        const Symbol &Q = Known[S];
        auto By = evaluate(Q.Divisor, Of);
        auto What = By && *By > 0 ? evaluate(Q.Dividend, Of) : std::nullopt;
        if (!What || *What < 0)
          return std::nullopt;
        Each = times(Each, *What / *By);
        continue;
      }
      Each = times(Each, At->second);
    }
    // What leaves the limits is no value.
    Sum = Sum + Each;
    if (Each >= Infinity || Each <= -Infinity || Sum >= Infinity ||
        Sum <= -Infinity)
      return std::nullopt;
  }
  return Sum;
}

std::optional<int64_t> Facts::constantOf(const Number &N) const {
  if (N.isConstant())
    return N.constant();
  std::optional<int64_t> Value = Examples.valueOf(N);
  return Value && isZero(N - Number(*Value)) ? Value : std::nullopt;
}

bool Facts::arePossible() const {
  if (!Examples.empty() || List.empty())
    return true;
  // The newest one is what the others may exclude.
  Number Opposite = Number(-1) - List.back();
  return counterexample(Opposite).has_value();
}

std::optional<std::string> Facts::example(const Number &N) const {
  SmallVector<SymbolId, 8> Used;
  std::function<void(SymbolId)> Add = [&](SymbolId S) {
    const Symbol &Of = Known[S];
    if (Of.Chosen)
      for (const Number *Part : {&Of.Chosen->Then, &Of.Chosen->Else})
        Part->forEachSymbol(Add);
    else if (!(Of.Divisor == Number()))
      Of.Dividend.forEachSymbol(Add), Of.Divisor.forEachSymbol(Add);
    else if (!is_contained(Used, S))
      Used.push_back(S);
  };
  N.forEachSymbol(Add);
  std::string Text;
  for (SymbolId S : Used) {
    std::optional<int64_t> Value = Examples.valueOf(Number::symbol(S));
    if (!Value)
      return std::nullopt;
    Text += (Text.empty() ? "" : ", ") + Known[S].Name + " = " + itostr(*Value);
  }
  return Text;
}

std::optional<std::string> Facts::counterexample(const Number &N) const {
  // All symbols that N or a fact about one of them speaks of.
  SmallVector<SymbolId, 8> Used;
  std::function<void(SymbolId)> Add = [&](SymbolId S) {
    const Symbol &Q = Known[S];
    if (Q.Chosen) {
      for (const Number *Part :
           {&Q.Chosen->Then, &Q.Chosen->Else, &Q.Chosen->Yes})
        Part->forEachSymbol(Add);
    } else if (!Q.Divisor.isConstant() || Q.Divisor.constant()) {
      Q.Dividend.forEachSymbol(Add);
      Q.Divisor.forEachSymbol(Add);
    } else if (!is_contained(Used, S)) {
      Used.push_back(S);
    }
  };
  N.forEachSymbol(Add);
  // A fact about a quotient is one about what it was made from.
  std::function<bool(const Number &)> Connected = [&](const Number &Fact) {
    bool Any = false;
    Fact.forEachSymbol([&](SymbolId S) {
      Any |= is_contained(Used, S) || Connected(Known[S].Dividend) ||
             Connected(Known[S].Divisor);
      if (const auto &C = Known[S].Chosen)
        Any = Any || Connected(C->Then) || Connected(C->Else) ||
              Connected(C->Yes);
    });
    return Any;
  };
  std::vector<Number> Relevant;
  for (size_t Before = 0; Before != Used.size();) {
    Before = Used.size();
    Relevant.clear();
    for (const Number &Fact : List)
      if (Connected(Fact)) {
        Relevant.push_back(Fact);
        Fact.forEachSymbol(Add);
      }
    for (size_t I = 0; I < Used.size(); ++I)
      for (const Number &Fact : Known[Used[I]].Facts) {
        Relevant.push_back(Fact);
        Fact.forEachSymbol(Add);
      }
    if (Used.size() > 6)
      return std::nullopt;
  }
  static constexpr int64_t Guesses[] = {
      1,    2,    3,     4, 8,     16, 64,  100,   256, 1000,
      1024, 4096, 10000, 0, 65536, 5,  129, 20000, 511};
  SmallVector<std::pair<SymbolId, int64_t>, 8> Values;
  unsigned Budget = 20000;
  std::function<bool(size_t)> Search = [&](size_t I) {
    if (I == Used.size()) {
      auto Fails = evaluate(N, Values);
      return Fails && *Fails < 0 &&
             all_of(
                 Relevant,
                 [&](const Number &Fact) {
                   auto Value = evaluate(Fact, Values);
                   return Value && *Value >= 0;
                 });
    }
    const Symbol &S = Known[Used[I]];
    for (int64_t Guess : Guesses) {
      if (!Budget || Guess < S.Least || Guess > S.Most)
        continue;
      // The host gives the sizes of buffers in whole blocks.
      if (S.Sizes && S.Tiling && Guess % 32)
        continue;
      --Budget;
      Values.push_back({Used[I], Guess});
      if (Search(I + 1))
        return true;
      Values.pop_back();
    }
    return false;
  };
  if (!Search(0))
    return std::nullopt;
  std::string Text;
  for (auto [S, Value] : Values)
    if (Known[S].From != Origin::Derived)
      Text +=
          (Text.empty() ? "" : ", ") + Known[S].Name + " = " + itostr(Value);
  return Text;
}
