//===- ContentCache.cpp - Files found by what they were made from ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cache/ContentCache.h"
#include "cache/Fingerprint.h"
#include "support/Files.h"
#include "support/Numbers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace belay::cache;
using namespace belay::support;

/// One hexadecimal digit of the key names the shard. Eviction looks at one
/// shard only, and holds it to its part of the bound.
static constexpr unsigned NumShards = 16;
/// Long enough for a process to open a file that it has just been told of.
static constexpr int64_t MinAgeSeconds = 120;
/// Changes whenever the meaning of the files does.
static constexpr StringLiteral Version = "v2";
/// Compiled kernels are far smaller.
static constexpr uint64_t MaxFileBytes = 1 << 30;

static constexpr size_t TrailerBytes = 40;
/// Hexadecimal digits of a key that choose its lock: 4096 locks.
static constexpr size_t LockDigits = 3;
/// No compilation takes longer; what is still unfinished belongs to the dead.
static constexpr int64_t UnfinishedSeconds = 3600;

/// What ends each file: the checksum of all before it and of what it was stored
/// as, so that no file can stand in the place of another.
static std::string trailerOf(StringRef Key, StringRef Kind, StringRef Content) {
  BLAKE3 Hasher;
  for (StringRef Part : {Key, Kind}) {
    Hasher.update(Part);
    Hasher.update(StringRef("\0", 1));
  }
  Hasher.update(Content);
  auto Digest = Hasher.final<32>();
  return "BelayEnd" + std::string(Digest.begin(), Digest.end());
}

uint64_t ContentCache::defaultMaxBytes() {
  uint64_t Bytes = uint64_t(2) << 30;
  if (const char *Own = std::getenv("BELAY_CACHE_SIZE"))
    Bytes = parseBytes(Own).value_or(Bytes);
  return Bytes;
}

std::string ContentCache::defaultRoot() {
  auto Env = [](const char *Name) {
    const char *Value = std::getenv(Name);
    return StringRef(Value ? Value : "");
  };
  if (!Env("BELAY_CACHE_DIR").empty())
    return Env("BELAY_CACHE_DIR").str();
  SmallString<128> Root;
  if (!Env("XDG_CACHE_HOME").empty())
    Root = Env("XDG_CACHE_HOME");
  else if (!sys::path::home_directory(Root))
    return "";
  else
    sys::path::append(Root, ".cache");
  sys::path::append(Root, "belay");
  return Root.str().str();
}

Expected<ContentCache> ContentCache::open(StringRef Root, uint64_t MaxBytes) {
  SmallString<128> Full(Root);
  if (std::error_code EC = sys::fs::make_absolute(Full))
    return createStringError(EC, Root + ": " + EC.message());
  sys::path::append(Full, Version);
  // What lies here is loaded and run, so it belongs to its user alone.
  if (std::error_code EC = sys::fs::create_directories(
          Full, /*IgnoreExisting=*/true, sys::fs::owner_all))
    return createStringError(EC, Full + ": " + EC.message());
  struct stat Status;
  if (::stat(Full.c_str(), &Status) != 0)
    return errorFromErrno(Full);
  if (Status.st_uid != ::geteuid() || (Status.st_mode & (S_IWGRP | S_IWOTH)))
    return createStringError(
        Full + ": other users can write to this folder, so it is not used");
  return ContentCache(Full.str().str(), MaxBytes);
}

std::string ContentCache::shardOf(StringRef Key) const {
  return Root + "/" + Key.take_front(1).str();
}

std::string ContentCache::pathOf(StringRef Key, StringRef Kind) const {
  return shardOf(Key) + "/" + Key.drop_front(1).str() + "." + Kind.str();
}

std::optional<std::string> ContentCache::read(StringRef Key,
                                              StringRef Kind) const {
  std::string Path = pathOf(Key, Kind);
  Expected<std::string> Content = readFile(Path, MaxFileBytes);
  if (!Content) {
    consumeError(Content.takeError());
    return std::nullopt;
  }
  if (Content->size() < TrailerBytes)
    return std::nullopt;
  std::string Trailer = Content->substr(Content->size() - TrailerBytes);
  Content->resize(Content->size() - TrailerBytes);
  if (Trailer != trailerOf(Key, Kind, *Content))
    return std::nullopt;
  ::utimensat(AT_FDCWD, Path.c_str(), nullptr, 0); // used now
  return std::move(*Content);
}

std::optional<std::string> ContentCache::find(StringRef Key,
                                              StringRef Kind) const {
  if (!read(Key, Kind))
    return std::nullopt;
  return pathOf(Key, Kind);
}

