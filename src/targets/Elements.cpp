//===- Elements.cpp - Element types of instructions -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/Elements.h"

namespace belay::targets {

// Element has all types of kernels but one: truths are bits of masks.
namespace {
using enum Element;
constexpr auto Bool = static_cast<Element>(static_cast<unsigned>(HIF8) + 1);
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump)                                   \
  static_assert(idOf(Id) == element_types::id::Id);
#include "targets/Elements.def"
} // namespace

const char *kernelNameOf(element_types::id Type) {
  switch (Type) {
#define BELAY_ELEMENT_KERNEL(Id, Cpp, Dump)                                    \
  case element_types::id::Id:                                                  \
    return #Cpp;
#include "targets/Elements.def"
  default:
    return "";
  }
}

const char *caseNameOf(element_types::id Type) {
  switch (Type) {
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  case element_types::id::Id:                                                  \
    return Text;
#include "targets/Elements.def"
  default:
    return "";
  }
}

} // namespace belay::targets
