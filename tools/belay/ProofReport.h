//===- ProofReport.h - What was proven, as a report -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_PROOFREPORT_H
#define BELAY_TOOLS_BELAY_PROOFREPORT_H

#include "report/RunReport.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace belay::tool {

/// What the compiler of the language said of a source, and whether it accepted
/// it. Errors are problems. The one topic is *proof*: clean if all is proven,
/// unknown where a guard takes the place of a proof.
report::CaseResult reportProof(const std::string &Source,
                               llvm::StringRef Messages, bool Accepted);

/// Adds to the result of a launch what was proven of the kernel before; nothing
/// to that of an AscendC kernel, of which nothing was.
void addProof(report::CaseResult &Result, const std::string &Source);

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_PROOFREPORT_H
