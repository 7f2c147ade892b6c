//===- OutOfMemory.cpp - What the machine ended for want of memory --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sealed/OutOfMemory.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/wait.h>

namespace belay::sim::sealed {

uint64_t countOutOfMemoryKills() {
  std::FILE *File = std::fopen("/proc/vmstat", "re");
  if (!File)
    return 0;
  constexpr std::string_view Name = "oom_kill ";
  uint64_t Kills = 0;
  char Line[256];
  while (std::fgets(Line, sizeof(Line), File))
    if (std::string_view(Line).substr(0, Name.size()) == Name)
      Kills = std::strtoull(Line + Name.size(), nullptr, 10);
  std::fclose(File);
  return Kills;
}

bool wasKilled(int Status) {
  // The second is what the issuer says of a core, as a shell would.
  return WIFSIGNALED(Status) ? WTERMSIG(Status) == SIGKILL
                             : WEXITSTATUS(Status) == 128 + SIGKILL;
}

} // namespace belay::sim::sealed
