//===- Values.cpp - Which bytes hold a value, and of what type ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/Values.h"

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "sanitizer/Pieces.h"
#include "sanitizer/Sanitizer.h"

#include <span>

namespace belay::sim {

GlobalValues::GlobalValues(const Device &D) {
  for (const GlobalBuffer &B : D.globals()) {
    auto Begin = reinterpret_cast<uint64_t>(B.Address);
    Buffers.push_back({Begin, Begin + B.Bytes, ByteSet(B.Bytes, !B.HasValues),
                       B.Type, B.TypeKnown});
  }
}

GlobalValues::Buffer *GlobalValues::find(uint64_t Address) {
  for (Buffer &B : Buffers)
    if (Address >= B.Begin && Address < B.End)
      return &B;
  return nullptr;
}

bool GlobalValues::undefined(uint64_t Begin, uint64_t End) {
  std::lock_guard<std::mutex> Lock(M);
  Buffer *B = find(Begin);
  return B && B->Undefined.intersects(Begin - B->Begin, End - B->Begin);
}

uint64_t GlobalValues::countUndefined(uint64_t Begin, uint64_t End) {
  std::lock_guard<std::mutex> Lock(M);
  Buffer *B = find(Begin);
  return B ? B->Undefined.count(Begin - B->Begin, End - B->Begin) : 0;
}

void GlobalValues::assign(uint64_t Begin, uint64_t End, bool Undefined) {
  std::lock_guard<std::mutex> Lock(M);
  if (Buffer *B = find(Begin))
    B->Undefined.assign(Begin - B->Begin, End - B->Begin, Undefined);
}

const Elem *GlobalValues::typeOf(uint64_t Address) const {
  Buffer *B = const_cast<GlobalValues *>(this)->find(Address);
  return B && B->TypeKnown ? &B->Type : nullptr;
}

ByteSet &LocalValues::undefined(Space S) {
  auto &Set = Sets[static_cast<unsigned>(S)];
  if (!Set)
    Set = std::make_unique<ByteSet>(Owner.Memories.bytes(S), true);
  return *Set;
}

std::vector<uint8_t> &LocalValues::types(Space S) {
  auto &T = Tags[static_cast<unsigned>(S)];
  if (T.empty())
    T.assign(Owner.Memories.bytes(S) / 32 + 1, NoType);
  return T;
}

namespace {

constexpr uint32_t BlockBytes = 32;

uint64_t elementsOf(const OperandRecord &O) {
  return O.Bytes.work() / bytesOf(O.Type);
}

uint32_t offsetOf(const Core &C, const OperandRecord &O) {
  return static_cast<uint32_t>(static_cast<const uint8_t *>(O.Address) -
                               C.Memories.base(O.Where));
}

/// Visits the elements of an operand in the order in which it walks them.
template <typename Fn> void forEachElement(const OperandRecord &O, Fn Visit) {
  uint32_t Size = bytesOf(O.Type);
  uint64_t Index = 0;
  forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
    for (uint64_t B = 0; B + Size <= Bytes; B += Size)
      Visit(Index++, Offset + B);
  });
}

} // namespace

/// Whether any byte that an operand reads has no value.
bool Sanitizer::readsUndefined(const OperandRecord &O) {
  bool Any = false;
  uint64_t Base = O.Where == Space::GM ? reinterpret_cast<uint64_t>(O.Address)
                                       : offsetOf(C, O);
  forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
    uint64_t Begin = Base + Offset, End = Begin + Bytes;
    Any = Any || (O.Where == Space::GM
                      ? Shared.Values.undefined(Begin, End)
                      : Values.undefined(O.Where).intersects(Begin, End));
  });
  return Any;
}

void Sanitizer::setUndefined(const OperandRecord &O, bool Undefined) {
  uint64_t Base = O.Where == Space::GM ? reinterpret_cast<uint64_t>(O.Address)
                                       : offsetOf(C, O);
  forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
    uint64_t Begin = Base + Offset, End = Begin + Bytes;
    if (O.Where == Space::GM)
      Shared.Values.assign(Begin, End, Undefined);
    else
      Values.undefined(O.Where).assign(Begin, End, Undefined);
  });
}

bool Sanitizer::undefinedAt(const OperandRecord &O, uint64_t Offset) {
  uint64_t Begin = reinterpret_cast<uint64_t>(O.Address) + Offset;
  return undefinedBytes(Begin, Begin + bytesOf(O.Type));
}

