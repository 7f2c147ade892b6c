//===- Copy.cpp - DMA between global and local memory -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Issue.h"
#include "instructions/Elementwise.h"

#include <cstring>
#include <mutex>

namespace belay::sim {

namespace {

/// Atomics of all cores share one lock: the DMA engine adds in L2, one request
/// after the other.
std::mutex AtomicMutex;

template <typename T>
void combine(AtomicOp Op, void *Dst, const void *Src, size_t Bytes) {
  auto *D = static_cast<T *>(Dst);
  const auto *S = static_cast<const T *>(Src);
  for (size_t I = 0; I < Bytes / sizeof(T); ++I) {
    Wide<T> A = static_cast<Wide<T>>(D[I]), B = static_cast<Wide<T>>(S[I]);
    D[I] = static_cast<T>(Op == AtomicOp::Add   ? wrap(A) + wrap(B)
                          : Op == AtomicOp::Max ? wrap(A > B ? A : B)
                                                : wrap(A < B ? A : B));
  }
}

using CombineFn = void (*)(AtomicOp, void *, const void *, size_t);
CombineFn findCombine(Elem T) {
  switch (T) {
  case Elem::S8:
    return combine<int8_t>;
  case Elem::S16:
    return combine<int16_t>;
  case Elem::S32:
    return combine<int32_t>;
  case Elem::F16:
    return combine<F16>;
  case Elem::BF16:
    return combine<BF16>;
  case Elem::F32:
    return combine<float>;
  default:
    return nullptr;
  }
}

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
  uint32_t Written = C->LeftPadBytes + C->BurstBytes + C->RightPadBytes;
  I.read(C->Src, {C->BurstBytes, C->Bursts, C->SrcStride}, C->Type);
  I.write(C->Dst, {Written, C->Bursts, C->DstStride}, C->Type);
  const Registers &R = I.core().Regs;
  bool ToGlobal = I.operandRecord(1).Where == Space::GM;
  CombineFn Combine = nullptr;
  std::unique_lock<std::mutex> Lock(AtomicMutex, std::defer_lock);
  if (ToGlobal && R.Atomic != AtomicOp::None) {
    I.record().Atomic = true;
    Combine = findCombine(R.AtomicType);
    if (!Combine)
      I.unsupported(R.AtomicType);
    Lock.lock();
  }
  auto *Dst = static_cast<uint8_t *>(C->Dst);
  const auto *Src = static_cast<const uint8_t *>(C->Src);
  for (uint32_t B = 0; B < C->Bursts; ++B) {
    uint8_t *To = Dst + static_cast<int64_t>(B) * C->DstStride;
    const uint8_t *From = Src + static_cast<int64_t>(B) * C->SrcStride;
    if (Combine) {
      Combine(R.Atomic, To, From, C->BurstBytes);
      continue;
    }
    if (C->LeftPadBytes)
      pad(To, C->LeftPadBytes, C->PadBits, bytesOf(C->Type));
    std::memmove(To + C->LeftPadBytes, From, C->BurstBytes);
    if (C->RightPadBytes)
      pad(To + C->LeftPadBytes + C->BurstBytes, C->RightPadBytes, C->PadBits,
          bytesOf(C->Type));
  }
}
