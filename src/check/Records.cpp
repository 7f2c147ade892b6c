//===- Records.cpp - Sorting, and what is picked out ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record is a value and its index, 8 bytes together. Architectures that sort
// proposals instead have other ones, which are not followed.
//
//===----------------------------------------------------------------------===//

#include "abi/Gather.h"
#include "abi/Sort.h"
#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Elem;

static constexpr int64_t BlockBytes = 32, RepeatBytes = 256, RecordBytes = 8,
                         RecordsPerRepeat = 32;

static std::optional<Number> times(const std::optional<Number> &A, int64_t B) {
  return A ? Number::multiply(*A, B) : std::nullopt;
}

void Runtime::addExactly(Event &E, const Value &Address, bool Write, Elem T,
                         const std::optional<Number> &Bytes) {
  addPieces(E, Address, Write, T, Bytes, Bytes.value_or(Number()),
            std::nullopt);
}

static int64_t sizeIn(const Operand &O) { return sim::bytesOf(O.Type); }

/// Groups of so many bytes, one after the other.
static void inGroups(Event &E, function_ref<int64_t(const Operand &)> Bytes) {
  E.Mixes = true;
  for (Operand &O : E.Operands)
    O.Group = O.GroupStep = Bytes(O);
}

bool Runtime::sortRecords(Event &E, PathId S) {
  std::optional<Number> Repeat = numberIn(S, "Repeat");
  if (Kernel.Target.arch->sortsProposals || !Repeat ||
      !I.facts().holds(*Repeat))
    return false;
  Elem T = elemOf(I.member(S, "T"));
  std::optional<Number> Count = times(Repeat, RecordsPerRepeat),
                        Sorted = times(Count, RecordBytes);
  addExactly(E, I.member(S, "Src"), false, T, times(Count, sim::bytesOf(T)));
  addExactly(E, I.member(S, "Index"), false, Elem::U32, times(Count, 4));
  // Several repeats become one list by merging, which takes as much space again
  // (GetSortTmpSize).
  if (I.member(S, "Full").constant() != 0 && Repeat->constant() != 1)
    addExactly(E, I.member(S, "Tmp"), true, T, Sorted);
  addExactly(E, I.member(S, "Dst"), true, T, Sorted);
  // Each repeat sorts its own, if they do not become one list.
  E.Mixes = true;
  if (E.Operands.size() == 3)
    inGroups(E, [](const Operand &O) {
      return RecordsPerRepeat * (O.Write ? RecordBytes : sizeIn(O));
    });
  return true;
}

bool Runtime::extractRecords(Event &E, Args A) {
  std::optional<Number> Repeat =
      A[4].isNumber() ? std::optional(A[4].N) : std::nullopt;
  if (Kernel.Target.arch->sortsProposals || !Repeat ||
      !I.facts().holds(*Repeat))
    return false;
  Elem T = elemOf(A[3]);
  std::optional<Number> Count = times(Repeat, RecordsPerRepeat);
  addExactly(E, A[2], false, T, times(Count, RecordBytes));
  addExactly(E, A[0], true, T, times(Count, sim::bytesOf(T)));
  addExactly(E, A[1], true, Elem::U32, times(Count, 4));
  inGroups(E,
           [](const Operand &O) { return O.Write ? sizeIn(O) : RecordBytes; });
  return true;
}

