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
  if (State == Defined::Yes &&
      (hasValues(List, Begin, End) || extendFill(List, Begin, End)))
    return;
  if (State == Defined::Yes && isChosenByData(Begin)) {
    // Which bytes they are is not known in any iteration.
    WrittenByData.insert(R);
    return;
  }
  // What lies below a range that covers it no longer counts.
  List.eraseIf([&](const Written &W) {
    return I.facts().holds(W.Begin - Begin) && I.facts().holds(End - W.End);
  });
  if (List.full())
    joinNeighbours(List);
  List.push_back({std::move(Begin), std::move(End), State});
}

/// Whether all of [Begin, End) has values after the newest From writes. What
/// lies before and after a write of values may have older ones.
bool Runtime::covered(RegionId R, const Number &Begin, const Number &End,
                      size_t From, unsigned &Budget) {
  Bounded<Written> &List = writtenTo(R);
  const Facts &Known = I.facts();
  if (Begin == End || Known.holds(Begin - End))
    return true;
  for (size_t N = From; N--;) {
    const Written W = List[N];
    if (Known.holds(W.Begin - End) || Known.holds(Begin - W.End))
      continue; // elsewhere
    if (W.State != Defined::Yes || !Budget)
      return false;
    --Budget;
    if (Known.holds(Begin - W.Begin) && Known.holds(W.End - End))
      return true;
    return covered(R, Begin, End, N, Budget) ||
           (covered(R, Begin, W.Begin, N, Budget) &&
            covered(R, W.End, End, N, Budget));
  }
  return false;
}

