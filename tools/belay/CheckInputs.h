//===- CheckInputs.h - Which files belay check reads ----------------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_CHECKINPUTS_H
#define BELAY_TOOLS_BELAY_CHECKINPUTS_H

#include "Command.h"

#include "toolchain/CompileCommands.h"

namespace belay::tool {

/// A source, and how a build compiles it.
struct CheckInput {
  SourceText Source;
  bool FromStdin = false;
  /// Null if no build was named.
  const toolchain::CompileCommand *How = nullptr;
};

struct CheckInputs {
  std::vector<CheckInput> Files;
  /// Of folders and builds, those without kernels.
  unsigned WithoutKernels = 0;
};

/// The files that are named. Of a folder, and of a build if no file is named,
/// those that have kernels: sources by their names, no links, no hidden ones.
/// With a build, each named file has to have a command in it.
llvm::Expected<CheckInputs>
collectInputs(llvm::ArrayRef<llvm::StringRef> Names,
              const toolchain::CompileCommands *Build);

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_CHECKINPUTS_H
