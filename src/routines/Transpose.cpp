//===- Transpose.cpp - Reordering axes of local tensors -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "routines/Routine.h"

#include <cstring>
#include <vector>

namespace belay::sim {

namespace {

constexpr uint32_t Cube = 16; // rows and columns of a fractal

constexpr uint64_t roundUp(uint64_t N, uint32_t To) {
  return divideUp(N, To) * To;
}
/// The place of (Row, Column) in the NZ format.
constexpr uint64_t nz(uint64_t Row, uint64_t Column, uint64_t Rows) {
  return Column / Cube * Rows * Cube + Row * Cube + Column % Cube;
}

/// Moves one element per call, from a copy of the source: it may be the same
/// memory as the destination.
class Mover {
public:
  Mover(void *To, const void *From, uint64_t Elements, Elem T)
      : Dst(static_cast<uint8_t *>(To)), Size(bytesOf(T)) {
    const auto *P = static_cast<const uint8_t *>(From);
    Src.assign(P, P + Elements * Size);
  }
  void operator()(uint64_t To, uint64_t From) const {
    uint8_t *D = Dst + To * Size;
    const uint8_t *S = Src.data() + From * Size;
    // Sizes that the compiler knows are single moves.
    Size == 2   ? std::memcpy(D, S, 2)
    : Size == 4 ? std::memcpy(D, S, 4)
                : std::memcpy(D, S, Size);
  }

private:
  uint8_t *Dst;
  uint32_t Size;
  std::vector<uint8_t> Src;
};

/// Both sides of a kind, as offsets of (b, n, s, d).
struct Heads {
  const TransposeCall &C;
  uint64_t AlignedD, AlignedH;

