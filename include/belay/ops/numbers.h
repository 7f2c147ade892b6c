//===- ops/numbers.h - Functions of single numbers --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalar unit has no transcendental functions; the vector unit computes
// them on a tile of one element. Each costs a hand-over between the two units:
// take them out of inner loops.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_NUMBERS_H
#define BELAY_OPS_NUMBERS_H

#include "belay/kernel.h"

namespace belay::ops {

inline float exp_of(float v) { return sum(exp(full<1, 1, float>(v))); }
inline float log_of(float v) { return sum(log(full<1, 1, float>(v))); }
inline float sqrt_of(float v) { return sum(sqrt(full<1, 1, float>(v))); }

} // namespace belay::ops

#endif // BELAY_OPS_NUMBERS_H
