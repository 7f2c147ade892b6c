//===- library.h - Routines on top of the instructions ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_H
#define BELAY_ASCENDC_API_LIBRARY_H

#include "api/library/activation.h"
#include "api/library/choose.h"
#include "api/library/fold.h"
#include "api/library/generate.h"
#include "api/library/layout.h"
#include "api/library/math.h"
#include "api/library/normalization.h"
#include "api/library/quantization.h"
#include "api/library/shape.h"
#include "api/library/softmax.h"
#include "api/library/std.h"

#endif // BELAY_ASCENDC_API_LIBRARY_H
