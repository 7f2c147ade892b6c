//===- Contract.h - What a launch has to satisfy ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The condition of an `expects`, taken out of the kernel: a small tree over the
// arguments that a launcher in any language can evaluate. Whole numbers are
// mathematical; floats are IEEE single, rounded after each operation.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_CONTRACT_H
#define BELAY_EMIT_CONTRACT_H

#include "dialect/Ascend.h"

#include "llvm/ADT/APFloat.h"
#include <string>
#include <vector>

namespace belay::emit {

struct Condition {
  enum class Kind : uint8_t {
    Integer,  ///< Number
    Float,    ///< Real
    Truth,    ///< Number is 0 or 1
    Extent,   ///< Name is the view's, Number the dimension
    Scalar,   ///< Name
    Blocks,   ///< How many blocks the kernel is launched with
    Operation ///< Name: see docs/launch.md; Args
  };
  Kind What = Kind::Truth;
  int64_t Number = 0;
  float Real = 0;
  std::string Name;
  /// Of a number of the launch: how the kernel's author would write it,
  /// "x.rows()"; "core_count()" also of what it is computed from.
  std::string Shown;
  std::vector<Condition> Args;
};

/// "x.size()", "x.rows()", "x.extent(2)": an extent as kernels call it.
std::string extentName(llvm::StringRef View, unsigned Rank, unsigned Dim);

/// The tree of a value that only depends on arguments. Reports what a launcher
/// cannot know: an element of a view, the index of a core.
mlir::FailureOr<Condition> readCondition(ascend::ExpectsOp Expects);

} // namespace belay::emit

#endif // BELAY_EMIT_CONTRACT_H
