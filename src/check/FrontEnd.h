//===- FrontEnd.h - Reads a file and checks its kernels ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_FRONTEND_H
#define BELAY_CHECK_FRONTEND_H

#include "check/Report.h"
#include <optional>
#include <string>
#include <vector>

namespace belay::check {

struct FrontEndOptions {
  std::string Source;
  /// What Clang reads instead, under the same name.
  std::optional<std::string> Content;
  std::vector<std::string> ClangArgs;
  std::string Soc;
  /// bisheng inserts its flags (--cce-auto-sync).
  bool CompilerSync = true;
  /// Follow one path only, and ask the cheap questions.
  bool Quick = false;
  /// So many times the usual limits on paths and steps.
  unsigned Effort = 1;
  /// `// belay: assume` says nothing.
  bool IgnoreAssumptions = false;
};

/// Clang's messages about the file go to stderr.
Report checkFile(const FrontEndOptions &Options);

} // namespace belay::check

#endif // BELAY_CHECK_FRONTEND_H
