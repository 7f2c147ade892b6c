//===- kernel_utils.h - A name that kernels include -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_KERNEL_UTILS_H
#define BELAY_ASCENDC_KERNEL_UTILS_H

#include "kernel_operator.h"

#endif // BELAY_ASCENDC_KERNEL_UTILS_H
