//===- Warp.cpp - What the threads of a warp exchange ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "threads/Warp.h"

#include <cstring>

namespace belay::sim {

namespace {

/// What a lane that is not active answers: the device leaves it open.
constexpr uint64_t Leftover = 0xa5a5a5a5a5a5a5a5;

/// The lane that a shuffle takes its value from; its own past the edge of its
/// group.
uint32_t sourceOf(const WarpCall &C, uint32_t Lane) {
  uint32_t Width =
      C.Width >= 1 && C.Width <= WarpThreads ? C.Width : WarpThreads;
  uint32_t Begin = Lane / Width * Width, End = Begin + Width;
  uint32_t From = Lane;
  switch (C.Op) {
  case WarpOp::Shuffle:
    From = Begin + C.Argument % Width;
    break;
  case WarpOp::Up:
    From = C.Argument > Lane - Begin ? Lane : Lane - C.Argument;
    break;
  case WarpOp::Down:
    From = C.Argument >= End - Lane ? Lane : Lane + C.Argument;
    break;
  default: // Xor: also from a lower group
    From = Lane ^ C.Argument;
    From = From >= End ? Lane : From;
  }
  return From < WarpThreads ? From : Lane;
}

template <typename T> T valueOf(const WarpCall &C) {
  T Value;
  std::memcpy(&Value, &C.Value, sizeof(T));
  return Value;
}

/// By halves, as the device does: sums of floats depend on it.
template <typename T> uint64_t reduce(const Lanes &L, WarpOp Op) {
  T Values[WarpThreads];
  bool Has[WarpThreads];
  for (uint32_t Lane = 0; Lane < WarpThreads; ++Lane) {
    Has[Lane] = L.Active >> Lane & 1;
    Values[Lane] = Has[Lane] ? valueOf<T>(L.Calls[Lane]) : T(0);
  }
  for (uint32_t Step = 1; Step < WarpThreads; Step *= 2)
    for (uint32_t Lane = 0; Lane < WarpThreads; Lane += 2 * Step) {
      T &A = Values[Lane], B = Values[Lane + Step];
      if (!Has[Lane + Step])
        continue;
      if (!Has[Lane])
        A = B;
      else if (Op == WarpOp::ReduceAdd)
        A = applyAtomic(ThreadAtomic::Add, A, B, T(0));
      else if (Op == WarpOp::ReduceMax)
        A = A > B ? A : B;
      else
        A = A < B ? A : B;
      Has[Lane] = true;
    }
  uint64_t Bits = 0;
  std::memcpy(&Bits, &Values[0], sizeof(T));
  return Bits;
}

uint64_t reduceOf(const Lanes &L, WarpOp Op, Elem T) {
  switch (T) {
  case Elem::S32:
    return reduce<int32_t>(L, Op);
  case Elem::U32:
    return reduce<uint32_t>(L, Op);
  case Elem::S64:
    return reduce<int64_t>(L, Op);
  case Elem::U64:
    return reduce<uint64_t>(L, Op);
  case Elem::F16:
    return reduce<_Float16>(L, Op);
  default:
    return reduce<float>(L, Op);
  }
}

/// What all lanes receive.
uint64_t common(const Lanes &L, const WarpCall &First) {
  uint32_t Votes = 0;
  for (uint32_t Lane = 0; Lane < WarpThreads; ++Lane)
    if (L.Active >> Lane & 1 && L.Calls[Lane].Value)
      Votes |= 1u << Lane;
  switch (First.Op) {
  case WarpOp::All:
    return Votes == L.Active;
  case WarpOp::Any:
    return Votes != 0;
  case WarpOp::Ballot:
    return Votes;
  case WarpOp::ActiveMask:
    return L.Active;
  default:
    return reduceOf(L, First.Op, First.Type);
  }
}

} // namespace

void exchangeLanes(const Lanes &L, Exchanged (&Results)[WarpThreads]) {
  bool Known = false;
  uint64_t Same = 0;
  for (uint32_t Lane = 0; Lane < WarpThreads; ++Lane) {
    if (!(L.Active >> Lane & 1))
      continue;
    const WarpCall &C = L.Calls[Lane];
    if (C.Op > WarpOp::Xor) {
      Results[Lane].Value = Known ? Same : (Same = common(L, C));
      Known = true;
      continue;
    }
    uint32_t From = sourceOf(C, Lane);
    bool There = L.Active >> From & 1;
    Results[Lane] = {There ? L.Calls[From].Value : Leftover,
                     There ? NoLane : From};
  }
}

} // namespace belay::sim
