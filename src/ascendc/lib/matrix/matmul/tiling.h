//===- tiling.h - Forwards to the Matmul object -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_LIB_MATRIX_MATMUL_TILING_H
#define BELAY_ASCENDC_LIB_MATRIX_MATMUL_TILING_H

#include "lib/matmul/tiling.h"

#endif // BELAY_ASCENDC_LIB_MATRIX_MATMUL_TILING_H
