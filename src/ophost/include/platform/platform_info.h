//===- platform_info.h - The target -----------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_PLATFORM_PLATFORM_INFO_H
#define BELAY_OPHOST_PLATFORM_PLATFORM_INFO_H

#include "ophost/platform.h"

#endif // BELAY_OPHOST_PLATFORM_PLATFORM_INFO_H
