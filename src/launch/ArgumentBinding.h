//===- ArgumentBinding.h - Which argument goes where ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_ARGUMENTBINDING_H
#define BELAY_LAUNCH_ARGUMENTBINDING_H

#include "cases/Case.h"
#include "toolchain/Description.h"
#include "toolchain/KernelScan.h"

namespace belay::launch {

/// What one parameter of the kernel receives.
struct Binding {
  enum class Source : uint8_t { Positional, Workspace, Tiling } From;
  /// Positional: index into Case::Args.
  unsigned Index = 0;
  /// The parameter's name if the source shows it, else "in 0".
  std::string Name;

  bool operator==(const Binding &Other) const {
    return From == Other.From && Index == Other.Index;
  }
};

/// One binding per parameter. Arguments of the command line bind in order. Of
/// the parameters that are left, two pointers are the workspace and the tiling,
/// as in every AscendC operator; a single one is the tiling if the case has one
/// and else the workspace; a structure is the tiling by value.
///
/// The error shows the kernel's parameters beside what was given.
llvm::Expected<std::vector<Binding>>
bindArguments(const cases::Case &Case, const toolchain::Description &Kernel,
              const toolchain::ScannedKernel &Scanned);

/// The bytes of a scalar argument.
std::string encodeScalar(const cases::ArgSpec &Arg);

} // namespace belay::launch

#endif // BELAY_LAUNCH_ARGUMENTBINDING_H