/// Up to four sorted lists become one.
bool Runtime::mergeRecords(Event &E, PathId M) {
  E.Mixes = true;
  Value Sources = I.member(M, "Src"), Lengths = I.member(M, "Length");
  std::optional<int64_t> Valid = I.member(M, "ValidBit").constant();
  if (Kernel.Target.arch->sortsProposals || !Valid || *Valid < 1 ||
      *Valid > 15 || !Sources.isPointer() || !Lengths.isPointer() ||
      I.member(M, "Repeat").constant() != 1)
    return false;
  Elem T = elemOf(I.member(M, "T"));
  std::optional<Number> All = Number();
  for (unsigned N = 0; *Valid >> N; ++N) {
    const Value *Src = I.store().find(I.store().element(Sources.Id, N)),
                *Length = I.store().find(I.store().element(Lengths.Id, N));
    if (!Src || !Src->isAddress() || !Length || !Length->isNumber() ||
        !I.facts().holds(Length->N))
      return false;
    std::optional<Number> Bytes = times(Length->N, RecordBytes);
    addExactly(E, *Src, false, T, Bytes);
    All = All && Bytes ? std::optional(*All + *Bytes) : std::nullopt;
  }
  // Where the first list that ends stops it, less is written.
  if (All && I.member(M, "Suspend").constant() != 0)
    addAtMost(E, I.member(M, "Dst"), true, T, *All);
  else
    addExactly(E, I.member(M, "Dst"), true, T, All);
  return true;
}

/// How many of so many elements a pattern of GatherMask keeps; nothing if data
/// decide.
static std::optional<Number> keptOf(const std::optional<Number> &Each,
                                    std::optional<int64_t> Pattern) {
  if (!Each || !Pattern)
    return std::nullopt;
  constexpr int64_t All = 7;
  if (*Pattern == All)
    return Each;
  return Each->dividedBy(*Pattern <= 2 ? 2 : 4);
}

bool Runtime::gatherMask(Event &E, PathId G) {
  const targets::Arch &Arch = *Kernel.Target.arch;
  Elem T = elemOf(I.member(G, "T"));
  const int64_t Wide = std::max<int64_t>(1, sim::bytesOf(T));
  Value Counts = I.member(G, "Counter");
  std::optional<Number> Repeat = numberIn(G, "Repeat"),
                        Each = Number(RepeatBytes / Wide),
                        Apart =
                            times(numberIn(G, "SrcRepeatStride"), BlockBytes);
  if (!Counts.constant() || I.member(G, "SrcBlockStride").constant() != 1)
    return false;
  if (*Counts.constant()) {
    Each = numberIn(G, "Count");
    if (Arch.gatherMaskCountsAll && Apart != Number(RepeatBytes))
      return false;
    if (Arch.gatherMaskCountsAll)
      Repeat = Number(1);
    Counter = false; // the call ends in normal mode
  }
  std::optional<Number> One = times(Each, Wide);
  if (!Repeat || !One || !Apart || !I.facts().holds(*Repeat - Number(1)))
    return false;
  std::optional<Number> Before = Number::multiply(*Repeat - Number(1), *Apart);
  if (!Before)
    return false;
  bool Tight = Repeat->constant() == 1 || *Apart == *One;
  std::optional<Number> Pitch;
  if (!Tight)
    Pitch = Apart;
  addPieces(E, I.member(G, "Src"), false, T, *Before + *One,
            Tight ? *Before + *One : *One, Pitch);
  Value Pattern = I.member(G, "Pattern");
  std::optional<Number> Kept;
  if (Pattern.What == Value::Kind::Null)
    Kept = keptOf(Each, I.member(G, "BuiltIn").constant());
  else
    addWhole(E, Pattern, false, Elem::U8);
  std::optional<Number> Most = Number::multiply(*Each, *Repeat);
  if (Kept)
    Kept = Number::multiply(*Kept, *Repeat);
  Value Dst = I.member(G, "Dst");
  if (Kept)
    addExactly(E, Dst, true, T, times(Kept, Wide));
  else if (Most)
    addAtMost(E, Dst, true, T, *times(Most, Wide));
  else
    return false;
  MostAnswered = Kept ? Kept : Most;
  return true;
}

/// How many elements were kept: of those, all have values if the source has.
void Runtime::answered(const Value &Count) {
  std::optional<Number> Most = std::exchange(MostAnswered, std::nullopt);
  if (Most && Count.isNumber())
    I.facts().assume(*Most - Count.N);
}
