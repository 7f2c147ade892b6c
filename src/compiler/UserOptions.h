//===- UserOptions.h - Options from untrusted input -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A caller may add options to those that the target decides: macros, folders,
// optimisation, warnings, what the device's compiler itself offers. Everything
// else is refused by name, because a compiler's command line can load code
// (-fplugin), run programs (-wrapper, -B), read arguments from files (@file)
// and write anywhere (-o, -MF, -save-temps).
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_USEROPTIONS_H
#define BELAY_COMPILER_USEROPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace belay::compiler {

struct UserOptions {
  /// As they go on the command line, in order, paths absolute, each option in
  /// its joined form: -DX, -I/dir; -mllvm and -include keep their two words.
  std::vector<std::string> Args;
  /// What a reader of the source needs: "-DX=1" and "-UX", in order.
  std::vector<std::string> Macros;
  /// Folders of -iquote, then those of -I and -isystem, in order.
  std::vector<std::string> QuoteDirs, IncludeDirs;
  /// Files of -include.
  std::vector<std::string> Includes;
  /// Whether the target's -std= and -O give way.
  bool HasStandard = false, HasOptimisation = false, HasDebugInfo = false;
};

/// Reads options as a user writes them; relative folders count from WorkingDir.
/// The error is an `option-refused` that says why.
llvm::Expected<UserOptions> parseUserOptions(llvm::ArrayRef<std::string> Args,
                                             llvm::StringRef WorkingDir);

} // namespace belay::compiler

#endif // BELAY_COMPILER_USEROPTIONS_H
