//===- Routine.cpp - A library routine on its way into the pipe -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "routines/Routine.h"

#include "model/instructions/Elementwise.h"

#include <cstring>

namespace belay::sim {

void Routine::accepts(Elem T, TypeSet Old, TypeSet New) {
  const targets::Arch &Arch = I.core().arch();
  TypeSet Set = isNew() ? New : Old;
  if (!Arch.hasBf16)
    Set &= ~types::Bfloat;
  if (!Set)
    fail("unsupported-api", I.pc(),
         "compose it from instructions that the architecture has",
         "%s does not exist on arch %u", I.name(), Arch.number);
  if (!(Set & only(T)))
    I.unsupported(T);
}

void Routine::reads(const Source &S, uint64_t Count, Elem T) {
  if (!S.Scalar || !S.Data)
    reads(S.Data, Count, T);
  else if (I.core().Memories.spaceOf(S.Data) != Space::Host)
    readsElement(S.Data, T);
  else
    I.drain(); // the scalar is a variable of the kernel
}

namespace {

bool overlap(const OperandRecord &A, const OperandRecord &B) {
  const auto *BeginA = static_cast<const uint8_t *>(A.Address);
  const auto *BeginB = static_cast<const uint8_t *>(B.Address);
  return BeginA < BeginB + B.Bytes.span() && BeginB < BeginA + A.Bytes.span();
}

} // namespace

bool Routine::check(const Scratch &Tmp) {
  const InstructionRecord &R = I.record();
  for (unsigned A = 0; A < R.NumOperands; ++A)
    for (unsigned B = 0; B < R.NumOperands; ++B) {
      const OperandRecord &W = R.Operands[A], &O = R.Operands[B];
      // In place is fine; shifted against each other is not.
      if (W.Write && !O.Write && W.Address != O.Address && overlap(W, O))
        fail("operand-overlap", I.pc(),
             "give the result its own tensor, or write exactly over a source",
             "%s writes %llu bytes at %p over a part of the source at %p",
             I.name(), static_cast<unsigned long long>(W.Bytes.span()),
             W.Address, O.Address);
    }
  if (!Tmp.Data || !Tmp.Bytes)
    return false;
  unsigned First = R.NumOperands;
  I.write(Tmp.Data, {Tmp.Bytes}, Elem::U8);
  if (R.NumOperands == First)
    return false;
  for (unsigned A = 0; A < First; ++A)
    if (overlap(R.Operands[A], R.Operands[First]))
      fail("operand-overlap", I.pc(),
           "give the routine a buffer that holds nothing else",
           "the shared buffer of %s (%u bytes) lies over the %s at %p",
           I.name(), Tmp.Bytes, R.Operands[A].Write ? "result" : "source",
           R.Operands[A].Address);
  return true;
}

namespace {

template <typename T> void widenAs(float *Dst, const void *Src, size_t N) {
  const auto *S = static_cast<const T *>(Src);
  BELAY_LANES
  for (size_t I = 0; I < N; ++I)
    Dst[I] = static_cast<float>(S[I]);
}
template <typename T> void narrowAs(void *Dst, const float *Src, size_t N) {
  auto *D = static_cast<T *>(Dst);
  BELAY_LANES
  for (size_t I = 0; I < N; ++I)
    D[I] = static_cast<T>(Src[I]);
}

} // namespace

void widen(Elem T, float *Dst, const void *Src, size_t N) {
  if (T == Elem::F16)
    widenAs<F16>(Dst, Src, N);
  else if (T == Elem::BF16)
    widenAs<BF16>(Dst, Src, N);
  else if (N)
    std::memmove(Dst, Src, N * sizeof(float));
}

void narrow(Elem T, void *Dst, const float *Src, size_t N) {
  if (T == Elem::F16)
    narrowAs<F16>(Dst, Src, N);
  else if (T == Elem::BF16)
    narrowAs<BF16>(Dst, Src, N);
  else if (N)
    std::memmove(Dst, Src, N * sizeof(float));
}

float treeSum(float *Data, size_t N) {
  if (!N)
    return 0;
  while (N > 1) {
    for (size_t I = 0; I < N / 2; ++I)
      Data[I] = Data[2 * I] + Data[2 * I + 1];
    if (N % 2)
      Data[N / 2] = Data[N - 1];
    N = (N + 1) / 2;
  }
  return Data[0];
}

} // namespace belay::sim
