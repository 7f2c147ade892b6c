//===- Service.h - Verdicts on request --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_SERVICE_H
#define BELAY_BENCH_SERVICE_H

#include "bench/Campaign.h"

namespace belay::bench {

/// Reads requests from a file, one JSON object on each line,
///
///   {"id": 7, "task": "level1/activation/relu/float", "source": "..."}
///
/// and answers each on a line of its own, as soon as it is judged:
///
///   {"id": 7, "key": "...", "result": {...}} or {"id": 7, "error": "..."}
///
/// Ends with the file. For loops that judge a candidate as soon as it is
/// written: tasks are prepared once, and several threads work.
llvm::Error serveRequests(Campaign &By, int From, int To, unsigned Threads);

} // namespace belay::bench

#endif // BELAY_BENCH_SERVICE_H
