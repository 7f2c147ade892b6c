//===- Packing.cpp - Where intervals lie in memory ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Packing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <numeric>

using namespace llvm;
using namespace belay::passes;

int64_t belay::passes::addBytes(int64_t A, int64_t B) {
  return checkedAdd(A, B).value_or(std::numeric_limits<int64_t>::max());
}

int64_t belay::passes::lowerBound(ArrayRef<Tenant> Tenants) {
  int64_t Most = 0;
  // The peak is at the beginning of some tenant.
  for (const Tenant &At : Tenants) {
    int64_t Bytes = 0;
    for (const Tenant &T : Tenants)
      if (T.Begin <= At.Begin && At.Begin <= T.End)
        Bytes = addBytes(Bytes, T.Bytes);
    Most = std::max(Most, Bytes);
  }
  return Most;
}

namespace {

/// Tries orders of placing; in each, a tenant goes as low as it can. Some order
/// gives the tightest packing: that of the offsets in it.
class Search {
public:
  Search(ArrayRef<Tenant> Tenants, int64_t Enough)
      : Tenants(Tenants), Offsets(Tenants.size(), -1),
        Bound(std::max(Enough, lowerBound(Tenants))) {
    Order.resize(Tenants.size());
    std::iota(Order.begin(), Order.end(), 0);
    llvm::sort(Order, [&](unsigned A, unsigned B) {
      if (Tenants[A].Bytes != Tenants[B].Bytes)
        return Tenants[A].Bytes > Tenants[B].Bytes;
      return A < B;
    });
  }

  void firstFit() {
    int64_t Top = 0;
    for (unsigned I : Order)
      Top = std::max(Top, place(I));
    Best = {Offsets, Top};
  }

  void exact() {
    fill(Offsets, -1);
    extend(0, 0);
  }

  Packing Best;

private:
  /// Lowest place beside those that are placed already; returns its end.
  int64_t place(unsigned I) {
    SmallVector<std::pair<int64_t, int64_t>> Taken;
    for (auto [J, Offset] : enumerate(Offsets))
      if (Offset >= 0 && Tenants[J].overlaps(Tenants[I]))
        Taken.push_back({Offset, addBytes(Offset, Tenants[J].Bytes)});
    sort(Taken);
    int64_t At = 0;
    for (auto [Begin, End] : Taken) {
      if (addBytes(At, Tenants[I].Bytes) <= Begin)
        break;
      At = std::max(At, End);
    }
    Offsets[I] = At;
    return addBytes(At, Tenants[I].Bytes);
  }

  void extend(unsigned Placed, int64_t Top) {
    if (Best.Bytes <= Bound || ++Nodes > MaxNodes || Top >= Best.Bytes)
      return;
    if (Placed == Tenants.size()) {
      Best = {Offsets, Top};
      return;
    }
    for (unsigned I : Order) {
      if (Offsets[I] >= 0)
        continue;
      int64_t End = place(I);
      extend(Placed + 1, std::max(Top, End));
      Offsets[I] = -1;
    }
  }

  static constexpr unsigned MaxNodes = 100000;
  ArrayRef<Tenant> Tenants;
  SmallVector<int64_t> Offsets;
  SmallVector<unsigned> Order;
  int64_t Bound;
  unsigned Nodes = 0;
};

} // namespace

Packing belay::passes::pack(ArrayRef<Tenant> Tenants, unsigned Exact,
                            int64_t Enough) {
  Search S(Tenants, Enough);
  S.firstFit();
  if (Tenants.size() <= Exact)
    S.exact();
  return S.Best;
}
