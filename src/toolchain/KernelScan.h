//===- KernelScan.h - Kernels in a source file, by their tokens -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A glance at the tokens, for what has to be known before compiling (which
// kernel is meant) and for messages (the names of its parameters). The compiler
// has the last word on everything.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_KERNELSCAN_H
#define BELAY_TOOLCHAIN_KERNELSCAN_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace belay::toolchain {

struct ScannedKernel {
  std::string Name;
  unsigned Line = 0;
  /// Each parameter as written, spaces normalised: "GM_ADDR x".
  std::vector<std::string> Params;
  bool Template = false;

  /// "x" of "GM_ADDR x"; "" where there is none.
  std::string paramName(unsigned Index) const;
  /// The header of the vendor's build that launches the kernel by its name:
  /// aclrtlaunch_k(blocks, stream, x).
  std::string launcher() const;
  /// "add_custom(GM_ADDR x, GM_ADDR y)".
  std::string str() const;
};

struct KernelScan {
  /// Functions marked __global__, each name once.
  std::vector<ScannedKernel> Kernels;
  /// Structures named by GET_TILING_DATA_WITH_STRUCT or
  /// REGISTER_TILING_DEFAULT, each once.
  std::vector<std::string> TilingStructs;

  const ScannedKernel *find(llvm::StringRef Name) const;
  /// "add, mul"
  std::string listKernels() const;
};

KernelScan scanKernels(llvm::StringRef Source);

/// Whether a source is of the kernel language: it has functions marked
/// [[belay::kernel]], or includes belay/kernel.h and has none marked
/// __global__.
bool usesKernelLanguage(llvm::StringRef Source);

/// How many functions a source marks as kernels of the language.
unsigned countLanguageKernels(llvm::StringRef Source);

/// Whether a source or header may ask which kind of core it is compiled for:
/// it names __DAV_C220_CUBE__, one of its variants, or g_coreType.
bool asksForCore(llvm::StringRef Source);

/// Whether a source or header asks who compiles it: it names BELAY_SIMULATOR,
/// other than in the guards that Belay emits. Such a source can show one kernel
/// to us and another to the device.
bool asksForJudge(llvm::StringRef Source);

/// The source with blanks for what only the vendor's compiler reads: launches
/// (`k<<<blocks, l2, stream>>>(x)`), and an ASSERT that no semicolon separates
/// from what comes before. The attributes `[aicore]` and `[host, aicore]`
/// become the macro `__aic__`.
std::string toStandardCpp(llvm::StringRef Source);

/// The source with its launches as belay/program.h has them, line by line the
/// same: `k<T><<<blocks, l2, stream>>>(x)` becomes
/// `BELAY_LAUNCH((k<T>))(blocks, l2, stream)(x)`.
std::string rewriteLaunches(llvm::StringRef Source);

/// The source with its variables in the unified buffer, which all threads of a
/// block share, as api/register/variables.h has them, line by line the same:
/// `__ubuf__ float t[8];` in a function becomes `BELAY_UB_STATIC(t, float
/// [8]);` and `extern __ubuf__ float d[];` becomes `BELAY_UB_DYNAMIC(d,
/// float);`.
std::string declareUbVariables(llvm::StringRef Source);

/// Whether a source defines main().
bool definesMain(llvm::StringRef Source);

/// Whether nothing but comments and `#pragma once` stands before the
/// source's `#include "Header"`: what it means cannot depend on the source.
bool includesFirst(llvm::StringRef Source, llvm::StringRef Header);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_KERNELSCAN_H
