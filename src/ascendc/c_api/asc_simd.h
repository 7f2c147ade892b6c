//===- asc_simd.h - The C interface of vector kernels -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same instructions as those of the classes, by functions on pointers. What
// drives the cube core (asc_mmad, asc_copy_gm2l1, ...) is not there.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_C_API_ASC_SIMD_H
#define BELAY_ASCENDC_C_API_ASC_SIMD_H

#include "kernel_operator.h"

#include "c_api/copies.h"
#if __NPU_ARCH__ == 3510
#include "c_api/registers.h"
#endif

#endif // BELAY_ASCENDC_C_API_ASC_SIMD_H
