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
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <deque>
#include <numeric>

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

Number Number::product(Product Of) {
  Number N;
  N.Terms.push_back({Of, 1});
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

int64_t Number::commonFactor() const {
  int64_t Common = 0;
  for (const Term &T : Terms) {
    if (Common == 1 || T.Factor == INT64_MIN)
      return 1;
    Common = std::gcd(Common, T.Factor);
  }
  return std::max<int64_t>(Common, 1);
}

void Number::reduce() {
  int64_t Common = commonFactor();
  if (Common == 1)
    return;
  for (Term &T : Terms)
    T.Factor /= Common;
  Constant = llvm::divideFloorSigned(Constant, Common);
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
