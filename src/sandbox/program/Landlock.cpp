//===- Landlock.cpp - A second wall in front of files and sockets ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Headers of the system may be older than Linux, so what is needed of the
// interface stands here.
//
//===----------------------------------------------------------------------===//

#include "sandbox/program/Program.h"

#include <cstdint>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace belay::sandbox;

namespace {

struct Ruleset {
  uint64_t Files, Network, Scoped;
};
struct [[gnu::packed]] PathRule {
  uint64_t Allowed;
  int32_t Parent;
};
constexpr long CreateRuleset = 444, AddRule = 445, RestrictSelf = 446;
constexpr unsigned AskVersion = 1, PathBeneath = 1;
constexpr uint64_t Execute = 1, ReadFile = 4, ReadFolder = 8;
constexpr uint64_t Network = 3; // bind and connect
constexpr uint64_t Scoped = 3;  // abstract sockets, signals

} // namespace

/// What each version can handle.
static uint64_t filesOf(unsigned Version) {
  unsigned Bits = Version >= 5   ? 16
                  : Version >= 3 ? 15
                  : Version == 2 ? 14
                                 : 13;
  return (uint64_t(1) << Bits) - 1;
}

static bool allow(int Rules, const char *Path, uint64_t Access) {
  PathRule Rule = {Access, ::open(Path, O_PATH | O_CLOEXEC)};
  if (Rule.Parent < 0)
    return true; // nothing there, nothing to allow
  bool Done = ::syscall(AddRule, Rules, PathBeneath, &Rule, 0) == 0;
  ::close(Rule.Parent);
  return Done;
}

unsigned belay::sandbox::restrictFiles(const Policy &P) {
  long Known = ::syscall(CreateRuleset, nullptr, 0, AskVersion);
  if (Known <= 0)
    return 0;
  auto Version = static_cast<unsigned>(Known);
  Ruleset Handled = {filesOf(Version), Version >= 4 ? Network : 0,
                     Version >= 6 ? Scoped : 0};
  size_t Bytes = Version >= 6 ? 24 : Version >= 4 ? 16 : 8;
  auto Rules = static_cast<int>(::syscall(CreateRuleset, &Handled, Bytes, 0));
  if (Rules < 0)
    fail("landlock_create_ruleset");
  bool Done = allow(Rules, "/", Execute | ReadFile | ReadFolder);
  if (P.TemporaryBytes)
    Done &= allow(Rules, "/tmp", Handled.Files & ~Execute);
  for (const std::string &Path : P.Write)
    Done &= allow(Rules, Path.c_str(), Handled.Files & ~Execute);
  if (!Done || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::syscall(RestrictSelf, Rules, 0) != 0)
    fail("landlock");
  ::close(Rules);
  return Version;
}
