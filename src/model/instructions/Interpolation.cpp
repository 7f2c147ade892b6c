//===- Interpolation.cpp - Padding blocks, weighing blocks ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Transpose.h"
#include "model/instructions/Elementwise.h"
#include "model/instructions/ListChecks.h"

#include <cstring>

namespace belay::sim {

namespace {

/// The element of a source block that lane K of the padding block repeats, or
/// -1 for zero. The modes: the nearest element; the mirror image; the mirror
/// image without its first element.
int paddingSource(uint8_t Mode, bool Right, int K, int PerBlock) {
  switch (Mode) {
  case 0:
    return Right ? PerBlock - 1 : 0;
  case 1:
    return PerBlock - 1 - K;
  default:
    return Right ? PerBlock - 2 - K : K == 0 ? -1 : PerBlock - K;
  }
}

/// Elements have 2 or 4 bytes; only whole ones move.
template <typename E> void padLanes(const Padding &P, const Lanes &L) {
  constexpr uint32_t PerBlock = BlockBytes / sizeof(E);
  const Stride &D = P.W.Operand[0], &S = P.W.Operand[1];
  for (uint64_t R = 0; R < L.Repeats; ++R) {
    uint32_t Active = R + 1 == L.Repeats ? L.LastActive : L.Active;
    for (uint32_t B = 0; B * PerBlock < Active; ++B) {
      E Block[PerBlock];
      std::memcpy(
          Block, at(P.Src, (R * S.Repeat + uint64_t(B) * S.Block) * BlockBytes),
          BlockBytes);
      auto *Dst = reinterpret_cast<E *>(
          at(P.Dst, (R * D.Repeat + uint64_t(B) * D.Block) * BlockBytes));
      for (uint32_t K = 0; K < PerBlock && B * PerBlock + K < Active; ++K) {
        if (L.Sparse && !L.lane(B * PerBlock + K))
          continue;
        int From = paddingSource(P.Mode, P.Right, static_cast<int>(K),
                                 static_cast<int>(PerBlock));
        Dst[K] = From < 0 ? E(0) : Block[From];
      }
    }
  }
}

constexpr uint32_t HalvesPerBlock = BlockBytes / sizeof(F16);
constexpr uint32_t HalvesPerRepeat = RepeatBytes / sizeof(F16);

void checkRanges(const Interpolation &P, Issue &I) {
  if (!P.Horizontal || !P.Vertical)
    fail("bad-repeat", I.pc(), "repeat at least once in each direction",
         "%s has hRepeat %u and vRepeat %u, but both must be in [1, 255]",
         I.name(), P.Horizontal, P.Vertical);
  if (P.DstStep < 128 || P.DstStep == 65535 ||
      P.DstStep * sizeof(F16) % BlockBytes)
    fail("bad-repeat", I.pc(), "step by at least a repeat, in whole blocks",
         "%s has vROffset %u, but it must be a multiple of 16 in [128, 65535)",
         I.name(), P.DstStep);
}

/// Bytes of sharedTmpBuffer that the API's documentation asks for.
uint64_t tmpBytes(const Interpolation &P, const targets::Arch &Arch) {
  switch (Arch.interpolationTmp) {
  case targets::InterpolationTmp::None:
    return 0;
  case targets::InterpolationTmp::Offsets:
    return P.OffsetBytes;
  case targets::InterpolationTmp::Blocks:
    break;
  }
  return product(std::min(P.SrcBytes, TooMuch) / sizeof(F16) +
                     std::min(P.WeightBytes, TooMuch) / sizeof(F16),
                 BlockBytes);
}

void checkOffsets(const Interpolation &P, uint32_t Count, Issue &I) {
  for (uint32_t N = 0; N < Count; ++N) {
    uint64_t Offset = P.Offsets[N];
    if (Offset % BlockBytes)
      fail("misaligned-address", I.pc(), "offsets are multiples of 32 bytes",
           "%s: offset %llu (number %u) is not a multiple of 32", I.name(),
           static_cast<unsigned long long>(Offset), N);
    if (Offset + BlockBytes > P.SrcBytes)
      fail("local-out-of-bounds", I.pc(),
           "offsets are in bytes and count from the start of src0",
           "%s: the block at offset %llu (number %u) lies outside src0, which "
           "has %llu bytes",
           I.name(), static_cast<unsigned long long>(Offset), N,
           static_cast<unsigned long long>(P.SrcBytes));
  }
}

/// Products and sums round to half one by one, as Mul and Add do.
void interpolateOnce(const Interpolation &P, const Lanes &L, uint32_t V) {
  const auto *Weights = static_cast<const F16 *>(P.Weights);
  F16 Sum[HalvesPerRepeat];
  for (uint32_t H = 0; H < P.Horizontal; ++H) {
    uint32_t Step = V * P.Horizontal + H;
    for (uint32_t K = 0; K < HalvesPerRepeat; ++K) {
      uint32_t Block = K / HalvesPerBlock;
      const auto *Src = reinterpret_cast<const F16 *>(
          at(P.Src, P.Offsets[Step * BlocksPerRepeat + Block]));
      F16 Weight =
          Weights[P.WeightPerBlock ? Step * BlocksPerRepeat + Block : Step];
      F16 Product = Src[K % HalvesPerBlock] * Weight;
      Sum[K] = H == 0 ? Product : static_cast<F16>(Sum[K] + Product);
    }
  }
  F16 *Dst = static_cast<F16 *>(P.Dst) + uint64_t(V) * P.DstStep;
  for (uint32_t K = 0; K < L.LastActive; ++K)
    if (!L.Sparse || L.lane(K))
      Dst[uint64_t(K / HalvesPerBlock) * P.DstBlockStride * HalvesPerBlock +
          K % HalvesPerBlock] = Sum[K];
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_pad_blocks(const Padding *P) {
  Issue I("VectorPadding", on::pad_blocks, BELAY_PC);
  if (I.dropped())
    return;
  if (!I.core().arch().hasVectorPadding)
    unsupportedApi(I, "build the padding with Gather or Duplicate");
  if (!isOneOf(P->T, {Elem::S16, Elem::U16, Elem::F16, Elem::S32, Elem::U32,
                      Elem::F32}))
    I.unsupported(P->T);
  if (P->Mode > 2)
    fail("bad-repeat", I.pc(), "0 repeats, 1 and 2 mirror",
         "VectorPadding has padMode %u, but it must be in [0, 2]", P->Mode);
  uint32_t Size = bytesOf(P->T);
  Lanes L = Lanes::resolve(P->W, Size, I);
  if (!L.Repeats)
    return;
  // Whole blocks are read, whatever the mask says of the destination.
  Lanes FullBlocks = L;
  uint32_t PerBlock = BlockBytes / Size;
  FullBlocks.Sparse = false;
  FullBlocks.Active = (L.Active + PerBlock - 1) / PerBlock * PerBlock;
  FullBlocks.LastActive = (L.LastActive + PerBlock - 1) / PerBlock * PerBlock;
  I.read(P->Src, extentOf(FullBlocks, P->W.Operand[1], Size), P->T);
  I.write(P->Dst, extentOf(L, P->W.Operand[0], Size), P->T);
  if (I.later(belay_sim_pad_blocks, P))
    return;
  if (Size == 2)
    padLanes<uint16_t>(*P, L);
  else
    padLanes<uint32_t>(*P, L);
}

void belay_sim_interpolate(const Interpolation *P) {
  Issue I("BilinearInterpolation", on::interpolate, BELAY_PC);
  if (I.dropped())
    return;
  if (P->T != Elem::F16)
    I.unsupported(P->T);
  checkRanges(*P, I);
  Walk W = P->W;
  W.Repeat = 1;
  Lanes L = Lanes::resolve(W, sizeof(F16), I);
  uint32_t Steps = uint32_t(P->Horizontal) * P->Vertical;
  uint32_t Blocks = Steps * BlocksPerRepeat;
  uint32_t Weights = P->WeightPerBlock ? Blocks : Steps;
  I.read(P->Offsets, {uint64_t(Blocks) * 4}, Elem::U32);
  I.read(P->Weights, {Weights * sizeof(F16)}, P->T);
  I.operandsFromData();
  if (I.later(belay_sim_interpolate, P))
    return;
  checkOffsets(*P, Blocks, I);
  I.read(P->Src, {P->SrcBytes}, P->T);
  uint64_t Need = tmpBytes(*P, I.core().arch());
  if (P->TmpBytes < Need)
    fail("local-out-of-bounds", I.pc(),
         "give sharedTmpBuffer the room that the API's documentation asks for",
         "BilinearInterpolation needs %llu bytes of sharedTmpBuffer, which has "
         "%llu",
         static_cast<unsigned long long>(Need),
         static_cast<unsigned long long>(P->TmpBytes));
  if (Need)
    I.write(P->Tmp, {Need}, Elem::U8);
  Stride D = {P->DstBlockStride, 0};
  Extent To = extentOf(L, D, sizeof(F16));
  To.Repeats = P->Vertical;
  To.RepeatStride = int64_t(P->DstStep) * sizeof(F16);
  I.write(P->Dst, To, P->T);
  CheckedOffsets Offsets(P->Offsets, Blocks, P->Dst, To.span());
  Interpolation Safe = *P;
  Safe.Offsets = Offsets.data();
  for (uint32_t V = 0; V < P->Vertical; ++V)
    interpolateOnce(Safe, L, V);
}
