//===- Requirements.cpp - What a launch has to meet -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that no launch has, those of iterations and those that were chosen
// from two, are replaced by ones that ask for at least as much.
//
//===----------------------------------------------------------------------===//

#include "check/KernelState.h"
#include <numeric>

using namespace llvm;
using namespace belay;
using namespace belay::check;

void KernelState::require(Topic T, clang::SourceLocation At, const Twine &Why,
                          ArrayRef<Findings::Requirement> Any) {
  if (isSettled(T))
    return;
  if (Any.size() == 1 && OnPath) {
    if (T == Topic::Bounds && Any[0].Is == Clause::Atom::Kind::NotNegative)
      Expected.push_back(Any[0].About);
    requireOne(T, At, Why, Any[0], *OnPath);
    return;
  }
  SmallVector<Findings::Requirement, 2> InLaunch;
  for (const Findings::Requirement &R : Any) {
    std::optional<Number> Least;
    if (R.Is == Clause::Atom::Kind::NotNegative && OnPath)
      Least = inAllIterations(R.About, *OnPath);
    bool Changed = Least && !(*Least == R.About);
    // What holds in no launch says nothing.
    if (Changed && OnPath->holds(Number(-1) - *Least))
      continue;
    InLaunch.push_back({R.Is, Changed ? *Least : R.About, R.Of});
  }
  if (!Found.require(T, place(At), Why, InLaunch))
    unknown(T, At, Why);
}

/// How often the steps are taken of which Times is a multiple: a number, or a
/// product. What else they have in common is for the caller to look at.
static std::optional<Number> howOften(const Number &Times, const Number &Each) {
  if (Each.isConstant() && Each.constant() < 0)
    return Times.dividedBy(Each.constant());
  if (Each.terms().empty() || Times.terms().empty())
    return std::nullopt;
  const Number::Term &Taken = Times.terms()[0], &Step = Each.terms()[0];
  SmallVector<SymbolId, 4> Others;
  std::set_difference(Taken.Of.begin(), Taken.Of.end(), Step.Of.begin(),
                      Step.Of.end(), std::back_inserter(Others));
  Number Often(Taken.Factor / Step.Factor);
  return Others.empty()
             ? std::optional(Often)
             : Number::multiply(Often, Number::product(Product(Others)));
}

/// The smallest number that S is known to be at most; nothing if it may be
/// large.
static std::optional<int64_t> mostOf(SymbolId S, const Facts &Known) {
  constexpr int64_t Largest = int64_t(1) << 24;
  auto IsAtMost = [&](int64_t Most) {
    return Known.holds(Number(Most) - Number::symbol(S));
  };
  int64_t High = 1;
  while (High <= Largest && !IsAtMost(High))
    High *= 2;
  if (High > Largest)
    return std::nullopt;
  int64_t Low = High / 2; // not known to be so small
  while (High - Low > 1)
    (IsAtMost((Low + High) / 2) ? High : Low) = (Low + High) / 2;
  return High;
}

/// A number that is no larger than N, with the most that is known of what is
/// taken away and no launch has: rows of an iteration are at most so many.
Number KernelState::withoutDerived(Number N, const Facts &Known) const {
  for (unsigned Left = 3; Left; --Left) {
    std::optional<SymbolId> Found;
    N.forEachSymbol([&](SymbolId S) {
      if (!Found && !Names.isOfLaunch(Number::symbol(S)) &&
          !Names[S].Iteration && (Names[S].Between || !Names[S].PerBlock))
        Found = S;
    });
    if (!Found || !N.fits())
      return N;
    auto [Times, Rest] = N.split(*Found);
    if (Times.uses(*Found))
      return N;
    std::optional<Number> Part;
    const auto &Between = Names[*Found].Between;
    if (Known.holds(Number() - Times)) {
      // What the path knows is true of all data; its type says little.
      std::optional<int64_t> Most = mostOf(*Found, Known);
      if (Between && (!Most || *Most >= Names[*Found].Most))
        Part = Number::multiply(Times, Between->second);
      else if (Most)
        Part = Number::multiply(Times, *Most);
    } else if (Known.holds(Times)) {
      Part = Number::multiply(Times,
                              Between && !Known.holds(Number::symbol(*Found))
                                  ? Between->first
                                  : Number(Between ? 0 : Names[*Found].Least));
    }
    if (!Part)
      return N;
    N = Rest + *Part;
  }
  return N;
}

