//===- OutOfMemory.h - What the machine ended for want of memory -*- C++ -*-==//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_OUTOFMEMORY_H
#define BELAY_SEALED_OUTOFMEMORY_H

#include <cstdint>

namespace belay::sim::sealed {

/// How many processes the Linux kernel has ended since it started because the
/// machine, or a group of processes with a limit, was out of memory; 0 if it
/// does not say.
uint64_t countOutOfMemoryKills();

/// Whether a wait status says that the kernel's process, or that of one of its
/// cores, was killed.
bool wasKilled(int Status);

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_OUTOFMEMORY_H
