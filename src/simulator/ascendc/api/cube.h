//===- cube.h - LoadData, Mmad -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_CUBE_H
#define BELAY_ASCENDC_API_CUBE_H

#include "api/tensor.h"

namespace AscendC {} // namespace AscendC

#endif // BELAY_ASCENDC_API_CUBE_H
