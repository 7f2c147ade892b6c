//===- FrameResolver.h - Program counters to source lines -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_FRAMERESOLVER_H
#define BELAY_REPORT_FRAMERESOLVER_H

#include "abi/Launch.h"
#include "support/Diagnostics.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm::symbolize {
class LLVMSymbolizer;
} // namespace llvm::symbolize

namespace belay::report {

struct Frame {
  std::string Function;
  support::SourcePlace Where;
};

/// A path relative to where the user is, if it lies below.
std::string shorten(llvm::StringRef Path, llvm::StringRef WorkingDir);

/// Finds the lines of the program counters of a kernel's objects. Loads its
/// debug information on first use.
class FrameResolver {
public:
  /// Frames in files below OwnHeaders are Belay's business, not the user's.
  FrameResolver(std::string ObjectPath, std::string CubeObjectPath,
                std::string OwnHeaders);
  ~FrameResolver();

  /// The user's frames of a stack, innermost first, inlined calls included. If
  /// there is none, the innermost frame of any kind.
  std::vector<Frame> resolve(const sim::Place &Place);

private:
  std::string ObjectPath, CubeObjectPath, OwnHeaders, WorkingDir;
  std::unique_ptr<llvm::symbolize::LLVMSymbolizer> Symbolizer;
};

} // namespace belay::report

#endif // BELAY_REPORT_FRAMERESOLVER_H
