//===- Findings.cpp - On which launches a mistake shows -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Findings.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace belay::check;
using namespace llvm;
using belay::support::Diagnostic;

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

void Findings::startPath() {
  Trail.clear();
  Forgotten = 0;
  AskedByApi = false;
  FreeOnPath.clear();
  Assumed.clear();
  Stated.clear();
  Empty.clear();
  KeyRequested = KeyFound = false;
}

/// A launch has one of the tiling keys that the kernel asks for: for others the
/// device has no binary.
void Findings::endPath() {
  bool Launched = KeyFound || !KeyRequested;
  for (Mistake &M : Mistakes) {
    for (size_t N : reverse(M.OfThisPath))
      if (!Launched)
        M.Seen.erase(M.Seen.begin() + N);
    M.Unkeyed |= !Launched && !M.OfThisPath.empty();
    M.OfThisPath.clear();
  }
  for (Obligation &O : Obligations) {
    // Where one is left without paths, only such launches need it.
    for (size_t N : reverse(O.OfThisPath))
      if (!Launched)
        O.Seen.erase(O.Seen.begin() + N);
    O.OfThisPath.clear();
  }
  Trail.clear(); // what is found from all paths together
}

void Findings::push(Literal L, bool Loop) {
  auto At = find_if(Trail, [L](const Choice &C) { return C.Is == L; });
  if (At == Trail.end())
    Trail.push_back({L, Loop, AskedByApi});
  else
    At->ByApi &= AskedByApi;
}

Literal Findings::literal(Atom::Kind What, const Number &N) {
  auto &Known = What == Atom::Kind::Zero ? Zeros : NotNegative;
  auto [At, New] = Known.try_emplace(N, 2 * Atoms.size());
  if (!New)
    return At->second;
  Literal L = At->second;
  Atoms.push_back({What, N});
  // The opposite has the same number.
  if (What == Atom::Kind::NotNegative)
    Known.try_emplace(Number(-1) - N, L + 1);
  else
    Known.try_emplace(Number() - N, L);
  return L;
}

std::optional<bool> Findings::zero(const Number &N) {
  auto At = Zeros.find(N);
  if (At != Zeros.end())
    for (size_t I = Names.isOfLaunch(N) ? 0 : Forgotten; I < Trail.size(); ++I)
      if (const Choice &C = Trail[I]; C.Is / 2 == At->second / 2)
        return C.Is == At->second;
  return std::nullopt;
}

void Findings::chose(const Number &N, bool Loop) {
  push(literal(Atom::Kind::NotNegative, N), Loop);
}

void Findings::choseZero(const Number &N, bool Zero) {
  bool Key = false;
  N.forEachSymbol([&](SymbolId S) { Key |= Names[S].Name == "TILING_KEY"; });
  KeyRequested |= Key;
  KeyFound |= Key && Zero;
  push(literal(Atom::Kind::Zero, N) + !Zero, false);
}

void Findings::choseFreely(const clang::Expr *At, bool Taken, bool Loop) {
  auto [Known, New] =
      FreeOnes.try_emplace({At, FreeOnPath[At]++}, 2 * Atoms.size());
  if (New)
    Atoms.push_back({Atom::Kind::Free, {}});
  push(Known->second + !Taken, Loop);
}

//===----------------------------------------------------------------------===//
// Mistakes
//===----------------------------------------------------------------------===//

static bool sameMistake(const Diagnostic &A, const Diagnostic &B) {
  auto Line = [](const Diagnostic &D) {
    return D.Other ? D.Other->Where.Line : 0;
  };
  // One product is widened in many places, and fixed in one.
  bool Widened = A.Id == belay::support::DiagId::OffsetOverflow;
  return A.Id == B.Id && A.Where.Line == B.Where.Line &&
         A.Where.File == B.Where.File && (Widened || Line(A) == Line(B));
}

void Findings::add(Diagnostic D, size_t Made, const Concern &Of, size_t Since) {
  constexpr size_t Most = 64;
  size_t End = std::min(Made, Trail.size());
  Choices When(Trail.begin() + std::min(Since, End), Trail.begin() + End);
  llvm::sort(When);
  auto At = find_if(Mistakes,
                    [&](const Mistake &M) { return sameMistake(M.What, D); });
  if (At == Mistakes.end())
    At = Mistakes.insert(At, {std::move(D), Of, {}, {}});
  else
    ++At->What.Count;
  // What the path only takes to be so is an obligation of overflow's own.
  bool Shown = Assumed.empty() || topicOf(At->What.Id) == Topic::Overflow;
  At->Of.Decides = At->Of.Decides && At->Of.About == Of.About && Shown;
  if (At->Seen.size() >= Most)
    simplify(At->Seen);
  if (At->Seen.size() >= Most) {
    At->OnMore = true;
    return;
  }
  At->OfThisPath.push_back(At->Seen.size());
  At->Seen.push_back(std::move(When));
}

