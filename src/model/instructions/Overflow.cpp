//===- Overflow.cpp - Integers that lost bits, and where they went --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Overflow.h"
#include "model/core/Core.h"
#include "model/core/Failure.h"
#include "model/core/Observer.h"

using namespace belay::sim;

namespace belay::sim {

void tellOverflow(const overflow::Note &N, const void *PC) {
  Core *C = Core::currentOrNull();
  if (!C || !C->Watcher)
    return;
  WrapRecord R = {PC, N.Value, N.Type, N.Op, N.Left, N.Right};
  if (N.Truncation)
    C->Watcher->onTruncation(R, N.Before);
  else
    C->Watcher->onWrap(R);
}

} // namespace belay::sim

#define TELL(Note) tellOverflow(Note, BELAY_PC)
BELAY_OVERFLOW_HANDLERS(TELL)
