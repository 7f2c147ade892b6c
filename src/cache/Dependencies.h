//===- Dependencies.h - The files a compilation read ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CACHE_DEPENDENCIES_H
#define BELAY_CACHE_DEPENDENCIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <time.h>
#include <vector>

namespace belay::cache {

/// The paths of a dependency file as Clang writes it for make.
std::vector<std::string> parseDependencies(llvm::StringRef Makefile);

/// The key of the result: the request's key and the content of every header.
/// Nothing if one cannot be read, or was written after Since.
std::optional<std::string>
resultKey(llvm::StringRef RequestKey, llvm::ArrayRef<std::string> Headers,
          std::optional<timespec> Since = std::nullopt);

} // namespace belay::cache

#endif // BELAY_CACHE_DEPENDENCIES_H
