//===- Copy.cpp - DMA between global and local memory ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Issue.h"
#include "model/instructions/Atomic.h"

#include <cstring>

namespace belay::sim {

namespace {

void pad(uint8_t *Dst, uint32_t Bytes, uint64_t Bits, uint32_t Size) {
  for (uint32_t B = 0; B + Size <= Bytes; B += Size)
    std::memcpy(Dst + B, &Bits, Size);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_copy(const Copy *C) {
  Issue I(C->Name, C->On, BELAY_PC, InstructionKind::Copy);
  if (!C->Bursts || !C->BurstBytes)
    return;
  uint64_t Written =
      uint64_t(C->LeftPadBytes) + C->BurstBytes + C->RightPadBytes;
  I.read(C->Src, {C->BurstBytes, C->Bursts, C->SrcStride}, C->Type);
  I.write(C->Dst, {Written, C->Bursts, C->DstStride}, C->Type);
  if (I.dropped() || I.later(belay_sim_copy, C))
    return;
  Store Put(I);
  auto *Dst = static_cast<uint8_t *>(C->Dst);
  const auto *Src = static_cast<const uint8_t *>(C->Src);
  for (uint32_t B = 0; B < C->Bursts; ++B) {
    uint8_t *To = Dst + static_cast<int64_t>(B) * C->DstStride;
    const uint8_t *From = Src + static_cast<int64_t>(B) * C->SrcStride;
    if (C->LeftPadBytes)
      pad(To, C->LeftPadBytes, C->PadBits, bytesOf(C->Type));
    Put(To + C->LeftPadBytes, From, C->BurstBytes);
    if (C->RightPadBytes)
      pad(To + C->LeftPadBytes + C->BurstBytes, C->RightPadBytes, C->PadBits,
          bytesOf(C->Type));
  }
}
