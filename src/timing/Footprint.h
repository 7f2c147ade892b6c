//===- Footprint.h - Bytes of global memory, moved and needed ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_FOOTPRINT_H
#define BELAY_TIMING_FOOTPRINT_H

#include "timing/Step.h"

namespace belay::timing {

/// What copies and the scalar unit move between global memory and the cores,
/// and the least that any kernel would: each byte once.
struct Footprint {
  uint64_t GlobalBytes = 0; // of all arguments
  uint64_t Read = 0, Written = 0;
  uint64_t LeastRead = 0, LeastWritten = 0;
  uint64_t Resident = 0; // bytes that ask for a place in L2
  bool Reuse = false;    // some bytes are touched twice
};

Footprint footprintOf(const std::vector<Stream> &Cores, uint64_t GlobalBytes);

} // namespace belay::timing

#endif // BELAY_TIMING_FOOTPRINT_H
