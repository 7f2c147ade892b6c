//===- LanguageKernel.h - Kernels of the kernel language --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `belay run` takes sources of the kernel language, too. belay-kernelc turns
// them into AscendC and describes how that is launched; here the arguments of a
// case are bound to the kernel's own parameters, checked as its launcher would
// check them, and put in the order of the entry point.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_LANGUAGEKERNEL_H
#define BELAY_LAUNCH_LANGUAGEKERNEL_H

#include "cases/Case.h"
#include "launch/LaunchContract.h"

namespace belay::launch {

/// What belay-kernelc makes of one kernel.
struct LanguageKernel {
  LaunchContract Contract;
  /// AscendC.
  std::string Code;

  /// Reads what KernelCompiler::compileLanguage returns.
  static llvm::Expected<std::vector<LanguageKernel>>
  parse(llvm::StringRef Json);
};

/// Whether the case's source is of the kernel language. A file that cannot be
/// read is not.
bool isLanguageSource(const cases::Case &Case);

/// The kernel that the case means: the one it names, which is the only one, or
/// the only one of the file.
llvm::Expected<const LanguageKernel *>
chooseKernel(const cases::Case &Case, llvm::ArrayRef<LanguageKernel> Kernels);

/// The case as a launch of the emitted AscendC. The tensors of the case bind to
/// the kernel's views in order, its scalars to the scalars; open extents are
/// those of the tensors, and what belongs to each core is added.
llvm::Expected<cases::Case> applyLanguage(const cases::Case &Input,
                                          const LanguageKernel &Kernel);

/// What was found in the emitted code, as the author of the kernel should read
/// it: its lines are those of the kernel, its columns mean nothing.
void explainAsLanguage(support::Diagnostic &Diag);

} // namespace belay::launch

#endif // BELAY_LAUNCH_LANGUAGEKERNEL_H
