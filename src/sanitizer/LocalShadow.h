//===- LocalShadow.h - Last accesses to local memory, by byte ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_LOCALSHADOW_H
#define BELAY_SANITIZER_LOCALSHADOW_H

#include "model/core/Observer.h"
#include "order/PipeClocks.h"

#include <algorithm>
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
/// until an access covers it whole again. And most accesses cover long runs of
/// cells: a page of cells that all have one history keeps it once.
class LocalShadow {
public:
  static constexpr uint32_t CellBytes = 32, PageCells = 64;
  static constexpr uint32_t PageBytes = CellBytes * PageCells;

  explicit LocalShadow(uint32_t Bytes)
      : Pages((Bytes + PageBytes - 1) / PageBytes) {}

  /// Calls Visit(AccessHistory &) for every piece of [Begin, End), once per
  /// page or cell where that is exact. Uniform says that Visit leaves the same
  /// history after whatever it finds.
  template <typename Fn>
  void visit(uint32_t Begin, uint32_t End, bool Uniform, Fn Visit);

  /// The history of one byte.
  const AccessHistory &at(uint32_t Offset) const {
    if (auto It = Splits.find(Offset / CellBytes); It != Splits.end())
      return It->second[Offset % CellBytes];
    const Page &P = Pages[Offset / PageBytes];
    return P.Cells ? P.Cells[Offset / CellBytes % PageCells] : P.Same;
  }

private:
  using Split = std::unique_ptr<AccessHistory[]>;
  struct Page {
    AccessHistory Same;
    std::unique_ptr<AccessHistory[]> Cells; // if they differ
  };

  AccessHistory *cellsOf(Page &P);
  template <typename Fn>
  void visitPage(Page &P, uint32_t Begin, uint32_t End, Fn &Visit);
  template <typename Fn>
  void visitPart(AccessHistory &Cell, uint32_t Number, uint32_t First,
                 uint32_t Last, Fn &Visit);

  std::vector<Page> Pages;
  std::unordered_map<uint32_t, Split> Splits; // by the cell's number
};

inline AccessHistory *LocalShadow::cellsOf(Page &P) {
  if (!P.Cells) {
    P.Cells = std::make_unique<AccessHistory[]>(PageCells);
    std::fill_n(P.Cells.get(), PageCells, P.Same);
  }
  return P.Cells.get();
}

template <typename Fn>
void LocalShadow::visit(uint32_t Begin, uint32_t End, bool Uniform, Fn Visit) {
  while (Begin < End) {
    Page &P = Pages[Begin / PageBytes];
    uint32_t First = Begin / PageBytes * PageBytes;
    uint32_t Stop = std::min(End, First + PageBytes);
    bool Covers = Begin == First && Stop == First + PageBytes;
    if (Covers && !P.Cells) {
      Visit(P.Same);
    } else {
      visitPage(P, Begin, Stop, Visit);
      // No cell of the page is split any more, or it would have been found.
      if (Covers && Uniform) {
        P.Same = P.Cells[0];
        P.Cells.reset();
      }
    }
    Begin = Stop;
  }
}

template <typename Fn>
void LocalShadow::visitPage(Page &P, uint32_t Begin, uint32_t End, Fn &Visit) {
  AccessHistory *Cells = cellsOf(P);
  uint32_t FirstCell = Begin / CellBytes, LastCell = (End - 1) / CellBytes;
  for (uint32_t Cell = FirstCell; Cell <= LastCell; ++Cell) {
    uint32_t First = Cell == FirstCell ? Begin % CellBytes : 0;
    uint32_t Last = Cell == LastCell ? (End - 1) % CellBytes : CellBytes - 1;
    bool Covers = First == 0 && Last == CellBytes - 1;
    AccessHistory &H = Cells[Cell % PageCells];
    if (Covers && (Splits.empty() || !Splits.count(Cell)))
      Visit(H);
    else
      visitPart(H, Cell, First, Last, Visit);
  }
}

template <typename Fn>
void LocalShadow::visitPart(AccessHistory &Cell, uint32_t Number,
                            uint32_t First, uint32_t Last, Fn &Visit) {
  Split &Bytes = Splits[Number];
  if (!Bytes) {
    Bytes = std::make_unique<AccessHistory[]>(CellBytes);
    std::fill_n(Bytes.get(), CellBytes, Cell);
  }
  for (uint32_t Byte = First; Byte <= Last; ++Byte)
    Visit(Bytes[Byte]);
  if (First != 0 || Last != CellBytes - 1)
    return;
  for (uint32_t Byte = 1; Byte < CellBytes; ++Byte)
    if (!(Bytes[Byte] == Bytes[0]))
      return;
  Cell = Bytes[0];
  Splits.erase(Number);
}

} // namespace belay::sim

#endif // BELAY_SANITIZER_LOCALSHADOW_H
