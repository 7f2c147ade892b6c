//===- registers.h - Vector functions of the 3510 ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTERS_H
#define BELAY_ASCENDC_API_REGISTERS_H

#if __NPU_ARCH__ == 3510
#include "api/register/anywhere.h"
#include "api/register/threads.h"
#endif
#include "api/register/variables.h"

#endif // BELAY_ASCENDC_API_REGISTERS_H
