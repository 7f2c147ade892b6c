//===- Messages.cpp - What compilers print, made of noise -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cache/Dependencies.h"
#include "toolchain/CompilerMessages.h"

/// A source can put nearly anything into a compiler's messages, and names of
/// files into the list of what it has read.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
  belay::toolchain::readCompilerMessages(Text, "/tmp/k.cpp", "k.cpp");
  belay::cache::parseDependencies(Text);
  return 0;
}
