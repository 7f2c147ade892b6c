//===- CheckFile.h - What belay check says of one file --------------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_CHECKFILE_H
#define BELAY_TOOLS_BELAY_CHECKFILE_H

#include "CheckInputs.h"

#include "check/Checker.h"

namespace belay::tool {

/// What was found of a file.
struct CheckedFile {
  std::vector<report::CaseResult> Results;
  /// How it was asked for.
  check::CheckRequest Request;
  /// Of AscendC, the results with what their conditions are about, and Clang's
  /// messages.
  std::optional<check::Report> Found;
};

/// Checks AscendC, or proves kernels of the language: what a file is, it says.
CheckedFile checkFile(check::Checker &Checker,
                      const check::CheckRequest &Request,
                      const CheckInput &File);

struct Fixed {
  std::string Text;
  unsigned NumFixes = 0;
};

/// Inserts what findings of an AscendC file ask for, one after another, as long
/// as the check confirms that each leaves fewer findings than there were.
Fixed fixFile(check::Checker &Checker, const check::CheckRequest &Request,
              const CheckInput &File);

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_CHECKFILE_H
