//===- Atomics.h - What atomic stores take elements for ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_ATOMICS_H
#define BELAY_ABI_ATOMICS_H

#include "abi/Types.h"

namespace belay::sim {

constexpr bool isFloat(Elem T) {
  return T == Elem::F16 || T == Elem::BF16 || T == Elem::F32;
}

/// Whether a store of one type adds right as another: integers of one size do.
constexpr bool addsAs(Elem Stored, Elem Atomic) {
  return Stored == Atomic || (!isFloat(Stored) && !isFloat(Atomic) &&
                              bytesOf(Stored) == bytesOf(Atomic));
}

} // namespace belay::sim

#endif // BELAY_ABI_ATOMICS_H
