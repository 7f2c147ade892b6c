//===- CheckReport.h - What the static check says of a candidate *- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_CHECKREPORT_H
#define BELAY_BENCH_CHECKREPORT_H

#include "bench/Result.h"
#include "check/Checker.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace belay::bench {

/// Charges the candidate with what the check found, and writes down the topics
/// that it knows nothing about; calls Add with what is to be shown.
void chargeCheck(const check::Report &Report, Result &R,
                 llvm::function_ref<void(const support::Diagnostic &)> Add);

} // namespace belay::bench

#endif // BELAY_BENCH_CHECKREPORT_H
