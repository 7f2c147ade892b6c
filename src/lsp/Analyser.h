//===- Analyser.h - Asks the check, or the proof, about a text ------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LSP_ANALYSER_H
#define BELAY_LSP_ANALYSER_H

#include "check/Checker.h"
#include "lsp/Remarks.h"
#include "toolchain/KernelCompiler.h"

namespace belay::lsp {

/// What `belay lsp` is told about all files.
struct Settings {
  std::string Soc = "Ascend910B3";
  std::vector<std::string> Defines, IncludeDirs;
  /// CPU time for each file.
  std::chrono::seconds TimeLimit{20};
};

/// Reads texts as if they were files. One for each thread.
class Analyser {
public:
  static llvm::Expected<Analyser> create(const Settings &Options);

  /// What is to be said about Text, the content of Path. Quick: within the time
  /// between two keys. A text without kernels gets no remark.
  std::vector<Remark> analyse(const std::string &Path, const std::string &Text,
                              bool Quick);

private:
  Analyser(const Settings &Options, check::Checker Checker)
      : Options(Options), Checker(std::move(Checker)) {}

  std::vector<Remark> check(const std::string &Path, const std::string &Text,
                            bool Quick);
  std::vector<Remark> prove(const std::string &Path, const std::string &Text);

  Settings Options;
  check::Checker Checker;
};

} // namespace belay::lsp

#endif // BELAY_LSP_ANALYSER_H
