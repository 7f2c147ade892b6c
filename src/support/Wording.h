//===- Wording.h - Lines and names in texts of findings ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_WORDING_H
#define BELAY_SUPPORT_WORDING_H

#include "support/Diagnostics.h"

namespace belay::support {

/// Fills in what a text of abi/Wording.h leaves open: {here} and
/// {other} by lines, {buffer|X} by the name, or X if there is none.
std::string completeText(llvm::StringRef Text, const SourcePlace &Here,
                         const SourcePlace &Other, llvm::StringRef Buffer);

} // namespace belay::support

#endif // BELAY_SUPPORT_WORDING_H
