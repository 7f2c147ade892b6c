//===- Names.h - Values as their author wrote them --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_NAMES_H
#define BELAY_ANALYSIS_NAMES_H

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Value.h"
#include <string>

namespace belay::analysis {

/// The name of a variable of the source: a NameLoc says it. Arguments and loop
/// variables always have one, if need be of our making (arg0, i).
std::string nameOf(mlir::Value Value);

/// x.size(), x.rows(), x.cols(), x.extent(2), or a number where it is static.
std::string extentText(mlir::Value View, unsigned Dim);

/// Source text with that value, as far as it is short enough to be read.
std::string textOf(mlir::Value Value);
std::string textOf(mlir::OpFoldResult Value);
/// The same, without the name that the value itself may have.
std::string definitionOf(mlir::Value Value);

/// `A + B`, where one of them may be 0.
std::string sumText(mlir::OpFoldResult A, mlir::OpFoldResult B);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_NAMES_H
