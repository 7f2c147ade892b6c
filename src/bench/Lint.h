//===- Lint.h - Tasks that accept what they should not ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_LINT_H
#define BELAY_BENCH_LINT_H

#include "bench/Values.h"

namespace belay::bench {

/// Why a task cannot tell a right candidate from a wrong one.
struct Objection {
  std::string Task, Why;
};

/// Judges answers that compute nothing, as candidates are judged: zeros, a
/// constant, an input, what another task wants of the same inputs. A task that
/// accepts one in all of its cases, or that has no case, is objected to; of two
/// that accept each other's answers, one.
llvm::Expected<std::vector<Objection>> lint(llvm::ArrayRef<Task> Tasks,
                                            ValueCache &Values);

} // namespace belay::bench

#endif // BELAY_BENCH_LINT_H
