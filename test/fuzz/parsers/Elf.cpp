//===- Elf.cpp - Kernels' objects made of noise ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElfDescription.h"
#include "toolchain/Description.h"

#include "llvm/Support/FormatVariadic.h"

/// What is said of an object is read again, as `belay` does.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  auto Said = describeElf({Bytes, "kernel.so"});
  if (!Said) {
    llvm::consumeError(Said.takeError());
    return 0;
  }
  std::string Json = llvm::formatv("{0}", llvm::json::Value(std::move(*Said)));
  auto Kernel = belay::toolchain::Description::parse(Json);
  if (!Kernel)
    llvm::consumeError(Kernel.takeError());
  return 0;
}
