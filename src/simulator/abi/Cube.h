//===- Cube.h - Calls from a kernel: Cube -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_ABI_CUBE_H
#define BELAY_SIMULATOR_ABI_CUBE_H

#include "abi/Instructions.h"

#endif // BELAY_SIMULATOR_ABI_CUBE_H
