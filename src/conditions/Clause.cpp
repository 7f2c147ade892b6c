//===- Clause.cpp - What a launch has to be like --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conditions/Clause.h"

#include <algorithm>
#include <set>

using namespace belay::conditions;

namespace {

/// The numbers of one launch, for one block of it. Exact: what leaves 128 bits
/// is not known.
class Evaluation {
public:
  Evaluation(std::span<const LaunchNumber> Numbers, uint32_t Blocks,
             const LaunchValues &Of)
      : Numbers(Numbers), Blocks(Blocks), Of(Of) {}

  void setBlock(uint32_t B) { Block = B; }

  /// Whether it holds; nothing if that cannot be told.
  std::optional<bool> holds(const Clause::Atom &A) const {
    std::optional<__int128> Value = valueOf(A.About);
    if (!Value)
      return std::nullopt;
    switch (A.Is) {
    case Clause::Atom::Kind::NotNegative:
      return *Value >= 0;
    case Clause::Atom::Kind::Zero:
      return *Value == 0;
    case Clause::Atom::Kind::NotZero:
      return *Value != 0;
    case Clause::Atom::Kind::Multiple:
      return *Value % A.Of == 0;
    }
    __builtin_unreachable(); // all kinds are handled
  }

private:
  std::optional<__int128> valueOf(const Polynomial &P) const {
    __int128 Sum = P.Constant;
    for (const Polynomial::Term &T : P.Terms) {
      __int128 Each = T.Factor;
      for (uint32_t N : T.Of) {
        std::optional<__int128> V = valueOf(N);
        if (!V || __builtin_mul_overflow(Each, *V, &Each))
          return std::nullopt;
      }
      if (__builtin_add_overflow(Sum, Each, &Sum))
        return std::nullopt;
    }
    return Sum;
  }

  std::optional<__int128> valueOf(uint32_t At) const {
    const LaunchNumber &N = Numbers[At];
    switch (N.What) {
    case LaunchNumber::Kind::Block:
      return Block;
    case LaunchNumber::Kind::Blocks:
      return Blocks;
    case LaunchNumber::Kind::Quotient: {
      // The checker divides only what it has shown to be so.
      std::optional<__int128> L = valueOf(N.Dividend), R = valueOf(N.Divisor);
      if (!L || !R || *L < 0 || *R <= 0)
        return std::nullopt;
      return *L / *R;
    }
    default: {
      std::optional<int64_t> V = Of(N);
      if (!V || *V < N.Least || *V > N.Most)
        return std::nullopt;
      return *V;
    }
    }
  }

  std::span<const LaunchNumber> Numbers;
  uint32_t Blocks, Block = 0;
  const LaunchValues &Of;
};

} // namespace

static bool aboutBlock(const Polynomial &P,
                       std::span<const LaunchNumber> Numbers) {
  return std::ranges::any_of(P.Terms, [&](const Polynomial::Term &T) {
    return std::ranges::any_of(T.Of, [&](uint32_t N) {
      return Numbers[N].What == LaunchNumber::Kind::Block ||
             aboutBlock(Numbers[N].Dividend, Numbers) ||
             aboutBlock(Numbers[N].Divisor, Numbers);
    });
  });
}

Answer belay::conditions::evaluate(const Clause &C,
                                   std::span<const LaunchNumber> Numbers,
                                   uint32_t Blocks, const LaunchValues &Of) {
  Evaluation Launch(Numbers, Blocks, Of);
  bool EachBlock = std::ranges::any_of(C.Any, [&](const Clause::Atom &A) {
    return aboutBlock(A.About, Numbers);
  });
  bool Known = true;
  for (uint32_t Block = 0; Block < (EachBlock ? Blocks : 1); ++Block) {
    Launch.setBlock(Block);
    bool Holds = false, KnownHere = true;
    for (const Clause::Atom &A : C.Any) {
      std::optional<bool> Each = Launch.holds(A);
      Holds |= Each.value_or(false);
      KnownHere &= Each.has_value();
    }
    if (!Holds && KnownHere)
      return Answer::Violated;
    Known &= Holds;
  }
  return Known ? Answer::Holds : Answer::NotKnown;
}

bool belay::conditions::namesOnly(const Polynomial &P, size_t Count) {
  return std::ranges::all_of(P.Terms, [&](const Polynomial::Term &T) {
    return std::ranges::all_of(T.Of, [&](uint32_t N) { return N < Count; });
  });
}

static void collect(const Polynomial &P, std::span<const LaunchNumber> Numbers,
                    std::set<uint32_t> &Used) {
  for (const Polynomial::Term &T : P.Terms)
    for (uint32_t N : T.Of)
      if (Used.insert(N).second) {
        collect(Numbers[N].Dividend, Numbers, Used);
        collect(Numbers[N].Divisor, Numbers, Used);
      }
}

std::string belay::conditions::showValues(const Clause &C,
                                          std::span<const LaunchNumber> Numbers,
                                          std::optional<uint32_t> Blocks,
                                          const LaunchValues &Of) {
  std::set<uint32_t> Used;
  for (const Clause::Atom &A : C.Any)
    collect(A.About, Numbers, Used);
  std::string Text;
  for (uint32_t At : Used) {
    const LaunchNumber &N = Numbers[At];
    std::optional<int64_t> Value;
    if (N.What == LaunchNumber::Kind::Blocks)
      Value = Blocks;
    else if (N.What != LaunchNumber::Kind::Block &&
             N.What != LaunchNumber::Kind::Quotient)
      Value = Of(N);
    if (Value)
      Text +=
          (Text.empty() ? "" : ", ") + N.Name + " = " + std::to_string(*Value);
  }
  return Text;
}

std::optional<int64_t>
belay::conditions::readNumber(std::span<const uint8_t> Bytes,
                              const LaunchNumber &N) {
  if (N.Width == 0 || N.Width > sizeof(uint64_t) || N.Offset > Bytes.size() ||
      Bytes.size() - N.Offset < N.Width)
    return std::nullopt;
  uint64_t Value = 0;
  for (unsigned I = N.Width; I--;)
    Value = Value << 8 | Bytes[N.Offset + I];
  unsigned Unused = 64 - 8 * N.Width;
  if (N.Signed)
    return static_cast<int64_t>(Value << Unused) >> Unused;
  if (Value > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(Value);
}

std::optional<int64_t>
belay::conditions::readExtreme(std::span<const uint8_t> Bytes,
                               const LaunchNumber &N) {
  bool Largest = N.What == LaunchNumber::Kind::Largest;
  int64_t Extreme = Largest ? N.Least : N.Most;
  for (size_t At = 0; N.Width && Bytes.size() - At >= N.Width; At += N.Width) {
    std::optional<int64_t> Each = readNumber(Bytes.subspan(At), N);
    if (!Each)
      return std::nullopt;
    Extreme = Largest ? std::max(Extreme, *Each) : std::min(Extreme, *Each);
  }
  return Extreme;
}
