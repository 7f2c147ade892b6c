//===- Clauses.cpp - Obligations that the launch decides ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An obligation is seen on paths, like a mistake. Its clause says: the launch
// takes none of these paths, or the obligation holds. A condition of a path
// that no launch knows is left out, which asks for more, never for less.
//
//===----------------------------------------------------------------------===//

#include "check/Findings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace belay::check;
using namespace llvm;
using belay::support::SourcePlace;
using Kind = Clause::Atom::Kind;

/// A clause before its numbers have places in the report.
struct Findings::ClauseParts {
  const Obligation *Of;
  /// The conditions of the path, each negated.
  std::vector<std::pair<Literal, Requirement>> Guards;
};

bool Findings::assumed(const Number &N, const SourcePlace &Where) {
  if (none_of(Assumed, [&](const auto &Old) { return Old.first == N; }))
    Assumed.push_back({N, Where});
  return requireNotBelowZero(Topic::Overflow, N, Where);
}

bool Findings::requireNotBelowZero(Topic T, const Number &N,
                                   const SourcePlace &Where) {
  return addObligation(T, Where,
                       "whether " + Names.str(N) +
                           " is not below zero is decided by the launch",
                       {{Kind::NotNegative, N}});
}

bool Findings::require(Topic T, const SourcePlace &Where, const Twine &Why,
                       ArrayRef<Requirement> Any) {
  bool All = addObligation(T, Where, Why, Any);
  for (const auto &[N, At] : Assumed)
    All = All && requireNotBelowZero(T, N, At);
  return All;
}

void Findings::withdraw(Topic T, const SourcePlace &Where, const Number &N) {
  erase_if(Obligations, [&](const Obligation &O) {
    return O.Of == T && O.Where.Line == Where.Line &&
           O.Where.File == Where.File && O.Any.size() == 1 &&
           O.Any[0] == Requirement{Kind::NotNegative, N};
  });
}

bool Findings::addObligation(Topic T, const SourcePlace &Where,
                             const Twine &Why, ArrayRef<Requirement> Any) {
  constexpr size_t Most = 256, MostPaths = 64;
  // One that no launch can decide may be left out: it asks for more. So may one
  // that holds in none.
  SmallVector<Requirement, 2> Known;
  for (const Requirement &R : Any)
    if (Names.isOfLaunch(R.About) && !R.About.isConstant())
      Known.push_back(R);
  if (Known.empty())
    return false;
  Choices When(Trail.begin(), Trail.end());
  llvm::sort(When);
  auto At = find_if(Obligations, [&](const Obligation &O) {
    return O.Of == T && O.Where.Line == Where.Line &&
           O.Where.File == Where.File && O.Any == Known;
  });
  if (At == Obligations.end()) {
    if (Obligations.size() >= Most)
      return false;
    At = Obligations.insert(At, {T, Where, Why.str(), Known, {}, {}, false});
  }
  if (At->Seen.size() >= MostPaths && At->OfThisPath.empty())
    simplify(At->Seen);
  if (At->Seen.size() >= MostPaths) {
    At->Seen = {Choices()}; // on every path
    At->OfThisPath.clear();
    return true;
  }
  At->OfThisPath.push_back(At->Seen.size());
  At->Seen.push_back(std::move(When));
  return true;
}

std::optional<Findings::Requirement> Findings::negationOf(Literal L) const {
  const Atom &A = Atoms[L / 2];
  bool Yes = L % 2 == 0;
  if (A.What == Atom::Kind::Free || !Names.isOfLaunch(A.About))
    return std::nullopt;
  if (A.What == Atom::Kind::Zero)
    return Requirement{Yes ? Kind::NotZero : Kind::Zero, A.About};
  return Requirement{Kind::NotNegative, Yes ? Number(-1) - A.About : A.About};
}

