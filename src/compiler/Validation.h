//===- Validation.h - Whether a source may go to the device -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_VALIDATION_H
#define BELAY_COMPILER_VALIDATION_H

#include "compiler/DeviceTargets.h"
#include "compiler/UserOptions.h"
#include "simulator/driver/Tools.h"
#include "support/Diagnostics.h"
#include <string>
#include <vector>

namespace belay::compiler {

struct Validation {
  enum class Verdict : uint8_t {
    NotRun,
    Passed,   ///< All that was looked for was looked for, and is not there.
    Findings, ///< Diags say what is wrong.
    Unknown,  ///< Reason says why nothing can be said.
  };
  Verdict What = Verdict::NotRun;
  std::string Reason;
  std::vector<support::Diagnostic> Diags;
};

/// "not-run", "passed", "findings", "unknown".
llvm::StringRef nameOf(Validation::Verdict What);

/// Reads the source with Belay's own AscendC headers. The only place that
/// decides what `belay compile` looks for before it compiles.
Validation validateSource(const driver::Tools &Tools,
                          const DeviceTarget &Target, llvm::StringRef Content,
                          llvm::StringRef Shown, llvm::StringRef SourceDir,
                          const UserOptions &Options);

} // namespace belay::compiler

#endif // BELAY_COMPILER_VALIDATION_H
