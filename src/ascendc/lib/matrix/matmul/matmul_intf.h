//===- matmul_intf.h - Forwards to the Matmul object ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_INTF_H
#define BELAY_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_INTF_H

#include "lib/matmul/matmul.h"

#endif // BELAY_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_INTF_H
