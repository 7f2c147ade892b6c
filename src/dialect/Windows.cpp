//===- Windows.cpp - Windows of views, in both levels ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Windows.h"

using namespace mlir;
using namespace belay::ascend;

/// Rows and columns of a window: its last two sizes, or the one that it has.
static SmallVector<int64_t, 2> rowsAndColumns(ArrayRef<int64_t> Sizes,
                                              const WindowTarget &Target) {
  if (Sizes.size() >= 2)
    return SmallVector<int64_t, 2>(Sizes.take_back(2));
  bool AsColumn = Target.Capacity[1] == 1;
  return AsColumn ? SmallVector<int64_t, 2>{Sizes[0], 1}
                  : SmallVector<int64_t, 2>{1, Sizes[0]};
}

LogicalResult belay::ascend::verifyWindow(Operation *Op, MemRefType View,
                                          ArrayRef<int64_t> Offsets,
                                          ArrayRef<int64_t> Sizes,
                                          const WindowTarget &Target) {
  size_t Rank = View.getRank();
  if (Offsets.size() != Rank || Sizes.size() != Rank)
    return Op->emitOpError()
           << "has " << Offsets.size() << " offsets and " << Sizes.size()
           << " sizes for a view of rank " << Rank << " (W1)";
  for (int64_t Size : Sizes.drop_back(std::min<size_t>(Rank, 2)))
    if (Size != 1)
      return Op->emitOpError()
             << "has a window with more than two dimensions (W2)";
  if (View.getElementType() != Target.Element)
    return Op->emitOpError() << "moves " << View.getElementType() << " as "
                             << Target.Element << " (W3)";
  constexpr const char *Names[] = {"rows", "columns"};
  auto Window = rowsAndColumns(Sizes, Target);
  for (unsigned I : {0, 1}) {
    if (ShapedType::isDynamic(Window[I]))
      continue;
    int64_t Extent = Target.Extents[I];
    if (Window[I] > Target.Capacity[I] ||
        (!ShapedType::isDynamic(Extent) && Window[I] != Extent))
      return Op->emitOpError()
             << "has a window of " << Window[I] << " " << Names[I]
             << " for a tile of " << Target.Capacity[I] << " (W4)";
  }
  return success();
}

LogicalResult belay::ascend::verifyAtomic(Operation *Op,
                                          std::optional<Combine> Combine) {
  if (Combine == Combine::Prod)
    return Op->emitOpError() << "cannot multiply atomically (W6)";
  return success();
}
