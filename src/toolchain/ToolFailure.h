//===- ToolFailure.h - Compilers that fail for other reasons ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler that fails has usually been given a wrong source. What says
// nothing about the source must not be charged to it: whoever scores kernels
// would reject one because a machine was short of memory.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_TOOLFAILURE_H
#define BELAY_TOOLCHAIN_TOOLFAILURE_H

#include "support/Subprocess.h"
#include "llvm/ADT/StringRef.h"

namespace belay::toolchain {

/// Why a compiler or a linker made nothing, if that says nothing about the
/// source: it could not be started, it crashed, it was killed, it did not get
/// its CPU time, or there was no space in \p Folder, where it writes. Empty if
/// it refused the source, or reached a limit that Belay sets: time, memory, the
/// size of a file.
std::string faultOfMachine(const support::ProcessResult &Result,
                           llvm::StringRef Folder);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_TOOLFAILURE_H
