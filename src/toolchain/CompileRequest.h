//===- CompileRequest.h - What decides a compiled kernel --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_COMPILEREQUEST_H
#define BELAY_TOOLCHAIN_COMPILEREQUEST_H

#include "cases/Case.h"
#include "toolchain/KernelScan.h"
#include "toolchain/Tools.h"

namespace belay::toolchain {

/// All that decides what is compiled. Values of arguments and tiling do not.
struct CompileRequest {
  /// Absolute, and as the user wrote it.
  std::string Source, ShownSource;
  std::string Content;
  /// Content was made from Source: it is part of the wrapper.
  bool IsGenerated = false;
  /// Content was not read from Source, which is only a name.
  bool HasNoFile = false;
  ScannedKernel Kernel;
  uint32_t Arch = 0;
  /// The kind of core whose macros the source sees. Where the target has two
  /// kinds, the object for vector cores serves both if nobody asks.
  sim::CoreKind For = sim::CoreKind::Coupled;
  std::vector<std::string> Defines;
  std::vector<std::string> IncludeDirs;
  std::string Prelude;
  std::string TilingHeader;
  std::string TilingStruct;
  std::vector<std::string> TilingFields;
  /// Watch the integer arithmetic of the kernel.
  bool Check = false;
  bool Optimise = true;

  /// Reads the source and chooses the kernel. TilingFields are those of all
  /// cases that should share one object.
  static llvm::Expected<CompileRequest>
  make(const cases::Case &Case, std::vector<std::string> TilingFields);

  /// What Clang compiles: the source, and the description of its entry.
  std::string wrapper() const;

  std::vector<std::string> flags(const Tools &Tools) const;

  /// Whether kernel_operator.h means the same here as alone: nothing that the
  /// user wrote comes before it.
  bool startsWithApi() const;
  /// The flags for compiling kernel_operator.h alone.
  std::vector<std::string> apiFlags(const Tools &Tools) const;

  /// An error for what Clang said of the wrapper, in terms of what the user
  /// wrote.
  llvm::Error explain(llvm::ArrayRef<std::string> AboutWrapper) const;
};

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_COMPILEREQUEST_H
