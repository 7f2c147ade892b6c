//===- Npy.cpp - Headers of .npy files made of noise ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Npy.h"

#include <cstdlib>

using namespace belay::cases;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  auto Header = parseNpyHeader({reinterpret_cast<const char *>(Data), Size});
  if (!Header) {
    llvm::consumeError(Header.takeError());
    return 0;
  }
  // What was understood can be said, and is understood again; bfloat16 travels
  // under other names.
  auto Again = parseNpyHeader(formatNpyHeader(Header->Tensor));
  if (!Again || Header->DataOffset > Size ||
      Again->Tensor.Shape != Header->Tensor.Shape ||
      (!Header->MayBeBFloat16 && !(Again->Tensor == Header->Tensor)))
    std::abort();
  return 0;
}
