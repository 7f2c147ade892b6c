//===- ProvenKernels.h - Which kernels a proof was about ------------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_PROVENKERNELS_H
#define BELAY_TOOLCHAIN_PROVENKERNELS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace belay::toolchain {

/// What was compiled of a source of the language. Templates are not, unless an
/// instance is named: nothing is known of them.
struct ProvenKernels {
  std::vector<std::string> Names;
  /// Why this is not all that the source has, or "".
  std::string Missing;
};

/// Source is the text, Json what KernelCompiler::compileLanguage made of it.
ProvenKernels provenKernels(llvm::StringRef Source, llvm::StringRef Json);

/// Whether this is how belay-kernelc refuses a source that has templates only:
/// nothing is wrong with it, and nothing is known.
bool saysOnlyTemplates(llvm::StringRef Message);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_PROVENKERNELS_H
