//===- cube.h - The cube core: loads, Mmad -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_CUBE_H
#define BELAY_ASCENDC_API_CUBE_H

#include "api/load_data.h"
#include "api/local_copy.h"
#include "api/matrix_copy.h"
#include "api/mmad.h"

#endif // BELAY_ASCENDC_API_CUBE_H
