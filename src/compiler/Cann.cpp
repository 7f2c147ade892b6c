//===- Cann.cpp - The user's own CANN -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Cann.h"
#include "cache/ContentCache.h"
#include "cache/Fingerprint.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "toolchain/Tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace llvm;
using namespace belay::compiler;
using belay::cache::ContentCache;
using belay::support::DiagId;
using belay::support::makeError;

/// Where releases have put the compiler, below the root.
static constexpr StringLiteral BinDirs[] = {"bin", "tools/bisheng_compiler/bin",
                                            "compiler/ccec_compiler/bin",
                                            "compiler/bin"};
/// Files that say which release this is; every one that exists counts.
static constexpr StringLiteral VersionFiles[] = {
    "version.cfg",           "version.info",
    "compiler/version.info", "toolkit/version.info",
    "runtime/version.info",  "include/version/cann_version.h"};
static constexpr uint64_t MaxVersionFileBytes = 1 << 20;

static std::string below(StringRef Root, const Twine &Path) {
  SmallString<128> Full(Root);
  sys::path::append(Full, Path);
  return Full.str().str();
}

/// "Version=8.5.0" in any case, or "[8.5.0:...]" of version.cfg.
static std::string versionIn(StringRef Text) {
  SmallVector<StringRef, 16> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines) {
    auto [Name, Value] = Line.trim().split('=');
    Value = Value.trim();
    if (Value.empty())
      continue;
    if (Name.trim().equals_insensitive("version"))
      return Value.take_front(80).str();
    if (Name.trim().contains("running_version") && Value.consume_front("["))
      return Value.take_until([](char C) { return C == ':' || C == ']'; })
          .take_front(80)
          .str();
  }
  return "";
}

static std::string readSmall(const std::string &Path) {
  Expected<std::string> Text =
      belay::support::readFile(Path, MaxVersionFileBytes);
  if (Text)
    return std::move(*Text);
  consumeError(Text.takeError());
  return "";
}

std::vector<std::string> Cann::cceIncludeDirs() const {
  std::vector<std::string> Dirs;
  for (StringRef Name : {"", "impl", "interface"}) {
    std::string Dir = below(Root, "compiler/tikcpp/tikcfw/" + Name);
    if (Root == AnyCannRoot || sys::fs::is_directory(Dir))
      Dirs.push_back(StringRef(Dir).rtrim('/').str());
  }
  return Dirs;
}

std::string Cann::versionHeader() const {
  std::string Path = below(Root, "include/version/cann_version.h");
  return sys::fs::exists(Path) ? Path : "";
}

std::string Cann::libraryPath() const {
  std::string Path = below(Root, "lib64");
  if (!Bisheng.empty())
    Path += ":" + below(sys::path::parent_path(Bisheng), "../lib");
  return Path;
}

std::string Cann::compilerVersion(ContentCache *Cache) const {
  if (Bisheng.empty())
    return "";
  std::string Text = belay::toolchain::versionOf(Bisheng, Cache);
  return StringRef(Text).split('\n').first.trim().str();
}

std::string Cann::identity(ContentCache *Cache) const {
  cache::Fingerprint All;
  All.add("cann 1").add(Root);
  for (StringRef Name : VersionFiles)
    All.add(readSmall(below(Root, Name)));
  for (const std::string &Program : {Bisheng, Linker, Rtc})
    All.add(Program.empty() ? "" : toolchain::stamp(Program));
  if (!Bisheng.empty())
    All.add(toolchain::versionOf(Bisheng, Cache));
  return All.str();
}

/// As Clang's drivers look for it: beside themselves, then in PATH. Options
/// that name another one are refused.
std::string Cann::hostLinkerIdentity(ContentCache *Cache) const {
  StringRef Beside = sys::path::parent_path(Bisheng);
  ErrorOr<std::string> Found = sys::findProgramByName("ld", {Beside});
  if (!Found)
    Found = sys::findProgramByName("ld");
  if (!Found)
    return "";
  return toolchain::stamp(*Found) + "\n" + toolchain::versionOf(*Found, Cache);
}

std::vector<std::string> belay::compiler::usualPlaces() {
  std::vector<std::string> Places;
  for (const char *Name : {"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"})
    if (const char *Value = std::getenv(Name); Value && *Value)
      Places.push_back(Value);
  std::vector<std::string> Roots = {"/usr/local/Ascend"};
  if (const char *Home = std::getenv("HOME"))
    Roots.push_back(std::string(Home) + "/Ascend");
  for (const std::string &Root : Roots)
    for (const char *Below : {"/ascend-toolkit/latest", "/latest", "/cann"})
      Places.push_back(Root + Below);
  return Places;
}

