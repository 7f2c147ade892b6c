//===- Gather.cpp - Elements and blocks by offset -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gather, Scatter, Gatherb. Offsets are checked before anything moves, so that
// the report names the first bad one.
//
//===----------------------------------------------------------------------===//

#include "abi/Gather.h"

#include "model/instructions/Elementwise.h"
#include "model/instructions/ListChecks.h"

#include <cstring>
#include <vector>

namespace belay::sim {

namespace {

/// Calls Run(Near, Offsets, N) for stretches of lanes.
template <typename Fn>
void forEachOffset(const IndexedMove &M, const Lanes &L, Fn Run) {
  uint32_t Size = bytesOf(M.T);
  auto OffsetStride = static_cast<uint16_t>(L.PerRepeat * 4 / BlockBytes);
  const Stride S[3] = {M.W.Operand[0], {1, OffsetStride}, {}};
  forEachRun<2>(L, S, {Size, 4}, [&](const uint64_t (&O)[2], size_t N) {
    Run(at(M.Near, O[0]),
        reinterpret_cast<const uint32_t *>(at(M.Offsets, O[1])), N);
  });
}

/// The bytes between the first and the last that offsets select.
struct Span {
  uint64_t Begin = ~uint64_t(0), End = 0;
};

[[noreturn]] void badOffset(const IndexedMove &M, const Lanes &L,
                            const uint32_t *Where, uint64_t Limit,
                            uint64_t Highest, Issue &I) {
  size_t Place = Where - M.Offsets;
  size_t Repeat = Place / L.PerRepeat, Lane = Place % L.PerRepeat;
  uint32_t Size = bytesOf(M.T);
  if ((M.Base + *Where) % Size)
    fail("misaligned-address", I.pc(),
         "offsets are in bytes: multiply indices by the size of the element",
         "%s: offset %u (lane %zu of repeat %zu) plus base %llu is not a "
         "multiple of the %u bytes of a %s",
         I.name(), *Where, Lane, Repeat,
         static_cast<unsigned long long>(M.Base), Size, nameOf(M.T));
  if (*Where > Highest)
    fail("local-out-of-bounds", I.pc(),
         "gather from a nearer part of the tensor",
         "%s: offset %u (lane %zu of repeat %zu) exceeds %llu, the highest "
         "that a %s has on this architecture",
         I.name(), *Where, Lane, Repeat,
         static_cast<unsigned long long>(Highest), nameOf(M.T));
  fail("local-out-of-bounds", I.pc(),
       "offsets are in bytes and count from the start of the tensor; clamp "
       "them before the call",
       "%s: offset %u (lane %zu of repeat %zu) plus base %llu lies outside "
       "the tensor, which has %llu bytes",
       I.name(), *Where, Lane, Repeat, static_cast<unsigned long long>(M.Base),
       static_cast<unsigned long long>(Limit));
}

Span checkOffsets(const IndexedMove &M, const Lanes &L, Issue &I) {
  uint32_t Size = bytesOf(M.T);
  const LocalMemories &Local = I.core().Memories;
  Space Where = Local.spaceOf(M.Far);
  // Whatever it is, the bounds of the memory are looked at before it is used.
  if (Where == Space::Host)
    I.inside(M.Far, {Size}, M.T, M.Scatter);
  uint64_t Limit =
      M.FarBytes ? M.FarBytes
                 : Local.bytes(Where) -
                       (static_cast<uint8_t *>(M.Far) - Local.base(Where));
  uint64_t Highest = I.core().arch().highestOffset(Size);
  Span Used;
  forEachOffset(M, L, [&](const uint8_t *, const uint32_t *Offsets, size_t N) {
    for (size_t K = 0; K < N; ++K) {
      uint64_t Begin = M.Base + Offsets[K];
      if (M.Base >= TooMuch || Begin % Size || Offsets[K] > Highest ||
          Begin + Size > Limit)
        badOffset(M, L, &Offsets[K], Limit, Highest, I);
      Used.Begin = std::min(Used.Begin, Begin);
      Used.End = std::max(Used.End, Begin + Size);
    }
  });
  return Used;
}

void checkConflicts(const IndexedMove &M, const Lanes &L, const Span &Used,
                    Issue &I) {
  uint32_t Size = bytesOf(M.T);
  std::vector<bool> Taken((Used.End - Used.Begin) / Size);
  forEachOffset(M, L, [&](const uint8_t *, const uint32_t *Offsets, size_t N) {
    for (size_t K = 0; K < N; ++K) {
      auto Seen = Taken[(M.Base + Offsets[K] - Used.Begin) / Size];
      if (Seen)
        fail("scatter-conflict", I.pc(),
             "make the offsets of one call differ, or combine equal ones first",
             "Scatter: two lanes write at offset %u; which one stays is "
             "undefined",
             Offsets[K]);
      Seen = true;
    }
  });
}

/// Whether a gather onto its own source reads an element that it also changes:
/// then the result depends on the order of the lanes. A lane that copies an
/// element onto itself changes nothing.
bool readsWhatItChanges(const IndexedMove &M, const Lanes &L,
                        const Span &Used) {
  uint32_t Size = bytesOf(M.T);
  const uint8_t *First = at(M.Far, Used.Begin);
  std::vector<bool> Read((Used.End - Used.Begin) / Size);
  forEachOffset(M, L, [&](const uint8_t *, const uint32_t *Offsets, size_t N) {
    for (size_t K = 0; K < N; ++K)
      Read[(M.Base + Offsets[K] - Used.Begin) / Size] = true;
  });
  bool Found = false;
  forEachOffset(M, L,
                [&](const uint8_t *Near, const uint32_t *Offsets, size_t N) {
                  for (size_t K = 0; K < N; ++K) {
                    const uint8_t *Here = Near + K * Size;
                    const uint8_t *There = at(M.Far, M.Base + Offsets[K]);
                    if (Here != There && Here >= First &&
                        Here < First + Read.size() * Size)
                      Found |= Read[(Here - First) / Size];
                  }
                });
  return Found;
}

/// The device promises nothing for operands that overlap. A plain run goes on
/// where no order of the lanes could change the result.
void checkApart(const IndexedMove &M, const Lanes &L, const Span &Used,
                uint64_t NearBytes, Issue &I) {
  const uint8_t *First = at(M.Far, Used.Begin);
  uint64_t FarBytes = Used.End - Used.Begin;
  if (!M.Scatter && !I.watched() &&
      overlap(M.Near, NearBytes, First, FarBytes) &&
      !readsWhatItChanges(M, L, Used))
    return;
  checkApart(I, M.Near, NearBytes, First, FarBytes);
}

template <typename T> void moveLanes(const IndexedMove &M, const Lanes &L) {
  uint8_t *Far = at(M.Far, M.Base);
  forEachOffset(M, L,
                [&](uint8_t *NearBytes, const uint32_t *Offsets, size_t N) {
                  auto *Near = reinterpret_cast<T *>(NearBytes);
                  if (M.Scatter)
                    for (size_t K = 0; K < N; ++K)
                      std::memcpy(Far + Offsets[K], &Near[K], sizeof(T));
                  else
                    for (size_t K = 0; K < N; ++K)
                      std::memcpy(&Near[K], Far + Offsets[K], sizeof(T));
                });
}

void noteOrigins(const IndexedMove &M, const Lanes &L, Issue &I) {
  uint32_t Size = bytesOf(M.T);
  const uint8_t *Far = at(M.Far, M.Base);
  forEachOffset(M, L, [&](uint8_t *Near, const uint32_t *Offsets, size_t N) {
    for (size_t K = 0; K < N; ++K) {
      const uint8_t *There = Far + Offsets[K], *Here = Near + K * Size;
      I.origin(M.Scatter ? There : Here, Size, M.Scatter ? Here : There, Size);
    }
  });
}

void checkTypes(const IndexedMove &M, Issue &I) {
  const targets::Arch &Arch = I.core().arch();
  if (M.Scatter && !Arch.hasScatter)
    unsupportedApi(I, "write the elements with SetValue, or gather instead");
  bool Has = isOneOf(M.T, {Elem::U16, Elem::F16, Elem::U32, Elem::F32});
  if (!M.Scatter || Arch.scattersSigned)
    Has |= isOneOf(M.T, {Elem::S16, Elem::S32});
  if (Arch.hasBf16)
    Has |= M.T == Elem::BF16;
  if (Arch.hasInt64)
    Has |= isOneOf(M.T, {Elem::S64, Elem::U64});
  if (Arch.gathersBytes && M.W.Mode == MaskMode::Count)
    Has |= isOneOf(M.T, {Elem::S8, Elem::U8});
  if (!Has)
    I.unsupported(M.T);
}

void checkBlockTypes(const BlockGather &G, Issue &I) {
  const targets::Arch &Arch = I.core().arch();
  if (!Arch.hasGatherb)
    unsupportedApi(I, "use Gather");
  bool Has = isOneOf(G.T, {Elem::U16, Elem::U32});
  if (Arch.gathersAnyBlock)
    Has |= isOneOf(G.T, {Elem::S8, Elem::U8, Elem::S16, Elem::F16, Elem::BF16,
                         Elem::S32, Elem::F32, Elem::S64, Elem::U64});
  if (!Has)
    I.unsupported(G.T);
}

void checkBlockOffset(const BlockGather &G, uint32_t Place, Issue &I) {
  uint64_t Offset = G.Offsets[Place];
  if (Offset % BlockBytes)
    fail("misaligned-address", I.pc(),
         "Gatherb moves whole blocks: offsets are multiples of 32",
         "Gatherb: offset %llu (number %u) is not a multiple of 32 bytes",
         static_cast<unsigned long long>(Offset), Place);
  if (G.SrcBytes && Offset + BlockBytes > G.SrcBytes)
    fail("local-out-of-bounds", I.pc(),
         "offsets are in bytes and count from the start of the tensor",
         "Gatherb: the block at offset %llu (number %u) lies outside the "
         "tensor, which has %llu bytes",
         static_cast<unsigned long long>(Offset), Place,
         static_cast<unsigned long long>(G.SrcBytes));
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_indexed_move(const IndexedMove *M) {
  Issue I(M->Scatter ? "Scatter" : "Gather", on::indexed_move, BELAY_PC);
  if (I.dropped())
    return;
  checkTypes(*M, I);
  uint32_t Size = bytesOf(M->T);
  Lanes L = Lanes::resolve(M->W, Size, I);
  if (!L.Repeats)
    return;
  uint64_t NumOffsets = product(L.Repeats - 1, L.PerRepeat) + L.LastActive;
  I.read(M->Offsets, {product(NumOffsets, 4u)}, Elem::U32);
  Extent Near = extentOf(L, M->W.Operand[0], Size);
  if (M->Scatter)
    I.read(M->Near, Near, M->T);
  else
    I.write(M->Near, Near, M->T);
  checkAligned(I, M->Far, BlockBytes, M->Scatter ? "destination" : "source");
  I.operandsFromData();
  if (I.later(belay_sim_indexed_move, M))
    return;
  Span Used = checkOffsets(*M, L, I);
  uint64_t Bytes = Used.End - Used.Begin;
  uint8_t *First = offsetBy(M->Far, Used.Begin);
  if (M->Scatter)
    I.write(First, {Bytes}, M->T, 1);
  else
    I.read(First, {Bytes}, M->T, 1);
  checkApart(*M, L, Used, Near.span(), I);
  if (M->Scatter)
    checkConflicts(*M, L, Used, I);
  if (I.watched())
    noteOrigins(*M, L, I);
  CheckedOffsets Offsets(M->Offsets, NumOffsets, M->Scatter ? First : M->Near,
                         M->Scatter ? Bytes : Near.span());
  IndexedMove Safe = *M;
  Safe.Offsets = Offsets.data();
  switch (Size) {
  case 1:
    return moveLanes<uint8_t>(Safe, L);
  case 2:
    return moveLanes<uint16_t>(Safe, L);
  case 4:
    return moveLanes<uint32_t>(Safe, L);
  default:
    return moveLanes<uint64_t>(Safe, L);
  }
}

void belay_sim_gather_blocks(const BlockGather *G) {
  Issue I("Gatherb", on::gather_blocks, BELAY_PC);
  if (I.dropped())
    return;
  checkBlockTypes(*G, I);
  if (!G->Repeat)
    return;
  uint32_t Blocks = G->Repeat * BlocksPerRepeat;
  uint32_t BlockStride = std::max<uint32_t>(G->DstBlockStride, 1);
  Extent Written = {BlockBytes, BlocksPerRepeat,
                    int64_t(BlockStride) * BlockBytes, G->Repeat,
                    int64_t(G->DstRepeatStride) * BlockBytes};
  I.read(G->Offsets, {uint64_t(Blocks) * 4}, Elem::U32);
  I.write(G->Dst, Written, G->T);
  checkAligned(I, G->Src, BlockBytes, "source");
  I.operandsFromData();
  if (I.later(belay_sim_gather_blocks, G))
    return;
  uint64_t Begin = ~uint64_t(0), End = 0;
  for (uint32_t B = 0; B < Blocks; ++B) {
    checkBlockOffset(*G, B, I);
    Begin = std::min<uint64_t>(Begin, G->Offsets[B]);
    End = std::max<uint64_t>(End, uint64_t(G->Offsets[B]) + BlockBytes);
  }
  I.read(offsetBy(G->Src, Begin), {End - Begin}, G->T);
  checkApart(I, G->Dst, Written.span(), at(G->Src, Begin), End - Begin);
  CheckedOffsets Offsets(G->Offsets, Blocks, G->Dst, Written.span());
  for (uint32_t B = 0; B < Blocks; ++B) {
    uint64_t To = uint64_t(B / BlocksPerRepeat) * G->DstRepeatStride +
                  uint64_t(B % BlocksPerRepeat) * BlockStride;
    uint8_t *Dst = at(G->Dst, To * BlockBytes);
    const uint8_t *Src = at(G->Src, Offsets.data()[B]);
    std::memcpy(Dst, Src, BlockBytes);
    uint32_t Size = bytesOf(G->T);
    for (uint32_t K = 0; I.watched() && K < BlockBytes; K += Size)
      I.origin(Dst + K, Size, Src + K, Size);
  }
}
