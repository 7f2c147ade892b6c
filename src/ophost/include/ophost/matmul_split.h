//===- matmul_split.h - How a product is divided ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any division that fits the memories is right. Programs rely on more: they
// compute offsets that are right only where rows are not divided, or size their
// queues by one piece. So small products stay on one core, and pieces are as
// large as L0 allows, wide before tall, as on the device.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_MATMUL_SPLIT_H
#define BELAY_OPHOST_MATMUL_SPLIT_H

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace matmul_tiling::belay_detail {

inline int32_t divideUp(int32_t Value, int32_t Unit) {
  return Unit ? (Value + Unit - 1) / Unit : 0;
}

/// Sizes in fractals: 16 rows or columns, 32 bytes of k.
struct Extents {
  int32_t M = 1, N = 1, K = 1;
};

/// Fractals that L0C holds, and half of L0A or L0B.
struct Capacity {
  int32_t Sums = 128, Factors = 64;
};

/// Pieces that one core computes after each other.
inline int64_t stepsOf(const Extents &One, const Extents &Piece) {
  return int64_t(divideUp(One.M, Piece.M)) * divideUp(One.N, Piece.N) *
         divideUp(One.K, Piece.K);
}

/// The largest piece that L0 holds twice, at most 256 columns wide: that is
/// what the table of the bias holds. It is as low as it can be without more
/// steps, so that queues of one piece fit the unified buffer.
inline Extents pieceOf(const Extents &One, const Capacity &L0) {
  constexpr int32_t Widest = 16;
  Extents P;
  P.N = std::min(Widest, One.N);
  P.M = std::max(1, std::min({One.M, L0.Sums / P.N, L0.Factors}));
  auto Deepen = [&](Extents Q) {
    Q.K = std::max(1, std::min({L0.Factors / Q.M, L0.Factors / Q.N, One.K}));
    return Q;
  };
  P = Deepen(P);
  while (P.M > 1) {
    Extents Lower = Deepen({divideUp(P.M, 2), P.N, 1});
    if (stepsOf(One, Lower) > stepsOf(One, P))
      break;
    P = Lower;
  }
  return P;
}

/// How many cores share each extent.
struct Parts {
  int32_t M = 1, N = 1, K = 1;
  int32_t cores() const { return M * N * K; }
};

inline Extents partOf(const Extents &Product, const Parts &P) {
  return {divideUp(Product.M, P.M), divideUp(Product.N, P.N),
          divideUp(Product.K, P.K)};
}

/// One core computes it at once, and more would not pay.
inline bool isSmall(const Extents &Product, int32_t Cores, const Capacity &L0) {
  constexpr int32_t OneLoad = 32;
  return Product.M * Product.N <= std::min(Cores, L0.Sums) &&
         Product.M <= OneLoad && Product.N <= OneLoad &&
         Product.M * Product.K <= 2 * L0.Factors &&
         Product.N * Product.K <= 2 * L0.Factors;
}

/// Divides a product among cores: rows of less than 512 bytes are avoided, then
/// the longest core has the fewest pieces, then most cores work, then least is
/// loaded. Rows of B lie along n, those of a transposed A along m.
inline Parts partsOf(const Extents &Product, int32_t Cores, bool SplitK,
                     bool RowsAlongM, bool RowsAlongN, const Capacity &L0) {
  constexpr int32_t LongRow = 16;
  Parts Best;
  if (isSmall(Product, Cores, L0)) {
    // Sums along k are the only thing to share.
    if (SplitK && Product.K > 32)
      for (Best.K = 2; Best.K < Cores && Product.K % Best.K; ++Best.K)
        ;
    return Best;
  }
  auto Divides = [&](int32_t Factor, int32_t Extent) {
    return Factor <= Extent && (Extent % Factor == 0 || Cores % Factor == 0);
  };
  // Rows that are short anyway are divided as far as possible, then columns.
  if (RowsAlongN && !RowsAlongM && !SplitK && Product.N < LongRow) {
    for (int32_t N = 1; N <= Cores; ++N)
      for (int32_t M = 1; Divides(N, Product.N) && M * N <= Cores; ++M)
        if (Divides(M, Product.M))
          Best = {M, N, 1};
    Extents One = partOf(Product, Best);
    return {divideUp(Product.M, One.M), divideUp(Product.N, One.N), 1};
  }
  auto Rate = [&](const Parts &P) {
    Extents One = partOf(Product, P);
    bool Short = (RowsAlongN && Product.N >= LongRow && One.N < LongRow) ||
                 (RowsAlongM && Product.M >= LongRow && One.M < LongRow);
    int64_t Load = int64_t(Product.M) * P.N + int64_t(Product.N) * P.M;
    return std::tuple(Short, stepsOf(One, pieceOf(One, L0)), -P.cores(), Load);
  };
  for (int32_t N = 1; N <= Cores; ++N)
    for (int32_t M = 1; Divides(N, Product.N) && M * N <= Cores; ++M)
      for (int32_t K = 1; Divides(M, Product.M) && M * N * K <= Cores; ++K) {
        Parts P{M, N, K};
        if (K > 1 && (!SplitK || !Divides(K, Product.K)))
          continue;
        if (Rate(P) < Rate(Best))
          Best = P;
      }
  // As many as there are parts: rounding up leaves some cores without.
  Extents One = partOf(Product, Best);
  return {divideUp(Product.M, One.M), divideUp(Product.N, One.N),
          divideUp(Product.K, One.K)};
}

} // namespace matmul_tiling::belay_detail

#endif // BELAY_OPHOST_MATMUL_SPLIT_H
