//===- Cann.h - The user's own CANN -----------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_CANN_H
#define BELAY_COMPILER_CANN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace belay::cache {
class ContentCache;
}

namespace belay::compiler {

/// An installation of the vendor's toolkit. Belay contains nothing of it and
/// needs it only to make binaries for a device.
struct Cann {
  std::string Root;    ///< With links resolved, so that "latest" is a version.
  std::string Version; ///< "8.5.0", or "" if no file says it.
  std::string Bisheng; ///< The compiler; "" if there is none.
  std::string Linker;  ///< ld.lld beside it; "" if there is none.
  std::string Rtc;     ///< The runtime compile library; "" if there is none.

  /// Folders of headers that kernels for one kind of core include from.
  std::vector<std::string> cceIncludeDirs() const;
  /// A header that those kernels expect to be included, or "".
  std::string versionHeader() const;
  /// The folders whose libraries the tools load.
  std::string libraryPath() const;

  /// All that tells this installation from another: place, version files,
  /// compiler. The compiler is asked once; the cache remembers.
  std::string identity(cache::ContentCache *Cache) const;
  /// Of the linker that bisheng calls for the host's part of a library.
  std::string hostLinkerIdentity(cache::ContentCache *Cache) const;
  /// The first line of `bisheng --version`.
  std::string compilerVersion(cache::ContentCache *Cache) const;
};

/// Where CANN may be, in the order of trust: ASCEND_HOME_PATH,
/// ASCEND_TOOLKIT_HOME, where its installer puts it for all users and for one.
std::vector<std::string> usualPlaces();

/// The first usual place that exists, with what is in it; or the one whose
/// bisheng is in PATH. Not Belay's own: programs of that name that lie in
/// NotFrom are passed over.
std::optional<Cann> findCann(llvm::StringRef NotFrom = "");

/// The CANN in a folder, or a `cann-not-found` that says what is missing.
llvm::Expected<Cann> openCann(llvm::StringRef Root);

/// openCann(Root), or findCann() if Root is empty; the error lists all places
/// that were looked at.
llvm::Expected<Cann> requireCann(llvm::StringRef Root,
                                 llvm::StringRef NotFrom = "");

/// Where there is none, what plans show: all that a release has, in a folder
/// that is no folder.
inline constexpr llvm::StringLiteral AnyCannRoot = "<cann>";
Cann anyCann();

} // namespace belay::compiler

#endif // BELAY_COMPILER_CANN_H
