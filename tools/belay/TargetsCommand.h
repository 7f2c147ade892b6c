//===- TargetsCommand.h - Forms of the target tables ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_TARGETSCOMMAND_H
#define BELAY_TOOLS_BELAY_TARGETSCOMMAND_H

#include "targets/Target.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace belay::tool {

/// "192 KB", "1 MB", "512 B", or "-" for 0.
std::string formatBytes(uint64_t Bytes);

/// "simulated", "described", "sizes only".
llvm::StringRef formatCoverage(targets::Coverage Value);

/// "20 cube + 40 vector", "8 AI + 7 vector", "32 AI".
std::string formatCores(const targets::Soc &S);

/// "0, 1, 2", or "-".
std::string formatModes(uint32_t Modes);

/// Why kernels cannot be checked, proven or simulated for the SoC of that name,
/// and which one may be meant; "" if they can.
std::string mistakeInSoc(llvm::StringRef Name);

/// docs/targets.md, whole.
void printTargetsMarkdown(llvm::raw_ostream &OS);

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_TARGETSCOMMAND_H
