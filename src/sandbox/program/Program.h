//===- Program.h - The parts of belay-sandbox -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANDBOX_PROGRAM_PROGRAM_H
#define BELAY_SANDBOX_PROGRAM_PROGRAM_H

#include "sandbox/Policy.h"

#include <string>
#include <vector>

namespace belay::sandbox {

/// Says what failed, with errno, and ends this process.
[[noreturn]] void fail(const char *Step, const std::string &Detail = "");

/// A mount that is not attached to any folder yet.
struct Tree {
  std::string Path;
  enum class Kind { Read, Write, Hide } What;
  int Fd = -1;
  bool IsFolder = false;
};

/// What the policy names, opened; what does not exist is left out. As root, the
/// files of whoever owns them look like files of \p SeenAs, since the child
/// must not be root and the files may be for root only.
std::vector<Tree> openTrees(const Policy &P, bool AsRoot, unsigned SeenAs);

/// Replaces all that this mount namespace shows by the trees and what else the
/// policy names. It can still be written to.
void replaceRoot(std::vector<Tree> &Trees, const Policy &P);

/// Nothing more comes to the root folder.
void closeRoot();

/// A copy of a file, in the root folder.
void addFile(int From, const char *Path);

/// The second wall in front of files and sockets, where Linux has it; the
/// version of its interface, 0 if there is none.
unsigned restrictFiles(const Policy &P);

} // namespace belay::sandbox

#endif // BELAY_SANDBOX_PROGRAM_PROGRAM_H
