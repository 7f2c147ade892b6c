//===- Number.cpp - Integers that a kernel computes with, as terms --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Number.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <deque>

using namespace llvm;
using namespace belay::check;

/// Products stay for as long as the process, which checks one file.
struct Product::Table {
  DenseMap<ArrayRef<SymbolId>, const Unique *> Known;
  std::deque<Unique> All;
};

Product::Product(ArrayRef<SymbolId> Symbols) {
  static thread_local Table The;
  auto At = The.Known.find(Symbols);
  if (At == The.Known.end()) {
    The.All.push_back({static_cast<uint32_t>(The.All.size()),
                       {Symbols.begin(), Symbols.end()}});
    const Unique &New = The.All.back();
    At = The.Known.try_emplace(New.Symbols, &New).first;
  }
  Is = At->second;
}

/// As terms are shown: short ones first.
static bool before(const Product &A, const Product &B) {
  if (A.size() != B.size())
    return A.size() < B.size();
  return std::lexicographical_compare(A.begin(), A.end(), B.begin(), B.end());
}

Number Number::symbol(SymbolId S) {
  Number N;
  N.Terms.push_back({Product(S), 1});
  return N;
}

size_t Number::hash() const {
  hash_code H = hash_value(Constant);
  for (const Term &T : Terms)
    H = hash_combine(H, T.Of.id(), T.Factor);
  return H;
}

bool Number::operator==(const Number &Other) const {
  return fits() && Other.fits() && Constant == Other.Constant &&
         std::equal(Terms.begin(), Terms.end(), Other.Terms.begin(),
                    Other.Terms.end(), [](const Term &A, const Term &B) {
                      return A.Factor == B.Factor && A.Of == B.Of;
                    });
}

bool Number::addTerm(Product Of, int64_t Factor) {
  if (!Factor)
    return true;
  auto At = lower_bound(
      Terms, Of, [](const Term &T, const Product &P) { return T.Of < P; });
  if (At == Terms.end() || !(At->Of == Of)) {
    Terms.insert(At, Term{Of, Factor});
    return true;
  }
  if (__builtin_add_overflow(At->Factor, Factor, &At->Factor))
    return false;
  if (!At->Factor)
    Terms.erase(At);
  return true;
}

bool Number::overflow() {
  Terms.clear();
  Constant = 0;
  Overflowed = true;
  return false;
}

bool Number::add(const Number &Other, int64_t Times) {
  int64_t Scaled;
  bool Fits = fits() && Other.fits() &&
              !__builtin_mul_overflow(Other.Constant, Times, &Scaled) &&
              !__builtin_add_overflow(Constant, Scaled, &Constant);
  for (const Term &T : Other.Terms)
    Fits = Fits && !__builtin_mul_overflow(T.Factor, Times, &Scaled) &&
           addTerm(T.Of, Scaled);
  return Fits || overflow();
}

bool Number::setSum(const Number &A, int64_t X, const Number &B, int64_t Y) {
  Terms.clear();
  Overflowed = false;
  int64_t Left, Right;
  if (!A.fits() || !B.fits() || __builtin_mul_overflow(A.Constant, X, &Left) ||
      __builtin_mul_overflow(B.Constant, Y, &Right) ||
      __builtin_add_overflow(Left, Right, &Constant))
    return overflow();
  const Term *I = A.Terms.begin(), *J = B.Terms.begin();
  while (I != A.Terms.end() || J != B.Terms.end()) {
    bool TakeA = J == B.Terms.end() || (I != A.Terms.end() && !(J->Of < I->Of));
    bool TakeB = I == A.Terms.end() || (J != B.Terms.end() && !(I->Of < J->Of));
    Product Of = TakeA ? I->Of : J->Of;
    Left = Right = 0;
    if ((TakeA && __builtin_mul_overflow((I++)->Factor, X, &Left)) ||
        (TakeB && __builtin_mul_overflow((J++)->Factor, Y, &Right)) ||
        __builtin_add_overflow(Left, Right, &Left))
      return overflow();
    if (Left)
      Terms.push_back({Of, Left});
  }
  return true;
}

std::optional<Number> Number::multiply(const Number &A, const Number &B) {
  constexpr size_t MostTerms = 24, MostSymbols = 6;
  if (!A.fits() || !B.fits() || A.Terms.size() * B.Terms.size() > MostTerms)
    return std::nullopt;
  Number Result;
  if (!Result.add(A, B.Constant))
    return std::nullopt;
  for (const Term &Y : B.Terms) {
    int64_t Factor;
    if (__builtin_mul_overflow(Y.Factor, A.Constant, &Factor) ||
        !Result.addTerm(Y.Of, Factor))
      return std::nullopt;
    for (const Term &X : A.Terms) {
      SmallVector<SymbolId, MostSymbols> Of(X.Of.begin(), X.Of.end());
      append_range(Of, Y.Of);
      llvm::sort(Of);
      if (Of.size() > MostSymbols ||
          __builtin_mul_overflow(X.Factor, Y.Factor, &Factor) ||
          !Result.addTerm(Product(Of), Factor))
        return std::nullopt;
    }
  }
  return Result;
}

