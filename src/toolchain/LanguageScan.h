//===- LanguageScan.h - Declarations of the language's kernels --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A glance at the tokens, for what has to be known before compiling: which
// template parameters a kernel has, and which of them its arguments decide.
// What follows is only a name, as softmax<1024>; the compiler has the last
// word.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_LANGUAGESCAN_H
#define BELAY_TOOLCHAIN_LANGUAGESCAN_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace belay::toolchain {

/// `class T` or `i64 N = 8`.
struct TemplateParam {
  std::string Name;
  bool IsType = false;
  std::optional<std::string> Default;
};

/// `In<T, dyn, C> x`.
struct LanguageParam {
  std::string Name;
  /// In, Out, InOut or PerCore; "" for a scalar.
  std::string View;
  /// As written, each without spaces. An extent that is not written is "dyn".
  std::string Element;
  std::vector<std::string> Extents;
};

/// A function marked [[belay::kernel]].
struct LanguageSignature {
  std::string Name;
  std::vector<TemplateParam> Templates;
  std::vector<LanguageParam> Params;
};

/// Those that are not understood are left out.
std::vector<LanguageSignature> scanLanguageKernels(llvm::StringRef Source);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_LANGUAGESCAN_H
