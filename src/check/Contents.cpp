//===- Contents.cpp - Which bytes were written ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Space;

void Runtime::write(RegionId R, Number Begin, Number End, Defined State) {
  Bounded<Written> &List = writtenTo(R);
  // What lies below a range that covers it no longer counts.
  List.eraseIf([&](const Written &W) {
    return I.facts().holds(W.Begin - Begin) && I.facts().holds(End - W.End);
  });
  List.push_back({std::move(Begin), std::move(End), State});
}

/// Whether [Begin, End) was written: all of it, or (AnyUndefined) whether some
/// byte certainly was not. Looks at the newest From writes. Possible: the
/// launch may leave a part of it out.
Runtime::Defined Runtime::query(RegionId R, Number Begin, Number End,
                                size_t From, bool AnyUndefined,
                                bool &Possible) {
  Bounded<Written> &List = writtenTo(R);
  if (Begin == End || I.facts().holds(Begin - End))
    return Defined::Yes; // nothing is read
  for (size_t N = From; N--;) {
    const Written W = List[N];
    Facts &Known = I.facts();
    if (Known.holds(W.Begin - End) || Known.holds(Begin - W.End))
      continue; // elsewhere
    if (Known.holds(Begin - W.Begin) && Known.holds(W.End - End))
      return W.State; // covers it
    bool Constant = Begin.isConstant() && End.isConstant() &&
                    W.Begin.isConstant() && W.End.isConstant();
    if (!Constant) {
      // A beginning of it, up to a length that the launch decides.
      if (W.State == Defined::Yes && Known.holds(Begin - W.Begin) &&
          End.isConstant()) {
        bool Ignore = false;
        bool Launch = true;
        W.End.forEachSymbol([&](SymbolId S) {
          Launch &=
              Kernel.Names[S].From == Origin::Launch && !Kernel.Names[S].Sizes;
        });
        if (Launch &&
            query(R, Begin, End, N, AnyUndefined, Ignore) == Defined::No)
          Possible = Known.counterexample(W.End - End).has_value();
      }
      return Defined::Unknown;
    }
    Defined Worst = W.State;
    auto Join = [&](Number A, Number B) {
      Defined Part = query(R, A, B, N, AnyUndefined, Possible);
      if (Part == Defined::No || Worst == Defined::No)
        Worst = AnyUndefined || Part == Worst ? Defined::No : Defined::Unknown;
      else if (Part == Defined::Unknown)
        Worst = Part;
    };
    if (Begin.constant() < W.Begin.constant())
      Join(Begin, W.Begin);
    if (W.End.constant() < End.constant())
      Join(W.End, End);
    return Worst;
  }
  // It may have been one of those that are forgotten.
  return List.forgot() ? Defined::Unknown : Defined::No;
}

/// Arguments hold what the host put there; a workspace holds nothing.
bool Runtime::isWorkspace(RegionId R) const {
  return Regions[R].Where == Space::GM &&
         StringRef(Regions[R].Name).contains_insensitive("workspace");
}

/// Of an instruction that goes from element to element: so many elements from
/// the first are written in all sources. Nothing if that is not known.
std::optional<Number> Runtime::writtenElements(const Event &E) {
  // Element for element, without gaps.
  const Operand &Dst = E.Operands.back();
  auto Count = [](const Operand &O) -> std::optional<Number> {
    int64_t Wide = sim::bytesOf(O.Type);
    bool Tight = O.Size == Operand::Extent::Exact && O.Span == O.Certain;
    return Tight && Wide >= 1 ? O.Span.dividedBy(Wide) : std::nullopt;
  };
  // Where it makes no difference any more, proofs would be in vain.
  if (Kernel.Out.Kernels.back().Doubts.count(Topic::Values))
    return std::nullopt;
  std::optional<Number> Elements = Count(Dst);
  std::vector<const Operand *> Sources;
  for (const Operand &O : E.Operands) {
    std::optional<Number> Each = Count(O);
    if (!Each || !Elements || !(*Each == *Elements) ||
        (O.Write && &O != &Dst) || (!O.Write && !Regions[O.In].Sized))
      return std::nullopt;
    if (!O.Write)
      Sources.push_back(&O);
  }
  auto Covers = [&](const Operand &O, const Number &N) {
    std::optional<Number> Bytes = Number::multiply(N, sim::bytesOf(O.Type));
    bool Ignore = false;
    return Bytes && query(O.In, O.Begin, O.Begin + *Bytes,
                          writtenTo(O.In).size(), true, Ignore) == Defined::Yes;
  };
  for (const Operand *O : Sources)
    for (const Written &W : writtenTo(O->In)) {
      std::optional<Number> N =
          (W.End - O->Begin).dividedBy(sim::bytesOf(O->Type));
      if (W.State == Defined::Yes && N && I.facts().holds(*N) &&
          I.facts().holds(*Elements - *N) &&
          all_of(Sources,
                 [&](const Operand *Each) { return Covers(*Each, *N); }))
        return N;
    }
  return std::nullopt;
}