/// Choices that make no difference go, as in the minimisation of circuits: what
/// is seen with a choice, and with its opposite under no more conditions, is
/// seen without it.
void Findings::simplify(std::vector<Choices> &Seen) {
  auto Within = [](const Choices &A, const Choices &B, Literal Left) {
    return all_of(A, [&](const Choice &C) {
      return C.Is == Left ||
             any_of(B, [&](const Choice &D) { return D.Is == C.Is; });
    });
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t A = 0; A < Seen.size(); ++A)
      for (size_t B = 0; B < Seen.size(); ++B) {
        if (A == B)
          continue;
        for (size_t C = 0; C < Seen[A].size(); ++C) {
          Literal Opposite = Seen[A][C].Is ^ 1;
          if (any_of(Seen[B],
                     [&](const Choice &D) { return D.Is == Opposite; }) &&
              Within(Seen[B], Seen[A], Opposite)) {
            Seen[A].erase(Seen[A].begin() + C);
            Changed = true;
            break;
          }
        }
      }
    // What needs more than another needs nothing new.
    for (size_t A = Seen.size(); A--;)
      for (size_t B = 0; B < Seen.size(); ++B)
        if (A != B && Within(Seen[B], Seen[A], ~Literal(0)) &&
            (Seen[A].size() > Seen[B].size() || A > B)) {
          Seen.erase(Seen.begin() + A);
          break;
        }
  }
}

/// The numbers that N was computed from and that the host chooses.
void Findings::basesOf(const Number &N,
                       SmallVectorImpl<SymbolId> &Bases) const {
  N.forEachSymbol([&](SymbolId S) {
    const Symbol &Each = Names[S];
    if (Each.From == Origin::Derived) {
      basesOf(Each.Dividend, Bases);
      basesOf(Each.Divisor, Bases);
      if (const auto &C = Each.Chosen)
        for (const Number *Part : {&C->Then, &C->Else, &C->Yes})
          basesOf(*Part, Bases);
    } else if (Each.From != Origin::Block && Each.From != Origin::Blocks &&
               Each.Name != "TILING_KEY" && !is_contained(Bases, S)) {
      Bases.push_back(S);
    }
  });
}

/// What hardly narrows down the launches: which block this is, that something
/// is not empty, or not one particular number, or what the data are.
bool Findings::ordinary(const Choice &C) const {
  const Atom &A = Atoms[C.Is / 2];
  bool Yes = C.Is % 2 == 0, OfBlock = false, OfHost = false;
  if (A.What == Atom::Kind::Free)
    return false;
  A.About.forEachSymbol([&](SymbolId S) {
    OfBlock |= Names[S].From == Origin::Block;
    OfHost |= Names[S].From != Origin::Data;
  });
  if (OfBlock || !OfHost)
    return true;
  if (A.What == Atom::Kind::Zero)
    return !Yes;
  Number N = Yes ? A.About : Number(-1) - A.About;
  return N.terms().size() == 1 && N.terms()[0].Factor > 0 &&
         N.constant() + N.terms()[0].Factor >= 0;
}

/// What no host passes: a size of nothing, which kernels ask for only so as not
/// to divide by it, or numbers that fill 32 bits.
bool Findings::farFetched(const Choice &C) const {
  const Atom &A = Atoms[C.Is / 2];
  bool Size = false;
  A.About.forEachSymbol([&](SymbolId S) {
    Size |= Names[S].Sizes || Names[S].Divides ||
            !(Names[S].Divisor == Number()); // a quotient, no condition
  });
  // The host gives the sizes of buffers in whole blocks.
  SmallVector<SymbolId, 4> Bases;
  basesOf(A.About, Bases);
  bool Remainder = false;
  A.About.forEachSymbol([&](SymbolId S) {
    const Number &By = Names[S].Divisor;
    Remainder |= Names[S].From == Origin::Derived && By.isConstant() &&
                 By.constant() > 1 && By.constant() <= 256;
  });
  if (A.What == Atom::Kind::Zero && C.Is % 2 && Remainder &&
      Bases.size() == 1 && Names[Bases[0]].Tiling && Names[Bases[0]].SizesAlone)
    return true;
  return (A.What == Atom::Kind::Zero && C.Is % 2 == 0 && Size &&
          A.About.constant() == 0) ||
         A.About.constant() > std::numeric_limits<int32_t>::max() ||
         A.About.constant() < -std::numeric_limits<int32_t>::max();
}

