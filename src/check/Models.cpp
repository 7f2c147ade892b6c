//===- Models.cpp - Values for which all that is known holds --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Models.h"
#include "check/Number.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace belay::check;

static constexpr unsigned NumSeeds = 6;
static constexpr size_t MostModels = 24;

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

/// Small, large and odd ones, so that numbers differ from model to model.
static int64_t startValue(unsigned Seed, SymbolId S, const Symbol &Of) {
  static constexpr int64_t Plain[] = {1, 1024, 2, 65536};
  int64_t Value = Seed < std::size(Plain) ? Plain[Seed]
                  : Seed % 2              ? int64_t(S) * 37 % 101 + 3
                                          : int64_t(S) * 53 % 4001 + 17;
  return std::clamp(Value, Of.Least, Of.Most);
}

const Model::Entry &Model::entry(SymbolId S, const Symbols &Known) {
  if (S >= Entries.size())
    Entries.resize(S + 16);
  if (Entries[S].Is != State::New)
    return Entries[S];
  const Symbol &Of = Known[S];
  bool Quotient = !Of.Divisor.isConstant() || Of.Divisor.constant();
  Entry New;
  if (Of.Chosen) {
    const Alternatives &C = *Of.Chosen;
    auto Yes = valueOf(C.Yes, Known);
    bool Then = Yes && (C.Equality ? *Yes == 0 : *Yes >= 0);
    auto Is = Yes ? valueOf(Then ? C.Then : C.Else, Known) : Yes;
    bool Has = Is && *Is >= Of.Least && *Is <= Of.Most;
    New = {Has ? static_cast<int64_t>(*Is) : 0,
           Has ? State::Known : State::None, true};
  } else if (!Quotient) {
    New = {startValue(Seed, S, Of), State::Known, false};
  } else {
    auto What = valueOf(Of.Dividend, Known), By = valueOf(Of.Divisor, Known);
    bool Has = What && By && *What >= 0 && *By > 0 && *What / *By <= Of.Most;
    New = {Has ? static_cast<int64_t>(*What / *By) : 0,
           Has ? State::Known : State::None, true};
  }
  return Entries[S] = New;
}

int64_t Model::base(SymbolId S, const Symbols &Known) {
  return entry(S, Known).Value;
}

void Model::set(SymbolId S, int64_t Value) {
  Entries[S].Value = Value;
  for (Entry &Each : Entries)
    if (Each.Follows)
      Each = {};
}

