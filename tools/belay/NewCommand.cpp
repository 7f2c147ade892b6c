//===- NewCommand.cpp - belay new
//---------------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "support/Files.h"
#include "support/Resources.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay::support;
using namespace belay::tool;
using namespace llvm;

/// The files of a project; share/belay/starter has them, with @NAME@ for its
/// name. One that git would ignore in our own sources has another name there.
static constexpr std::pair<StringLiteral, StringLiteral> Files[] = {
    {"CMakeLists.txt", "CMakeLists.txt"},
    {"README.md", "README.md"},
    {"gitignore", ".gitignore"},
    {"kernels/scale.cpp", "kernels/scale.cpp"},
    {"main.cpp", "main.cpp"},
};

/// A name that CMake takes for a target, and that is no path.
static bool isProjectName(StringRef Name) {
  return !Name.empty() && isAlpha(Name[0]) &&
         all_of(Name,
                [](char C) { return isAlnum(C) || C == '_' || C == '-'; }) &&
         Name != "scale" && Name != "test";
}

static Error copyFile(StringRef From, StringRef To, StringRef Name) {
  constexpr uint64_t MaxBytes = 1 << 20;
  Expected<std::string> Text =
      readFile(getSharePath(("starter/" + From).str()), MaxBytes);
  if (!Text)
    return Text.takeError();
  std::string Result;
  StringRef Rest = *Text;
  for (size_t At; (At = Rest.find("@NAME@")) != StringRef::npos;) {
    Result += (Rest.take_front(At) + Name).str();
    Rest = Rest.drop_front(At + StringRef("@NAME@").size());
  }
  Result += Rest;
  SmallString<128> Path(Name);
  sys::path::append(Path, To);
  if (std::error_code EC =
          sys::fs::create_directories(sys::path::parent_path(Path)))
    return createStringError(EC, Path + ": " + EC.message());
  return writeFile(Path, toBytes(Result));
}

static int runNew(const Command &Self, const Arguments &Args) {
  if (Args.Positional.size() != 1)
    return usageError(Self, "name one project");
  StringRef Name = Args.Positional[0];
  if (!isProjectName(Name))
    return usageError(Self, "'" + Name +
                                "' cannot be the name of a project: letters, "
                                "digits, _ and -, not 'scale' or 'test'");
  // What is there is not ours to overwrite.
  if (sys::fs::exists(Name))
    return reportError(createStringError("'" + Name + "' exists"));
  for (const auto &[From, To] : Files)
    if (Error E = copyFile(From, To, Name))
      return reportError(std::move(E));
  outs() << Name << ": a kernel, a program and their tests\n\n"
         << "  cd " << Name << "\n  cmake -B build";
  // The system's CMake looks for packages there without being told.
  if (getPrefix() != "/usr" && getPrefix() != "/usr/local")
    outs() << " -DCMAKE_PREFIX_PATH=" << getPrefix();
  outs() << "\n  cmake --build build\n"
         << "  ctest --test-dir build --output-on-failure\n";
  return ExitSuccess;
}

namespace belay::tool {
extern const Command NewCommand;
const Command NewCommand = {
    "new",  "start a project: a kernel, a program that launches it, tests",
    "NAME",
    R"(
Makes a folder NAME with a kernel of the kernel language, a program that launches it
on an NPU or on the simulated device, a CMake project that proves and compiles both,
and tests. It builds and passes as it is, without CANN.
)",    nullptr,
    R"(
belay new first
)",    runNew,
};
} // namespace belay::tool
