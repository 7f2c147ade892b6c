//===- cube.h - The cube core: loads, Mmad ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_CUBE_H
#define BELAY_ASCENDC_API_CUBE_H

#include "api/load_data.h"
#include "api/local_copy.h"
#include "api/matrix_copy.h"
#include "api/mmad.h"
#include "api/queue.h"

namespace AscendC {
/// A queue in L1 that a Matmul object takes its operand from.
template <TPosition pos, int32_t depth = 1, auto mask = 0>
using TSCM = TQueBind<pos, TPosition::TSCM, depth, mask>;
} // namespace AscendC

#endif // BELAY_ASCENDC_API_CUBE_H