/// How many numbers the host would have to choose together. Whatever the kernel
/// asks for by itself may be so: one condition counts once, even if it compares
/// two numbers. What only AscendC asks for is no sign that it may be so. Of the
/// order of instructions, a loop that goes on is no condition.
unsigned Findings::conditionsOf(const Choices &When, const Mistake &M) const {
  std::optional<Topic> T = topicOf(M.What.Id);
  bool Order = T == Topic::Sync || T == Topic::Flags || T == Topic::Queues ||
               T == Topic::Parameters;
  EquivalenceClasses<SymbolId> Together;
  SmallVector<SymbolId, 8> All;
  unsigned Lost = 0;
  auto Join = [&](const Number &N) {
    SmallVector<SymbolId, 4> Bases;
    basesOf(N, Bases);
    for (SymbolId S : Bases) {
      Together.unionSets(Bases[0], S);
      if (!is_contained(All, S))
        All.push_back(S);
      Lost += Names[S].From == Origin::Other;
    }
  };
  Join(M.Of.About);
  for (const Choice &C : When) {
    if (farFetched(C))
      return TooMany;
    if ((C.Loop && Order) || ordinary(C))
      continue;
    if (C.ByApi)
      return TooMany;
    const Atom &A = Atoms[C.Is / 2];
    if (A.What == Atom::Kind::Free)
      ++Lost;
    else
      Join(A.About);
  }
  if (Order)
    return Lost + Together.getNumClasses();
  unsigned Numbers = All.empty() ? 0 : All.size() - 1;
  return 2 * Lost + std::max(Numbers, Together.getNumClasses());
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// N is not negative, with what is taken away on the other side.
static std::string comparison(const Symbols &Names, const Number &N,
                              StringRef Sign) {
  Number Left, Right;
  for (const Number::Term &T : N.terms()) {
    Number Each(1);
    for (SymbolId S : T.Of)
      Each = *Number::multiply(Each, Number::symbol(S));
    Number &Side = T.Factor > 0 ? Left : Right;
    Side.add(Each, T.Factor > 0 ? T.Factor : -std::max(T.Factor, -INT64_MAX));
  }
  (N.constant() > 0 ? Left : Right)
      .add(Number(1), N.constant() > 0 ? N.constant() : -N.constant());
  return Names.str(Left) + " " + Sign.str() + " " + Names.str(Right);
}

std::string Findings::textOf(Literal L) const {
  const Atom &A = Atoms[L / 2];
  bool Yes = L % 2 == 0;
  switch (A.What) {
  case Atom::Kind::Free:
    return "a condition that is not followed holds";
  case Atom::Kind::Zero:
    if (auto Of = Names.remainder(A.About))
      return Names.str(Of->first) + (Yes ? " is" : " is not") +
             " a multiple of " + itostr(Of->second);
    return comparison(Names, A.About, Yes ? "==" : "!=");
  case Atom::Kind::NotNegative:
    return comparison(Names, Yes ? A.About : Number(-1) - A.About, ">=");
  }
  llvm_unreachable("all kinds are handled");
}

std::string Findings::textOf(const Choices &When) const {
  std::vector<std::string> Each;
  for (const Choice &C : When)
    if (!ordinary(C) || farFetched(C))
      Each.push_back(textOf(C.Is));
  llvm::sort(Each);
  Each.erase(llvm::unique(Each), Each.end());
  return join(Each, " and ");
}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

void Findings::settle(KernelReport &Out) {
  std::map<Topic, size_t> Conditions;
  for (Mistake &M : Mistakes) {
    simplify(M.Seen);
    std::optional<Topic> T = topicOf(M.What.Id);
    const Choices *Best = nullptr;
    unsigned Fewest = TooMany;
    for (const Choices &When : M.Seen)
      if (unsigned Count = conditionsOf(When, M); !Best || Count < Fewest)
        Fewest = Count, Best = &When;
    if (Best && (Fewest <= 1 || !T)) {
      Out.Findings.push_back(std::move(M.What));
      continue;
    }
    std::string Why = Best ? "safe unless " + textOf(*Best) +
                                 ", which the host decides; then " +
                                 M.What.Message
                           : "safe unless the tiling key is none of those that "
                             "the kernel asks "
                             "for; then " +
                                 M.What.Message;
    if (T && M.Of.Decides && !M.OnMore && !M.Of.About.isConstant() &&
        Names.isOfLaunch(M.Of.About)) {
      Obligations.push_back({*T,
                             M.What.Where,
                             std::move(Why),
                             {{Clause::Atom::Kind::NotNegative, M.Of.About}},
                             std::move(M.Seen),
                             {},
                             /*Mistaken=*/true});
      continue;
    }
    // Before what is only not known.
    if (T)
      Out.Doubts[*T].insert(Out.Doubts[*T].begin() + Conditions[*T]++,
                            {M.What.Where, Why});
  }
}
