//===- CopyPad.cpp - Copies of any number of bytes ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "model/instructions/Atomic.h"
#include "model/instructions/Dtypes.h"
#include "model/instructions/Lanes.h"

#include <cstring>

namespace belay::sim {

namespace {

constexpr uint32_t MaxBursts = 4095;
constexpr uint32_t MaxBurstBytes = 2097151;

/// Bytes that nobody wrote: NaN for floats, -1 for integers, so that a kernel
/// which computes with them shows it.
constexpr uint8_t Poison = 0xff;

uint64_t roundUp(uint64_t Bytes) {
  return divideUp(Bytes, BlockBytes) * BlockBytes;
}

void checkLimits(const Issue &I, const PadCopy &C) {
  uint32_t Size = bytesOf(C.Type);
  if (C.Bursts > MaxBursts || C.BurstBytes > MaxBurstBytes)
    fail("bad-repeat", I.pc(),
         "copy in several steps: at most 4095 blocks of at most 2097151 bytes",
         "DataCopyPad of %u blocks of %u bytes", C.Bursts, C.BurstBytes);
  if (C.BurstBytes % Size)
    fail("bad-repeat", I.pc(), "blockLen is in bytes: count * sizeof(T)",
         "DataCopyPad has a blockLen of %u bytes, which is no whole number of "
         "%s",
         C.BurstBytes, nameOf(C.Type));
  if (product(C.Left, Size) > BlockBytes || product(C.Right, Size) > BlockBytes)
    fail("bad-repeat", I.pc(), "pad at most 32 bytes on each side",
         "DataCopyPad pads %u elements of %s on the left and %u on the right; "
         "each side has at most 32 bytes",
         C.Left, nameOf(C.Type), C.Right);
  if (Size == 8 && C.UsePadBits && C.PadBits)
    fail("bad-repeat", I.pc(), "pad 64-bit elements with 0",
         "DataCopyPad pads %s with a value other than 0", nameOf(C.Type));
}

void checkGaps(const Issue &I, const PadCopy &C, bool Wide) {
  int64_t Local = C.Global ? C.SrcGap : C.DstGap;
  int64_t Outer = C.Global ? C.DstGap : C.SrcGap;
  constexpr int64_t OuterLimit = (int64_t(1) << 40) - 1;
  auto IsFar = [](int64_t Gap) {
    return Gap > OuterLimit || Gap < -OuterLimit;
  };
  bool Bad = IsFar(C.SrcGap) || IsFar(C.DstGap) ||
             (Wide && (Local < 0 || Local > 65535 ||
                       Outer < (C.Global ? 0 : -int64_t(C.BurstBytes))));
  if (Bad)
    fail("bad-repeat", I.pc(),
         "local gaps are 0 to 65535 blocks, global ones up to 2^40 - 1 bytes",
         "DataCopyPad has a srcStride of %lld and a dstStride of %lld",
         static_cast<long long>(C.SrcGap), static_cast<long long>(C.DstGap));
}

void fill(uint8_t *Dst, uint64_t Bytes, uint64_t Bits, uint32_t Size) {
  for (uint64_t B = 0; B + Size <= Bytes; B += Size)
    std::memcpy(Dst + B, &Bits, Size);
}

/// How the bytes around the data are filled.
struct Filling {
  uint64_t Pads, Dummy; // one element each
  bool DummyIsFirst;    // of the burst's data
};

Filling fillingOf(const PadCopy &C, const VectorRegisters &R, bool Wide) {
  uint64_t Unknown;
  std::memset(&Unknown, Poison, sizeof(Unknown));
  uint64_t Pads = C.UsePadBits    ? C.PadBits
                  : R.PadValueSet ? R.PadValue
                                  : Unknown;
  bool NoPads = C.Compact || (!C.Left && !C.Right);
  // Without pads the tail of the last block repeats the first element; 950
  // takes the padding value if there is one.
  bool First = NoPads && !(C.UsePadBits && Wide);
  return {Pads, Pads, First};
}

/// One burst (or, compact, all of them) in the destination: left pads, data,
/// right pads, and what is missing to a whole block.
class PaddedBurst {
public:
  PaddedBurst(const PadCopy &C, const Filling &F) : C(C), F(F) {}

