//===- Elements.h - Element types of instructions ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TARGETS_ELEMENTS_H
#define BELAY_TARGETS_ELEMENTS_H

#include "../../include/belay/elements.h"
#include "targets/Instructions.h"

namespace belay::targets {

/// The table lists them in this order, before all others.
constexpr element_types::id idOf(Element Type) {
  return static_cast<element_types::id>(Type);
}

/// What a kernel, and what a case calls it: "half", "f16". "" where it
/// has none.
const char *kernelNameOf(element_types::id Type);
const char *caseNameOf(element_types::id Type);

} // namespace belay::targets

#endif // BELAY_TARGETS_ELEMENTS_H