/// Element i of the destination has a value if element i of every source has.
void Sanitizer::flowByElement(const OperandRecord &Dst,
                              const OperandRecord *const *Srcs, unsigned Num) {
  std::vector<bool> Bad(elementsOf(Dst));
  for (unsigned N = 0; N < Num; ++N)
    forEachElement(*Srcs[N], [&](uint64_t I, uint64_t Offset) {
      if (I < Bad.size() && undefinedAt(*Srcs[N], Offset))
        Bad[I] = true;
    });
  uint32_t Base = offsetOf(C, Dst), Size = bytesOf(Dst.Type);
  ByteSet &Set = Values.undefined(Dst.Where);
  forEachElement(Dst, [&](uint64_t I, uint64_t Offset) {
    Set.assign(Base + Offset, Base + Offset + Size, Bad[I]);
  });
}

bool Sanitizer::undefinedBytes(uint64_t Begin, uint64_t End) {
  const auto *Address = reinterpret_cast<const uint8_t *>(Begin);
  Space S = C.Memories.spaceOf(Address);
  if (S == Space::Host)
    return Shared.Values.undefined(Begin, End);
  uint64_t Offset = static_cast<uint64_t>(Address - C.Memories.base(S));
  return Values.undefined(S).intersects(Offset, Offset + End - Begin);
}

void Sanitizer::assignBytes(uint64_t Begin, uint64_t End, bool Undefined) {
  const auto *Address = reinterpret_cast<const uint8_t *>(Begin);
  Space S = C.Memories.spaceOf(Address);
  if (S == Space::Host)
    return Shared.Values.assign(Begin, End, Undefined);
  uint64_t Offset = static_cast<uint64_t>(Address - C.Memories.base(S));
  Values.undefined(S).assign(Offset, Offset + End - Begin, Undefined);
}

/// The instruction itself says what each piece of its destinations holds. All
/// origins are looked up first: the destination may be the source.
void Sanitizer::flowByOrigin(const InstructionRecord &I) {
  std::vector<bool> Bad(I.NumOrigins);
  for (uint64_t N = 0; N < I.NumOrigins; ++N)
    Bad[N] = undefinedBytes(I.Origins[N].Src, I.Origins[N].SrcEnd);
  // A piece with several origins needs all of them: the bad ones come last.
  for (bool Undefined : {false, true})
    for (uint64_t N = 0; N < I.NumOrigins; ++N)
      if (Bad[N] == Undefined)
        assignBytes(I.Origins[N].Dst, I.Origins[N].DstEnd, Undefined);
}

/// The same for instructions that tell when asked. Nothing without a value is
/// let into global memory twice.
void Sanitizer::flowByTeller(const InstructionRecord &I, const Root &From) {
  std::vector<Origin> Bad;
  (*I.Teller)([&](Origin O) {
    if (undefinedBytes(O.Src, O.SrcEnd))
      Bad.push_back(O);
  });
  for (unsigned N = 0; N < I.NumOperands; ++N)
    if (I.Operands[N].Write)
      setUndefined(I.Operands[N], false);
  uint64_t ToGlobal = 0;
  for (const Origin &O : Bad) {
    if (C.Memories.spaceOf(reinterpret_cast<const void *>(O.Dst)) ==
        Space::Host)
      ToGlobal += O.DstEnd - O.Dst;
    else
      assignBytes(O.Dst, O.DstEnd, true);
  }
  if (ToGlobal)
    reportUndefined(I, From, "global memory", ToGlobal);
}

/// Values flow from the sources of an instruction to its destinations.
void Sanitizer::flow(const InstructionRecord &I) {
  bool AnyUndefined = false;
  for (unsigned N = 0; N < I.NumOperands; ++N)
    AnyUndefined |= !I.Operands[N].Write && readsUndefined(I.Operands[N]);
  Slices::LostBytes Lost = Parts.reads(I);
  Parts.writes(I);
  if (!AnyUndefined && !Lost.How)
    return flowValues(I, false);
  Root From =
      AnyUndefined ? rootOf(I) : Root{I.PC, I.Name, I.On, false, Lost.How};
  std::vector<uint64_t> Hidden = hideLost(Lost);
  flowValues(I, true, &From);
  noteRoot(I, From);
  showLost(I, std::move(Hidden));
}

/// A copy in loops has a source and a destination for each iteration, in turn;
/// all of them with all would take the square of their number.
static bool copiesInPairs(const InstructionRecord &I) {
  if (I.Kind != InstructionKind::Copy || I.NumOperands < 4)
    return false;
  for (unsigned N = 0; N < I.NumOperands; ++N)
    if (I.Operands[N].Write != (N % 2 == 1))
      return false;
  return I.NumOperands % 2 == 0;
}