/// Whether B asks for the size of an argument of which A says nothing.
static bool isOfOtherArgument(ArrayRef<Findings::Requirement> A,
                              ArrayRef<Findings::Requirement> B,
                              const Symbols &Names) {
  bool Other = B.size() == 1;
  bool Any = false;
  for (const Findings::Requirement &R : B)
    R.About.forEachSymbol([&](SymbolId S) {
      const auto &Of = Names[S].InLaunch;
      if (!Of || Of->What != LaunchNumber::Kind::Size)
        return;
      Any = true;
      Other &= none_of(A, [&](const auto &Mine) { return Mine.About.uses(S); });
    });
  return Any && Other;
}

/// Whether B holds wherever A does.
bool Findings::implies(const ClauseParts &A, const ClauseParts &B) const {
  if (A.Of->Of != B.Of->Of || isOfOtherArgument(A.Of->Any, B.Of->Any, Names))
    return false;
  bool Wherever = all_of(A.Guards, [&](const auto &G) {
    return any_of(B.Guards,
                  [&](const auto &Other) { return Other.first == G.first; });
  });
  if (!Wherever)
    return false;
  Facts Path(Names);
  // B asks for it only where its path is taken.
  for (const auto &[L, Not] : B.Guards)
    if (Not.Is == Kind::NotNegative)
      Path.assume(Number(-1) - Not.About);
  // Whichever of A holds, one of B does.
  return all_of(A.Of->Any, [&](const Requirement &Mine) {
    if (is_contained(B.Of->Any, Mine))
      return true;
    if (Mine.Is != Kind::NotNegative)
      return false;
    Facts Known = Path;
    Known.assume(Mine.About);
    return any_of(B.Of->Any, [&](const Requirement &Theirs) {
      return Theirs.Is == Kind::NotNegative && Known.holds(Theirs.About);
    });
  });
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// What is taken away stands on the other side.
static std::pair<std::string, std::string> sidesOf(const Symbols &Names,
                                                   const Number &N) {
  Number Positive(std::max<int64_t>(N.constant(), 0)), Negative;
  for (const Number::Term &T : N.terms()) {
    Number Each(1);
    for (SymbolId S : T.Of)
      Each = *Number::multiply(Each, Number::symbol(S));
    if (T.Factor > 0)
      Positive.add(Each, T.Factor);
    else
      Negative.add(Each, -std::max(T.Factor, -INT64_MAX));
  }
  if (N.constant() < 0)
    Negative.add(Number(-std::max(N.constant(), -INT64_MAX)), 1);
  return {Names.str(Negative), Names.str(Positive)};
}

static std::string textOf(const Symbols &Names,
                          const Findings::Requirement &R) {
  if (auto Of = Names.remainder(R.About);
      Of && R.Is != Kind::Multiple && R.Is != Kind::NotNegative)
    return Names.str(Of->first) + (R.Is == Kind::Zero ? " is" : " is not") +
           " a multiple of " + itostr(Of->second);
  auto [Less, More] = sidesOf(Names, R.About);
  switch (R.Is) {
  case Kind::NotNegative:
    return Less + " <= " + More;
  case Kind::Zero:
    return Less + " == " + More;
  case Kind::NotZero:
    return Less + " != " + More;
  case Kind::Multiple:
    return Names.str(R.About) + " is a multiple of " + itostr(R.Of);
  }
  llvm_unreachable("all kinds are handled");
}

std::string Findings::textOf(const ClauseParts &C) const {
  std::vector<std::string> Any, Where;
  for (const Requirement &R : C.Of->Any)
    Any.push_back(::textOf(Names, R));
  for (const auto &[L, _] : C.Guards)
    Where.push_back(textOf(L));
  return join(Any, " or ") +
         (Where.empty() ? "" : ", where " + join(Where, " and "));
}

//===----------------------------------------------------------------------===//
// Clauses of a report
//===----------------------------------------------------------------------===//

namespace {

/// Gives numbers their places in a report.
class Places {
public:
  Places(const Symbols &Names, std::vector<LaunchNumber> &Into,
         const std::set<unsigned> &Changed, bool OneBlockIndex)
      : Names(Names), Into(Into), Changed(Changed),
        OneBlockIndex(OneBlockIndex) {}

  std::optional<Polynomial> polynomial(const Number &N) {
    Polynomial P;
    P.Constant = N.constant();
    for (const Number::Term &T : N.terms()) {
      Polynomial::Term Each = {T.Factor, {}};
      for (SymbolId S : T.Of) {
        std::optional<uint32_t> At = place(S);
        if (!At)
          return std::nullopt;
        Each.Of.push_back(*At);
      }
      P.Terms.push_back(std::move(Each));
    }
    return P;
  }

private:
  std::optional<uint32_t> place(SymbolId S) {
    const Symbol &Of = Names[S];
    LaunchNumber New;
    if (Of.InLaunch) {
      New = *Of.InLaunch;
      bool Read = New.What == LaunchNumber::Kind::Field ||
                  New.What == LaunchNumber::Kind::Smallest ||
                  New.What == LaunchNumber::Kind::Largest;
      if ((Read && Changed.count(New.Argument)) ||
          (New.What == LaunchNumber::Kind::Block && !OneBlockIndex))
        return std::nullopt;
    } else {
      New.What = LaunchNumber::Kind::Quotient;
      std::optional<Polynomial> L = polynomial(Of.Dividend),
                                R = polynomial(Of.Divisor);
      if (!L || !R)
        return std::nullopt;
      New.Dividend = std::move(*L);
      New.Divisor = std::move(*R);
    }
    New.Name = Of.Name;
    auto At = find(Into, New);
    if (At == Into.end())
      At = Into.insert(At, std::move(New));
    return static_cast<uint32_t>(At - Into.begin());
  }

  const Symbols &Names;
  std::vector<LaunchNumber> &Into;
  const std::set<unsigned> &Changed;
  bool OneBlockIndex;
};

} // namespace

/// Whether A says all that B does of the same line: where it holds, B does.
static bool asksNoLess(const Doubt &A, const Doubt &B) {
  if (A.Where.Line != B.Where.Line || A.Where.File != B.Where.File)
    return false;
  if (!A.If || !B.If)
    return !A.If && !B.If && A.Why == B.Why;
  return all_of(A.If->Any, [&](const Clause::Atom &Each) {
    return is_contained(B.If->Any, Each);
  });
}

void Findings::settleClauses(KernelReport &Out,
                             const std::set<unsigned> &Changed,
                             bool OneBlockIndex, bool Short) {
  std::vector<ClauseParts> All;
  for (Obligation &O : Obligations) {
    simplify(O.Seen);
    // Left without paths: only of launches without a key that is asked for.
    for (const Choices &When :
         O.Seen.empty() ? std::vector<Choices>(1) : O.Seen) {
      ClauseParts &C = All.emplace_back(ClauseParts{&O, {}});
      for (const Choice &Each : When)
        if (std::optional<Requirement> Not = negationOf(Each.Is);
            Not && !is_contained(O.Any, *Not))
          C.Guards.push_back({Each.Is, std::move(*Not)});
    }
  }
  std::vector<bool> Implied(All.size());
  for (size_t B = 0; Short && B < All.size(); ++B)
    for (size_t A = 0; A < All.size() && !Implied[B]; ++A)
      Implied[B] = A != B && !Implied[A] && implies(All[A], All[B]);
  Places Of(Names, Out.Numbers, Changed, OneBlockIndex);
  for (const auto &[C, Redundant] : zip(All, Implied)) {
    if (Redundant)
      continue;
    Doubt New = {C.Of->Where, C.Of->Why, Clause{{}, textOf(C)}, C.Of->Mistaken};
    auto Add = [&](const Requirement &R) {
      std::optional<Polynomial> About = Of.polynomial(R.About);
      if (About)
        New.If->Any.push_back({R.Is, std::move(*About), R.Of});
      return About.has_value();
    };
    if (!all_of(C.Of->Any, Add) ||
        !all_of(C.Guards, [&](const auto &G) { return Add(G.second); }))
      New.If.reset();
    std::vector<Doubt> &List = Out.Doubts[C.Of->Of];
    if (any_of(List, [&](const Doubt &Old) { return asksNoLess(Old, New); }))
      continue;
    erase_if(List, [&](const Doubt &Old) { return asksNoLess(New, Old); });
    List.insert(C.Of->Mistaken ? List.begin() : List.end(), std::move(New));
  }
}
