//===- Table.h - The conditions of kernels ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What belay check asks of the launches of each kernel, in a form that goes
// with a compiled kernel: whoever launches it holds the launch against it.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CONDITIONS_TABLE_H
#define BELAY_CONDITIONS_TABLE_H

#include "conditions/Clause.h"

namespace belay::conditions {

/// The topic is clean in launches for which the clause holds.
struct Condition {
  std::string Topic; ///< "bounds"
  std::string File;
  uint32_t Line = 0, Column = 0;
  Clause If;
  bool operator==(const Condition &) const = default;
};

struct KernelConditions {
  std::string Kernel;
  std::vector<LaunchNumber> Numbers; ///< What the clauses are about.
  std::vector<Condition> Conditions;
  bool operator==(const KernelConditions &) const = default;
};

/// A condition that a launch does not meet, or of which that is not known.
struct Unmet {
  const Condition *What;
  std::string Message;
};

/// Of the conditions of a kernel, those that a launch does not meet. Without a
/// number of blocks, whose indices are none that the clauses mean, nothing is
/// known of any.
std::vector<Unmet> unmetBy(const KernelConditions &Kernel,
                           std::optional<uint32_t> Blocks,
                           const LaunchValues &Of);

std::string encode(std::span<const KernelConditions> Table);
/// Nothing if the bytes are no table, of which every clause can be evaluated.
std::optional<std::vector<KernelConditions>>
decode(std::span<const uint8_t> Bytes);

} // namespace belay::conditions

#endif // BELAY_CONDITIONS_TABLE_H
