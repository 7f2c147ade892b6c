//===- Generate.cpp - Sequences, fills and random numbers -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "routines/Routine.h"

#include <cstring>

namespace belay::sim {

namespace {

template <typename T>
void progress(void *Dst, const void *First, const void *Step, uint32_t N) {
  using W = Wide<T>;
  auto *D = static_cast<T *>(Dst);
  W A = static_cast<W>(*static_cast<const T *>(First));
  W S = static_cast<W>(*static_cast<const T *>(Step));
  for (uint32_t I = 0; I < N; ++I)
    D[I] = static_cast<T>(wrap(A) + wrap(S) * wrap(static_cast<W>(I)));
}

/// Philox4x32 (Salmon et al., 2011): a counter and a key give four words.
void philox(const uint32_t (&Counter)[4], const uint32_t (&Key)[2],
            uint32_t Rounds, uint32_t (&Out)[4]) {
  uint32_t K0 = Key[0], K1 = Key[1];
  std::memcpy(Out, Counter, sizeof(Out));
  for (uint32_t R = 0; R < Rounds; ++R) {
    uint64_t P0 = uint64_t(0xD2511F53) * Out[0];
    uint64_t P1 = uint64_t(0xCD9E8D57) * Out[2];
    uint32_t Next[4] = {static_cast<uint32_t>(P1 >> 32) ^ Out[1] ^ K0,
                        static_cast<uint32_t>(P1),
                        static_cast<uint32_t>(P0 >> 32) ^ Out[3] ^ K1,
                        static_cast<uint32_t>(P0)};
    std::memcpy(Out, Next, sizeof(Out));
    K0 += 0x9E3779B9;
    K1 += 0xBB67AE85;
  }
}

void advance(uint32_t (&Counter)[4], uint32_t By) {
  uint64_t Carry = By;
  for (uint32_t &Word : Counter) {
    Carry += Word;
    Word = static_cast<uint32_t>(Carry);
    Carry >>= 32;
  }
}

/// 23 random bits as the fraction of a number in [1, 2), moved to [0, 1).
float unit(uint32_t Bits) {
  return std::bit_cast<float>(0x3f800000u | (Bits & 0x7fffffu)) - 1.0f;
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_progression(Elem T, void *Dst, const void *First,
                           const void *Step, uint32_t Count) {
  if (Routine::absent())
    return;
  Routine R("Arange", BELAY_PC);
  constexpr TypeSet Set = types::HalfFloat | only(Elem::S16) | types::Int32;
  R.accepts(T, Set, Set | types::Int64);
  R.writes(Dst, Count, T);
  R.ready({});
  switch (T) {
  case Elem::F16:
    return progress<F16>(Dst, First, Step, Count);
  case Elem::F32:
    return progress<float>(Dst, First, Step, Count);
  case Elem::S16:
    return progress<int16_t>(Dst, First, Step, Count);
  case Elem::S32:
    return progress<int32_t>(Dst, First, Step, Count);
  default:
    return progress<int64_t>(Dst, First, Step, Count);
  }
}

void belay_sim_fill_global(Elem T, void *Dst, const void *Value,
                           uint64_t Count) {
  // On a cube core the routine returns at once.
  if (Routine::absent() || Core::current().Kind == CoreKind::Cube)
    return;
  // What reaches global memory is a copy on the output pipe; the staging in
  // UB, which has to precede all InitBuffer, is not modelled.
  Issue I("Fill", on::fill_global, BELAY_PC, InstructionKind::Copy);
  uint32_t Size = bytesOf(T);
  uint64_t Bytes = product(Count, Size);
  if (Bytes > UINT32_MAX)
    fail("bad-repeat", BELAY_PC, "fill the memory in several calls",
         "Fill got %llu elements", static_cast<unsigned long long>(Count));
  I.write(Dst, {Bytes}, T);
  if (I.later(belay_sim_fill_global, T, Dst, I.scalarAt(Value, T), Count))
    return;
  for (uint64_t N = 0; N < Count; ++N)
    std::memcpy(static_cast<uint8_t *>(Dst) + N * Size, Value, Size);
}

void belay_sim_philox(const PhiloxCall *C) {
  if (Routine::absent())
    return;
  Routine R("PhiloxRandom", BELAY_PC);
  R.accepts(C->Type, types::None, types::Float | types::Bits32);
  constexpr uint32_t MaxRounds = 64; // the algorithm has 7 or 10
  if (C->Rounds > MaxRounds)
    fail("bad-repeat", BELAY_PC, "Philox4x32 has 7 or 10 rounds",
         "PhiloxRandom of %u rounds", C->Rounds);
  R.writes(C->Dst, uint64_t(C->Rows) * C->Columns, C->Type);
  if (!R.ready({}, belay_sim_philox, C) || !C->Columns)
    return;
  for (uint32_t Row = 0; Row < C->Rows; ++Row) {
    uint32_t Counter[4], Words[4] = {};
    std::memcpy(Counter, C->Counter, sizeof(Counter));
    // Rows are Stride elements apart in the stream, Columns apart in memory.
    advance(Counter, Row * (C->Stride / 4));
    for (uint32_t I = 0; I < C->Columns; ++I) {
      if (I % 4 == 0) {
        philox(Counter, C->Key, C->Rounds, Words);
        advance(Counter, 1);
      }
      uint32_t Bits = Words[I % 4];
      if (C->Type == Elem::F32)
        Bits = std::bit_cast<uint32_t>(unit(Bits));
      std::memcpy(elementAt(C->Dst, C->Type, uint64_t(Row) * C->Columns + I),
                  &Bits, sizeof(Bits));
    }
  }
}
