//===- Products.cpp - Which results of a product have a value -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Product.h"

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

namespace {

/// The operands of an Mmad, as it declares them: two sources, then the bias or
/// the old result if it adds to one, then the result.
struct ProductOperands {
  uint64_t Left, Right, Result;
  const OperandRecord *Start = nullptr;
  uint32_t Size; // of an element of the result

  explicit ProductOperands(const InstructionRecord &I)
      : Left(addressOf(I.Operands[0])), Right(addressOf(I.Operands[1])),
        Result(addressOf(I.Operands[I.NumOperands - 1])),
        Size(bytesOf(I.Operands[I.NumOperands - 1].Type)) {
    if (I.NumOperands > 3)
      Start = &I.Operands[2];
  }
  bool adds() const { return Start && Start->Where == Space::L0C; }

  static uint64_t addressOf(const OperandRecord &O) {
    return reinterpret_cast<uint64_t>(O.Address);
  }
};

} // namespace

/// Result (r, c) has a value if row r of the left matrix, column c of the right
/// one and what it is added to have one, all of them inside k. Fractals are
/// read and written whole: what lies in them beyond m, n and k never mixes with
/// the rest, and the rows beyond m stay as they are.
void Sanitizer::flowProduct(const InstructionRecord &I, bool AnyUndefined) {
  const Product &P = *I.Shape;
  const ProductOperands Ops(I);
  constexpr uint32_t Width = Product::FractalRows;
  uint32_t RowBytes = Width * Ops.Size;
  auto Cells = [&](uint32_t Row, uint32_t Column) {
    return Ops.Result + P.inResult(Row, Column) * Ops.Size;
  };
  if (!AnyUndefined) {
    for (uint32_t N = 0; N < P.Columns; ++N)
      assignBytes(Cells(0, N * Width),
                  Cells(0, N * Width) + uint64_t(P.M) * RowBytes, false);
    return;
  }
  std::vector<bool> BadRow(P.M), BadColumn(size_t(P.Columns) * Width);
  auto IsBad = [&](uint64_t Block, uint32_t K) {
    return undefinedBytes(Block, Block + P.bytesInside(K));
  };
  for (uint32_t K = 0; K < P.Inner; ++K) {
    for (uint32_t R = 0; R < P.M; ++R)
      if (!BadRow[R] && IsBad(Ops.Left + P.leftBlock(R, K), K))
        BadRow[R] = true;
    for (uint32_t C = 0; C < BadColumn.size(); ++C)
      if (!BadColumn[C] && IsBad(Ops.Right + P.rightBlock(K, C), K))
        BadColumn[C] = true;
  }
  if (Ops.Start && !Ops.adds())
    for (uint32_t C = 0; C < P.N; ++C)
      if (undefinedAt(*Ops.Start, uint64_t(C) * bytesOf(Ops.Start->Type)))
        BadColumn[C] = true;
  for (uint32_t R = 0; R < P.M; ++R)
    for (uint32_t C = 0; C < BadColumn.size(); ++C) {
      uint64_t At = Cells(R, C);
      bool Bad = BadRow[R] || BadColumn[C] ||
                 (Ops.adds() && undefinedBytes(At, At + Ops.Size));
      assignBytes(At, At + Ops.Size, Bad);
    }
}

} // namespace belay::sim
