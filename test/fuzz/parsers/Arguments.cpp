//===- Arguments.cpp - Arguments of a launch made of noise ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Case.h"

using namespace belay::cases;

/// The first byte says what kind of argument the others are.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (!Size)
    return 0;
  constexpr ArgSpec::Role Roles[] = {ArgSpec::Role::In, ArgSpec::Role::Out,
                                     ArgSpec::Role::InOut,
                                     ArgSpec::Role::Scalar};
  Case One;
  One.Source = "k.cpp";
  auto Arg = parseArg(Roles[Data[0] % std::size(Roles)],
                      {reinterpret_cast<const char *>(Data) + 1, Size - 1});
  if (!Arg) {
    llvm::consumeError(Arg.takeError());
    return 0;
  }
  One.Args.push_back(std::move(*Arg));
  llvm::consumeError(validate(One));
  return 0;
}