  void write(uint8_t *Dst, const uint8_t *Src) const {
    uint32_t Size = bytesOf(C.Type);
    uint32_t Left = C.Left * Size, Right = C.Right * Size;
    uint32_t Data = Left + C.BurstBytes, Used = Data + Right;
    fill(Dst, Left, F.Pads, Size);
    std::memmove(Dst + Left, Src, C.BurstBytes);
    fill(Dst + Data, Right, F.Pads, Size);
    fill(Dst + Used, roundUp(Used) - Used, dummy(Src), Size);
  }
  void writeTail(uint8_t *Dst, uint64_t Bytes, const uint8_t *First) const {
    fill(Dst, Bytes, dummy(First), bytesOf(C.Type));
  }

private:
  uint64_t dummy(const uint8_t *First) const {
    uint64_t Bits = F.Dummy;
    if (F.DummyIsFirst)
      std::memcpy(&Bits, First, bytesOf(C.Type));
    return Bits;
  }
  const PadCopy &C;
  const Filling &F;
};

/// Where the iterations of a copy in a loop start.
class Iterations {
public:
  Iterations(const Issue &I, const PadCopy &C,
             const VectorRegisters::LoopMode &Loop)
      : C(C), Loop(Loop) {
    // Blocks of L1 and UB: each iteration has one at least.
    constexpr uint64_t Most = (uint64_t(512) << 10) / BlockBytes;
    if (count() > Most)
      fail("bad-repeat", I.pc(), "copy in several steps",
           "DataCopyPad repeats %u x %u times; local memory has %llu blocks",
           Loop.Inner, Loop.Outer, static_cast<unsigned long long>(Most));
  }
  uint64_t count() const { return uint64_t(Loop.Inner) * Loop.Outer; }
  const uint8_t *src(uint64_t L) const {
    return offsetBy(C.Src, L % Loop.Inner * Loop.InnerSrc +
                               L / Loop.Inner * Loop.OuterSrc);
  }
  uint8_t *dst(uint64_t L) const {
    return offsetBy(C.Dst, L % Loop.Inner * Loop.InnerDst +
                               L / Loop.Inner * Loop.OuterDst);
  }

private:
  const PadCopy &C;
  const VectorRegisters::LoopMode &Loop;
};

/// GM to UB or L1.
void copyIn(Issue &I, const PadCopy &C, const VectorRegisters::LoopMode &Loop,
            bool Wide) {
  uint32_t Size = bytesOf(C.Type);
  uint64_t Slot =
      C.Compact ? C.BurstBytes
                : roundUp(uint64_t(C.Left + C.Right) * Size + C.BurstBytes);
  uint64_t Together = Slot * C.Bursts;
  uint64_t All = C.Compact ? roundUp(Together) : 0;
  int64_t SrcStride = int64_t(C.BurstBytes) + C.SrcGap;
  int64_t DstStride = int64_t(Slot) + (C.Compact ? 0 : C.DstGap * BlockBytes);
  Iterations Each(I, C, Loop);
  for (uint64_t L = 0; L < Each.count(); ++L) {
    I.read(Each.src(L), {C.BurstBytes, C.Bursts, SrcStride}, C.Type);
    I.write(Each.dst(L),
            C.Compact ? Extent{All} : Extent{Slot, C.Bursts, DstStride},
            C.Type);
  }
  if (I.dropped() || I.later(belay_sim_copy_pad, &C))
    return;
  Filling F = fillingOf(C, I.core().Regs.Vector, Wide);
  PaddedBurst Burst(C, F);
  for (uint64_t L = 0; L < Each.count(); ++L) {
    for (uint32_t B = 0; B < C.Bursts; ++B) {
      const uint8_t *From = Each.src(L) + int64_t(B) * SrcStride;
      uint8_t *To = Each.dst(L) + int64_t(B) * DstStride;
      if (C.Compact)
        std::memmove(To, From, C.BurstBytes);
      else
        Burst.write(To, From);
    }
    if (C.Compact)
      Burst.writeTail(Each.dst(L) + Together, All - Together, Each.src(L));
  }
}

/// UB or L1 to GM: whole blocks are read, only the data arrives.
void copyOut(Issue &I, const PadCopy &C,
             const VectorRegisters::LoopMode &Loop) {
  int64_t SrcStride =
      C.Compact ? int64_t(C.BurstBytes)
                : int64_t(roundUp(C.BurstBytes)) + C.SrcGap * BlockBytes;
  int64_t DstStride = int64_t(C.BurstBytes) + C.DstGap;
  Iterations Each(I, C, Loop);
  for (uint64_t L = 0; L < Each.count(); ++L) {
    I.read(Each.src(L), {C.BurstBytes, C.Bursts, SrcStride}, C.Type);
    I.write(Each.dst(L), {C.BurstBytes, C.Bursts, DstStride}, C.Type);
  }
  if (I.dropped() || I.later(belay_sim_copy_pad, &C))
    return;
  Store Put(I);
  for (uint64_t L = 0; L < Each.count(); ++L)
    for (uint32_t B = 0; B < C.Bursts; ++B)
      Put(Each.dst(L) + int64_t(B) * DstStride,
          Each.src(L) + int64_t(B) * SrcStride, C.BurstBytes);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_copy_pad(const PadCopy *C) {
  Issue I("DataCopyPad", C->Global ? Pipe::MTE3 : Pipe::MTE2, BELAY_PC,
          InstructionKind::Copy);
  const auto &Arch = I.core().arch();
  if (!Arch.hasDataCopyPad)
    fail("unsupported-api", I.pc(),
         "copy whole blocks of 32 bytes with DataCopy, and mask the rest",
         "DataCopyPad does not exist on arch %u", Arch.number);
  if (C->Compact && !Arch.widePadCopy)
    fail("unsupported-api", I.pc(), "use PaddingMode::Normal",
         "PaddingMode::Compact does not exist on arch %u", Arch.number);
  checkLimits(I, *C);
  checkGaps(I, *C, Arch.widePadCopy);
  if (!C->Bursts || !C->BurstBytes)
    return;
  const auto &Loop = I.core().Regs.Vector.Loop[C->Global ? 0 : 1];
  C->Global ? copyOut(I, *C, Loop) : copyIn(I, *C, Loop, Arch.widePadCopy);
}

void belay_sim_set_pad_value(uint64_t Bits) {
  VectorRegisters &R = Core::current().Regs.Vector;
  R.PadValue = Bits;
  R.PadValueSet = true;
}

void belay_sim_set_loop_mode(uint32_t Direction, uint32_t Inner, uint32_t Outer,
                             uint64_t InnerSrc, uint64_t InnerDst,
                             uint64_t OuterSrc, uint64_t OuterDst) {
  Issue I("SetLoopModePara", Pipe::S, BELAY_PC, InstructionKind::ScalarAccess);
  requireFact(I, I.core().arch().hasLoopMode);
  uint64_t Local = Direction ? InnerDst | OuterDst : InnerSrc | OuterSrc;
  if (Inner >= 1u << 21 || Outer >= 1u << 21 || Local % BlockBytes)
    fail("bad-repeat", I.pc(),
         "loops below 2^21, local strides in multiples of 32 bytes",
         "SetLoopModePara with %u x %u loops and local strides of %llu and "
         "%llu bytes",
         Inner, Outer,
         static_cast<unsigned long long>(Direction ? InnerDst : InnerSrc),
         static_cast<unsigned long long>(Direction ? OuterDst : OuterSrc));
  I.core().Regs.Vector.Loop[Direction != 0] = {
      Inner ? Inner : 1, Outer ? Outer : 1, InnerSrc,
      InnerDst,          OuterSrc,          OuterDst};
}
