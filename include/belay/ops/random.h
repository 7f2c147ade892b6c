//===- ops/random.h - Random numbers by hashing -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number for each row and column of a matrix that depends on them and on a
// seed alone: on no state, no order, no core, and no tile size. Good enough for
// dropout and noise; nothing secret may depend on it.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_RANDOM_H
#define BELAY_OPS_RANDOM_H

#include "belay/kernel.h"

namespace belay::ops {

/// What one half of 32 bits adds to the other one: the middle of the square of
/// the middle of a product. A half is 16 bits of an i32, factors have 15, keys
/// 16, so that nothing overflows.
template <i64 R, i64 C>
Tile<R, C, i32> mixed(const Tile<R, C, i32> &half, i32 factor, i32 key) {
  auto middle = (((half * factor) >> i32(8)) + key) & i32(32767);
  return (middle * middle) >> i32(8);
}

/// Numbers from 0 to below 1, in steps of 2^-24: six steps of a network that
/// adds a function of one half to the other one. `rows` and `cols` are numbers
/// of rows and columns from 0 to below 2^29, the seed 0 to below 2^30.
template <i64 R, i64 C>
Tile<R, C, float> uniform(const Col<R, i32> &rows, const Row<C, i32> &cols,
                          i64 seed) {
  i32 low = i32(seed % 65536), high = i32(seed / 65536), all = 65535;
  auto a = rows & all;
  auto b = cols & all;
  auto c = (a + (mixed(b, 31153, low) + (cols >> i32(16)) * i32(40503))) & all;
  auto d = (mixed(c, 26699, high) + b + (rows >> i32(16)) * i32(48271)) & all;
  auto e = (c + mixed(d, 32069, low)) & all;
  auto f = (d + mixed(e, 25939, high)) & all;
  auto g = (e + mixed(f, 31469, low)) & all;
  auto h = (f + mixed(g, 27751, high)) & all;
  return cast<float>(h) * (1.0f / 65536) +
         cast<float>(g >> i32(8)) * (1.0f / 16777216);
}

} // namespace belay::ops

#endif // BELAY_OPS_RANDOM_H
