//===- Scores.h - What many results say together ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_SCORES_H
#define BELAY_BENCH_SCORES_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace belay::bench {

/// A number between 0 and 1, with the interval in which it lies with a
/// probability of 95 %.
struct Estimate {
  double Value = 0, Low = 0, High = 0;
  unsigned Tasks = 0; ///< That had enough samples.
};

/// Of one task: samples, and those that succeeded.
struct Tally {
  unsigned Samples = 0, Good = 0;
};

/// The probability that at least one of \p K samples drawn from these without
/// putting them back is good: 1 - C(n - c, k) / C(n, k). Asks for K <= Samples.
double passAtK(Tally T, unsigned K);

/// The mean over tasks with at least \p K samples. Tasks are what varies, so
/// the interval is that of their mean when tasks are drawn again (bootstrap,
/// with the same numbers each time).
Estimate meanPassAtK(llvm::ArrayRef<Tally> Tasks, unsigned K);

/// The mean of values, one for each task, in the same way.
Estimate meanOf(llvm::ArrayRef<double> Values);

} // namespace belay::bench

#endif // BELAY_BENCH_SCORES_H
