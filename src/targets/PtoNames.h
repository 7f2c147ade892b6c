//===- PtoNames.h - What PTO calls architectures ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TARGETS_PTONAMES_H
#define BELAY_TARGETS_PTONAMES_H

#include "targets/Target.h"

namespace belay::targets {

/// As in `pto.target_arch`; "" for what ptoas has no kernels for.
inline const char *ptoNameOf(const Arch &Arch) {
  switch (Arch.number) {
  case 2201:
    return "a3";
  case 3510:
    return "a5";
  default:
    return "";
  }
}

/// Whether comparisons of PTO leave a bit for each element.
inline bool ptoPacksMasks(const Arch &Arch) { return Arch.number == 2201; }

/// Whether awaiting a flag of PTO between cores stops all that a core issues
/// later, and not one pipe.
inline bool ptoHasCoreFlags(const Arch &Arch) { return Arch.number == 2201; }

} // namespace belay::targets

#endif // BELAY_TARGETS_PTONAMES_H
