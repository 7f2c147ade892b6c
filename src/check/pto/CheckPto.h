//===- CheckPto.h - What can be said of PTO-MLIR ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_PTO_CHECKPTO_H
#define BELAY_CHECK_PTO_CHECKPTO_H

#include "check/Report.h"
#include "targets/Target.h"

namespace belay::check {

/// Reads PTO-MLIR of anyone: do its tiles fit, are they aligned, are its flags
/// right, and do they order all instructions that use the same memory? What is
/// not asked is unknown.
Report checkPto(llvm::StringRef Text, llvm::StringRef Name,
                const targets::Soc &Soc);

} // namespace belay::check

#endif // BELAY_CHECK_PTO_CHECKPTO_H
