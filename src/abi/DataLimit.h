//===- DataLimit.h - Whether memory has run out -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_DATALIMIT_H
#define BELAY_ABI_DATALIMIT_H

#include <cstdint>
#include <sys/mman.h>
#include <sys/resource.h>

namespace belay::sim {

/// Whether a request for more memory would be refused: then a crash is the
/// consequence, and the limit is what the user should hear of. For signal
/// handlers.
inline bool outOfMemory() {
  rlimit Limit;
  if (getrlimit(RLIMIT_DATA, &Limit) || Limit.rlim_cur == RLIM_INFINITY)
    return false;
  // No file of /proc: there may be none. A sixteenth more would be too much.
  size_t More = Limit.rlim_cur / 16;
  void *Room = mmap(nullptr, More, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Room == MAP_FAILED)
    return true;
  munmap(Room, More);
  return false;
}

} // namespace belay::sim

#endif // BELAY_ABI_DATALIMIT_H
