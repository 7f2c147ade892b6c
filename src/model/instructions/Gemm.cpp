//===- Gemm.cpp - Products of matrices, as the cube computes them ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Gemm.h"

#include "model/instructions/Values.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace belay::sim {

namespace {

using Vector = float __attribute__((ext_vector_type(8)));

Vector load(const float *P) {
  Vector V;
  std::memcpy(&V, P, sizeof(V));
  return V;
}
void store(float *P, Vector V) { std::memcpy(P, &V, sizeof(V)); }

/// Rows x 16 elements of C in registers.
template <unsigned Rows>
void tile(float *C, const float *A, const float *B, uint32_t Width, uint32_t K,
          uint32_t AStride) {
  Vector Sum[Rows][2];
  for (unsigned R = 0; R < Rows; ++R)
    for (unsigned H = 0; H < 2; ++H)
      Sum[R][H] = load(C + size_t(R) * Width + size_t(8) * H);
  for (uint32_t P = 0; P < K; ++P) {
    const float *Row = B + static_cast<size_t>(P) * Width;
    Vector B0 = load(Row);
    Vector B1 = load(Row + 8);
    for (unsigned R = 0; R < Rows; ++R) {
      Vector Left = A[R * static_cast<size_t>(AStride) + P];
      Sum[R][0] = __builtin_elementwise_fma(Left, B0, Sum[R][0]);
      Sum[R][1] = __builtin_elementwise_fma(Left, B1, Sum[R][1]);
    }
  }
  for (unsigned R = 0; R < Rows; ++R)
    for (unsigned H = 0; H < 2; ++H)
      store(C + size_t(R) * Width + size_t(8) * H, Sum[R][H]);
}

/// Rows of B that stay in the first cache while all rows of C pass by.
constexpr uint32_t PanelK = 256;

} // namespace

void multiplyFloat(float *C, const float *A, const float *B, uint32_t M,
                   uint32_t Width, uint32_t K, uint32_t AStride) {
  for (uint32_t P = 0; P < K; P += PanelK) {
    uint32_t Depth = std::min(PanelK, K - P);
    for (uint32_t N = 0; N < Width; N += GemmWidth) {
      const float *Right = B + static_cast<size_t>(P) * Width + N;
      uint32_t R = 0;
      for (; R + 6 <= M; R += 6)
        tile<6>(C + static_cast<size_t>(R) * Width + N,
                A + static_cast<size_t>(R) * AStride + P, Right, Width, Depth,
                AStride);
      for (; R < M; ++R)
        tile<1>(C + static_cast<size_t>(R) * Width + N,
                A + static_cast<size_t>(R) * AStride + P, Right, Width, Depth,
                AStride);
    }
  }
}

void multiplyInteger(int32_t *C, const float *A, const float *B, uint32_t M,
                     uint32_t Width, uint32_t K, uint32_t AStride,
                     std::vector<float> &Scratch) {
  // 256 products of bytes stay below 2^24, where float is exact.
  constexpr uint32_t ExactK = 256;
  size_t Elements = static_cast<size_t>(M) * Width;
  for (uint32_t P = 0; P < K; P += ExactK) {
    Scratch.assign(Elements, 0.0F);
    multiplyFloat(Scratch.data(), A + P, B + static_cast<size_t>(P) * Width, M,
                  Width, std::min(ExactK, K - P), AStride);
    for (size_t E = 0; E < Elements; ++E) {
      int64_t Sum = int64_t(C[E]) + static_cast<int32_t>(Scratch[E]);
      C[E] =
          static_cast<int32_t>(std::clamp<int64_t>(Sum, INT32_MIN, INT32_MAX));
    }
  }
}

float toHf32(float F, uint32_t MantissaBits, bool TowardsZero) {
  uint32_t Bits = std::bit_cast<uint32_t>(F);
  if ((Bits & 0x7f800000) == 0x7f800000)
    return F;
  uint32_t Dropped = 23 - MantissaBits;
  uint32_t Half = 1u << (Dropped - 1);
  // Both modes take the nearest value; they differ in what a tie becomes.
  uint32_t Odd = Bits >> Dropped & 1;
  Bits += Half - 1 + (TowardsZero ? 0 : Odd);
  return std::bit_cast<float>(Bits >> Dropped << Dropped);
}

/// In global memory elements lie anywhere.
template <typename T>
static void widenFrom(float *Dst, const void *Src, uint32_t Count) {
  const auto *From = static_cast<const uint8_t *>(Src);
  for (uint32_t I = 0; I < Count; ++I) {
    T Value;
    std::memcpy(&Value, From + size_t(I) * sizeof(T), sizeof(T));
    Dst[I] = static_cast<float>(Value);
  }
}

void widen(float *Dst, const void *Src, Elem T, uint32_t Count) {
  switch (T) {
  case Elem::F32:
    std::memcpy(Dst, Src, Count * sizeof(float));
    return;
  case Elem::F16:
    return widenFrom<F16>(Dst, Src, Count);
  case Elem::BF16:
    return widenFrom<BF16>(Dst, Src, Count);
  case Elem::S8:
    return widenFrom<int8_t>(Dst, Src, Count);
  case Elem::U8:
    return widenFrom<uint8_t>(Dst, Src, Count);
  case Elem::S4:
    for (uint32_t I = 0; I < Count; ++I) {
      int Nibble = static_cast<const uint8_t *>(Src)[I / 2] >> (I % 2 * 4) & 15;
      Dst[I] = static_cast<float>(Nibble < 8 ? Nibble : Nibble - 16);
    }
    return;
  default:
    __builtin_trap();
  }
}

} // namespace belay::sim