/// Whether [Begin, End) was written: all of it, or (AnyUndefined) whether some
/// byte certainly was not. Looks at the newest From writes. Possible: the
/// launch may leave a part of it out.
Defined Runtime::query(RegionId R, const Number &Begin, const Number &End,
                       size_t From, bool AnyUndefined, bool &Possible) {
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
      unsigned Budget = 16;
      if (covered(R, Begin, End, N + 1, Budget))
        return Defined::Yes;
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
      if (AnyUndefined && W.State == Defined::Yes &&
          Known.holds(Begin - W.Begin) && isLonger(End, W.End)) {
        bool Ignore = false;
        return query(R, W.End, End, N, AnyUndefined, Ignore) == Defined::No
                   ? Defined::No
                   : Defined::Unknown;
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

/// Whether so many elements from the first have values.
bool Runtime::coversElements(const Operand &O, const Number &Elements) {
  Bounded<Written> &List = writtenTo(O.In);
  unsigned Budget = 16;
  if (!O.Bits) {
    std::optional<Number> Bytes =
        Number::multiply(Elements, sim::bytesOf(O.Type));
    return Bytes &&
           covered(O.In, O.Begin, O.Begin + *Bytes, List.size(), Budget);
  }
  const Facts &Known = I.facts();
  if (!Known.holds(Elements))
    return false;
  constexpr int64_t BitsPerByte = 8;
  Number More = Elements + Number(BitsPerByte - 1);
  std::optional<Number> Bytes =
      More.isConstant()                 ? Number(More.constant() / BitsPerByte)
      : Elements.dividedBy(BitsPerByte) ? Elements.dividedBy(BitsPerByte)
                                        : I.quotient(More, BitsPerByte);
  if (!Bytes)
    return false;
  // The newest write that is not elsewhere may have given these bits.
  for (size_t N = List.size(); N--;) {
    const Written &W = List[N];
    if (Known.holds(W.Begin - O.Begin - *Bytes) || Known.holds(O.Begin - W.End))
      continue;
    if (W.Bits && W.Begin == O.Begin && Known.holds(*W.Bits - Elements))
      return true;
    break;
  }
  return covered(O.In, O.Begin, O.Begin + *Bytes, List.size(), Budget);
}

/// Of an instruction that goes from element to element: so many elements from
/// the first are written in all sources. Nothing if that is not known.
std::optional<Number> Runtime::writtenElements(const Event &E) {
  // Where it makes no difference any more, proofs would be in vain.
  if (Kernel.Out.Kernels.back().Doubts.count(Topic::Values))
    return std::nullopt;
  // Element for element, without gaps.
  auto Count = [](const Operand &O) -> std::optional<Number> {
    int64_t Wide = sim::bytesOf(O.Type);
    bool Tight = O.Size == Operand::Extent::Exact && O.Span == O.Certain;
    return Tight && Wide >= 1 ? O.Span.dividedBy(Wide) : std::nullopt;
  };
  const auto First =
      find_if(E.Operands, [](const Operand &O) { return !O.Bits; });
  if (First == E.Operands.end())
    return std::nullopt;
  std::optional<Number> Elements = Count(*First);
  std::vector<const Operand *> Sources;
  unsigned Results = 0;
  for (const Operand &O : E.Operands) {
    std::optional<Number> Each = O.Bits ? Elements : Count(O);
    if (!Each || !Elements || !(*Each == *Elements) ||
        (!O.Write && !Regions[O.In].Sized))
      return std::nullopt;
    Results += O.Write;
    if (!O.Write)
      Sources.push_back(&O);
  }
  auto Covers = [&](const Number &N) {
    return I.facts().holds(N) && I.facts().holds(*Elements - N) &&
           all_of(Sources, [&](const Operand *Each) {
             return coversElements(*Each, N);
           });
  };
  if (Results != 1)
    return std::nullopt;
  if (Covers(*Elements))
    return Elements;
  for (const Operand *O : Sources)
    for (size_t N = 0; N < writtenTo(O->In).size(); ++N) {
      const Written W = writtenTo(O->In)[N];
      std::optional<Number> Most =
          O->Bits ? W.Bits
                  : (W.End - O->Begin).dividedBy(sim::bytesOf(O->Type));
      if ((O->Bits || W.State == Defined::Yes) && Most && Covers(*Most))
        return Most;
    }
  return std::nullopt;
}

/// Whether a region is a whole memory, of which buffers have a part, too.
bool Runtime::sharesFixed(RegionId R) const {
  auto At = Spaces.find(Regions[R].Where);
  return At != Spaces.end() && At->second == R &&
         any_of(Regions, [&](const Region &Other) {
           return Other.Where == At->first && &Other != &Regions[R];
         });
}

void Runtime::addContents(Contents &Of, const Event &E, const Operand &O,
                          bool AnyUndefined) {
  // Of bytes that data choose, none, all, or who knows.
  auto Query = [&](const Number &Bytes, bool &MayMiss) {
    return query(O.In, O.Begin, O.Begin + Bytes, writtenTo(O.In).size(),
                 AnyUndefined && !O.Scattered, MayMiss);
  };
  bool Ignore = false, Possible = false;
  if (isWorkspace(O.In)) {
    if (Of.All == Defined::Yes && Query(O.Span, Ignore) != Defined::Yes &&
        !relyOnBlocks(E, O))
      Of.All = Defined::Unknown;
    return;
  }
  if (Regions[O.In].Where == Space::GM || !Regions[O.In].Sized)
    return;
  // Where all that it may read was written, so was what it certainly reads;
  // of bursts, to compare only the first takes that there is one.
  bool Gaps = !(O.Span == O.Certain) && !O.Scattered;
  if (Gaps && rowsWritten(O))
    return;
  Defined D = O.Scattered ? Query(O.Span, Ignore)
              : Gaps && Query(O.Span, Ignore) == Defined::Yes
                  ? Defined::Yes
                  : Query(O.Certain, Possible);
  // It stays within its tensor, of which all may have been written, or nothing.
  if (D != Defined::Yes && !O.Span.isConstant() && O.TensorBytes &&
      !I.symbols().any(O.Span, [](const Symbol &S) {
        return S.From == Origin::Data ||
               (S.From == Origin::Other && !S.Iteration);
      })) {
    Defined Tensor =
        query(O.In, O.Begin, O.Begin + *O.TensorBytes, writtenTo(O.In).size(),
              /*AnyUndefined=*/false, Ignore);
    if (Tensor == Defined::Yes)
      return;
    if (Tensor == Defined::No && AnyUndefined && !Gaps && !O.Scattered &&
        isLonger(O.Span, Number()))
      D = Defined::No;
  }
  Of.Possible |= Possible && !WrittenByData.count(O.In);
  // What it may read besides is a doubt, never a finding.
  if (D == Defined::Yes && Gaps && Query(O.Span, Ignore) != Defined::Yes)
    D = AnyUndefined && lacksRow(O) ? Defined::No : Defined::Unknown;
  // Others of the rows may have values, and so may what is made of them; other
  // buffers may be the same bytes.
  if (D == Defined::No &&
      ((Gaps && !AnyUndefined && Query(O.Span, Ignore) != Defined::No) ||
       sharesFixed(O.In) || WrittenByData.count(O.In)))
    D = Defined::Unknown;
  if (D == Defined::No)
    Of.All = D, Of.Culprit = &O;
  else if (D == Defined::Unknown && Of.All == Defined::Yes)
    Of.All = D;
  if (Of.Possible && !Of.Culprit)
    Of.Culprit = &O;
}

Contents Runtime::contentsOf(const Event &E, bool ToGlobal) {
  Contents Of;
  // What is added to is read as well.
  for (const Operand &O : E.Operands)
    if (!O.Write || (O.Atomic && isWorkspace(O.In)))
      addContents(Of, E, O,
                  isWorkspace(O.In) || ToGlobal || (E.Mixes && !O.Group));
  return Of;
}

/// Carries what is known of the sources over to the destinations; what nobody
/// wrote may not leave local memory: a number that the scalar unit reads goes
/// anywhere.
void Runtime::flow(const Event &E) {
  bool ToGlobal = any_of(E.Operands, [&](const Operand &O) {
    return O.Write && Regions[O.In].Where == Space::GM;
  });
  bool ToScalar = E.On == sim::Pipe::S &&
                  none_of(E.Operands, [](const Operand &O) { return O.Write; });
  bool Leaves = ToGlobal || ToScalar;
  Contents Of = contentsOf(E, Leaves);
  if (Leaves && Of.Culprit && !LostWrites &&
      (Of.All == Defined::No || Of.Possible)) {
    Kernel.find("uninitialised-read", {E.At, ""}, {},
                sim::wording::uninitialised(
                    E.Name, ToGlobal ? "global memory" : "the scalar unit"),
                bufferOf(*Of.Culprit));
  } else if (Leaves && Of.All != Defined::Yes &&
             !(ToScalar && requireWritten(E))) {
    Kernel.unknown(Topic::Values, E.At,
                   ToGlobal
                       ? "whether all that is stored was written is not known"
                       : "whether what the scalar unit reads was written is "
                         "not known");
  }
  bool Bits = any_of(E.Operands, [](const Operand &O) { return O.Bits; });
  bool InParts = Of.All == Defined::Unknown ? E.ByElement || Bits
                                            : Of.All == Defined::Yes && Bits;
  std::optional<Number> Part = InParts ? writtenElements(E) : std::nullopt;
  for (const Operand &O : E.Operands) {
    if (!O.Write)
      continue;
    changed(O.In, copiedElements(E, O));
    if (Regions[O.In].Where == Space::GM && !isWorkspace(O.In))
      continue;
    carryOver(E, O, Of.All, Part);
    if (Of.All == Defined::Yes && copiesFullBlocks(E, O))
      write(O.In, O.Begin, O.Begin + *E.Requested, Defined::Yes);
  }
}

/// Whether a copy that is cut down to whole blocks is one of whole blocks.
/// Where the launch decides that, it becomes a condition.
bool Runtime::copiesFullBlocks(const Event &E, const Operand &O) {
  if (!E.Requested || E.Requested->isConstant() || !(O.Span == O.Certain) ||
      I.facts().isZero(*E.Requested - O.Span))
    return false;
  using Kind = Clause::Atom::Kind;
  constexpr int64_t BlockBytes = 32;
  const Findings::Requirement FullBlocks = {Kind::Multiple, *E.Requested,
                                            BlockBytes};
  if (!Kernel.canRequire(FullBlocks, I.facts()))
    return false;
  Kernel.MayAskFullBlocks = true;
  if (!Kernel.AsksFullBlocks)
    return false;
  Kernel.require(Topic::Values, E.At,
                 "whether " + E.Name +
                     " is cut down to whole blocks is decided by the launch",
                 FullBlocks);
  return true;
}

/// What all elements hold from that one on: nothing, where a source has
/// nothing.
Defined Runtime::stateFrom(const Event &E, const Number &Element) {
  for (const Operand &O : E.Operands) {
    std::optional<Number> Bytes =
        Number::multiply(Element, sim::bytesOf(O.Type));
    bool Ignore = false;
    if (!O.Write && !O.Bits && E.ByElement && Bytes && !sharesFixed(O.In) &&
        Regions[O.In].Sized &&
        query(O.In, O.Begin + *Bytes, O.Begin + O.Span, writtenTo(O.In).size(),
              /*AnyUndefined=*/false, Ignore) == Defined::No)
      return Defined::No;
  }
  return Defined::Unknown;
}

/// So many bits have values. Grouped: of the bytes after the last of them is
/// known what they hold.
void Runtime::writeBits(const Operand &O, const Number &Bits, bool Grouped) {
  constexpr int64_t BitsPerByte = 8;
  Number Bytes = O.Span;
  if (Grouped && Bits.isConstant())
    Bytes = Number((Bits.constant() + BitsPerByte - 1) / BitsPerByte);
  std::optional<Number> All = Number::multiply(Bytes, BitsPerByte);
  bool Full = All && *All == Bits;
  write(O.In, O.Begin, O.Begin + Bytes, Defined::Unknown);
  Bounded<Written> &List = writtenTo(O.In);
  List[List.size() - 1].Bits = Bits;
  if (Full)
    List[List.size() - 1].State = Defined::Yes;
}

/// Part: so many elements have values in all sources.
void Runtime::carryOver(const Event &E, const Operand &O, Defined All,
                        const std::optional<Number> &Part) {
  Number End = O.Begin + O.Span;
  bool Grouped = All == Defined::Unknown && carryGroups(E, O);
  if (O.Bits && Part)
    return writeBits(O, *Part, Grouped);
  if (std::optional<Number> Bytes =
          All == Defined::Unknown && Part
              ? Number::multiply(*Part, sim::bytesOf(O.Type))
              : std::nullopt) {
    if (!Grouped)
      write(O.In, O.Begin, End,
            Kernel.Proving ? Defined::Unknown : stateFrom(E, *Part));
    write(O.In, O.Begin, O.Begin + *Bytes, Defined::Yes);
    return;
  }
  if (Grouped)
    return;
  // Of strided writes, what lies between is as it was.
  bool Gaps = !(O.Span == O.Certain), Ignore = false;
  Defined State = All;
  if (Gaps && (All == Defined::No ||
               query(O.In, O.Begin, End, writtenTo(O.In).size(),
                     /*AnyUndefined=*/true, Ignore) != Defined::Yes))
    State = Defined::Unknown;
  if (State == Defined::Unknown && All == Defined::Yes && O.Pitch)
    writeRows(O);
  else
    write(O.In, O.Begin, End, State);
}

/// Rows have values, what lies between them has not, as far as is known. If
/// others that have values lie beside them, they are wider rows.
void Runtime::writeRows(const Operand &O) {
  Bounded<Written> &List = writtenTo(O.In);
  Number Begin = O.Begin, Each = O.Certain;
  const Number Before = O.Span - O.Certain; // up to the last row
  for (size_t N = List.size(); N--;) {
    const Written W = List[N];
    if (!W.InRows) {
      if (W.State == Defined::Yes)
        continue;
      break;
    }
    if (!(W.InRows->Pitch == *O.Pitch) ||
        !(W.End - W.Begin - W.InRows->Each == Before))
      continue;
    bool After = W.Begin + W.InRows->Each == Begin,
         AtFront = Begin + Each == W.Begin;
    if (!After && !AtFront)
      continue;
    if (After)
      Begin = W.Begin;
    Each = Each + W.InRows->Each;
    List.eraseIf([&](const Written &X) { return &X == &List[N]; });
    break;
  }
  const Number End = Begin + Before + Each;
  if (Each == *O.Pitch)
    return write(O.In, Begin, End, Defined::Yes);
  List.push_back({Begin, End, Defined::Unknown, {}, {}, Rows{Each, *O.Pitch}});
}

/// Whether all rows that are read have values.
bool Runtime::rowsWritten(const Operand &O) {
  const Facts &Known = I.facts();
  Bounded<Written> &List = writtenTo(O.In);
  for (size_t N = List.size(); O.Pitch && N--;) {
    const Written &W = List[N];
    if (W.InRows && W.InRows->Pitch == *O.Pitch &&
        Known.holds(O.Begin - W.Begin) &&
        Known.holds(W.Begin + W.InRows->Each - O.Begin - O.Certain) &&
        Known.holds(W.End - W.Begin - W.InRows->Each - O.Span + O.Certain))
      return true;
    bool Elsewhere =
        Known.holds(W.Begin - O.Begin - O.Span) || Known.holds(O.Begin - W.End);
    if (W.State != Defined::Yes && !W.InRows && !Elsewhere)
      return false;
  }
  return fewRowsWritten(O);
}

/// Where rows begin, from the first on, if it is known how many there are.
SmallVector<Number, 4> Runtime::fewRows(const Operand &O) {
  constexpr int64_t MostRows = 8;
  SmallVector<Number, 4> Rows = {O.Begin};
  const Number Last = O.Begin + O.Span - O.Certain;
  while (O.Pitch && static_cast<int64_t>(Rows.size()) < MostRows) {
    Rows.push_back(Rows.back() + *O.Pitch);
    if (Rows.back() == Last)
      return Rows;
  }
  return {};
}

/// Whether each of a few rows was written, by itself.
bool Runtime::fewRowsWritten(const Operand &O) {
  unsigned Budget = 16;
  const auto Rows = fewRows(O);
  return !Rows.empty() && all_of(Rows, [&](const Number &Row) {
    return covered(O.In, Row, Row + O.Certain, writtenTo(O.In).size(), Budget);
  });
}

/// Whether one of a few rows has bytes that certainly were not.
bool Runtime::lacksRow(const Operand &O) {
  bool Ignore = false;
  return any_of(fewRows(O), [&](const Number &Row) {
    return query(O.In, Row, Row + O.Certain, writtenTo(O.In).size(),
                 /*AnyUndefined=*/true, Ignore) == Defined::No;
  });
}
