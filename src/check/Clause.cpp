//===- Clause.cpp - Clauses of a report as JSON ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Clause.h"

using namespace belay::check;
using namespace llvm;

static constexpr StringLiteral KindNames[] = {"scalar",   "field",  "size",
                                              "block",    "blocks", "quotient",
                                              "smallest", "largest"};
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