/// A number that is no larger than N in any iteration of the loops, in which no
/// iteration's number occurs: a launch knows it. Nothing if none is found.
std::optional<Number> KernelState::inAllIterations(Number N,
                                                   const Facts &Known) const {
  // What is taken away comes first: it may be at most what is added.
  auto IterationIn = [&](const Number &Of) {
    std::optional<SymbolId> Found, Less;
    Of.forEachSymbol([&](SymbolId S) {
      if (!Names[S].Iteration)
        return;
      Found = S;
      if (Known.holds(Number() - Of.split(S).first))
        Less = S;
    });
    return Less ? Less : Found;
  };
  // The most that Times * S takes away: Bound says that S is at most so large.
  auto AtMost = [&](const Number &Times, SymbolId S,
                    const Number &Bound) -> std::optional<Number> {
    auto [Each, Rest] = Bound.split(S);
    if (Each.uses(S) || Rest.uses(S))
      return std::nullopt;
    if (Each == Number(-1))
      return Number::multiply(Times, Rest);
    // Of steps, as many are taken: Times is so often the step.
    std::optional<Number> Often = howOften(Times, Each);
    std::optional<Number> Steps =
        Often ? Number::multiply(*Often, Each) : std::nullopt;
    if (!Steps || !(*Steps == Times) || !Known.holds(*Often))
      return std::nullopt;
    return Number::multiply(Number() - *Often, Rest);
  };
  for (unsigned Left = 4; Left; --Left) {
    std::optional<SymbolId> S = IterationIn(N);
    if (!S)
      return withoutDerived(N, Known);
    auto [Times, Rest] = N.split(*S);
    if (Times.uses(*S))
      return std::nullopt;
    if (Known.holds(Times)) {
      N = Rest; // no iteration is below the first one
      continue;
    }
    if (!Known.holds(Number() - Times))
      return std::nullopt;
    // The narrowest: where `i == last` is not the case, i is below it.
    std::optional<Number> Less;
    for (const Number &Bound : Known.all())
      if (std::optional<Number> Each =
              Bound.uses(*S) ? AtMost(Times, *S, Bound) : std::nullopt;
          Each && (!Less || Known.holds(*Each - *Less)))
        Less = Each;
    if (!Less)
      return std::nullopt;
    N = Rest + *Less;
  }
  return std::nullopt;
}

void KernelState::doubt(Topic T, clang::SourceLocation At, const Twine &Why) {
  if (Found.emptyLoops().empty())
    return unknown(T, At, Why);
  require(T, At, Why, Found.emptyLoops());
}

/// What is left of N to be a multiple of Of, once terms are gone that are.
static Number modulo(const Number &N, int64_t Of) {
  Number Result(N.constant() % Of);
  for (const Number::Term &T : N.terms())
    if (T.Factor % Of)
      Result.add(Number::product(T.Of), T.Factor);
  return Result;
}

bool KernelState::canRequire(const Findings::Requirement &R,
                             const Facts &Known) const {
  const Number N = modulo(Known.normal(R.About), R.Of);
  if (!N.fits())
    return false;
  if (N.isConstant())
    return N.constant() == 0;
  auto Of = [&](const std::optional<Number> &Part) {
    return Part && canRequire({R.Is, *Part, R.Of}, Known);
  };
  if (std::optional<SymbolId> S = Names.findChosen(N)) {
    const Alternatives &C = *Names[*S].Chosen;
    return Of(N.replace(*S, C.Then)) && Of(N.replace(*S, C.Else));
  }
  std::optional<SymbolId> Iteration;
  N.forEachSymbol([&](SymbolId S) {
    if (Names[S].Iteration)
      Iteration = S;
  });
  if (!Iteration)
    return Names.isOfLaunch(N);
  auto [Times, Rest] = N.split(*Iteration);
  return !Times.uses(*Iteration) && Of(Times) && Of(Rest);
}

bool KernelState::canBound(const Number &N, const Facts &Known) const {
  std::optional<SymbolId> S = Names.findChosen(N);
  if (!S)
    return Names.isOfLaunch(Known.plain(inAllIterations(N, Known).value_or(N)));
  auto Of = [&](const Number &Each) {
    std::optional<Number> Is = N.replace(*S, Each);
    return Is && canBound(*Is, Known);
  };
  const Alternatives &C = *Names[*S].Chosen;
  return Known.boundedByEither(N, *S) ? Of(C.Then) || Of(C.Else)
                                      : Of(C.Then) && Of(C.Else);
}

