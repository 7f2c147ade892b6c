//===- Numbers.h - Numbers as text ------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_DRIVER_NUMBERS_H
#define BELAY_SIMULATOR_DRIVER_NUMBERS_H

#include <cstdio>
#include <string>

namespace belay::driver {

/// printf's %g, which formatv does not have: 1e-05, 0.25, 3.
inline std::string formatNumber(double Value, int Digits = 6) {
  char Text[40];
  std::snprintf(Text, sizeof Text, "%.*g", Digits, Value);
  return Text;
}

} // namespace belay::driver

#endif // BELAY_SIMULATOR_DRIVER_NUMBERS_H