/// Carries what is known of the sources over to the destinations; what nobody
/// wrote may not reach global memory.
void Runtime::flow(const Event &E) {
  bool ToGlobal = false;
  for (const Operand &O : E.Operands)
    ToGlobal |= O.Write && Regions[O.In].Where == Space::GM;
  Defined All = Defined::Yes;
  const Operand *Culprit = nullptr;
  bool Possible = false;
  for (const Operand &O : E.Operands) {
    if (O.Write)
      continue;
    if (isWorkspace(O.In)) {
      // Another core may have written it.
      bool Ignore = false;
      Defined D = query(O.In, O.Begin, O.Begin + O.Span, writtenTo(O.In).size(),
                        true, Ignore);
      if (D != Defined::Yes && All == Defined::Yes)
        All = Defined::Unknown;
      continue;
    }
    if (Regions[O.In].Where == Space::GM || !Regions[O.In].Sized)
      continue;
    if (Spaces.count(Regions[O.In].Where) &&
        Spaces[Regions[O.In].Where] == O.In) {
      All = All == Defined::No ? All : Defined::Unknown;
      continue; // memory at fixed places: nobody says where it begins
    }
    auto Query = [&](const Number &Bytes, bool &MayMiss) {
      return query(O.In, O.Begin, O.Begin + Bytes, writtenTo(O.In).size(),
                   !E.ByElement || ToGlobal, MayMiss);
    };
    // Where all that it may read was written, so was what it certainly reads;
    // of bursts, to compare only the first takes that there is one.
    bool Ignore = false, Gaps = !(O.Span == O.Certain);
    Defined D = Gaps && Query(O.Span, Ignore) == Defined::Yes
                    ? Defined::Yes
                    : Query(O.Certain, Possible);
    // What it may read besides is a doubt, never a finding.
    if (D == Defined::Yes && Gaps && Query(O.Span, Ignore) != Defined::Yes)
      D = Defined::Unknown;
    if (D == Defined::No)
      All = D, Culprit = &O;
    else if (D == Defined::Unknown && All == Defined::Yes)
      All = D;
    if (Possible && !Culprit)
      Culprit = &O;
  }
  if (ToGlobal && Culprit && !LostWrites && (All == Defined::No || Possible)) {
    Kernel.find("uninitialised-read", {E.At, ""}, {},
                sim::wording::uninitialised(E.Name, "global memory"),
                bufferOf(*Culprit));
  } else if (ToGlobal && All != Defined::Yes) {
    Kernel.unknown(Topic::Values, E.At,
                   "whether all that is stored was written is not known");
  }
  std::optional<Number> Part =
      E.ByElement && All == Defined::Unknown && E.Operands.back().Write
          ? writtenElements(E)
          : std::nullopt;
  for (const Operand &O : E.Operands) {
    if (!O.Write)
      continue;
    changed(O.In);
    if (Regions[O.In].Where == Space::GM && !isWorkspace(O.In))
      continue;
    // Element by element, a part without values stays a part without values.
    const Operand *Src = nullptr;
    unsigned Sources = 0;
    for (const Operand &X : E.Operands)
      if (!X.Write && Regions[X.In].Where != Space::GM)
        Src = &X, ++Sources;
    if (E.ByElement && All == Defined::Unknown && Sources == 1 &&
        Src->Span.isConstant() && Src->Begin.isConstant() &&
        O.Begin.isConstant() && all_of(writtenTo(Src->In), [](const auto &W) {
          return W.Begin.isConstant() && W.End.isConstant();
        })) {
      int64_t From = sim::bytesOf(Src->Type), To = sim::bytesOf(O.Type);
      Bounded<Written> Parts = writtenTo(Src->In);
      write(O.In, O.Begin, O.Begin + O.Span,
            Parts.forgot() ? Defined::Unknown : Defined::No);
      for (const Written &W : Parts) {
        int64_t Lo =
            std::max<int64_t>(0, W.Begin.constant() - Src->Begin.constant());
        int64_t Hi = std::min(Src->Span.constant(),
                              W.End.constant() - Src->Begin.constant());
        if (Lo < Hi)
          write(O.In, O.Begin + Number(Lo * To / From),
                O.Begin + Number(Hi * To / From), W.State);
      }
      continue;
    }
    if (std::optional<Number> Bytes =
            Part ? Number::multiply(*Part, sim::bytesOf(O.Type))
                 : std::nullopt) {
      write(O.In, O.Begin, O.Begin + O.Span, Defined::Unknown);
      write(O.In, O.Begin, O.Begin + *Bytes, Defined::Yes);
      continue;
    }
    // Of strided writes, what lies between is as it was.
    Number End = O.Begin + O.Span;
    bool Gaps = !(O.Span == O.Certain), Ignore = false;
    Defined State = All;
    if (Gaps && (All == Defined::No ||
                 query(O.In, O.Begin, End, writtenTo(O.In).size(),
                       /*AnyUndefined=*/true, Ignore) != Defined::Yes))
      State = Defined::Unknown;
    write(O.In, O.Begin, End, State);
  }
}
