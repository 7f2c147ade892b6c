//===- Places.h - Where tiles of PTO lie ------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_PTO_PLACES_H
#define BELAY_CHECK_PTO_PLACES_H

#include "dialect/Ascend.h"
#include "emit/pto/Pto.h"
#include "targets/Target.h"

namespace belay::check {

/// The bytes of a tile.
struct TilePlace {
  mlir::Operation *Made = nullptr; ///< alloc_tile or pointer_cast.
  pto::Space Space = pto::Space::Vec;
  int64_t Bytes = 0;
  /// Where it begins, or where its first slot does.
  int64_t Begin = 0;
  /// Of two slots, which one: 0 and 1 in alternating iterations of a loop.
  mlir::Value Slot;
  int64_t SlotBytes = 0;
  /// What is used of it: so many bytes, from this one on.
  int64_t FirstByte = 0, UsedBytes = 0;
  /// ptoas is to choose an address: no other tile is there.
  bool Chosen = false;

  int64_t end() const { return Begin + (Slot ? SlotBytes : 0) + Bytes; }
};

/// The place of a tile by what it is made from; why that cannot be told.
struct PlaceOrReason {
  std::optional<TilePlace> Place;
  std::string Reason;
};
PlaceOrReason placeOf(mlir::Value Tile);

/// A sum of a constant and of a slot times bytes. Fails for anything else.
struct SlotSum {
  int64_t Constant = 0, Factor = 0;
  mlir::Value Slot;
};
std::optional<SlotSum> slotSumOf(mlir::Value Number);

/// The memory of the core that a space of PTO is; nothing for global memory.
std::optional<ascend::MemorySpace> memoryOf(pto::Space Space);
/// Bytes that a kernel may use of it.
int64_t capacityOf(pto::Space Space, const targets::Soc &Soc);
/// "the unified buffer"
llvm::StringRef nameOf(pto::Space Space);

} // namespace belay::check

#endif // BELAY_CHECK_PTO_PLACES_H
