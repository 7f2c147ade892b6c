//===- InternalNames.h - Names of one file that others have to find -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of a program are found by their symbols, which those in unnamed
// namespaces and those that are static do not have.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_INTERNALNAMES_H
#define BELAY_TOOLCHAIN_INTERNALNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace belay::toolchain {

/// The source with names for its unnamed namespaces, and without `static`
/// before `__global__`, line by line the same: `namespace {` becomes
/// `inline namespace Name {`, whose names are seen as those of the unnamed one.
std::string nameInternals(llvm::StringRef Source, llvm::StringRef Name);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_INTERNALNAMES_H
