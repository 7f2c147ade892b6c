//===- Clause.cpp - What a launch has to be like --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Clause.h"
#include "llvm/ADT/STLExtras.h"

using namespace belay::check;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {

/// The numbers of one launch, for one block of it. Exact: what leaves 128 bits
/// is not known.
class Evaluation {
public:
  Evaluation(ArrayRef<LaunchNumber> Numbers, uint32_t Blocks, LaunchValues Of)
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
    llvm_unreachable("all kinds are handled");
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

  ArrayRef<LaunchNumber> Numbers;
  uint32_t Blocks, Block = 0;
  LaunchValues Of;
};

} // namespace

static bool aboutBlock(const Polynomial &P, ArrayRef<LaunchNumber> Numbers) {
  return any_of(P.Terms, [&](const Polynomial::Term &T) {
    return any_of(T.Of, [&](uint32_t N) {
      return Numbers[N].What == LaunchNumber::Kind::Block ||
             aboutBlock(Numbers[N].Dividend, Numbers) ||
             aboutBlock(Numbers[N].Divisor, Numbers);
    });
  });
}

Answer belay::check::evaluate(const Clause &C, ArrayRef<LaunchNumber> Numbers,
                              uint32_t Blocks, LaunchValues Of) {
  Evaluation Launch(Numbers, Blocks, Of);
  bool EachBlock = any_of(C.Any, [&](const Clause::Atom &A) {
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

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static constexpr StringLiteral KindNames[] = {"scalar", "field",  "size",
                                              "block",  "blocks", "quotient"};
static constexpr StringLiteral AtomNames[] = {"not-negative", "zero",
                                              "not-zero", "multiple"};

template <typename Kind, size_t Size>
static std::optional<Kind> kindNamed(const StringLiteral (&Names)[Size],
                                     std::optional<StringRef> Name) {
  for (size_t I = 0; I < Size; ++I)
    if (Name && Names[I] == *Name)
      return static_cast<Kind>(I);
  return std::nullopt;
}

static json::Object polynomialToJson(const Polynomial &P) {
  json::Array Terms;
  for (const Polynomial::Term &T : P.Terms)
    Terms.push_back(
        json::Object{{"factor", T.Factor}, {"of", json::Array(T.Of)}});
  return json::Object{{"constant", P.Constant}, {"terms", std::move(Terms)}};
}

static std::optional<Polynomial> polynomialOf(const json::Object *O) {
  const json::Array *Terms = O ? O->getArray("terms") : nullptr;
  std::optional<int64_t> Constant =
      O ? O->getInteger("constant") : std::nullopt;
  if (!Terms || !Constant)
    return std::nullopt;
  Polynomial P;
  P.Constant = *Constant;
  for (const json::Value &V : *Terms) {
    const json::Object *Each = V.getAsObject();
    const json::Array *Of = Each ? Each->getArray("of") : nullptr;
    std::optional<int64_t> Factor =
        Each ? Each->getInteger("factor") : std::nullopt;
    if (!Of || !Factor)
      return std::nullopt;
    Polynomial::Term &T = P.Terms.emplace_back();
    T.Factor = *Factor;
    for (const json::Value &N : *Of) {
      std::optional<int64_t> At = N.getAsInteger();
      if (!At || *At < 0 || *At > UINT32_MAX)
        return std::nullopt;
      T.Of.push_back(static_cast<uint32_t>(*At));
    }
  }
  return P;
}

json::Value belay::check::toJson(const Clause &C) {
  json::Array Any;
  for (const Clause::Atom &A : C.Any)
    Any.push_back(json::Object{{"is", AtomNames[static_cast<unsigned>(A.Is)]},
                               {"about", polynomialToJson(A.About)},
                               {"of", A.Of}});
  return json::Object{{"any", std::move(Any)}, {"text", json::fixUTF8(C.Text)}};
}

std::optional<Clause> belay::check::clauseOf(const json::Object *O) {
  const json::Array *Any = O ? O->getArray("any") : nullptr;
  if (!Any)
    return std::nullopt;
  Clause C;
  C.Text = O->getString("text").value_or("").str();
  for (const json::Value &V : *Any) {
    const json::Object *Each = V.getAsObject();
    if (!Each)
      return std::nullopt;
    auto Is = kindNamed<Clause::Atom::Kind>(AtomNames, Each->getString("is"));
    std::optional<Polynomial> About = polynomialOf(Each->getObject("about"));
    int64_t Of = Each->getInteger("of").value_or(0);
    if (!Is || !About || Of <= 0)
      return std::nullopt;
    C.Any.push_back({*Is, std::move(*About), Of});
  }
  return C;
}

json::Value belay::check::toJson(const LaunchNumber &N) {
  return json::Object{{"kind", KindNames[static_cast<unsigned>(N.What)]},
                      {"name", json::fixUTF8(N.Name)},
                      {"argument", N.Argument},
                      {"offset", N.Offset},
                      {"width", N.Width},
                      {"signed", N.Signed},
                      {"least", N.Least},
                      {"most", N.Most},
                      {"dividend", polynomialToJson(N.Dividend)},
                      {"divisor", polynomialToJson(N.Divisor)}};
}

std::optional<LaunchNumber>
belay::check::launchNumberOf(const json::Object *O) {
  if (!O)
    return std::nullopt;
  auto What = kindNamed<LaunchNumber::Kind>(KindNames, O->getString("kind"));
  std::optional<Polynomial> Dividend = polynomialOf(O->getObject("dividend")),
                            Divisor = polynomialOf(O->getObject("divisor"));
  if (!What || !Dividend || !Divisor)
    return std::nullopt;
  LaunchNumber N;
  N.What = *What;
  N.Name = O->getString("name").value_or("").str();
  N.Argument = O->getInteger("argument").value_or(0);
  N.Offset = O->getInteger("offset").value_or(0);
  N.Width = O->getInteger("width").value_or(0);
  N.Signed = O->getBoolean("signed").value_or(false);
  N.Least = O->getInteger("least").value_or(1);
  N.Most = O->getInteger("most").value_or(0);
  N.Dividend = std::move(*Dividend);
  N.Divisor = std::move(*Divisor);
  return N;
}
