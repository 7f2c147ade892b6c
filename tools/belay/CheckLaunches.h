//===- CheckLaunches.h - What known launches show -----------------*- C++ -*-=//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_CHECKLAUNCHES_H
#define BELAY_TOOLS_BELAY_CHECKLAUNCHES_H

#include "CheckInputs.h"

#include "cases/Case.h"
#include "check/Checker.h"
#include "report/CaseResult.h"

namespace belay::tool {

/// Launches of the kernels that are checked, from case files. Each runs under
/// the sanitizer, and is held against the conditions of what is clean if they
/// hold: a launch shows mistakes that the source alone does not.
class CheckLaunches {
public:
  static llvm::Expected<CheckLaunches>
  read(llvm::ArrayRef<llvm::StringRef> CaseFiles);

  /// Adds to the results of a source what its launches show. What was found of
  /// the source is null for a kernel of the language.
  llvm::Error addTo(std::vector<report::CaseResult> &Results,
                    const check::Report *Found,
                    const check::CheckRequest &Request, bool Sealed);

  /// A launch of none of these files, or "".
  std::string findStray(llvm::ArrayRef<CheckInput> Files) const;

private:
  struct KnownLaunch {
    std::string Name; // "'tail' of cases.json"
    cases::Case Case;
  };
  std::vector<KnownLaunch> Launches;
};

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_CHECKLAUNCHES_H
