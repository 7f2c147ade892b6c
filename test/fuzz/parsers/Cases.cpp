//===- Cases.cpp - Case files made of noise -------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/CaseFile.h"

using namespace belay::cases;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  auto Cases = parseCases({reinterpret_cast<const char *>(Data), Size}, "/");
  if (!Cases) {
    llvm::consumeError(Cases.takeError());
    return 0;
  }
  for (const Case &Each : *Cases)
    llvm::consumeError(validate(Each));
  return 0;
}
