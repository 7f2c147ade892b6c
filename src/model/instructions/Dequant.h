//===- Dequant.h - Integers times the scale of SetDeqScale ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_DEQUANT_H
#define BELAY_MODEL_INSTRUCTIONS_DEQUANT_H

#include "model/core/Issue.h"

namespace belay::sim {

/// int32_t to half, times the scale that SetDeqScale(half) left.
void dequantise(Issue &I, void *Dst, const void *Src, const Walk &W);

/// That scale; ends the run if there is none.
float deqScale(const Issue &I);

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_DEQUANT_H
