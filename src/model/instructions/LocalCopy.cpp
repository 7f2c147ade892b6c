//===- LocalCopy.cpp - DataCopy inside a core -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/CrossCore.h"
#include "model/core/Device.h"
#include "model/instructions/Cube.h"
#include "model/instructions/Values.h"

#include <cstring>

using namespace belay::sim;

namespace {

/// The pipe that joins two memories, and the units of the API on it.
struct Path {
  Pipe On;
  uint32_t Length = BlockBytes; // of the source
  uint32_t DstGap = BlockBytes;
  uint32_t DstAlignment = BlockBytes;
};

Path pathBetween(Space From, Space To, uint32_t BiasUnit) {
  Pipe On = pipeBy(on::copy_local, From, To);
  if (To == Space::BT)
    return {On, BiasUnit, BiasUnit, 64};
  if (To == Space::FB)
    return {On, 128, 128, 128};
  return {On};
}

/// Only the bias changes its type on the way: half and bfloat16_t to float.
void copyBurst(Issue &I, const LocalCopy *C, uint8_t *Dst, const uint8_t *Src,
               uint64_t SrcBytes) {
  if (C->SrcType == C->DstType) {
    std::memmove(Dst, Src, SrcBytes);
    return;
  }
  bool Half = C->SrcType == Elem::F16;
  if (C->DstType != Elem::F32 || (!Half && C->SrcType != Elem::BF16))
    I.unsupported(C->DstType, C->SrcType);
  auto *Out = reinterpret_cast<float *>(Dst);
  for (uint64_t E = 0; E < SrcBytes / 2; ++E)
    Out[E] = Half ? static_cast<float>(reinterpret_cast<const F16 *>(Src)[E])
                  : float(reinterpret_cast<const BF16 *>(Src)[E]);
}

} // namespace

void belay::sim::bringToCube(const Issue &I, const void *Src, void *Dst,
                             const Extent &E) {
  Core &C = I.core();
  if (C.Kind != CoreKind::Vector || spaceOf(Src) != Space::UB ||
      spaceOf(Dst) != Space::L1)
    return;
  Core *Cube = C.device().cubeCoreOf(C);
  if (!Cube) // of vector cores alone: nobody can read it
    return;
  auto *From = static_cast<uint8_t *>(Dst);
  uint8_t *To =
      Cube->Memories.base(Space::L1) + (From - C.Memories.base(Space::L1));
  for (uint64_t R = 0; R < E.Repeats; ++R)
    for (uint64_t B = 0; B < E.Blocks; ++B) {
      int64_t At = static_cast<int64_t>(R) * E.RepeatStride +
                   static_cast<int64_t>(B) * E.BlockStride;
      std::memcpy(To + At, From + At, E.BlockBytes);
    }
  C.device().crossCore().deliver(*Cube, E, To);
}

void belay_sim_copy_local(const LocalCopy *C) {
  Space From = spaceOf(C->Src), To = spaceOf(C->Dst);
  Path P = pathBetween(From, To, Core::current().arch().biasUnit);
  Issue I("DataCopy", P.On, BELAY_PC, InstructionKind::Copy);
  if (To == Space::BT || To == Space::FB)
    requireSpace(I, C->Src, "source", {Space::L1});
  uint32_t Bursts = C->Count ? 1 : C->Bursts;
  uint64_t Bytes = C->Count ? product(C->Count, bytesOf(C->SrcType)) /
                                  BlockBytes * BlockBytes
                            : product(C->BurstLength, P.Length);
  if (!Bursts || !Bytes)
    return;
  requireLocal(I, C->Src, "source");
  requireLocal(I, C->Dst, "destination");
  uint64_t Written = Bytes / bytesOf(C->SrcType) * bytesOf(C->DstType);
  int64_t SrcStride = int64_t(Bytes) + int64_t(C->SrcGap) * BlockBytes;
  int64_t DstStride = int64_t(Written) + int64_t(C->DstGap) * P.DstGap;
  I.read(C->Src, {Bytes, Bursts, SrcStride}, C->SrcType);
  I.write(C->Dst, {Written, Bursts, DstStride}, C->DstType, P.DstAlignment);
  if (I.dropped() || I.later(belay_sim_copy_local, C))
    return;
  for (uint32_t B = 0; B < Bursts; ++B)
    copyBurst(I, C, static_cast<uint8_t *>(C->Dst) + B * DstStride,
              static_cast<const uint8_t *>(C->Src) + B * SrcStride, Bytes);
  bringToCube(I, C->Src, C->Dst, {Written, Bursts, DstStride});
}
