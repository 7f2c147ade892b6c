//===- platform_ascendc.h - The target --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_PLATFORM_PLATFORM_ASCENDC_H
#define BELAY_OPHOST_PLATFORM_PLATFORM_ASCENDC_H

// Newer hosts of the vendor's have it here.
#include "tiling/platform/platform_ascendc.h"

#endif // BELAY_OPHOST_PLATFORM_PLATFORM_ASCENDC_H
