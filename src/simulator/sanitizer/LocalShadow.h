//===- LocalShadow.h - Who touched each byte of a local memory last -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_SANITIZER_LOCALSHADOW_H
#define BELAY_SIMULATOR_SANITIZER_LOCALSHADOW_H

#include "core/Observer.h"
#include "sanitizer/PipeClocks.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace belay::sim {

/// An index into the table of places that have accessed memory.
using SiteId = uint16_t;

/// The last write to some bytes, and the last read of them by each pipe since.
struct AccessHistory {
  uint32_t WriteTime = 0;
  uint32_t ReadTime[NumPipes] = {};
  SiteId WriteSite = 0;
  SiteId ReadSite[NumPipes] = {};
  Pipe WritePipe = Pipe::S;
  bool AnyRead = false;

  bool operator==(const AccessHistory &) const = default;
};

/// Shadow of one local memory in cells of 32 bytes. Nearly all accesses cover
/// whole cells; a cell whose bytes have different histories is split into bytes
/// until an access covers it whole again.
class LocalShadow {
public:
  static constexpr uint32_t CellBytes = 32;

  explicit LocalShadow(uint32_t Bytes)
      : Cells((Bytes + CellBytes - 1) / CellBytes) {}

  /// Calls Visit(AccessHistory &) for every piece of [Begin, End), once per
  /// cell where that is exact.
  template <typename Fn> void visit(uint32_t Begin, uint32_t End, Fn Visit);

private:
  using Split = std::unique_ptr<AccessHistory[]>;

  template <typename Fn>
  void visitPart(uint32_t Cell, uint32_t First, uint32_t Last, Fn &Visit);

  std::vector<AccessHistory> Cells;
  std::unordered_map<uint32_t, Split> Splits;
};

template <typename Fn>
void LocalShadow::visit(uint32_t Begin, uint32_t End, Fn Visit) {
  if (Begin >= End)
    return;
  uint32_t FirstCell = Begin / CellBytes, LastCell = (End - 1) / CellBytes;
  for (uint32_t Cell = FirstCell; Cell <= LastCell; ++Cell) {
    uint32_t First = Cell == FirstCell ? Begin % CellBytes : 0;
    uint32_t Last = Cell == LastCell ? (End - 1) % CellBytes : CellBytes - 1;
    bool Whole = First == 0 && Last == CellBytes - 1;
    if (Whole && (Splits.empty() || !Splits.count(Cell)))
      Visit(Cells[Cell]);
    else
      visitPart(Cell, First, Last, Visit);
  }
}

template <typename Fn>
void LocalShadow::visitPart(uint32_t Cell, uint32_t First, uint32_t Last,
                            Fn &Visit) {
  Split &Bytes = Splits[Cell];
  if (!Bytes) {
    Bytes = std::make_unique<AccessHistory[]>(CellBytes);
    std::fill_n(Bytes.get(), CellBytes, Cells[Cell]);
  }
  for (uint32_t Byte = First; Byte <= Last; ++Byte)
    Visit(Bytes[Byte]);
  if (First != 0 || Last != CellBytes - 1)
    return;
  for (uint32_t Byte = 1; Byte < CellBytes; ++Byte)
    if (!(Bytes[Byte] == Bytes[0]))
      return;
  Cells[Cell] = Bytes[0];
  Splits.erase(Cell);
}

} // namespace belay::sim

#endif // BELAY_SIMULATOR_SANITIZER_LOCALSHADOW_H
