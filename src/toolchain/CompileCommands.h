//===- CompileCommands.h - What a build says about its files --------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// compile_commands.json is untrusted input: of the options in it, those are
// taken that say which headers and macros a source sees, and nothing is run.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_COMPILECOMMANDS_H
#define BELAY_TOOLCHAIN_COMPILECOMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace belay::toolchain {

struct CompileCommand {
  /// Absolute, as are the folders.
  std::string File;
  std::vector<std::string> Defines, IncludeDirs;
  /// "-UX", "-isystem", "/dir", "-iquote", "/dir", "-include", "/file.h".
  std::vector<std::string> Others;
};

class CompileCommands {
public:
  /// Path is a file, or a folder that has a compile_commands.json.
  static llvm::Expected<CompileCommands> read(llvm::StringRef Path);

  /// The first command for a file; null if there is none.
  const CompileCommand *find(llvm::StringRef File) const;
  llvm::ArrayRef<CompileCommand> all() const { return Commands; }
  /// The file that was read.
  llvm::StringRef path() const { return Path; }

private:
  std::string Path;
  std::vector<CompileCommand> Commands;
};

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_COMPILECOMMANDS_H
