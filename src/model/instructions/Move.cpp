//===- Move.cpp - Moving, repeating and counting elements -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "model/instructions/ByType.h"
#include "model/instructions/Elementwise.h"

#include <cstring>
#include <vector>

namespace belay::sim {

namespace {

/// Calls Fn with a value of an unsigned type of the element's size.
template <typename Fn> void bySize(Elem T, Fn F) {
  switch (bytesOf(T)) {
  case 1:
    return F(uint8_t());
  case 2:
    return F(uint16_t());
  case 4:
    return F(uint32_t());
  default:
    return F(uint64_t());
  }
}

/// In counter mode Copy, unlike the rest, does its repeats, each of as many
/// elements as the mask says, block after block by the block stride.
void copyCounted(Issue &I, Elem T, void *Dst, const void *Src, const Walk &W,
                 uint64_t Count) {
  uint64_t Bytes = product(Count, bytesOf(T));
  uint64_t Blocks = divideUp(Bytes, BlockBytes);
  uint64_t Tail = Bytes - (Blocks ? Blocks - 1 : 0) * BlockBytes;
  auto extent = [&](const Stride &S) -> Extent {
    return {BlockBytes, Blocks, int64_t(S.Block) * BlockBytes, W.Repeat,
            int64_t(S.Repeat) * BlockBytes};
  };
  I.read(Src, extent(W.Operand[1]), T);
  I.write(Dst, extent(W.Operand[0]), T);
  if (I.later(belay_sim_vector_copy, T, Dst, Src, &W))
    return;
  for (uint32_t R = 0; R < W.Repeat; ++R)
    for (uint64_t B = 0; B < Blocks; ++B) {
      auto offset = [&](const Stride &S) {
        return (uint64_t(R) * S.Repeat + B * S.Block) * BlockBytes;
      };
      std::memmove(at(Dst, offset(W.Operand[0])), at(Src, offset(W.Operand[1])),
                   B + 1 == Blocks ? Tail : BlockBytes);
    }
}

template <typename T>
void index(void *Dst, const void *First, uint64_t From, size_t N) {
  auto *D = static_cast<T *>(Dst);
  auto Start = static_cast<Wide<T>>(*static_cast<const T *>(First));
  for (size_t I = 0; I < N; ++I)
    D[I] = static_cast<T>(wrap(Start) + wrap(static_cast<Wide<T>>(From + I)));
}

using IndexFn = void (*)(void *, const void *, uint64_t, size_t);
IndexFn findIndex(Elem T) {
  return byType(T, SignedTypes::With<F16, float>(),
                []<typename U> { return index<U>; });
}

/// Bytes of so many elements.
uint64_t bytesOfCount(const Issue &I, Elem T, int64_t Count) {
  if (Count < 0)
    fail("local-out-of-bounds", I.pc(),
         "check count, repeat and strides against the size of the tensor",
         "%s has a count of %lld elements", I.name(),
         static_cast<long long>(Count));
  return product(static_cast<uint64_t>(Count), bytesOf(T));
}

uint64_t evenBytes(const Issue &I, Elem T, int64_t Count) {
  if (Count < 0 || Count % 2)
    fail("bad-repeat", I.pc(), "round the count to an even number",
         "%s has a count of %lld, but takes elements in pairs", I.name(),
         static_cast<long long>(Count));
  return bytesOfCount(I, T, Count);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_vector_copy(Elem T, void *Dst, const void *Src, const Walk *W) {
  static const DtypeRow *Dtypes = findDtypes("Copy");
  Issue I("Copy", on::vector_copy, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes, T, W->Mode);
  if (W->Mode == MaskMode::Count)
    requireFact(I, I.core().arch().hasCopyCount);
  const Registers &R = I.core().Regs;
  if (W->Mode != MaskMode::Count && R.MaskCounter)
    return copyCounted(I, T, Dst, Src, *W,
                       W->Mode == MaskMode::Register ? R.MaskLow : W->Mask[0]);
  uint32_t Size = bytesOf(T);
  Lanes L = Lanes::resolve(*W, Size, I);
  I.read(Src, extentOf(L, W->Operand[1], Size), T);
  I.write(Dst, extentOf(L, W->Operand[0], Size), T);
  if (I.later(belay_sim_vector_copy, T, Dst, Src, W))
    return;
  forEachRun<2>(L, W->Operand, {Size, Size},
                [&](const uint64_t (&O)[2], size_t N) {
                  std::memmove(at(Dst, O[0]), at(Src, O[1]), N * Size);
                });
}

void belay_sim_brcb(Elem T, void *Dst, const void *Src, uint32_t Repeat,
                    Stride S) {
  static const DtypeRow *Dtypes = findDtypes("Brcb");
  Issue I("Brcb", on::brcb, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes, T, MaskMode::Lanes);
  if (Repeat > MaxRepeat)
    fail("bad-repeat", I.pc(), "split the work",
         "Brcb has a repeat of %u; the instruction's field ends at %u", Repeat,
         MaxRepeat);
  uint32_t Block = S.Block ? S.Block : 1;
  uint32_t Size = bytesOf(T), Count = Repeat * BlocksPerRepeat;
  I.read(Src, {uint64_t(Count) * Size}, T);
  I.write(Dst,
          {BlockBytes, BlocksPerRepeat, int64_t(Block) * BlockBytes, Repeat,
           int64_t(S.Repeat) * BlockBytes},
          T);
  if (I.later(belay_sim_brcb, T, Dst, Src, Repeat, S))
    return;
  bySize(T, [&](auto Zero) {
    using U = decltype(Zero);
    for (uint32_t N = 0; N < Count; ++N) {
      uint64_t Offset = (uint64_t(N / BlocksPerRepeat) * S.Repeat +
                         uint64_t(N % BlocksPerRepeat) * Block) *
                        BlockBytes;
      if (I.watched())
        I.origin(at(Dst, Offset), BlockBytes, at(Src, uint64_t(N) * Size),
                 Size);
      std::fill_n(reinterpret_cast<U *>(at(Dst, Offset)),
                  BlockBytes / sizeof(U), static_cast<const U *>(Src)[N]);
    }
  });
}

void belay_sim_vec_index(Elem T, void *Dst, const void *First, const Walk *W) {
  static const DtypeRow *Dtypes = findDtypes("CreateVecIndex");
  Issue I("CreateVecIndex", on::vec_index, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes, T, W->Mode);
  IndexFn Fn = findIndex(T);
  if (!Fn)
    I.unsupported(T);
  uint32_t Size = bytesOf(T);
  Lanes L = Lanes::resolve(*W, Size, I);
  checkDestination(I, L, W->Operand[0], Size);
  I.write(Dst, extentOf(L, W->Operand[0], Size), T);
  if (I.later(belay_sim_vec_index, T, Dst, I.scalarAt(First, T), W))
    return;
  // The second operand is imaginary: contiguous, its offset is the lane.
  Stride Strides[2] = {W->Operand[0], {1, BlocksPerRepeat}};
  forEachRun<2>(L, Strides, {Size, Size},
                [&](const uint64_t (&O)[2], size_t N) {
                  Fn(at(Dst, O[0]), First, O[1] / Size, N);
                });
}

void belay_sim_interleave(Elem T, void *Dst0, void *Dst1, const void *Src0,
                          const void *Src1, int64_t Count) {
  static const DtypeRow *Dtypes = findDtypes("Interleave");
  Issue I("Interleave", on::interleave, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes, T, MaskMode::Count);
  uint64_t Bytes = evenBytes(I, T, Count);
  if (!Bytes)
    return;
  I.read(Src0, {Bytes}, T);
  I.read(Src1, {Bytes}, T);
  I.write(Dst0, {Bytes}, T);
  I.write(Dst1, {Bytes}, T);
  if (I.later(belay_sim_interleave, T, Dst0, Dst1, Src0, Src1, Count))
    return;
  bySize(T, [&](auto Zero) {
    using U = decltype(Zero);
    std::vector<U> Both(2 * static_cast<size_t>(Count));
    for (int64_t N = 0; N < Count; ++N) {
      Both[2 * N] = static_cast<const U *>(Src0)[N];
      Both[2 * N + 1] = static_cast<const U *>(Src1)[N];
    }
    std::memcpy(Dst0, Both.data(), Bytes);
    std::memcpy(Dst1, Both.data() + Count, Bytes);
  });
}

void belay_sim_deinterleave(Elem T, void *Dst0, void *Dst1, const void *Src0,
                            const void *Src1, int64_t Count) {
  static const DtypeRow *Dtypes = findDtypes("DeInterleave");
  Issue I("DeInterleave", on::deinterleave, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes, T, MaskMode::Count);
  uint64_t Bytes = evenBytes(I, T, Count);
  uint64_t Written = Src1 ? Bytes : Bytes / 2;
  I.read(Src0, {Bytes}, T);
  if (Src1)
    I.read(Src1, {Bytes}, T);
  I.write(Dst0, {Written}, T);
  I.write(Dst1, {Written}, T);
  if (I.later(belay_sim_deinterleave, T, Dst0, Dst1, Src0, Src1, Count))
    return;
  bySize(T, [&](auto Zero) {
    using U = decltype(Zero);
    std::vector<U> Both(Written / sizeof(U) * 2);
    if (Bytes)
      std::memcpy(Both.data(), Src0, Bytes);
    if (Src1 && Bytes)
      std::memcpy(Both.data() + Count, Src1, Bytes);
    for (size_t N = 0; N < Both.size() / 2; ++N) {
      static_cast<U *>(Dst0)[N] = Both[2 * N];
      static_cast<U *>(Dst1)[N] = Both[2 * N + 1];
    }
  });
}

void belay_sim_mull(Elem T, void *Low, void *High, const void *Src0,
                    const void *Src1, int64_t Count) {
  Issue I("Mull", on::mull, BELAY_PC);
  if (I.dropped())
    return;
  requireFact(I, I.core().arch().hasMull);
  if (T != Elem::S32 && T != Elem::U32)
    I.unsupported(T);
  uint64_t Bytes = bytesOfCount(I, T, Count);
  I.read(Src0, {Bytes}, T);
  I.read(Src1, {Bytes}, T);
  I.write(Low, {Bytes}, T);
  I.write(High, {Bytes}, T);
  if (I.later(belay_sim_mull, T, Low, High, Src0, Src1, Count))
    return;
  for (int64_t N = 0; N < Count; ++N) {
    uint64_t Product;
    if (T == Elem::S32)
      Product =
          static_cast<uint64_t>(int64_t(static_cast<const int32_t *>(Src0)[N]) *
                                static_cast<const int32_t *>(Src1)[N]);
    else
      Product = uint64_t(static_cast<const uint32_t *>(Src0)[N]) *
                static_cast<const uint32_t *>(Src1)[N];
    static_cast<uint32_t *>(Low)[N] = static_cast<uint32_t>(Product);
    static_cast<uint32_t *>(High)[N] = static_cast<uint32_t>(Product >> 32);
  }
}
