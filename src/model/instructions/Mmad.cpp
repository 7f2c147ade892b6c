//===- Mmad.cpp - The cube's multiplication -------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Product.h"
#include "model/instructions/Cube.h"
#include "model/instructions/Gemm.h"
#include "model/instructions/Values.h"
#include "targets/Interlocks.h"

#include <algorithm>
#include <cstring>

using namespace belay::sim;

namespace {

/// Matrices unpacked from their fractals; one set per thread, reused.
struct Workbench {
  std::vector<float> A, B, C, Scratch;
  std::vector<int32_t> Sums;
};
thread_local Workbench Bench;

struct Combination {
  Elem C, A, B;
};

/// The types that the cube of an architecture multiplies.
bool supports(const belay::targets::Arch &Arch, const Multiply *M) {
  static constexpr Combination Everywhere[] = {
      {Elem::S32, Elem::S8, Elem::S8},
      {Elem::F32, Elem::F16, Elem::F16},
  };
  static constexpr Combination Floats[] = {
      {Elem::F32, Elem::F32, Elem::F32},
      {Elem::F32, Elem::BF16, Elem::BF16},
  };
  static constexpr Combination Unsigned[] = {
      {Elem::S32, Elem::U8, Elem::S8},
      {Elem::S32, Elem::U8, Elem::U8},
      {Elem::F16, Elem::F16, Elem::F16},
  };
  auto Has = [M](const auto &List) {
    for (const Combination &X : List)
      if (X.C == M->CType && X.A == M->AType && X.B == M->BType)
        return true;
    return false;
  };
  bool FourBits =
      M->CType == Elem::S32 && M->AType == Elem::S4 && M->BType == Elem::S4;
  return Has(Everywhere) || (Arch.cubeTakesFloat && Has(Floats)) ||
         (Arch.cubeTakesUnsigned && Has(Unsigned)) ||
         (Arch.cubeTakesInt4 && FourBits);
}

uint64_t bytesOfElements(Elem T, uint64_t Count) {
  return divideUp(Count * bitsOf(T), 8);
}

/// Row-major A, k padded to whole fractals.
void unpackLeft(const Multiply *M, const Product &L) {
  uint32_t Stride = L.Inner * L.C0;
  Bench.A.resize(size_t(M->M) * Stride);
  const auto *Src = static_cast<const uint8_t *>(M->A);
  if (L.Gemv) {
    widen(Bench.A.data(), Src, M->AType, M->K);
    return;
  }
  for (uint32_t Row = 0; Row < M->M; ++Row)
    for (uint32_t K = 0; K < L.Inner; ++K)
      widen(&Bench.A[size_t(Row) * Stride + size_t(K) * L.C0],
            Src + L.leftBlock(Row, K), M->AType, L.C0);
}

/// B as [k][n], n padded to whole fractals. A fractal of L0B is stored by
/// columns: 16 columns of C0 values of k.
void unpackRight(const Multiply *M, const Product &L) {
  uint32_t Width = L.Columns * FractalRows;
  Bench.B.resize(size_t(L.Inner) * L.C0 * Width);
  const auto *Src = static_cast<const uint8_t *>(M->B);
  float Fractal[FractalRows * 64];
  for (uint32_t K = 0; K < L.Inner; ++K)
    for (uint32_t N = 0; N < L.Columns; ++N) {
      widen(Fractal, Src + L.right(K, N) * FractalBytes, M->BType,
            FractalRows * L.C0);
      float *To = &Bench.B[size_t(K) * L.C0 * Width + size_t(N) * FractalRows];
      for (uint32_t P = 0; P < L.C0; ++P)
        for (uint32_t Q = 0; Q < FractalRows; ++Q)
          To[size_t(P) * Width + Q] = Fractal[Q * L.C0 + P];
    }
}

void roundToHf32(const Issue &I) {
  const CubeRegisters &R = Core::current().Regs.Cube;
  uint32_t Bits = Core::current().arch().hf32Mantissa;
  for (auto *Matrix : {&Bench.A, &Bench.B})
    for (float &F : *Matrix)
      F = toHf32(F, Bits, R.Hf32TowardsZero);
}

/// The values that C starts from, row-major with Width columns.
template <typename T, typename Sum>
void startFrom(const Multiply *M, const Product &L, const void *Bias,
               std::vector<Sum> &Out) {
  uint32_t Width = L.Columns * FractalRows;
  Out.assign(size_t(M->M) * Width, Sum(0));
  if (M->ZeroC)
    return;
  const auto *C = static_cast<const T *>(M->C);
  const auto *B = static_cast<const Sum *>(Bias);
  // Columns of one fractal lie side by side.
  for (uint32_t N = 0; N < M->N; N += FractalRows)
    for (uint32_t Row = 0; Row < M->M; ++Row) {
      uint32_t Count = std::min(FractalRows, M->N - N);
      Sum *To = &Out[size_t(Row) * Width + N];
      if (B) {
        std::copy_n(B + N, Count, To);
        continue;
      }
      const T *From = C + L.inResult(Row, N);
      for (uint32_t Q = 0; Q < Count; ++Q)
        To[Q] = static_cast<Sum>(From[Q]);
    }
}

/// Whole rows of fractals are written: columns beyond n hold what the padding
/// of B gives there, rows beyond m stay.
template <typename T, typename Sum>
void finish(const Multiply *M, const Product &L, const std::vector<Sum> &In) {
  uint32_t Width = L.Columns * FractalRows;
  auto *C = static_cast<T *>(M->C);
  for (uint32_t N = 0; N < L.Columns; ++N)
    for (uint32_t Row = 0; Row < M->M; ++Row) {
      T *To = C + L.inResult(Row, N * FractalRows);
      const Sum *From = &In[size_t(Row) * Width + size_t(N) * FractalRows];
      for (uint32_t Q = 0; Q < FractalRows; ++Q)
        To[Q] = static_cast<T>(From[Q]);
    }
}

void compute(const Multiply *M, const Product &L, const void *Bias) {
  uint32_t Width = L.Columns * FractalRows, Stride = L.Inner * L.C0;
  if (M->CType == Elem::S32) {
    startFrom<int32_t>(M, L, Bias, Bench.Sums);
    multiplyInteger(Bench.Sums.data(), Bench.A.data(), Bench.B.data(), M->M,
                    Width, M->K, Stride, Bench.Scratch);
    finish<int32_t>(M, L, Bench.Sums);
    return;
  }
  bool HalfOut = M->CType == Elem::F16;
  if (HalfOut)
    startFrom<F16>(M, L, Bias, Bench.C);
  else
    startFrom<float>(M, L, Bias, Bench.C);
  multiplyFloat(Bench.C.data(), Bench.A.data(), Bench.B.data(), M->M, Width,
                M->K, Stride);
  if (HalfOut)
    finish<F16>(M, L, Bench.C);
  else
    finish<float>(M, L, Bench.C);
}

void checkSizes(const Issue &I, const Multiply *M) {
  constexpr uint32_t Limit = 4095;
  if (M->M > Limit || M->N > Limit || M->K > Limit)
    fail("bad-repeat", I.pc(), "split the product into smaller ones",
         "Mmad multiplies %u x %u by %u x %u; each size is 4095 at most", M->M,
         M->K, M->K, M->N);
}

Product productOf(const Multiply *M) {
  Product P;
  P.M = M->M;
  P.N = M->N;
  P.K = M->K;
  P.C0 = c0Of(M->AType);
  P.Rows = ceilDiv(M->M, FractalRows);
  P.Inner = ceilDiv(M->K, P.C0);
  P.Columns = ceilDiv(M->N, FractalRows);
  P.InnerStored =
      M->AType == Elem::F32 && M->AlignK ? ceilDiv(M->K, 16) * 2 : P.Inner;
  P.LeftNz = leftIsNz(Core::current());
  P.Gemv = M->M == 1 && !M->DisableGemv;
  return P;
}

/// Where the initial values come from: the bias table, or null for C itself.
const void *biasOf(Issue &I, const Multiply *M) {
  if (M->ZeroC)
    return nullptr;
  const void *Bias = nullptr;
  if (M->Bias) // a bias in L0C is C itself
    Bias = spaceOf(M->Bias) == Space::BT ? M->Bias : nullptr;
  else if (M->CFromBias)
    Bias = I.core().Memories.base(Space::BT);
  if (M->Bias)
    requireSpace(I, M->Bias, "bias", {Space::BT, Space::L0C});
  if (Bias)
    I.read(Bias, {uint64_t(M->N) * 4}, M->CType, 64);
  return Bias;
}

} // namespace

