//===- CompilerFlags.h - How kernels are compiled ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_COMPILERFLAGS_H
#define BELAY_TOOLCHAIN_COMPILERFLAGS_H

#include "abi/Types.h"
#include <cstdint>
#include <string>
#include <vector>

namespace belay::toolchain {

/// Flags that depend on the target and the host only, without include folders.
std::vector<std::string> baseFlags(uint32_t Arch);

/// Additional flags that report integers which lose bits to the runtime.
std::vector<std::string> checkFlags(const std::string &HeaderDir);

/// What the vendor's compiler predefines for an architecture, as NAME=VALUE.
std::vector<std::string> archMacros(uint32_t Arch);

/// What it predefines in addition where a kernel is compiled once for each kind
/// of core.
std::vector<std::string> coreMacros(uint32_t Arch, sim::CoreKind Kind);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_COMPILERFLAGS_H
