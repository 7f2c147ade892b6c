//===- Interlocks.h - What the hardware orders by itself --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TARGETS_INTERLOCKS_H
#define BELAY_TARGETS_INTERLOCKS_H

#include <cstdint>

namespace belay::targets {

/// From this many fractals of sums on, products that are added to the same sums
/// need no barrier between them: the cube orders them itself, as the manual of
/// Mmad says.
inline constexpr uint32_t InterlockedFractals = 10;

} // namespace belay::targets

#endif // BELAY_TARGETS_INTERLOCKS_H
