//===- Atomic.cpp - Additions in global memory ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Atomic.h"

#include "model/instructions/ByType.h"
#include "model/instructions/Values.h"

namespace belay::sim {

namespace {

/// Atomics of all cores share one lock: the DMA engine adds in L2, one request
/// after the other.
std::mutex AtomicMutex;

template <typename T>
void combine(AtomicOp Op, void *Dst, const void *Src, size_t Bytes) {
  auto *D = static_cast<uint8_t *>(Dst);
  const auto *S = static_cast<const uint8_t *>(Src);
  for (size_t I = 0; I + sizeof(T) <= Bytes; I += sizeof(T)) {
    T Here, There; // in global memory elements lie anywhere
    std::memcpy(&Here, D + I, sizeof(T));
    std::memcpy(&There, S + I, sizeof(T));
    Wide<T> A = static_cast<Wide<T>>(Here), B = static_cast<Wide<T>>(There);
    Here = static_cast<T>(Op == AtomicOp::Add   ? wrap(A) + wrap(B)
                          : Op == AtomicOp::Max ? wrap(A > B ? A : B)
                                                : wrap(A < B ? A : B));
    std::memcpy(D + I, &Here, sizeof(T));
  }
}

} // namespace

CombineFn findCombine(Elem T) {
  using Types = TypeList<int8_t, int16_t, int32_t, F16, BF16, float>;
  return byType(T, Types(), []<typename U> { return combine<U>; });
}

Store::Store(Issue &I, AtomicOp Op, Elem T)
    : Op(Op), Lock(AtomicMutex, std::defer_lock) {
  const InstructionRecord &Record = I.record();
  if (Op == AtomicOp::None || !Record.NumOperands ||
      Record.Operands[Record.NumOperands - 1].Where != Space::GM)
    return;
  I.record().Atomic = true;
  Combine = findCombine(T);
  if (!Combine)
    I.unsupported(T);
  if (Op == AtomicOp::Add &&
      (T == Elem::F32 || T == Elem::F16 || T == Elem::BF16))
    report()->RoundedAtomics = true;
  Lock.lock();
}

} // namespace belay::sim
