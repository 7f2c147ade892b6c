//===- Confinement.h - What compilers may reach -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The policy of programs that read untrusted sources. decisions/0016.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_CONFINEMENT_H
#define BELAY_TOOLCHAIN_CONFINEMENT_H

#include "sandbox/Policy.h"
#include "toolchain/Tools.h"

#include "llvm/ADT/ArrayRef.h"

namespace belay::toolchain {

/// A program that reads sources: the system's headers and Belay's, no file of
/// the user. Sources and a folder for results are added by the caller.
sandbox::Policy policyOfReader(const Tools &Tools);

/// The folder that a path is in, absolute: what a source may include from.
std::string folderOf(llvm::StringRef Path);
/// Folders of headers, absolute.
std::vector<std::string> foldersOf(llvm::ArrayRef<std::string> Dirs);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_CONFINEMENT_H
