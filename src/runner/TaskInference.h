//===- TaskInference.h - What cores a kernel needs --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_RUNNER_TASKINFERENCE_H
#define BELAY_RUNNER_TASKINFERENCE_H

#include "abi/Types.h"

#include <link.h>
#include <string_view>

namespace belay::sim {

/// Collects the runtime functions that a kernel imports, and concludes what
/// kinds of cores it needs, as the device's compiler does for kernels that do
/// not say it.
class TaskInference {
public:
  void import(std::string_view Name);
  /// All that an object imports.
  void import(const link_map *Object);
  TaskKind task() const;

private:
  bool Cube = false;     // matrices
  bool Vector = false;   // the vector unit
  bool AsksKind = false; // ASCEND_IS_AIC or ASCEND_IS_AIV
  bool Served = false;   // a Matmul object of a mixed kernel
};

} // namespace belay::sim

#endif // BELAY_RUNNER_TASKINFERENCE_H
