//===- SourceFiles.cpp - Sources whose lines may be shown -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/SourceFiles.h"

#include "support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include <mutex>

using namespace llvm;

/// No source that a person reads is larger.
static constexpr uint64_t MaxSourceBytes = 32 << 20;

namespace {
struct Allowed {
  std::mutex Mutex;
  StringSet<> Paths;
  bool All = false;
};
} // namespace

static Allowed &allowed() {
  static Allowed TheOnly;
  return TheOnly;
}

/// The path without links: a file has one name here.
static std::optional<SmallString<128>> realPath(StringRef Path) {
  SmallString<128> Real;
  if (Path.contains('\0') || sys::fs::real_path(Path, Real))
    return std::nullopt;
  return Real;
}

void belay::support::allowSources(ArrayRef<std::string> Paths) {
  std::lock_guard Lock(allowed().Mutex);
  for (const std::string &Path : Paths)
    if (std::optional<SmallString<128>> Real = realPath(Path))
      allowed().Paths.insert(*Real);
}

void belay::support::allowAllSources() {
  std::lock_guard Lock(allowed().Mutex);
  allowed().All = true;
}

std::optional<std::string> belay::support::readSource(StringRef Path) {
  std::optional<SmallString<128>> Real = realPath(Path);
  if (!Real)
    return std::nullopt;
  {
    std::lock_guard Lock(allowed().Mutex);
    if (!allowed().All && !allowed().Paths.contains(*Real))
      return std::nullopt;
  }
  Expected<std::string> Text = readFile(*Real, MaxSourceBytes);
  if (Text)
    return std::move(*Text);
  consumeError(Text.takeError());
  return std::nullopt;
}

StringRef belay::support::fromLine(StringRef Text, unsigned Line) {
  for (unsigned Here = 1; Here < Line && !Text.empty(); ++Here)
    Text = Text.split('\n').second;
  return Text;
}
