//===- Replica.h - Queues and buffers as the kernel sees them ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which buffer AllocTensor or DeQue returns follows from the calls before it
// alone, so the issuer works it out instead of asking the model. The model
// works it out once more, with records of its own: whatever a kernel does to
// these, it only deceives itself.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_ISSUER_REPLICA_H
#define BELAY_SEALED_ISSUER_REPLICA_H

#include "sealed/Protocol.h"

namespace belay::sim::sealed {

/// The n-th record that InitBuffer made on this core, from 1; 0 for null, and
/// NoRecord for what is none.
inline constexpr uint64_t NoRecord = ~uint64_t(0);
inline constexpr uint32_t MaxRecords = 1 << 20;
uint64_t ordinalOf(const void *Record);

/// A core starts anew: it has no buffers.
void resetReplica();

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_ISSUER_REPLICA_H