Expected<std::string> ContentCache::store(StringRef Key, StringRef Kind,
                                          StringRef Content, bool Durable) {
  if (std::error_code EC = sys::fs::create_directory(
          shardOf(Key), /*IgnoreExisting=*/true, sys::fs::owner_all))
    return createStringError(EC, shardOf(Key) + ": " + EC.message());
  std::string Path = pathOf(Key, Kind);
  std::string Temporary = Path + ".XXXXXX";
  Descriptor File(::mkostemp(Temporary.data(), O_CLOEXEC));
  if (!File)
    return errorFromErrno(Temporary);
  Error Written = writeAll(File.get(), toBytes(Content), Temporary);
  if (!Written)
    Written =
        writeAll(File.get(), toBytes(trailerOf(Key, Kind, Content)), Temporary);
  if (!Written && Durable && ::fsync(File.get()) != 0)
    Written = errorFromErrno(Temporary);
  if (!Written && (!File.reset() || ::rename(Temporary.c_str(), Path.c_str())))
    Written = errorFromErrno(Path);
  if (Written) {
    ::unlink(Temporary.c_str());
    return Written;
  }
  evict(Key, MinAgeSeconds);
  return Path;
}

void ContentCache::evict(StringRef Key, int64_t MinAge) {
  struct File {
    std::string Path;
    uint64_t Bytes;
    int64_t Used;
  };
  std::vector<File> Files;
  uint64_t Total = 0;
  std::error_code EC;
  for (sys::fs::directory_iterator At(shardOf(Key), EC), End; !EC && At != End;
       At.increment(EC)) {
    struct stat Status;
    if (::stat(At->path().c_str(), &Status) != 0 || !S_ISREG(Status.st_mode))
      continue;
    Files.push_back({At->path(), static_cast<uint64_t>(Status.st_size),
                     Status.st_mtim.tv_sec});
    Total += static_cast<uint64_t>(Status.st_size);
  }
  if (Total <= MaxBytes / NumShards)
    return;
  llvm::sort(Files,
             [](const File &A, const File &B) { return A.Used < B.Used; });
  int64_t Now = ::time(nullptr);
  for (const File &Each : Files) {
    // A little below the bound, so that not every store has to remove one.
    if (Total <= MaxBytes / NumShards * 9 / 10 || Now - Each.Used < MinAge)
      return;
    if (::unlink(Each.Path.c_str()) == 0)
      Total -= Each.Bytes;
  }
}

ContentCache::Lock ContentCache::lock(StringRef Key) const {
  std::string Folder = Root + "/locks";
  if (sys::fs::create_directory(Folder, /*IgnoreExisting=*/true,
                                sys::fs::owner_all))
    return Lock(Descriptor());
  std::string Path = Folder + "/" + Key.take_front(LockDigits).str();
  Descriptor File(::open(Path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  while (File && ::flock(File.get(), LOCK_EX) != 0)
    if (errno != EINTR)
      return Lock(Descriptor());
  return Lock(std::move(File));
}

/// Reads "<shard>/<rest of the key>.<kind>[.<six letters>]".
static std::optional<ContentCache::Entry> entryOf(StringRef Shard,
                                                  StringRef Path) {
  struct stat Status;
  if (::lstat(Path.str().c_str(), &Status) != 0 || !S_ISREG(Status.st_mode))
    return std::nullopt;
  auto [Rest, Kind] = sys::path::filename(Path).split('.');
  ContentCache::Entry Result;
  Result.Key = (Shard + Rest).str();
  Result.Kind = Kind.split('.').first.str();
  Result.Unfinished = Kind.contains('.');
  Result.Path = Path.str();
  Result.Bytes = static_cast<uint64_t>(Status.st_size);
  Result.Used = Status.st_mtim.tv_sec;
  return Result;
}

std::vector<ContentCache::Entry> ContentCache::entries() const {
  std::vector<Entry> Result;
  for (unsigned Shard = 0; Shard < NumShards; ++Shard) {
    std::string Digit(1, hexdigit(Shard, /*LowerCase=*/true));
    std::error_code EC;
    for (sys::fs::directory_iterator At(Root + "/" + Digit, EC), End;
         !EC && At != End; At.increment(EC))
      if (std::optional<Entry> Each = entryOf(Digit, At->path()))
        Result.push_back(std::move(*Each));
  }
  llvm::sort(Result, [](const Entry &A, const Entry &B) {
    return std::tie(B.Used, A.Path) < std::tie(A.Used, B.Path);
  });
  return Result;
}

ContentCache::Removed ContentCache::prune(uint64_t KeepBytes,
                                          int64_t MaxAgeSeconds) {
  Removed Result;
  uint64_t Kept = 0;
  int64_t Now = ::time(nullptr);
  for (const Entry &Each : entries()) {
    int64_t Age = Now - Each.Used;
    bool Keep = Each.Unfinished
                    ? Age < UnfinishedSeconds
                    : Age <= MaxAgeSeconds && Kept + Each.Bytes <= KeepBytes;
    if (Keep) {
      Kept += Each.Bytes;
      continue;
    }
    if (::unlink(Each.Path.c_str()) == 0) {
      ++Result.Files;
      Result.Bytes += Each.Bytes;
    }
  }
  return Result;
}

ContentCache::Removed ContentCache::clear() {
  Removed Result;
  for (const Entry &Each : entries())
    if (::unlink(Each.Path.c_str()) == 0) {
      ++Result.Files;
      Result.Bytes += Each.Bytes;
    }
  return Result;
}
