//===- cast.h - Conversions and rounding -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_CAST_H
#define BELAY_ASCENDC_API_CAST_H

#include "api/tensor.h"

namespace AscendC {

enum class RoundMode : uint8_t {
  CAST_NONE = 0,
  CAST_RINT,
  CAST_FLOOR,
  CAST_CEIL,
  CAST_ROUND,
  CAST_TRUNC,
  CAST_ODD,
  CAST_HYBRID,
};

namespace belay_detail {
constexpr belay::sim::Rounding roundingOf(RoundMode m) {
  using belay::sim::Rounding;
  switch (m) {
  case RoundMode::CAST_RINT:
    return Rounding::Rint;
  case RoundMode::CAST_FLOOR:
    return Rounding::Floor;
  case RoundMode::CAST_CEIL:
    return Rounding::Ceil;
  case RoundMode::CAST_ROUND:
    return Rounding::Round;
  case RoundMode::CAST_TRUNC:
    return Rounding::Trunc;
  case RoundMode::CAST_ODD:
    return Rounding::Odd;
  default:
    return Rounding::None;
  }
}
} // namespace belay_detail

} // namespace AscendC

#endif // BELAY_ASCENDC_API_CAST_H
