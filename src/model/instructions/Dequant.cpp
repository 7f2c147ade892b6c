//===- Dequant.cpp - Integers times the scale of SetDeqScale --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Dequant.h"

#include "abi/Vector.h"
#include "model/instructions/Convert.h"
#include "model/instructions/Elementwise.h"

#include <cstring>

namespace belay::sim {

namespace {

using Deq = VectorRegisters::Deq;

constexpr size_t NumVectorScales = 16;

/// Scale, offset and sign as the register and the vector of parameters pack
/// them: 32, 9 and 1 bits.
struct Scale {
  float Factor;
  int32_t Offset;
  bool Signed;
};

uint64_t pack(float Factor, int16_t Offset, bool Signed) {
  return std::bit_cast<uint32_t>(Factor) | uint64_t(Offset & 0x1ff) << 37 |
         uint64_t(Signed) << 46;
}

Scale unpack(uint64_t Word) {
  // The multiplier keeps 10 bits of the mantissa.
  uint32_t Factor = static_cast<uint32_t>(Word) & ~uint32_t(0x1fff);
  auto Offset = static_cast<int32_t>(Word >> 37 & 0x1ff);
  return {std::bit_cast<float>(Factor), Offset >= 256 ? Offset - 512 : Offset,
          (Word >> 46 & 1) != 0};
}

void requireScale(const Issue &I, Deq Wanted, const char *Call) {
  Deq Have = const_cast<Issue &>(I).core().Regs.Vector.DeqKind;
  if (Have != Wanted)
    fail("unsupported-dtype", I.pc(), "call it before, with the scale to use",
         "%s of these types multiplies by the scale of %s, which was not "
         "called%s",
         I.name(), Call, Have == Deq::Unset ? "" : " last");
}

uint8_t quantise(int16_t X, const Scale &S) {
  double V =
      roundTo(static_cast<double>(X) * S.Factor + S.Offset, Rounding::Rint);
  return S.Signed ? static_cast<uint8_t>(toInteger<int8_t>(V, true))
                  : toInteger<uint8_t>(V, true);
}

/// Half a destination block takes the results of one source block.
Extent halfBlocks(const Lanes &L, const Stride &S) {
  Extent E = extentOf(L, S, 2);
  if (S.Block != 1 || S.Repeat != BlocksPerRepeat || E.Repeats > 1)
    return E;
  return {BlockBytes / 2, divideUp(E.BlockBytes, BlockBytes), BlockBytes};
}

} // namespace

float deqScale(const Issue &I) {
  requireScale(I, Deq::Half, "SetDeqScale(half)");
  return static_cast<float>(std::bit_cast<F16>(static_cast<uint16_t>(
      const_cast<Issue &>(I).core().Regs.Vector.DeqScale)));
}

void dequantise(Issue &I, void *Dst, const void *Src, const Walk &W) {
  float Factor = deqScale(I);
  I.drain();
  Lanes L = Lanes::resolve(W, 4, I);
  checkDestination(I, L, W.Operand[0], 2);
  I.read(Src, extentOf(L, W.Operand[1], 4), Elem::S32);
  I.write(Dst, extentOf(L, W.Operand[0], 2), Elem::F16);
  forEachRun<2>(L, W.Operand, {2, 4}, [&](const uint64_t (&O)[2], size_t N) {
    auto *D = reinterpret_cast<F16 *>(at(Dst, O[0]));
    const auto *S = reinterpret_cast<const int32_t *>(at(Src, O[1]));
    for (size_t K = 0; K < N; ++K)
      D[K] = toFloat<F16>(static_cast<double>(S[K]) * Factor, Rounding::Rint);
  });
  saturateFloats(I.core().Regs, L, W.Operand[0], Dst, Elem::F16);
}

} // namespace belay::sim

using namespace belay::sim;

void belay_sim_set_deq_half(uint16_t Bits) {
  Registers &R = Core::current().Regs;
  R.Vector.DeqKind = Deq::Half;
  R.Vector.DeqScale = Bits;
}

void belay_sim_set_deq_tensor(float Factor, int16_t Offset, bool Signed) {
  Registers &R = Core::current().Regs;
  R.Vector.DeqKind = Deq::Tensor;
  R.Vector.DeqScale = pack(Factor, Offset, Signed);
}

void belay_sim_set_deq_vector(void *Vdeq, const float *Factors,
                              const int16_t *Offsets, const bool *Signs) {
  Issue I("SetDeqScale", on::set_deq_vector, BELAY_PC,
          InstructionKind::ScalarAccess);
  I.write(Vdeq, {NumVectorScales * 8}, Elem::U64);
  I.drain();
  for (unsigned N = 0; N < NumVectorScales; ++N) {
    uint64_t Word = pack(Factors[N], Offsets[N], Signs[N]);
    std::memcpy(at(Vdeq, uint64_t(N) * 8), &Word, 8);
  }
  I.core().Regs.Vector.DeqKind = Deq::Vector;
  I.core().Regs.Vector.DeqScale = reinterpret_cast<uint64_t>(Vdeq);
}

void belay_sim_cast_dequant(Elem DstT, Elem SrcT, void *Dst, const void *Src,
                            const Walk *W, bool Vector, bool UpperHalf) {
  Issue I("CastDequant", on::cast_dequant, BELAY_PC);
  if (I.dropped())
    return;
  if (DstT == Elem::F16 && SrcT == Elem::S32 && I.core().arch().dequantsToHalf)
    return dequantise(I, Dst, Src, *W);
  if ((DstT != Elem::S8 && DstT != Elem::U8) || SrcT != Elem::S16)
    I.unsupported(DstT, SrcT);
  requireScale(I, Vector ? Deq::Vector : Deq::Tensor,
               Vector ? "SetDeqScale(vdeq, vdeqInfo)"
                      : "SetDeqScale(scale, offset, signMode)");
  const auto *Words =
      reinterpret_cast<const uint8_t *>(I.core().Regs.Vector.DeqScale);
  if (Vector)
    I.read(Words, {NumVectorScales * 8}, Elem::U64);
  I.drain(); // the scales are data
  Scale Scales[NumVectorScales];
  for (unsigned N = 0; N < NumVectorScales; ++N) {
    uint64_t Word = I.core().Regs.Vector.DeqScale;
    if (Vector)
      std::memcpy(&Word, Words + size_t(N) * 8, 8);
    Scales[N] = unpack(Word);
    if (Scales[N].Signed != (DstT == Elem::S8))
      fail("unsupported-dtype", I.pc(),
           "int8_t with signMode true, uint8_t with signMode false",
           "CastDequant writes %s, but SetDeqScale asked for %s results",
           nameOf(DstT), Scales[N].Signed ? "signed" : "unsigned");
  }
  Lanes L = Lanes::resolve(*W, 2, I);
  checkDestination(I, L, W->Operand[0], 2);
  I.read(Src, extentOf(L, W->Operand[1], 2), SrcT);
  I.write(Dst, halfBlocks(L, W->Operand[0]), DstT);
  uint64_t Half = UpperHalf ? BlockBytes / 2 : 0;
  forEachRun<2>(L, W->Operand, {2, 2}, [&](const uint64_t (&O)[2], size_t N) {
    const auto *S = reinterpret_cast<const int16_t *>(at(Src, O[1]));
    for (size_t K = 0; K < N; ++K) {
      uint64_t Offset = O[0] + K * 2;
      uint64_t InBlock = Offset % BlockBytes / 2;
      *at(Dst, Offset - Offset % BlockBytes + Half + InBlock) =
          quantise(S[K], Scales[InBlock]);
    }
  });
}