std::optional<Number> Number::dividedBy(int64_t Divisor) const {
  // Of the smallest number by -1 there is no quotient in 64 bits.
  if (!fits() || Divisor == 0 || Divisor == -1 || Constant % Divisor)
    return std::nullopt;
  Number Result(Constant / Divisor);
  for (const Term &T : Terms) {
    if (T.Factor % Divisor)
      return std::nullopt;
    Result.Terms.push_back({T.Of, T.Factor / Divisor});
  }
  return Result;
}

std::optional<int64_t> Number::remainder(int64_t Divisor) const {
  if (!fits() || Divisor <= 0)
    return std::nullopt;
  for (const Term &T : Terms)
    if (T.Factor % Divisor)
      return std::nullopt;
  return ((Constant % Divisor) + Divisor) % Divisor;
}

std::optional<Number> Number::replace(SymbolId S, const Number &By) const {
  if (!fits())
    return std::nullopt;
  Number Result(Constant);
  for (const Term &T : Terms) {
    Number Each;
    SmallVector<SymbolId, 4> Rest;
    unsigned Times = 0;
    for (SymbolId X : T.Of)
      if (X == S)
        ++Times;
      else
        Rest.push_back(X);
    if (Rest.empty())
      Each = Number(T.Factor);
    else if (!Each.addTerm(Product(Rest), T.Factor))
      return std::nullopt;
    for (; Times; --Times) {
      std::optional<Number> More = multiply(Each, By);
      if (!More)
        return std::nullopt;
      Each = std::move(*More);
    }
    if (!Result.add(Each, 1))
      return std::nullopt;
  }
  return Result;
}

bool Number::uses(SymbolId S) const {
  return any_of(Terms, [S](const Term &T) { return is_contained(T.Of, S); });
}

void Number::forEachSymbol(function_ref<void(SymbolId)> Visit) const {
  for (const Term &T : Terms)
    for (SymbolId S : T.Of)
      Visit(S);
}

std::pair<Number, Number> Number::split(SymbolId S) const {
  std::pair<Number, Number> Parts = {Number(), Number(Constant)};
  for (const Term &T : Terms) {
    auto *At = find(T.Of, S);
    if (At == T.Of.end()) {
      Parts.second.addTerm(T.Of, T.Factor);
      continue;
    }
    SmallVector<SymbolId, 4> Others(T.Of.begin(), At);
    Others.append(At + 1, T.Of.end());
    if (Others.empty())
      Parts.first.Constant = T.Factor;
    else
      Parts.first.addTerm(Product(Others), T.Factor);
  }
  return Parts;
}

