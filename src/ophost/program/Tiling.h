//===- Tiling.h - Runs an operator's tiling function ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_PROGRAM_TILING_H
#define BELAY_OPHOST_PROGRAM_TILING_H

#include "Registry.h"
#include "Request.h"

namespace belay::ophost {

/// What is needed for the launch.
struct TilingAnswer {
  Call Result;
  /// Which column of the definition's lists of types fits, or -1.
  int Column = -1;
};

/// Exits with a message if the tensors or attributes do not fit, or if the
/// operator refuses them.
TilingAnswer runTiling(const ops::OpDef &Op, const Request &Request);

} // namespace belay::ophost

#endif // BELAY_OPHOST_PROGRAM_TILING_H