std::optional<__int128> Model::valueOf(const Number &N, const Symbols &Known) {
  __int128 Sum = N.constant();
  for (const Number::Term &T : N.terms()) {
    __int128 Each = T.Factor;
    for (SymbolId S : T.Of) {
      const Entry &Of = entry(S, Known);
      if (Of.Is == State::None ||
          __builtin_mul_overflow(Each, static_cast<__int128>(Of.Value), &Each))
        return std::nullopt;
    }
    if (__builtin_add_overflow(Sum, Each, &Sum))
      return std::nullopt;
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// Those of a path
//===----------------------------------------------------------------------===//

Models::Models(Symbols &Known) : Known(Known) {
  std::vector<Shared> &Pool = Known.Pool.All;
  if (Pool.empty())
    for (unsigned Seed = 0; Seed < NumSeeds; ++Seed)
      Pool.push_back(std::make_shared<Model>(Seed));
  Live = Pool;
}

bool Models::refute(const Number &N) {
  for (size_t I = Live.size(); I-- > 0;) {
    std::optional<__int128> Value = Live[I]->valueOf(N, Known);
    if (!Value || *Value >= 0)
      continue;
    // The next question is often a similar one.
    std::swap(Live[I], Live.back());
    return true;
  }
  return false;
}

std::optional<int64_t> Models::valueOf(const Number &N) const {
  if (Live.empty())
    return std::nullopt;
  std::optional<__int128> Value = Live.back()->valueOf(N, Known);
  bool Fits = Value && *Value >= INT64_MIN && *Value <= INT64_MAX;
  return Fits ? std::optional(static_cast<int64_t>(*Value)) : std::nullopt;
}

void Models::keep(Shared New) {
  Live.push_back(New);
  ModelPool &Pool = Known.Pool;
  if (Pool.All.size() < MostModels) {
    Pool.All.push_back(std::move(New));
    return;
  }
  // Those that a kernel starts with stay: the oldest that was found goes.
  Pool.All[NumSeeds + Pool.Oldest] = std::move(New);
  Pool.Oldest = (Pool.Oldest + 1) % (MostModels - NumSeeds);
}

void Models::assume(const Number &Fact, ArrayRef<Number> All, uint32_t List) {
  auto [At, New] = Known.Pool.ByList.try_emplace(List);
  if (New) {
    find(Fact, All);
    At->second = Live;
  } else {
    Live = At->second;
  }
}

void Models::find(const Number &Fact, ArrayRef<Number> All) {
  constexpr size_t Enough = 2, Tries = 4;
  std::vector<Shared> Others;
  llvm::erase_if(Live, [&](const Shared &Each) {
    std::optional<__int128> Value = Each->valueOf(Fact, Known);
    if (Value && *Value >= 0)
      return false;
    Others.push_back(Each);
    return true;
  });
  if (Live.size() >= Enough)
    return;
  // The last ones come from paths like this one.
  if (Others.empty())
    Others = Known.Pool.All;
  for (size_t I = 0; I < std::min(Others.size(), Tries); ++I)
    if (Live.size() < Enough)
      if (Shared New = adjust(*Others[Others.size() - 1 - I], All, Fact))
        keep(std::move(New));
}

void Models::learn(const Number &N, ArrayRef<Number> All) {
  ModelPool &Pool = Known.Pool;
  constexpr unsigned Patience = 100;
  if (Live.empty() || Pool.Searches > Patience + 4 * Pool.Found)
    return;
  ++Pool.Searches;
  if (Shared New = adjust(*Live.back(), All, Number(-1) - N)) {
    ++Pool.Found;
    keep(std::move(New));
  }
}

//===----------------------------------------------------------------------===//
// Finding another one
//===----------------------------------------------------------------------===//

/// The symbols with a value of their own that a number depends on.
static void addBases(const Number &N, const Symbols &Known,
                     SmallVectorImpl<SymbolId> &Bases) {
  N.forEachSymbol([&](SymbolId S) {
    const Symbol &Of = Known[S];
    if (const auto &C = Of.Chosen) {
      addBases(C->Then, Known, Bases);
      addBases(C->Else, Known, Bases);
      addBases(C->Yes, Known, Bases);
    } else if (!Of.Divisor.isConstant() || Of.Divisor.constant()) {
      addBases(Of.Dividend, Known, Bases);
      addBases(Of.Divisor, Known, Bases);
    } else if (!is_contained(Bases, S)) {
      Bases.push_back(S);
    }
  });
}

namespace {

/// Looks for a model near another one, changing one symbol at a time.
class Search {
public:
  Search(Model &M, const Symbols &Known, ArrayRef<Number> All,
         const Number &Also)
      : M(M), Known(Known), All(All), Also(Also) {}

  bool run() {
    constexpr unsigned Iterations = 6;
    for (unsigned Iteration = 0; Iteration < Iterations; ++Iteration) {
      const Number *Broken = firstBroken();
      if (!Broken)
        return true;
      if (!change(*Broken))
        return false;
    }
    return !firstBroken();
  }

private:
  bool holds(const Number &N) const {
    std::optional<__int128> Value = M.valueOf(N, Known);
    return Value && *Value >= 0;
  }

  const Number *firstBroken() const {
    if (!holds(Also))
      return &Also;
    const auto *At =
        find_if_not(All, [&](const Number &N) { return holds(N); });
    return At == All.end() ? nullptr : At;
  }

  /// How many facts do not hold; not more than Most are counted.
  unsigned broken(unsigned Most) const {
    unsigned Count = !holds(Also);
    for (const Number &Fact : All)
      if (Count < Most)
        Count += !holds(Fact);
    return Count;
  }

  /// Values near which N changes its sign, and some others.
  SmallVector<int64_t, 16> guessesFor(SymbolId S, const Number &N) {
    constexpr int64_t Large = int64_t(1) << 40;
    const int64_t Old = M.base(S, Known);
    SmallVector<int64_t, 16> Guesses;
    std::optional<__int128> Here = M.valueOf(N, Known);
    // The second step is for quotients, which the first leaves as they are.
    for (int64_t Step : {1, 4096}) {
      M.set(S, Old + Step);
      std::optional<__int128> There = M.valueOf(N, Known);
      if (!Here || !There || *There == *Here)
        continue;
      for (int Further : {0, 1, -1})
        if (__int128 To = Old - *Here * Step / (*There - *Here) + Further;
            To > -Large && To < Large)
          Guesses.push_back(static_cast<int64_t>(To));
      break;
    }
    M.set(S, Old);
    Guesses.append({0, 1, 16, 4096, Old / 2});
    return Guesses;
  }

  /// The change after which Broken holds and the fewest others do not.
  bool change(const Number &Broken) {
    SmallVector<SymbolId, 8> Bases;
    addBases(Broken, Known, Bases);
    constexpr unsigned Bearable = 6;
    unsigned Least = Bearable + 1;
    SymbolId Best = 0;
    int64_t To = 0;
    for (SymbolId S : Bases) {
      if (is_contained(Changed, S))
        continue;
      const int64_t Old = M.base(S, Known);
      for (int64_t Guess : guessesFor(S, Broken)) {
        if (Guess == Old || Guess < Known[S].Least || Guess > Known[S].Most)
          continue;
        M.set(S, Guess);
        if (!holds(Broken))
          continue;
        if (unsigned Count = broken(Least); Count < Least) {
          Least = Count;
          Best = S;
          To = Guess;
        }
      }
      M.set(S, Old);
      if (!Least)
        break;
    }
    if (Least > Bearable)
      return false;
    M.set(Best, To);
    Changed.push_back(Best);
    return true;
  }

  Model &M;
  const Symbols &Known;
  ArrayRef<Number> All;
  const Number &Also;
  SmallVector<SymbolId, 4> Changed;
};

} // namespace

std::shared_ptr<Model> Models::adjust(const Model &From, ArrayRef<Number> All,
                                      const Number &Also) const {
  auto New = std::make_shared<Model>(From);
  return Search(*New, Known, All, Also).run() ? New : nullptr;
}