void belay_sim_cube_mmad(const Multiply *M) {
  Product L = productOf(M); // outlives the record that points at it
  Issue I("Mmad", on::cube_mmad, BELAY_PC);
  if (I.dropped() || !M->M || !M->N || !M->K)
    return;
  requireSpace(I, M->A, "left matrix", {Space::L0A});
  requireSpace(I, M->B, "right matrix", {Space::L0B});
  requireSpace(I, M->C, "result", {Space::L0C});
  if (!supports(I.core().arch(), M))
    I.unsupported(M->CType, M->AType);
  checkSizes(I, M);
  I.record().UnitFlag = M->UnitFlag & 2;

  I.record().Shape = &L;
  I.record().Interlocked =
      L.Rows * L.Columns >= belay::targets::InterlockedFractals;

  uint64_t LeftBytes = L.Gemv ? bytesOfElements(M->AType, M->K)
                              : product(L.Rows, L.InnerStored, FractalBytes);
  uint32_t CellBytes = FractalRows * FractalRows * bytesOf(M->CType);
  I.read(M->A, {LeftBytes}, M->AType, FractalBytes);
  I.read(M->B, {product(L.Inner, L.Columns, FractalBytes)}, M->BType,
         FractalBytes);
  const void *Bias = biasOf(I, M);
  if (!M->ZeroC && !Bias)
    I.read(M->C, {product(L.Rows, L.Columns, CellBytes)}, M->CType, CellBytes);
  I.write(M->C, {product(L.Rows, L.Columns, CellBytes)}, M->CType, CellBytes);

  if (I.later(belay_sim_cube_mmad, M))
    return;
  unpackLeft(M, L);
  unpackRight(M, L);
  if (I.core().Regs.Cube.Hf32 && M->AType == Elem::F32)
    roundToHf32(I);
  compute(M, L, Bias);
}