std::optional<int64_t> Number::factorOf(SymbolId S) const {
  std::optional<int64_t> Factor;
  for (const Term &T : Terms)
    if (is_contained(T.Of, S)) {
      if (Factor || T.Of.size() != 1)
        return std::nullopt;
      Factor = T.Factor;
    }
  return Factor;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

SymbolId Symbols::get(StringRef Key, function_ref<Symbol()> Make) {
  auto [At, New] = Known.try_emplace(Key, All.size());
  if (New)
    All.push_back(Make());
  return At->second;
}

bool Symbols::any(const Number &N,
                  function_ref<bool(const Symbol &)> Is) const {
  bool Found = false;
  N.forEachSymbol([&](SymbolId S) {
    Found = Found || Is(All[S]) || any(All[S].Dividend, Is) ||
            any(All[S].Divisor, Is);
    if (const auto &C = All[S].Chosen; C && !Found)
      Found = any(C->Then, Is) || any(C->Else, Is) || any(C->Yes, Is);
  });
  return Found;
}

SymbolId Symbols::choose(const Alternatives &Of) {
  std::string Text = "(" + str(Of.Yes) + (Of.Equality ? " == 0" : " >= 0") +
                     " ? " + str(Of.Then) + " : " + str(Of.Else) + ")";
  std::string Key = "choose:" + key(Of.Yes) + (Of.Equality ? "==" : ">=") +
                    key(Of.Then) + ":" + key(Of.Else);
  SymbolId S = get(Key, [&] {
    constexpr __int128 Far = int64_t(1) << 61;
    Facts None(*this);
    auto [Least, Most] = None.range(Of.Then);
    auto [OtherLeast, OtherMost] = None.range(Of.Else);
    return Symbol{
        Text,
        static_cast<int64_t>(std::max(std::min(Least, OtherLeast), -Far)),
        static_cast<int64_t>(std::min(std::max(Most, OtherMost), Far)),
        Origin::Derived,
        {},
        false};
  });
  if (All[S].Chosen)
    return S;
  All[S].Chosen = Of;
  // The smaller or the larger of two has facts of its own.
  auto Implies = [](const Number &From, const Number &What) {
    Number Rest = What - From;
    return Rest.isConstant() && Rest.constant() >= 0;
  };
  Number Step = Of.Else - Of.Then, Back = Of.Then - Of.Else,
         Is = Number::symbol(S);
  if (!Of.Equality && Implies(Of.Yes, Step) && Implies(Of.No, Back)) {
    All[S].Chosen->Is = Alternatives::Which::Smaller;
    All[S].Facts = {Of.Then - Is, Of.Else - Is};
  } else if (!Of.Equality && Implies(Of.Yes, Back) && Implies(Of.No, Step)) {
    All[S].Chosen->Is = Alternatives::Which::Larger;
    All[S].Facts = {Is - Of.Then, Is - Of.Else};
  }
  return S;
}

std::optional<SymbolId> Symbols::findChosen(const Number &N) const {
  std::optional<SymbolId> Found;
  N.forEachSymbol([&](SymbolId S) {
    if (!Found && All[S].Chosen)
      Found = S;
  });
  return Found;
}

bool Symbols::isOfLaunch(const Number &N) const {
  bool All = N.fits();
  N.forEachSymbol([&](SymbolId S) {
    const Symbol &Each = this->All[S];
    bool Quotient = !(Each.Divisor == Number());
    All = All && (Each.InLaunch || (Quotient && isOfLaunch(Each.Dividend) &&
                                    isOfLaunch(Each.Divisor)));
  });
  return All;
}

std::string Symbols::key(const Number &N) const {
  std::string Text = str(N);
  N.forEachSymbol([&](SymbolId S) { Text += "#" + utostr(S); });
  return Text;
}

std::string Symbols::str(const Number &N) const {
  if (!N.fits())
    return "a number of more than 64 bits";
  std::string Text;
  SmallVector<Number::Term, 4> Terms(N.terms());
  llvm::sort(Terms, [](const Number::Term &A, const Number::Term &B) {
    return before(A.Of, B.Of);
  });
  for (const Number::Term &T : Terms) {
    int64_t Factor = T.Factor;
    if (Text.empty())
      Text += Factor < 0 ? "-" : "";
    else
      Text += Factor < 0 ? " - " : " + ";
    uint64_t Size = Factor < 0 ? -static_cast<uint64_t>(Factor) : Factor;
    std::string Of;
    // A quotient that is multiplied is computed first.
    bool Multiplied = Size != 1 || T.Of.size() > 1;
    for (SymbolId S : T.Of) {
      bool Quotient = !(All[S].Divisor == Number());
      Of += (Of.empty() ? "" : "*") +
            (Multiplied && Quotient ? "(" + All[S].Name + ")" : All[S].Name);
    }
    Text += Size == 1 ? Of : utostr(Size) + "*" + Of;
  }
  if (Text.empty())
    return itostr(N.constant());
  if (N.constant())
    Text += (N.constant() < 0 ? " - " : " + ") +
            utostr(N.constant() < 0 ? -static_cast<uint64_t>(N.constant())
                                    : N.constant());
  return Text;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static constexpr __int128 Infinity = static_cast<__int128>(1) << 100;

/// Limits are exact within 2^100; beyond, they are infinite, and stay so: a sum
/// of an infinite limit and another one is infinite.
static __int128 clamp(__int128 X) {
  return std::clamp<__int128>(X, -Infinity, Infinity);
}

static __int128 times(__int128 A, __int128 B) {
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

void Facts::assume(const Number &N) {
  if (!N.fits() || N.isConstant() || is_contained(List, N))
    return;
  List.push_back(N);
  use(N);
  N.forEachSymbol([&](SymbolId S) {
    for (const Number &Fact : Known[S].Facts)
      use(Fact);
  });
  Examples.assume(N, List);
  auto [At, New] = Known.Lists[N].try_emplace(Ids.back(), 0);
  if (New)
    At->second = ++Known.NumLists;
  Ids.push_back(At->second);
}

Facts &Facts::operator=(const Facts &Other) {
  List = Other.List;
  Usable = Other.Usable;
  Examples = Other.Examples;
  Splits = Other.Splits;
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

bool Facts::holds(const Number &N) const {
  if (!N.fits())
    return false;
  if (N.isConstant())
    return N.constant() >= 0;
  if (range(N).first >= 0)
    return true;
  bool HasProducts =
      any_of(N.terms(), [](const Number::Term &T) { return T.Of.size() > 1; });
  if (!HasProducts && !touchesFacts(N) && !Known.findChosen(N))
    return false;
  // Paths share their beginnings, and what a shorter list proves stays proved.
  auto &Verdicts = Known.Proved[N];
  for (const Symbols::Verdict &V : Verdicts)
    if (V.Depth < Ids.size() && Ids[V.Depth] == V.Under &&
        (V.Holds || V.Depth + 1 == Ids.size()))
      return V.Holds;
  if (Examples.refute(N))
    return false;
  bool Holds = proveChosen(N) || prove(N) || (HasProducts && proveByFactor(N));
  if (!Holds)
    Examples.learn(N, List);
  Verdicts.push_back(
      {Ids.back(), static_cast<uint32_t>(Ids.size() - 1), Holds});
  return Holds;
}

bool Facts::prove(const Number &N) const {
  // Short proofs first: a long search in the wrong direction would use up the
  // budget before it comes to them.
  for (unsigned Depth = 1; Depth <= DeepestProof; ++Depth) {
    Proof Attempt;
    if (derive(N, Depth, Attempt))
      return true;
  }
  return false;
}

/// Windows that follow each other have their distance times a length that the
/// launch decides between them: no fact has that product, but one of its
/// factors does.
bool Facts::proveByFactor(const Number &N) const {
  SmallVector<SymbolId, 8> Tried;
  for (const Number::Term &T : N.terms()) {
    // Only a symbol of a negative term has anything to outweigh.
    if (T.Factor > 0)
      continue;
    for (SymbolId S : T.Of) {
      if (is_contained(Tried, S) || Known[S].Least < 0)
        continue;
      Tried.push_back(S);
      auto [Times, Rest] = N.split(S);
      if (range(Rest).first >= 0 && holds(Times))
        return true;
    }
  }
  return false;
}

Facts Facts::where(SymbolId S, bool Then) const {
  const Alternatives Of = *Known[S].Chosen;
  Facts Result = *this;
  ++Result.Splits;
  // Only where another fact speaks of it: each is one more to try.
  if (any_of(List, [S](const Number &Fact) { return Fact.uses(S); })) {
    Number Is = Number::symbol(S) - (Then ? Of.Then : Of.Else);
    Result.assume(Is);
    Result.assume(Number() - Is);
  }
  if (!Of.Equality) {
    Result.assume(Then ? Of.Yes : Of.No);
  } else if (Then) {
    Result.assume(Of.Yes);
    Result.assume(Number() - Of.Yes);
  } else if (holds(Of.Yes)) {
    Result.assume(Of.Yes - Number(1));
  } else if (holds(Number() - Of.Yes)) {
    Result.assume(Number(-1) - Of.Yes);
  }
  return Result;
}

/// S is the smaller one and only taken away, or the larger one and only added.
bool Facts::boundedByEither(const Number &N, SymbolId S) const {
  auto [Times, Rest] = N.split(S);
  if (Times.uses(S))
    return false;
  switch (Known[S].Chosen->Is) {
  case Alternatives::Which::Either:
    return false;
  case Alternatives::Which::Smaller:
    return holds(Number() - Times);
  case Alternatives::Which::Larger:
    return holds(Times);
  }
  llvm_unreachable("all of them are handled");
}

/// What was chosen is replaced by what it was chosen from: by one of them, if
/// that is enough, else by both, each where it is the one.
bool Facts::proveChosen(const Number &N) const {
  constexpr unsigned MostSplits = 3;
  std::optional<SymbolId> S = Known.findChosen(N);
  if (!S || Splits >= MostSplits)
    return false;
  const Alternatives Of = *Known[*S].Chosen;
  std::optional<Number> Then = N.replace(*S, Of.Then),
                        Else = N.replace(*S, Of.Else);
  if (!Then || !Else)
    return false;
  if (boundedByEither(N, *S) && (holds(*Then) || holds(*Else)))
    return true;
  return where(*S, true).holds(*Then) && where(*S, false).holds(*Else);
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
        if (range(Left).first >= 0 || derive(Left, Depth - 1, Attempt))
          return true;
      }
    return false;
  };
  for (const auto &[Fact, Of] : Usable)
    if (((Mine.Positive & Of.Positive) || (Mine.Negative & Of.Negative)) &&
        Try(Fact))
      return true;
  SmallVector<SymbolId, 8> Seen;
  bool Found = false;
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
      auto At = find_if(Of, [S](const auto &V) { return V.first == S; });
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
