//===- Resources.h - What lies beside the executable ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Belay needs no installation step: what it reads at run time is found relative
// to the running executable, in a build tree as in an install tree.
//
//   <prefix>/bin/belay
//   <prefix>/lib/belay/      libraries that kernels and programs link
//   <prefix>/libexec/belay/  programs that belay starts
//   <prefix>/include/        headers that users include: belay/kernel.h, host.h
//   <prefix>/share/belay/    headers that stand in for the vendor's, and data
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_RESOURCES_H
#define BELAY_SUPPORT_RESOURCES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace belay::support {

/// The prefix: BELAY_HOME if set, else the nearest folder above the executable
/// that has share/belay. Empty if there is none.
const std::string &getPrefix();

/// <prefix>/share/belay/\p Name, whether or not it exists.
std::string getSharePath(llvm::StringRef Name = "");

/// <prefix>/include.
std::string getIncludePath();

/// Whether \p Path is one of the headers that come with Belay, under a name
/// that our own search paths give. The kernels of the corpus and the examples,
/// which are below share/belay as well, are users' code.
bool isOwnHeader(llvm::StringRef Path);

/// <prefix>/libexec/belay/\p Name, whether or not it exists.
std::string getLibexecPath(llvm::StringRef Name);

/// <prefix>/lib/belay/\p Name, whether or not it exists.
std::string getLibPath(llvm::StringRef Name);

} // namespace belay::support

#endif // BELAY_SUPPORT_RESOURCES_H
