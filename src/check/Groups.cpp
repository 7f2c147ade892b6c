//===- Groups.cpp - Values that go from groups to groups ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction that reads a part without values leaves a part without values,
// not a tensor without values: that of one element is one element, that of a
// row one sum. At places that are constants, each group of results is looked at
// by itself.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"
#include "llvm/ADT/Sequence.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Space;

/// How many bytes of each operand make a group, and how far the groups are
/// apart. Elements are groups; where there are bits, eight of them.
static std::optional<std::pair<int64_t, int64_t>> groupOf(const Event &E,
                                                          const Operand &O) {
  if (O.Group)
    return std::pair(O.Group, O.GroupStep);
  bool HasBits = any_of(E.Operands, [](const Operand &X) { return X.Bits; });
  // Bits are those of whole repeats.
  bool Exact = O.Bits || (O.Span == O.Certain &&
                          O.Size == Operand::Extent::Exact && !O.Scattered);
  if (!(E.ByElement || HasBits) || !Exact)
    return std::nullopt;
  constexpr int64_t BitsPerByte = 8;
  int64_t Bytes = O.Bits    ? 1
                  : HasBits ? BitsPerByte * sim::bytesOf(O.Type)
                            : sim::bytesOf(O.Type);
  return Bytes ? std::optional(std::pair(Bytes, Bytes)) : std::nullopt;
}

/// Whether what an operand has matters: of arguments, the host takes care; of
/// some memory nothing is known.
bool Runtime::mayHaveNone(const Operand &O) const {
  return !O.Write && Regions[O.In].Where != Space::GM && Regions[O.In].Sized;
}

/// What the sources of the results of one group hold.
Defined Runtime::stateOfGroup(const Event &E, int64_t Group) {
  Defined All = Defined::Yes;
  for (const Operand &O : E.Operands) {
    if (!mayHaveNone(O))
      continue;
    Number Begin = O.Begin, End = O.Begin + O.Span;
    if (!O.Scattered) {
      auto [Bytes, Step] = *groupOf(E, O);
      Begin = Begin + Number(Group * Step);
      End = Begin + Number(std::min(Bytes, O.Span.constant() - Group * Step));
    }
    bool Ignore = false, One = (E.Mixes || E.ByElement) && !O.Scattered;
    Defined Is = query(O.In, Begin, End, writtenTo(O.In).size(),
                       /*AnyUndefined=*/One, Ignore);
    if (Is == Defined::No && !sharesFixed(O.In))
      return Defined::No;
    if (Is != Defined::Yes)
      All = Defined::Unknown;
  }
  return All;
}

/// The groups of results at which something changes: between two of them, one
/// group is like the other. Nothing if not all lies at constant places.
std::optional<std::set<int64_t>> Runtime::changesOf(const Event &E,
                                                    int64_t Groups) {
  std::set<int64_t> Changes = {0, Groups};
  for (const Operand &Source : E.Operands) {
    if (isWorkspace(Source.In))
      return std::nullopt;
    if (!mayHaveNone(Source) || Source.Scattered)
      continue; // the same for all
    const auto Each = groupOf(E, Source);
    if (!Each || Each->first > Each->second || !Source.Begin.isConstant() ||
        !Source.Span.isConstant() ||
        (Groups - 1) * Each->second >= Source.Span.constant())
      return std::nullopt;
    for (const Written &W : writtenTo(Source.In)) {
      if (!W.Begin.isConstant() || !W.End.isConstant())
        return std::nullopt;
      for (const Number *Place : {&W.Begin, &W.End}) {
        int64_t Group =
            (Place->constant() - Source.Begin.constant()) / Each->second;
        for (int64_t At : {Group, Group + 1})
          if (At > 0 && At < Groups)
            Changes.insert(At);
      }
    }
  }
  return Changes;
}

/// Carries what is known of each group of the sources over to its results.
/// False if that is not known.
bool Runtime::carryGroups(const Event &E, const Operand &O) {
  const auto Results = groupOf(E, O);
  if (!Results || Results->first != Results->second || !O.Begin.isConstant() ||
      !O.Span.isConstant())
    return false;
  const int64_t Groups =
      (O.Span.constant() + Results->first - 1) / Results->first;
  // A byte of bits has a value if all eight of them have.
  if (O.Bits && any_of(E.Operands, [&](const Operand &X) {
        const auto Each = groupOf(E, X);
        return mayHaveNone(X) && !X.Scattered &&
               !(Each && X.Span.isConstant() &&
                 Groups * Each->second <= X.Span.constant());
      }))
    return false;
  const std::optional<std::set<int64_t>> Changes = changesOf(E, Groups);
  if (!Changes)
    return false;
  struct Part {
    int64_t Begin, End;
    Defined State;
  };
  std::vector<Part> Parts;
  for (auto At = Changes->begin(); *At != Groups; ++At) {
    Defined State = stateOfGroup(E, *At);
    if (!Parts.empty() && Parts.back().State == State)
      Parts.back().End = *std::next(At);
    else
      Parts.push_back({*At, *std::next(At), State});
  }
  // The results may lie where the sources lie.
  for (const Part &P : Parts)
    write(O.In, O.Begin + Number(P.Begin * Results->first),
          O.Begin + Number(std::min(P.End * Results->first, O.Span.constant())),
          P.State);
  return true;
}

/// Whether no result of a product has a value: where each row of fractals lacks
/// one, whichever way they lie. A row that is shorter than its fractals may
/// have bytes without values, which go to results that nobody stores.
bool Runtime::lacksFractals(const Operand &O, const std::optional<Number> &Rows,
                            const std::optional<Number> &Inner) {
  constexpr int64_t Bytes = 512, Most = 128;
  if (!Rows || !Inner || !Rows->isConstant() || !Inner->isConstant() ||
      !mayHaveNone(O) || sharesFixed(O.In))
    return false;
  const int64_t R = Rows->constant(), C = Inner->constant();
  if (R < 1 || C < 1 || R > Most || C > Most || R * C > Most ||
      !(O.Span == Number(R * C * Bytes)))
    return false;
  auto Lacks = [&](int64_t Fractal) {
    bool Ignore = false;
    const Number Begin = O.Begin + Number(Fractal * Bytes);
    return query(O.In, Begin, Begin + Number(Bytes), writtenTo(O.In).size(),
                 /*AnyUndefined=*/false, Ignore) == Defined::No;
  };
  auto EachRow = [&](int64_t RowStep, int64_t Step) {
    return all_of(seq<int64_t>(0, R), [&](int64_t Row) {
      return any_of(seq<int64_t>(0, C),
                    [&](int64_t N) { return Lacks(Row * RowStep + N * Step); });
    });
  };
  return EachRow(C, 1) && EachRow(1, R);
}
