//===- Product.h - Where the matrices of an Mmad lie ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_PRODUCT_H
#define BELAY_MODEL_CORE_PRODUCT_H

#include <cstddef>
#include <cstdint>

namespace belay::sim {

/// The fractals of a product m x k by k x n in L0. Fractals are stored whole;
/// what lies in them beyond m, n and k is padding.
struct Product {
  static constexpr uint32_t FractalRows = 16, BlockBytes = 32,
                            FractalBytes = FractalRows * BlockBytes;

  uint32_t M, N, K;
  uint32_t C0;                   // elements of a block of 32 bytes
  uint32_t Rows, Inner, Columns; // fractals along m, k, n
  uint32_t InnerStored;          // fractals that L0 keeps along k
  bool LeftNz;
  bool Gemv; // the left matrix is one row of k elements, without fractals

  /// Fractal (Row, K) of the left matrix, (K, Column) of the right one.
  uint64_t left(uint32_t Row, uint32_t K) const {
    return LeftNz ? uint64_t(K) * Rows + Row : uint64_t(Row) * InnerStored + K;
  }
  uint64_t right(uint32_t K, uint32_t Column) const {
    return uint64_t(K) * Columns + Column;
  }
  /// The first byte of the block that holds the C0 elements number K of a row
  /// of the left matrix, or of a column of the right one, which is stored by
  /// columns.
  uint64_t leftBlock(uint32_t Row, uint32_t K) const {
    return Gemv ? uint64_t(K) * BlockBytes
                : left(Row / FractalRows, K) * FractalBytes +
                      uint64_t(Row % FractalRows) * BlockBytes;
  }
  uint64_t rightBlock(uint32_t K, uint32_t Column) const {
    return right(K, Column / FractalRows) * FractalBytes +
           uint64_t(Column % FractalRows) * BlockBytes;
  }
  /// The bytes of that block that lie inside k.
  uint32_t bytesInside(uint32_t Block) const {
    uint32_t Elements = K - Block * C0;
    return Elements >= C0 ? BlockBytes : (Elements * BlockBytes + C0 - 1) / C0;
  }
  /// Element (Row, Column) of the result, which is NZ in fractals of 16 x 16.
  size_t inResult(uint32_t Row, uint32_t Column) const {
    return (size_t(Column / FractalRows) * Rows + Row / FractalRows) *
               FractalRows * FractalRows +
           size_t(Row % FractalRows) * FractalRows + Column % FractalRows;
  }
};

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_PRODUCT_H
