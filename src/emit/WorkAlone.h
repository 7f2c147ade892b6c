//===- WorkAlone.h - When one core does all the work ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where copies are whole blocks of 32 bytes, the scalar unit writes what is
// less. Its cache writes back lines of 64 bytes, with what it believes the rest
// of a line to be: two cores must not do so next to each other. A kernel that
// might leaves all its work to the first core. Kernels are right for every
// number of cores, so they are right for one.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_WORKALONE_H
#define BELAY_EMIT_WORKALONE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "targets/Target.h"

namespace belay::emit {

/// Whether one core has to do all the work.
struct WorkAlone {
  /// Why, for every launch.
  mlir::Operation *Because = nullptr;
  /// Extents of arguments, each with the number that it has to be a multiple
  /// of; if one is not, one core works alone.
  struct Extent {
    mlir::Value View;
    unsigned Dim;
    int64_t Of;
    bool operator==(const Extent &) const = default;
  };
  llvm::SmallVector<Extent> Unless;

  bool maybe() const { return Because || !Unless.empty(); }
};

WorkAlone worksAlone(mlir::func::FuncOp Kernel, const targets::Soc &Soc);

} // namespace belay::emit

#endif // BELAY_EMIT_WORKALONE_H
