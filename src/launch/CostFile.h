//===- CostFile.h - The costs of a SoC --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_COSTFILE_H
#define BELAY_LAUNCH_COSTFILE_H

#include "llvm/Support/Error.h"
#include <string>

namespace belay::launch {

/// The lines of share/belay/timing/SOC.csv, those of files that it includes
/// first. They have been checked.
llvm::Expected<std::string> readCosts(llvm::StringRef Soc);

} // namespace belay::launch

#endif // BELAY_LAUNCH_COSTFILE_H
