//===- ExitStatus.h - What every command returns to the shell ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of exit statuses: `belay help` prints it, docs/exit-status.md
// repeats it, a test compares the two.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_EXITSTATUS_H
#define BELAY_SUPPORT_EXITSTATUS_H

namespace belay::support {

// Of several results the highest counts, so the order is that of gravity.
#define BELAY_EXIT_STATUSES(STATUS)                                            \
  STATUS(Passed, 0, "done, and nothing is wrong")                              \
  STATUS(Found, 1, "a fault was found, an output differs, the answer is no")   \
  STATUS(BadCase, 2, "the command line, a case or its arguments are wrong")    \
  STATUS(NotCompiled, 3, "the source does not compile or is not proven")       \
  STATUS(Stopped, 4, "a crash of the kernel or program, or a limit reached")   \
  STATUS(Failed, 5, "Belay or the machine failed")

enum class ExitStatus : int {
#define BELAY_STATUS(Name, Number, Meaning) Name = Number,
  BELAY_EXIT_STATUSES(BELAY_STATUS)
#undef BELAY_STATUS
};

} // namespace belay::support

#endif // BELAY_SUPPORT_EXITSTATUS_H
