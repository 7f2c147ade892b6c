//===- CompilerMessages.h - What Clang said, as the user sees it -*- C++ -*-==//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_COMPILERMESSAGES_H
#define BELAY_TOOLCHAIN_COMPILERMESSAGES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace belay::toolchain {

/// Clang's messages, parted into those about the user's files and those about
/// the wrapper, which the user has never seen.
struct CompilerMessages {
  /// To be printed as it is; colours are kept.
  std::string Text;
  /// "use of undeclared identifier 'add'", without place and colours.
  std::vector<std::string> AboutWrapper;
};

/// The wrapper is Clang's standard input, "<stdin>". Source is the path in the
/// wrapper, Shown the path that the user wrote.
CompilerMessages readCompilerMessages(llvm::StringRef Stderr,
                                      llvm::StringRef Source,
                                      llvm::StringRef Shown);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_COMPILERMESSAGES_H
