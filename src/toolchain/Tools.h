//===- Tools.h - The programs and folders that a run needs ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_TOOLS_H
#define BELAY_TOOLCHAIN_TOOLS_H

#include "llvm/Support/Error.h"
#include <string>

namespace belay::cache {
class ContentCache;
} // namespace belay::cache

namespace belay::toolchain {

struct Tools {
  std::string Clang, Linker;
  /// belay-runner, and belay-ophost.
  std::string Runner, OpHost;
  /// What Clang loads to find casts that cut lengths: tools/belay-casts.
  std::string Casts;
  /// Where kernel_operator.h is, the folder above abi/, and the one above
  /// belay/elements.def.
  std::string HeaderDir, ShareDir, IncludeDir;
  /// The headers for an operator's host code.
  std::string OpHostDir;

  /// $BELAY_CLANG or clang++-22, a linker, and what lies beside `belay`.
  static llvm::Expected<Tools> find();

  /// -I for what every kernel is compiled with.
  std::vector<std::string> headerFlags() const;
  /// What host code in the file of a kernel needs besides: it may throw, ask
  /// for types, and call AscendCL.
  std::vector<std::string> hostFlags() const;

  /// Path, size, time and version of everything that takes part in making an
  /// object. The compiler is asked for its version once per installation; the
  /// cache remembers.
  std::string identity(cache::ContentCache *Cache) const;

  /// Flags with which Clang looks at such casts; none if it cannot load what
  /// finds them, which is tried once per installation.
  std::vector<std::string> castFlags(cache::ContentCache *Cache) const;
};

/// What tells one build of a program from the next: real path, size, time.
std::string stamp(llvm::StringRef Path);

/// What a program says to --version, asked once per installation.
std::string versionOf(llvm::StringRef Program, cache::ContentCache *Cache);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_TOOLS_H
