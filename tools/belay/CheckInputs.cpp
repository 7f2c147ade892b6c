//===- CheckInputs.cpp - Which files belay check reads
//------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckInputs.h"

#include "toolchain/KernelScan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace belay;
using namespace belay::tool;
using namespace llvm;

/// A tree with more is not a project.
static constexpr size_t MaxFiles = 100000;

static bool isSourceName(StringRef Path) {
  return is_contained({".cpp", ".cc", ".cxx", ".asc", ".cce"},
                      sys::path::extension(Path));
}

static bool hasKernels(StringRef Text) {
  return toolchain::usesKernelLanguage(Text) ||
         !toolchain::scanKernels(Text).Kernels.empty();
}

/// The sources below a folder, sorted.
static Expected<std::vector<std::string>> sourcesBelow(StringRef Folder) {
  std::vector<std::string> Found;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator
           It(Folder, EC, /*follow_symlinks=*/false),
       End;
       It != End && !EC; It.increment(EC)) {
    bool Hidden = sys::path::filename(It->path()).starts_with(".");
    if (Hidden && It->type() == sys::fs::file_type::directory_file)
      It.no_push();
    if (!Hidden && It->type() == sys::fs::file_type::regular_file &&
        isSourceName(It->path()))
      Found.push_back(It->path());
    if (Found.size() > MaxFiles)
      return createStringError("'" + Folder + "' has more than " +
                               Twine(MaxFiles) + " sources");
  }
  // A folder that cannot be read has files that were not checked.
  if (EC)
    return createStringError(EC, "'" + Folder + "': " + EC.message());
  std::sort(Found.begin(), Found.end());
  return Found;
}

/// Adds the files that have kernels.
static Error addAll(ArrayRef<std::string> Paths, CheckInputs &To) {
  for (const std::string &Path : Paths) {
    Expected<SourceText> Source = readInput(Path);
    if (!Source)
      return Source.takeError();
    if (hasKernels(Source->Text))
      To.Files.push_back({std::move(*Source)});
    else
      ++To.WithoutKernels;
  }
  return Error::success();
}

Expected<CheckInputs>
belay::tool::collectInputs(ArrayRef<StringRef> Names,
                           const toolchain::CompileCommands *Build) {
  CheckInputs Result;
  if (Names.empty() && Build) {
    std::vector<std::string> Paths;
    for (const toolchain::CompileCommand &Each : Build->all())
      if (!is_contained(Paths, Each.File))
        Paths.push_back(Each.File);
    if (Error E = addAll(Paths, Result))
      return std::move(E);
  }
  for (StringRef Name : Names) {
    if (sys::fs::is_directory(Name)) {
      Expected<std::vector<std::string>> Paths = sourcesBelow(Name);
      if (!Paths)
        return Paths.takeError();
      if (Error E = addAll(*Paths, Result))
        return std::move(E);
      continue;
    }
    Expected<SourceText> Source = readInput(Name);
    if (!Source)
      return Source.takeError();
    Result.Files.push_back({std::move(*Source), Name == "-"});
  }
  for (CheckInput &Each : Result.Files) {
    if (!Build || Each.FromStdin)
      continue;
    Each.How = Build->find(Each.Source.Name);
    if (!Each.How)
      return createStringError("'" + Build->path() + "' has no command for '" +
                               Each.Source.Name + "'");
  }
  return Result;
}