Expected<Cann> belay::compiler::openCann(StringRef Root) {
  SmallString<128> Real;
  if (Root.contains('\0') || sys::fs::real_path(Root, Real) ||
      !sys::fs::is_directory(Real))
    return makeError(DiagId::CannNotFound,
                     formatv("there is no folder '{0}'", Root));
  Cann Result;
  Result.Root = Real.str().str();
  for (StringRef Dir : BinDirs) {
    std::string Program = below(Result.Root, Dir + "/bisheng");
    if (!sys::fs::can_execute(Program))
      continue;
    Result.Bisheng = Program;
    std::string Linker = below(Result.Root, Dir + "/ld.lld");
    if (sys::fs::can_execute(Linker))
      Result.Linker = Linker;
    break;
  }
  for (StringRef Name : {"lib64/libacl_rtc.so", "lib/libacl_rtc.so"})
    if (std::string Path = below(Result.Root, Name);
        Result.Rtc.empty() && sys::fs::exists(Path))
      Result.Rtc = Path;
  for (StringRef Name : VersionFiles)
    if (Result.Version.empty())
      Result.Version = versionIn(readSmall(below(Result.Root, Name)));
  return Result;
}

/// A bisheng in PATH, outside NotFrom, and the installation around it.
static std::optional<Cann> cannInPath(StringRef NotFrom) {
  const char *Path = std::getenv("PATH");
  SmallVector<StringRef, 16> Dirs;
  StringRef(Path ? Path : "").split(Dirs, ':', -1, /*KeepEmpty=*/false);
  for (StringRef Dir : Dirs) {
    SmallString<128> Real;
    if (sys::fs::real_path(Dir + "/bisheng", Real) ||
        !sys::fs::can_execute(Real))
      continue;
    if (!NotFrom.empty() && sys::path::parent_path(Real) == NotFrom)
      continue;
    // The longest first: each of them ends in "bin".
    for (StringRef Bin : reverse(BinDirs)) {
      StringRef Root = sys::path::parent_path(Real);
      if (!Root.consume_back(Bin) || !Root.ends_with("/"))
        continue;
      Expected<Cann> Found = openCann(Root.rtrim('/'));
      if (Found && !Found->Bisheng.empty())
        return std::move(*Found);
      if (!Found)
        consumeError(Found.takeError());
    }
  }
  return std::nullopt;
}

std::optional<Cann> belay::compiler::findCann(StringRef NotFrom) {
  std::optional<Cann> WithoutCompiler;
  for (const std::string &Place : usualPlaces()) {
    Expected<Cann> Found = openCann(Place);
    if (!Found) {
      consumeError(Found.takeError());
      continue;
    }
    if (!Found->Bisheng.empty() || !Found->Rtc.empty())
      return std::move(*Found);
    if (!WithoutCompiler)
      WithoutCompiler = std::move(*Found);
  }
  if (std::optional<Cann> Found = cannInPath(NotFrom))
    return Found;
  return WithoutCompiler;
}

Cann belay::compiler::anyCann() {
  Cann Any;
  Any.Root = AnyCannRoot;
  Any.Bisheng = below(AnyCannRoot, "bin/bisheng");
  Any.Linker = below(AnyCannRoot, "bin/ld.lld");
  return Any;
}

Expected<Cann> belay::compiler::requireCann(StringRef Root, StringRef NotFrom) {
  if (!Root.empty()) {
    Expected<Cann> Named = openCann(Root);
    if (Named && Named->Bisheng.empty() && Named->Rtc.empty())
      return makeError(
          DiagId::CannNotFound,
          formatv("{0} has neither bisheng nor libacl_rtc.so", Root));
    return Named;
  }
  std::optional<Cann> Found = findCann(NotFrom);
  if (Found && (!Found->Bisheng.empty() || !Found->Rtc.empty()))
    return std::move(*Found);
  std::vector<std::string> Notes;
  for (const std::string &Place : usualPlaces())
    Notes.push_back(formatv("looked in {0}", Place));
  Notes.push_back("looked for bisheng in PATH");
  return makeError(DiagId::CannNotFound,
                   "no CANN with a compiler was found; name its folder with "
                   "--cann or ASCEND_HOME_PATH",
                   Notes);
}
