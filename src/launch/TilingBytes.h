//===- TilingBytes.h - Tiling as the kernel reads it ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_TILINGBYTES_H
#define BELAY_LAUNCH_TILINGBYTES_H

#include "cases/Tiling.h"
#include "toolchain/Description.h"

namespace belay::launch {

/// The bytes of the structure, from the file or from the described fields. What
/// no field names is zero.
llvm::Expected<std::string> encodeTiling(const cases::TilingSpec &Spec,
                                         const toolchain::Description &Kernel);

} // namespace belay::launch

#endif // BELAY_LAUNCH_TILINGBYTES_H
