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
// Work that should be done only once takes the lock of its key. The system
// gives it back when a process dies, however it dies.
//
// The folder is bounded: the file that was not used for longest goes first.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CACHE_CONTENTCACHE_H
#define BELAY_CACHE_CONTENTCACHE_H

#include "support/Files.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace belay::cache {

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

  /// Publishes a file and returns its path. Durable: the content is on the disk
  /// before its name is.
  llvm::Expected<std::string> store(llvm::StringRef Key, llvm::StringRef Kind,
                                    llvm::StringRef Content,
                                    bool Durable = false);

  /// Keeps other processes and threads out until it is destroyed.
  class Lock {
  public:
    explicit Lock(support::Descriptor File) : File(std::move(File)) {}
    /// False where the file system knows no locks: work is then done twice, and
    /// the results are still whole.
    explicit operator bool() const { return static_cast<bool>(File); }

  private:
    support::Descriptor File;
  };
  /// Waits for the lock of a key. Keys share a bounded number of locks, so
  /// nobody may wait for a second one while holding a first.
  Lock lock(llvm::StringRef Key) const;

  /// Where a file is or would be.
  std::string pathOf(llvm::StringRef Key, llvm::StringRef Kind) const;

  llvm::StringRef root() const { return Root; }
  uint64_t maxBytes() const { return MaxBytes; }

  struct Entry {
    std::string Key, Kind, Path;
    uint64_t Bytes = 0;
    /// Seconds since 1970.
    int64_t Used = 0;
    /// Being written, or left behind by a process that died.
    bool Unfinished = false;
  };
  /// All files, the one that was used last first.
  std::vector<Entry> entries() const;

  struct Removed {
    uint64_t Files = 0, Bytes = 0;
  };
  /// Removes files that were not used for MaxAgeSeconds, then the oldest until
  /// KeepBytes are left, and what processes that died left behind.
  Removed prune(uint64_t KeepBytes, int64_t MaxAgeSeconds);
  /// Removes everything but the locks, which others may be holding.
  Removed clear();

  /// Removes what was not used for longest from the shard of Key until it is
  /// within its part of the bound. store() calls it; files younger than MinAge
  /// stay, since another process may be about to open them.
  void evict(llvm::StringRef Key, int64_t MinAgeSeconds);

private:
  ContentCache(std::string Root, uint64_t MaxBytes)
      : Root(std::move(Root)), MaxBytes(MaxBytes) {}

  std::string shardOf(llvm::StringRef Key) const;

  std::string Root;
  uint64_t MaxBytes;
};

} // namespace belay::cache

#endif // BELAY_CACHE_CONTENTCACHE_H