  explicit Heads(const TransposeCall &Call)
      : C(Call), AlignedD(roundUp(C.D, Cube)),
        AlignedH(roundUp(uint64_t(C.N) * C.D, Cube)) {}
  bool joinedSource() const {
    return C.Kind == TransposeKind::NzToNzSplit ||
           C.Kind == TransposeKind::NzToNdSplit;
  }
  uint64_t split(uint32_t B, uint32_t N, uint32_t S, uint32_t D) const {
    return (uint64_t(B) * C.N + N) * AlignedD * C.S + nz(S, D, C.S);
  }
  uint64_t joined(uint32_t B, uint32_t N, uint32_t S, uint32_t D) const {
    return uint64_t(B) * AlignedH * C.S + nz(S, uint64_t(N) * C.D + D, C.S);
  }
  uint64_t source(uint32_t B, uint32_t N, uint32_t S, uint32_t D) const {
    return joinedSource() ? joined(B, N, S, D) : split(B, N, S, D);
  }
  uint64_t result(uint32_t B, uint32_t N, uint32_t S, uint32_t D) const {
    switch (C.Kind) {
    case TransposeKind::NzToNd0213:
      return ((uint64_t(B) * C.S + S) * C.N + N) * AlignedD + D;
    case TransposeKind::NzToNz0213:
      return (uint64_t(B) * C.S + S) * AlignedD * C.N + nz(N, D, C.N);
    case TransposeKind::NzToNzSplit:
      return split(B, N, S, D);
    case TransposeKind::NzToNdSplit:
      return ((uint64_t(B) * C.N + N) * C.S + S) * AlignedD + D;
    case TransposeKind::NzToNdJoin:
      return (uint64_t(B) * C.S + S) * AlignedH + uint64_t(N) * C.D + D;
    default:
      return joined(B, N, S, D);
    }
  }
  uint64_t size(bool Joined) const {
    return product(C.B, C.S, Joined ? AlignedH : product(C.N, AlignedD));
  }
};

void transposeHeads(Routine &R, const TransposeCall &C) {
  Heads H(C);
  bool JoinedResult = C.Kind == TransposeKind::NzToNdJoin ||
                      C.Kind == TransposeKind::NzToNzJoin;
  uint64_t SrcSize = H.size(H.joinedSource());
  R.reads(C.Src, SrcSize, C.Type);
  R.writes(C.Dst, H.size(JoinedResult), C.Type);
  if (!R.ready(C.Tmp, belay_sim_transpose_kind, &C))
    return;
  Mover Move(C.Dst, C.Src, SrcSize, C.Type);
  for (uint32_t B = 0; B < C.B; ++B)
    for (uint32_t N = 0; N < C.N; ++N)
      for (uint32_t S = 0; S < C.S; ++S)
        for (uint32_t D = 0; D < C.D; ++D)
          Move(H.result(B, N, S, D), H.source(B, N, S, D));
}

/// Plain axes B, N, S.
void transposePlain(Routine &R, const TransposeCall &C) {
  uint64_t Size = product(C.B, C.N, C.S);
  R.reads(C.Src, Size, C.Type);
  R.writes(C.Dst, Size, C.Type);
  if (!R.ready(C.Tmp, belay_sim_transpose_kind, &C))
    return;
  Mover Move(C.Dst, C.Src, Size, C.Type);
  for (uint32_t I = 0; I < C.B; ++I)
    for (uint32_t J = 0; J < C.N; ++J)
      for (uint32_t K = 0; K < C.S; ++K) {
        uint64_t From = (uint64_t(I) * C.N + J) * C.S + K;
        Move(C.Kind == TransposeKind::NdToNd102
                 ? (uint64_t(J) * C.B + I) * C.S + K
             : C.Kind == TransposeKind::NdToNd210
                 ? (uint64_t(K) * C.N + J) * C.B + I
                 : (uint64_t(I) * C.S + K) * C.N + J,
             From);
      }
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_transpose_kind(const TransposeCall *C) {
  if (Routine::absent())
    return;
  Routine R("Transpose", BELAY_PC);
  using namespace types;
  constexpr TypeSet Old = Bits16 | Bits32 | HalfFloat;
  auto Kind = static_cast<unsigned>(C->Kind);
  bool Plain = C->Kind == TransposeKind::NdToNd || Kind >= 13;
  R.accepts(C->Type, Kind >= 13 ? None : Old,
            Kind >= 13 ? Old | Bits8 | Bfloat : Old);
  if (Kind == 0 || (Kind > 7 && Kind < 13) || Kind > 15)
    fail("unsupported-api", BELAY_PC,
         "compose it of one of the kinds 1 to 7 and 13 to 15",
         "Transpose of kind %u is not supported", Kind);
  uint64_t Size = product(C->B, C->N, C->S, Plain ? 1 : C->D);
  if (!Size || (!Plain && C->S % Cube))
    fail("bad-repeat", BELAY_PC, "compute the tiling on the host",
         "Transpose got the shape [%u, %u, %u, %u]; S must be a multiple of 16",
         C->B, C->N, C->S, C->D);
  if (Plain)
    transposePlain(R, *C);
  else
    transposeHeads(R, *C);
}

void belay_sim_trans_data(const TransDataCall *C) {
  if (Routine::absent())
    return;
  Routine R("TransData", BELAY_PC);
  using namespace types;
  constexpr TypeSet Set = Bits16 | only(Elem::F16) | Bfloat;
  R.accepts(C->Type, R.issue().core().arch().hasTransData ? Set : None, Set);
  uint64_t Plane = product(C->H, C->W), C1 = divideUp(C->C, Cube);
  uint64_t PlaneStride = roundUp(Plane, 16);
  uint64_t N1 = divideUp(C->N, Cube);
  uint64_t Flat = product(C->N, C->C, C->D, PlaneStride);
  uint64_t Blocked = C->Fractal ? product(C->D, C1, Plane, N1, Cube, Cube)
                                : product(C->N, C->D, C1, Plane, Cube);
  if (!Flat || !Blocked)
    return;
  R.reads(C->Src, C->Back ? Blocked : Flat, C->Type);
  R.writes(C->Dst, C->Back ? Flat : Blocked, C->Type);
  if (!R.ready(C->Tmp, belay_sim_trans_data, C))
    return;
  Mover Move(C->Dst, C->Src, C->Back ? Blocked : Flat, C->Type);
  // Channels and images that only fill up a fractal are zero.
  if (!C->Back)
    std::memset(C->Dst, 0, Blocked * bytesOf(C->Type));
  for (uint32_t N = 0; N < C->N; ++N)
    for (uint32_t Ch = 0; Ch < C->C; ++Ch)
      for (uint32_t D = 0; D < C->D; ++D)
        for (uint64_t P = 0; P < Plane; ++P) {
          uint64_t A = ((uint64_t(N) * C->C + Ch) * C->D + D) * PlaneStride + P;
          uint64_t B =
              C->Fractal
                  ? (((uint64_t(D) * C1 + Ch / Cube) * Plane + P) * N1 * Cube +
                     N) * Cube +
                        Ch % Cube
                  : (((uint64_t(N) * C->D + D) * C1 + Ch / Cube) * Plane + P) *
                            Cube +
                        Ch % Cube;
          C->Back ? Move(A, B) : Move(B, A);
        }
}
