//===- DataLimit.h - Whether memory has run out -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_DATALIMIT_H
#define BELAY_ABI_DATALIMIT_H

#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace belay::sim {

/// Whether a request for more memory would be refused: then a crash is the
/// consequence, and the limit is what the user should hear of. Reads statm by
/// hand, because a signal handler may not allocate.
inline bool outOfMemory() {
  rlimit Limit;
  if (getrlimit(RLIMIT_DATA, &Limit) || Limit.rlim_cur == RLIM_INFINITY)
    return false;
  char Text[256] = {};
  int Fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t Read = Fd < 0 ? -1 : ::read(Fd, Text, sizeof(Text) - 1);
  if (Fd >= 0)
    close(Fd);
  if (Read <= 0)
    return false;
  unsigned long long Pages = 0;
  const char *At = Text;
  for (int Field = 0; Field < 6; ++Field) { // the sixth is data and stack
    char *End;
    Pages = std::strtoull(At, &End, 10);
    At = End;
  }
  uint64_t Used = Pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return Used > Limit.rlim_cur / 16 * 15;
}

} // namespace belay::sim

#endif // BELAY_ABI_DATALIMIT_H
