//===- Tools.cpp - The programs and folders that a run needs --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/Tools.h"
#include "cache/ContentCache.h"
#include "cache/Fingerprint.h"
#include "support/DiagnosticError.h"
#include "support/Resources.h"
#include "support/Subprocess.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>
#include <sys/stat.h>

using namespace llvm;
using namespace belay;
using namespace belay::cache;
using belay::support::DiagId;
using belay::support::makeError;
using namespace belay::toolchain;

static Expected<std::string> findClang() {
  const char *Own = std::getenv("BELAY_CLANG");
  if (Own && *Own) {
    auto Found = sys::findProgramByName(Own);
    if (Found)
      return *Found;
    return makeError(
        DiagId::BelayFailed,
        formatv("BELAY_CLANG is '{0}', which is not a program", Own));
  }
  for (StringRef Name : {"clang++-22", "clang++"})
    if (auto Found = sys::findProgramByName(Name))
      return *Found;
  return makeError(
      DiagId::BelayFailed,
      "clang++-22 was not found; `belay doctor` tells how to install it");
}

static Expected<std::string> findLinker(StringRef Clang) {
  SmallString<128> Real;
  if (!sys::fs::real_path(Clang, Real))
    if (auto Found =
            sys::findProgramByName("ld.lld", {sys::path::parent_path(Real)}))
      return *Found;
  for (StringRef Name : {"ld.lld-22", "ld.lld", "ld"})
    if (auto Found = sys::findProgramByName(Name))
      return *Found;
  return makeError(
      DiagId::BelayFailed,
      "no linker was found; `belay doctor` tells how to install lld-22");
}

std::string belay::toolchain::stamp(StringRef Path) {
  SmallString<128> Real;
  struct stat Status;
  if (sys::fs::real_path(Path, Real) || ::stat(Real.c_str(), &Status) != 0)
    return Path.str();
  return formatv("{0} {1} {2}.{3}", Real, Status.st_size, Status.st_mtim.tv_sec,
                 Status.st_mtim.tv_nsec);
}

std::string belay::toolchain::versionOf(StringRef Program,
                                        ContentCache *Cache) {
  std::string Key = Fingerprint().add("version").add(stamp(Program)).str();
  if (Cache)
    if (auto Known = Cache->read(Key, "version"))
      return *Known;
  belay::support::ProcessSpec Spec;
  Spec.Args = {Program.str(), "--version"};
  Spec.Timeout = std::chrono::seconds(30);
  std::string Version = belay::support::runProcess(Spec).Out;
  if (Cache && !Version.empty())
    if (auto Stored = Cache->store(Key, "version", Version); !Stored)
      consumeError(Stored.takeError());
  return Version;
}

Expected<Tools> Tools::find() {
  Tools Result;
  Expected<std::string> Clang = findClang();
  if (!Clang)
    return Clang.takeError();
  Expected<std::string> Linker = findLinker(*Clang);
  if (!Linker)
    return Linker.takeError();
  Result.Clang = *Clang;
  Result.Linker = *Linker;
  Result.Runner = belay::support::getLibexecPath("belay-runner");
  Result.OpHost = belay::support::getLibexecPath("belay-ophost");
  Result.Casts = belay::support::getLibexecPath("belay-casts.so");
  Result.OpHostDir = belay::support::getSharePath("ophost");
  Result.HeaderDir = belay::support::getSharePath("ascendc");
  Result.ShareDir = belay::support::getSharePath();
  Result.IncludeDir = belay::support::getIncludePath();
  for (const std::string &Needed : {Result.Runner, Result.HeaderDir})
    if (!sys::fs::exists(Needed))
      return makeError(
          DiagId::BelayFailed,
          formatv("{0} is missing; `belay doctor` tells what is wrong",
                  Needed));
  return Result;
}

std::vector<std::string> Tools::headerFlags() const {
  return {"-I" + HeaderDir, "-I" + ShareDir, "-I" + IncludeDir};
}

std::vector<std::string> Tools::hostFlags() const {
  return {"-std=c++20", "-fexceptions", "-frtti",
          "-I" + IncludeDir + "/belay/compat"};
}

std::vector<std::string> Tools::castFlags(ContentCache *Cache) const {
  std::vector<std::string> Flags = {
      "-fplugin=" + Casts,
      "-fplugin-arg-belay_casts-headers=" + HeaderDir + "/"};
  std::string Key =
      Fingerprint().add("casts").add(stamp(Clang)).add(stamp(Casts)).str();
  std::optional<std::string> Answer;
  if (Cache)
    Answer = Cache->read(Key, "casts");
  if (!Answer) {
    belay::support::ProcessSpec Spec;
    Spec.Args = {Clang};
    append_range(Spec.Args, Flags);
    append_range(Spec.Args, std::vector<std::string>{"-fsyntax-only", "-x",
                                                     "c++", "/dev/null"});
    Spec.Timeout = std::chrono::seconds(30);
    Answer = belay::support::runProcess(Spec).succeeded() ? "yes" : "no";
    if (Cache)
      if (auto Stored = Cache->store(Key, "casts", *Answer); !Stored)
        consumeError(Stored.takeError());
  }
  if (*Answer == "yes")
    return Flags;
  return {};
}

std::string Tools::identity(ContentCache *Cache) const {
  return stamp(Clang) + "\n" + versionOf(Clang, Cache) + "\n" + stamp(Linker) +
         "\n" + stamp(Runner) + "\n" + stamp(Casts);
}
