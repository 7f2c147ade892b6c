//===- ProjectTrial.h - Judges an operator project --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_PROJECTTRIAL_H
#define BELAY_BENCH_PROJECTTRIAL_H

#include "bench/Evaluator.h"

namespace belay::bench {

/// Judges an AscendC operator project (op_host, op_kernel) for a task of a
/// foreign set: each case is launched as its own host code decides, sealed and
/// in a sandbox, and its outputs are judged by the set's own rule. It is not
/// timed.
Result evaluateProject(const Evaluator::Options &Opts, const Task &T,
                       llvm::StringRef Packed);

} // namespace belay::bench

#endif // BELAY_BENCH_PROJECTTRIAL_H
