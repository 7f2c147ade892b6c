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

/// The wrapper is support::WrapperName. Source is the path in the
/// wrapper, Shown the path that the user wrote.
CompilerMessages readCompilerMessages(llvm::StringRef Stderr,
                                      llvm::StringRef Source,
                                      llvm::StringRef Shown);

/// Shows what a compiler said: on stderr, or to whoever listens in this thread.
void showMessages(llvm::StringRef Text);

/// While it lives, what compilers say in this thread goes here instead of to
/// stderr; the first \p MaxBytes of it.
class MessageListener {
public:
  explicit MessageListener(size_t MaxBytes);
  ~MessageListener();
  MessageListener(const MessageListener &) = delete;
  MessageListener &operator=(const MessageListener &) = delete;

  const std::string &text() const { return Heard; }

private:
  friend void showMessages(llvm::StringRef Text);
  std::string Heard;
  size_t MaxBytes;
  MessageListener *Before;
};

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_COMPILERMESSAGES_H
