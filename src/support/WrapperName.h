//===- WrapperName.h - The file around a kernel ------------------*- C++-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is compiled inside of a file that Belay makes, and that users should
// not read of. Messages and debug information know it by a name that no source
// has: "<stdin>", as Clang would say, is also what users pipe into `belay run`.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_WRAPPERNAME_H
#define BELAY_SUPPORT_WRAPPERNAME_H

#include "llvm/ADT/StringRef.h"

namespace belay::support {

inline constexpr llvm::StringLiteral WrapperName = "<belay-entry>";

} // namespace belay::support

#endif // BELAY_SUPPORT_WRAPPERNAME_H
