//===- Mistakes.h - Programs of one mistake each, in C ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TEST_DEVICE_MISTAKES_H
#define BELAY_TEST_DEVICE_MISTAKES_H

#include "acl/acl.h"

#include <cstdio>
#include <map>
#include <string>

/// Programs go on after an error, as careless ones do.
inline void check(int Error, const char *What) {
  if (!Error)
    return;
  const char *Text = aclGetRecentErrMsg();
  std::printf("%s: %d %s\n", What, Error, Text ? Text : "");
}
#define CHECK(Call) check(Call, #Call)

/// Each takes whether to make its mistake.
using MistakeCases = std::map<std::string, void (*)(bool)>;

/// The end of a main() whose last arguments are CASE wrong|right.
inline int runMistake(const MistakeCases &Cases, const std::string &Name,
                      const std::string &How) {
  auto Case = Cases.find(Name);
  if (Case == Cases.end() || (How != "wrong" && How != "right"))
    return 2;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Case->second(How == "wrong");
  return 0;
}

#endif // BELAY_TEST_DEVICE_MISTAKES_H
