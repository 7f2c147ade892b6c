//===- kernel_operator.h - AscendC for the simulated AI Core ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What kernels include. The names are AscendC's, written from its public API;
// the code is Belay's. Each API call marshals its operands and ends in one
// function of abi/Instructions.h.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_KERNEL_OPERATOR_H
#define BELAY_ASCENDC_KERNEL_OPERATOR_H

#include "api/allocator.h"
#include "api/basic.h"
#include "api/cast.h"
#include "api/compare.h"
#include "api/cube.h"
#include "api/data_copy.h"
#include "api/debug.h"
#include "api/fill.h"
#include "api/fixpipe.h"
#include "api/gather.h"
#include "api/intrinsics.h"
#include "api/library.h"
#include "api/list_tensor.h"
#include "api/pipe.h"
#include "api/reduce.h"
#include "api/registers.h"
#include "api/scalar.h"
#include "api/sort.h"
#include "api/sync.h"
#include "api/system.h"
#include "api/template_argument.h"
#include "api/tiling.h"
#include "api/transpose.h"
#include "api/utils.h"
#include "api/vector.h"

#endif // BELAY_ASCENDC_KERNEL_OPERATOR_H
