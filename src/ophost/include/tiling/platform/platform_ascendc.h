//===- platform_ascendc.h - The target --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_TILING_PLATFORM_PLATFORM_ASCENDC_H
#define BELAY_OPHOST_TILING_PLATFORM_PLATFORM_ASCENDC_H

#include "ophost/platform.h"

// The vendor's headers bring these along, and operators rely on it.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#endif // BELAY_OPHOST_TILING_PLATFORM_PLATFORM_ASCENDC_H
