//===- Tiling.cpp - A kernel's description and its tiling, made of noise --===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/TilingBytes.h"

#include <cstdlib>

using namespace belay;

/// A description, a zero, and the text of --tiling.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef All(reinterpret_cast<const char *>(Data), Size);
  auto [Json, Text] = All.split('\0');
  cases::TilingSpec Spec;
  // Files are read by another function, which has tests of its own.
  if (!Text.contains('.'))
    if (llvm::Error E = Spec.parse(Text))
      llvm::consumeError(std::move(E));
  auto Kernel = toolchain::Description::parse(Json);
  if (!Kernel) {
    llvm::consumeError(Kernel.takeError());
    return 0;
  }
  for (const toolchain::DescribedParam &Param : Kernel->Params)
    toolchain::describe(Param);
  auto Bytes = launch::encodeTiling(Spec, *Kernel);
  if (!Bytes)
    llvm::consumeError(Bytes.takeError());
  else if (Bytes->size() != Kernel->TilingBytes)
    std::abort();
  return 0;
}