void Sanitizer::flowValues(const InstructionRecord &I, bool AnyUndefined,
                           const Root *From) {
  if (I.Shape)
    return flowProduct(I, AnyUndefined);
  if (AnyUndefined && I.Teller)
    return flowByTeller(I, *From);
  if (AnyUndefined && I.NumOrigins)
    return flowByOrigin(I);
  if (AnyUndefined && I.On == Pipe::S)
    reportUndefined(I, *From,
                    "the scalar unit, which branches and addresses by it",
                    undefinedIn(I));
  bool InPairs = copiesInPairs(I), Reported = false;
  std::vector<const OperandRecord *> All;
  for (unsigned N = 0; N < I.NumOperands && !InPairs; ++N)
    if (!I.Operands[N].Write)
      All.push_back(&I.Operands[N]);
  for (unsigned N = 0; N < I.NumOperands; ++N) {
    const OperandRecord &O = I.Operands[N];
    if (!O.Write)
      continue;
    const OperandRecord *Before = InPairs ? &I.Operands[N - 1] : nullptr;
    std::span<const OperandRecord *const> Srcs =
        InPairs ? std::span(&Before, 1) : std::span(All);
    bool ByElement = AnyUndefined && O.Where != Space::GM;
    for (const OperandRecord *Src : Srcs)
      ByElement &= elementsOf(*Src) == elementsOf(O);
    if (AnyUndefined && O.Where == Space::GM && !(InPairs && Reported))
      reportUndefined(I, *From, "global memory", undefinedIn(I));
    Reported |= AnyUndefined && O.Where == Space::GM;
    if (ByElement)
      flowByElement(O, Srcs.data(), static_cast<unsigned>(Srcs.size()));
    else
      setUndefined(O, AnyUndefined && O.Where != Space::GM);
  }
}

/// Floats are read as what they were written as. Integer views of the same bits
/// are common and harmless, and so are the lanes past the data: only the
/// first block of an operand counts.
void Sanitizer::checkTypes(const InstructionRecord &I) {
  for (bool Writes : {false, true})
    for (unsigned N = 0; N < I.NumOperands; ++N) {
      const OperandRecord &O = I.Operands[N];
      if (O.Write != Writes)
        continue;
      if (O.Where == Space::GM)
        checkGlobalType(I, O);
      else if (O.Write)
        tagBlocks(O);
      else if (uint8_t Tag = Values.types(O.Where)[offsetOf(C, O) / BlockBytes];
               isFloat(O.Type) && Tag != LocalValues::NoType &&
               Tag != static_cast<uint8_t>(O.Type))
        reportTypes(I, O, static_cast<Elem>(Tag));
    }
}

void Sanitizer::checkGlobalType(const InstructionRecord &I,
                                const OperandRecord &O) {
  const Elem *Host =
      Shared.Values.typeOf(reinterpret_cast<uint64_t>(O.Address));
  if (Host && isFloat(*Host) && isFloat(O.Type) && *Host != O.Type)
    reportTypes(I, O, *Host);
}

/// Whether an operand in local memory starts with floats of type T.
bool Sanitizer::holds(const OperandRecord &O, Elem T) {
  return Values.types(O.Where)[offsetOf(C, O) / BlockBytes] ==
         static_cast<uint8_t>(T);
}

void Sanitizer::tagBlocks(const OperandRecord &O) {
  auto &Tags = Values.types(O.Where);
  uint8_t Tag =
      isFloat(O.Type) ? static_cast<uint8_t>(O.Type) : LocalValues::NoType;
  uint32_t Base = offsetOf(C, O);
  forEachPiece(O.Bytes, [&](uint64_t Offset, uint64_t Bytes) {
    uint64_t Begin = (Base + Offset) / BlockBytes;
    uint64_t End = (Base + Offset + Bytes + BlockBytes - 1) / BlockBytes;
    std::fill(Tags.begin() + static_cast<long>(Begin),
              Tags.begin() + static_cast<long>(End), Tag);
  });
}

void Sanitizer::reportTypes(const InstructionRecord &I, const OperandRecord &O,
                            Elem Was) {
  Shared.Out.add("type-confusion", {&C, I.PC, ""}, {},
                 std::string(I.Name) + (O.Write ? " writes " : " reads ") +
                     nameOf(O.Type) + " where {buffer|" + nameOf(O.Where) +
                     "} holds " + nameOf(Was),
                 "use the type that the data has, and Cast to convert", O);
}

} // namespace belay::sim
