//===- Confinement.cpp - What compilers may reach -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/Confinement.h"

#include "support/Resources.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay;
using namespace belay::toolchain;
using belay::sandbox::Policy;

/// For what a compiler keeps in files of its own between two steps.
static constexpr uint64_t TemporaryBytes = 256 << 20;

Policy belay::toolchain::policyOfReader(const Tools &Tools) {
  Policy P;
  P.readSystem();
  for (const std::string &Program : {Tools.Clang, Tools.Linker}) {
    SmallString<128> Real;
    if (!sys::fs::real_path(Program, Real))
      P.Read.push_back(
          sys::path::parent_path(sys::path::parent_path(Real)).str());
    P.Read.push_back(Program);
  }
  P.readLinked(Tools.ShareDir);
  P.readLinked(Tools.IncludeDir);
  P.Read.push_back(support::getLibPath(""));
  P.Read.push_back(support::getLibexecPath(""));
  P.TemporaryBytes = TemporaryBytes;
  return P;
}

std::string belay::toolchain::folderOf(StringRef Path) {
  SmallString<128> Full(Path);
  if (sys::fs::make_absolute(Full))
    return ""; // no folder is allowed by this name
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return sys::path::parent_path(Full).str();
}

std::vector<std::string>
belay::toolchain::foldersOf(ArrayRef<std::string> Dirs) {
  std::vector<std::string> Folders;
  Folders.reserve(Dirs.size());
  for (const std::string &Dir : Dirs)
    Folders.push_back(folderOf(Dir + "/."));
  return Folders;
}
