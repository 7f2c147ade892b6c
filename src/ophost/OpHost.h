//===- OpHost.h - The launch that host code decides -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operator comes with host code: a definition of its parameters, and a
// tiling function that says for given shapes how many blocks to launch, with
// which tiling data, tiling key and workspace. Here that code decides the case.
// It is untrusted code and runs in a child process of its own, belay-ophost.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_OPHOST_H
#define BELAY_OPHOST_OPHOST_H

#include "toolchain/KernelCompiler.h"

namespace belay::ophost {

/// One parameter of an operator's definition.
struct OpParam {
  std::string Name;
  bool Dynamic = false;
  /// Element types it may have, as host code and as kernels name them. Entry N
  /// of all parameters belongs together, unless Cross.
  std::vector<std::string> Types, KernelTypes;
  bool Cross = false;
  /// An output whose shape the kernel computes.
  bool ShapeIsComputed = false;
};

/// What belay-ophost answers.
struct OpLaunch {
  std::string Op;
  std::vector<OpParam> Inputs, Outputs;
  /// The tiling structures, as C++ for the kernel.
  std::string Header;
  uint32_t Blocks = 0;
  uint64_t TilingKey = 0;
  uint64_t Workspace = 0;
  std::string Tiling;
  /// Which entry of the types fits; nothing if none does.
  std::optional<unsigned> Column;

  /// Without a launch, if none was asked for.
  static llvm::Expected<OpLaunch> parse(llvm::StringRef Json);
};

/// The case with all that the host code decides: blocks, tiling, workspace, and
/// the DTYPE_ macros of the kernel. The arguments are the operator's inputs and
/// then its outputs, in the order of the definition.
llvm::Expected<cases::Case> applyOpHost(const cases::Case &Case,
                                        toolchain::KernelCompiler &Compiler);

/// What an operator's kernel is compiled with in front of it when no launch is
/// known: the tiling structures, and the DTYPE_ macros of the first combination
/// of element types, unless the case defines others.
llvm::Expected<std::string>
preludeOfOperator(const cases::Case &Case, toolchain::KernelCompiler &Compiler);

} // namespace belay::ophost

#endif // BELAY_OPHOST_OPHOST_H