/// In all iterations, unless one of Or holds. Of a number that was chosen, both
/// have to be as required: each where the condition chooses it.
void KernelState::requireOne(Topic T, clang::SourceLocation At,
                             const Twine &Why, const Findings::Requirement &R,
                             const Facts &Known,
                             ArrayRef<Findings::Requirement> Or) {
  using Kind = Clause::Atom::Kind;
  std::optional<SymbolId> S = Names.findChosen(R.About);
  bool Splits = R.Is == Kind::NotNegative || R.Is == Kind::Multiple;
  auto InAll = [&](const Number &N) {
    return R.Is == Kind::NotNegative ? inAllIterations(N, Known).value_or(N)
                                     : N;
  };
  if (R.Is == Kind::Multiple && !S && canRequire(R, Known))
    return requireMultiple(T, At, Why, R, Known, Or);
  if (!S || !Splits) {
    SmallVector<Findings::Requirement, 4> Any = {R};
    const Number Least = InAll(R.About);
    // The last iteration may be shown where no other one was.
    if (R.Is == Kind::NotNegative && Known.holds(Least))
      return;
    Any[0].About = Known.plain(Least);
    bool Decides = Names.isOfLaunch(Any[0].About);
    Any.append(Or.begin(), Or.end());
    if (!Decides || !Found.require(T, place(At), Why, Any))
      unknown(T, At, Why);
    return;
  }
  const Alternatives Of = *Names[*S].Chosen;
  // One is enough: any that launches know.
  if (R.Is == Kind::NotNegative && Known.boundedByEither(R.About, *S)) {
    std::optional<Number> First;
    SmallVector<Findings::Requirement, 4> Others(Or);
    for (const Number &Each : {Of.Then, Of.Else})
      if (std::optional<Number> Is = R.About.replace(*S, Each);
          Is && Names.isOfLaunch(InAll(*Is))) {
        if (!First || Known.holds(InAll(*Is) - InAll(*First)))
          First = *Is; // which asks for less
        else if (!Names.findChosen(InAll(*Is)) &&
                 !Known.holds(InAll(*First) - InAll(*Is)))
          Others.push_back({R.Is, InAll(*Is)});
      }
    if (First)
      return requireOne(T, At, Why, {R.Is, *First}, Known, Others);
  }
  for (bool Then : {true, false}) {
    std::optional<Number> Is = R.About.replace(*S, Then ? Of.Then : Of.Else);
    if (!Is)
      return unknown(T, At, Why);
    Facts Where = Known.where(*S, Then);
    bool Holds =
        R.Is == Kind::Multiple ? Is->remainder(R.Of) == 0 : Where.holds(*Is);
    if (Holds)
      continue;
    SmallVector<Findings::Requirement, 4> Else(Or);
    if (Of.Equality)
      Else.push_back({Then ? Kind::NotZero : Kind::Zero, Of.Yes});
    else
      Else.push_back({Kind::NotNegative, Then ? Of.No : Of.Yes});
    requireOne(T, At, Why, {R.Is, *Is, R.Of}, Where, Else);
  }
}

/// Of an iteration's number, its steps and where it begins.
void KernelState::requireMultiple(Topic T, clang::SourceLocation At,
                                  const Twine &Why,
                                  const Findings::Requirement &R,
                                  const Facts &Known,
                                  ArrayRef<Findings::Requirement> Or) {
  const Number N = modulo(Known.normal(R.About), R.Of);
  if (N.isConstant() && !N.constant())
    return;
  std::optional<SymbolId> Iteration;
  N.forEachSymbol([&](SymbolId S) {
    if (Names[S].Iteration)
      Iteration = S;
  });
  if (Iteration) {
    auto [Times, Rest] = N.split(*Iteration);
    requireOne(T, At, Why, {R.Is, Times, R.Of}, Known, Or);
    return requireOne(T, At, Why, {R.Is, Rest, R.Of}, Known, Or);
  }
  // The smallest numbers that say the same.
  Number Least = Known.plain(N);
  int64_t Common = std::gcd(Least.commonFactor(), R.Of);
  std::optional<Number> Part = Least.dividedBy(Common);
  SmallVector<Findings::Requirement, 4> Any = {
      {R.Is, Part.value_or(Least), Part ? R.Of / Common : R.Of}};
  Any.append(Or.begin(), Or.end());
  if (!Found.require(T, place(At), Why, Any))
    unknown(T, At, Why);
}
