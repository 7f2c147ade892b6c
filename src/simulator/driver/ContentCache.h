//===- ContentCache.h - Files found by what they were made from -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder of immutable files, each named by the fingerprint of everything it
// was made from. Many processes may use it at once without locks: files are
// written under another name and renamed into place, and whoever comes second
// writes the same again. Each file ends in a checksum of its content, so one
// that was cut short by a full disk or a power failure is not found.
//
// The folder is bounded: the file that was not used for longest goes first.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_DRIVER_CONTENTCACHE_H
#define BELAY_SIMULATOR_DRIVER_CONTENTCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace belay::driver {

class ContentCache {
public:
  /// $BELAY_CACHE_DIR, else $XDG_CACHE_HOME/belay, else ~/.cache/belay; "" if
  /// none of them is known.
  static std::string defaultRoot();

  /// $BELAY_CACHE_SIZE in bytes, else 2 GiB.
  static uint64_t defaultMaxBytes();

  /// Creates the folder, for its owner only.
  static llvm::Expected<ContentCache>
  open(llvm::StringRef Root, uint64_t MaxBytes = defaultMaxBytes());

  /// The path of a file, whole and fresh for some minutes; nothing if there is
  /// none. Kind is a file ending such as "so". The last bytes of the file are
  /// the cache's own; ELF and its readers do not mind.
  std::optional<std::string> find(llvm::StringRef Key,
                                  llvm::StringRef Kind) const;

  /// The content of a file.
  std::optional<std::string> read(llvm::StringRef Key,
                                  llvm::StringRef Kind) const;

  /// Publishes a file and returns its path.
  llvm::Expected<std::string> store(llvm::StringRef Key, llvm::StringRef Kind,
                                    llvm::StringRef Content);

  llvm::StringRef root() const { return Root; }

  /// Removes what was not used for longest from the shard of Key until it is
  /// within its part of the bound. store() calls it; files younger than MinAge
  /// stay, since another process may be about to open them.
  void evict(llvm::StringRef Key, int64_t MinAgeSeconds);

private:
  ContentCache(std::string Root, uint64_t MaxBytes)
      : Root(std::move(Root)), MaxBytes(MaxBytes) {}

  std::string shardOf(llvm::StringRef Key) const;
  std::string pathOf(llvm::StringRef Key, llvm::StringRef Kind) const;

  std::string Root;
  uint64_t MaxBytes;
};

} // namespace belay::driver

#endif // BELAY_SIMULATOR_DRIVER_CONTENTCACHE_H
