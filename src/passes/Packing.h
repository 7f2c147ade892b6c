//===- Packing.h - Where intervals lie in memory ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_PACKING_H
#define BELAY_PASSES_PACKING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace belay::passes {

/// Something that needs bytes from one place in the program to another, both
/// included.
struct Tenant {
  int64_t Bytes;
  unsigned Begin, End;

  bool overlaps(const Tenant &Other) const {
    return Begin <= Other.End && Other.Begin <= End;
  }
};

struct Packing {
  llvm::SmallVector<int64_t> Offsets;
  int64_t Bytes = 0; ///< Of memory, up to the highest end.
};

/// The sum of two sizes; what leaves 64 bits is larger than any memory.
int64_t addBytes(int64_t A, int64_t B);

/// The most bytes that are needed at one place: no packing is smaller.
int64_t lowerBound(llvm::ArrayRef<Tenant> Tenants);

/// Gives tenants with overlapping live ranges disjoint memory. The largest go
/// first, each as low as it can. If that is more than \p Enough, up to \p Exact
/// tenants are placed in other orders, until it is not or the lower bound is
/// reached. The same input always gives the same result.
Packing pack(llvm::ArrayRef<Tenant> Tenants, unsigned Exact, int64_t Enough);

} // namespace belay::passes

#endif // BELAY_PASSES_PACKING_H
