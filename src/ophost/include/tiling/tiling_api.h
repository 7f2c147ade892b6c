//===- tiling_api.h - Tiling of library routines ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_TILING_TILING_API_H
#define BELAY_OPHOST_TILING_TILING_API_H

#include "ophost/library_tiling.h"
#include "register/tilingdata_base.h"
#include "securec.h"
#include "tiling/platform/platform_ascendc.h"

#include <iostream>

// The vendor's header lets std through, and operators rely on it.
using namespace std;

#endif // BELAY_OPHOST_TILING_TILING_API_H
