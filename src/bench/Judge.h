//===- Judge.h - Whether an output is right ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_JUDGE_H
#define BELAY_BENCH_JUDGE_H

#include "bench/Values.h"

namespace belay::bench {

/// How far a result may be from the reference, relative to it: eight units in
/// the last place of half and bfloat16; of float, what is left after a long
/// sum.
double relativeTolerance(cases::DataType Type);

/// The absolute error that is allowed where \p Want is expected: relative to
/// it; plus the rounding, in the output's own type, of intermediate values of
/// size \p Near; plus what hardware may flush to zero. docs/bench.md says why.
double allowedError(cases::DataType Type, double Want, double Near);

/// What became of one output.
struct Judgement {
  uint64_t Elements = 0, Wrong = 0, NeverWritten = 0;
  /// The largest error, in units of what is allowed.
  double Worst = 0;
  /// The first that is wrong.
  uint64_t FirstAt = 0;
  double Got = 0, Want = 0;

  bool right() const { return Wrong == 0; }
};

/// Element by element. NaN is right where NaN is expected, and infinities have
/// to be the same; integers are exact. What holds the pattern from before the
/// launch was never written and is wrong, whatever is expected.
Judgement judge(const Argument &Expected, llvm::ArrayRef<uint8_t> Got);

} // namespace belay::bench

#endif // BELAY_BENCH_JUDGE_H
