//===- Resources.cpp - What lies beside the executable --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Resources.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <dlfcn.h>
#include <link.h>

using namespace belay::support;
using namespace llvm;

/// The file that this code is in: libbelay.so inside a program of others, else
/// the program.
static std::string findOwnFile() {
  // Any address inside the file serves.
  void *Here = reinterpret_cast<void *>(&findOwnFile);
  Dl_info Info;
  struct link_map *Map = nullptr;
  // The program itself has no name in the list of loaded files.
  if (::dladdr1(Here, &Info, reinterpret_cast<void **>(&Map),
                RTLD_DL_LINKMAP) &&
      Map && *Map->l_name) {
    SmallString<256> Real;
    if (!sys::fs::real_path(Map->l_name, Real))
      return Real.str().str();
  }
  return sys::fs::getMainExecutable(nullptr, Here);
}

static std::string findPrefix() {
  if (const char *Home = std::getenv("BELAY_HOME"); Home && *Home)
    return Home;
  std::string Program = findOwnFile();
  // Tests lie deeper in the build tree than bin/belay does.
  for (StringRef Dir = sys::path::parent_path(Program); !Dir.empty();
       Dir = sys::path::parent_path(Dir)) {
    SmallString<256> Share(Dir);
    sys::path::append(Share, "share", "belay");
    if (sys::fs::is_directory(Share))
      return Dir.str();
  }
  return {};
}

const std::string &belay::support::getPrefix() {
  static const std::string Prefix = findPrefix();
  return Prefix;
}

static std::string join(StringRef A, StringRef B, StringRef Name) {
  SmallString<256> Path(getPrefix());
  sys::path::append(Path, A, B, Name);
  return Path.str().str();
}

std::string belay::support::getSharePath(StringRef Name) {
  return join("share", "belay", Name);
}

std::string belay::support::getIncludePath() {
  return getPrefix() + "/include";
}

bool belay::support::isOwnHeader(StringRef Path) {
  if (!Path.consume_front(getPrefix()))
    return false;
  return any_of(ArrayRef<StringRef>{"/include/belay/", "/share/belay/abi/",
                                    "/share/belay/ascendc/",
                                    "/share/belay/forwarding/",
                                    "/share/belay/ophost/"},
                [&](StringRef Folder) { return Path.starts_with(Folder); });
}

std::string belay::support::getLibexecPath(StringRef Name) {
  return join("libexec", "belay", Name);
}

std::string belay::support::getLibPath(StringRef Name) {
  return join("lib", "belay", Name);
}
