//===- KernelTemplates.h - Kernels whose types a launch deduces -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `template <class T> __global__ void k(T *x)` may be launched as
// `k<<<1, 0, s>>>(x)`: the compiler deduces T from x. A launch needs the
// address of the instance, which no argument has been seen of where the kernel
// is named. A structure beside the kernel, whose call operator has its template
// parameters and its parameters, deduces it (belay/program.h).
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_KERNELTEMPLATES_H
#define BELAY_TOOLCHAIN_KERNELTEMPLATES_H

#include "toolchain/Tokens.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace belay::toolchain {

struct KernelTemplate {
  llvm::StringRef Name;
  /// One past the token that ends its definition.
  size_t End = 0;
  /// The structure, on one line.
  std::string Deduction;
};

/// What the structure of a kernel is called.
std::string deductionOf(llvm::StringRef Kernel);

/// Templates of kernels that are defined here, each of a name of its own, and
/// whose template parameters all have names.
std::vector<KernelTemplate> findKernelTemplates(llvm::ArrayRef<Token> Tokens);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_KERNELTEMPLATES_H
