//===- Describe.h - What belay-ophost answers -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_PROGRAM_DESCRIBE_H
#define BELAY_OPHOST_PROGRAM_DESCRIBE_H

#include "Tiling.h"

namespace belay::ophost {

/// The structures that the operator announced, as C++ for the kernel. Type is
/// the operator whose structure GET_TILING_DATA means.
std::string kernelHeader(const std::string &Type);

/// The definition as JSON: parameters, types, attributes.
std::string describe(const ops::OpDef &Op);

/// The launch as JSON.
std::string describe(const TilingAnswer &Answer);

/// A JSON string.
std::string quote(const std::string &Text);

} // namespace belay::ophost

#endif // BELAY_OPHOST_PROGRAM_DESCRIBE_H
