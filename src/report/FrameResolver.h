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
#include <map>
#include <string>
#include <vector>

namespace belay::report {

struct Frame {
  std::string Function;
  support::SourcePlace Where;
};

/// A path relative to where the user is, if it lies below.
std::string shorten(llvm::StringRef Path, llvm::StringRef WorkingDir);

/// Finds the lines of the program counters of a kernel's objects. A child
/// process reads their debug information, which is untrusted input.
class FrameResolver {
public:
  FrameResolver(std::string ObjectPath, std::string CubeObjectPath,
                bool Sandbox = false);

  /// Asks for all that resolve() will be asked for, as one process for each is
  /// slow.
  void prepare(llvm::ArrayRef<const sim::Place *> Places);

  /// The user's frames of a stack, innermost first, inlined calls included. If
  /// there is none, the innermost frame of any kind.
  std::vector<Frame> resolve(const sim::Place &Place);

private:
  void ask(llvm::ArrayRef<uint64_t> Addresses, bool InCube);

  std::string ObjectPath, CubeObjectPath, WorkingDir;
  bool Sandbox;
  /// By address: all frames there, from the innermost on.
  std::map<uint64_t, std::vector<Frame>> Known;
};

} // namespace belay::report

#endif // BELAY_REPORT_FRAMERESOLVER_H
