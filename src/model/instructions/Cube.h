//===- Cube.h - Fractals and the memories they live in ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_CUBE_H
#define BELAY_MODEL_INSTRUCTIONS_CUBE_H

#include "abi/Cube.h"
#include "model/core/Issue.h"

#include <initializer_list>

namespace belay::sim {

constexpr uint32_t FractalRows = 16;
constexpr uint32_t BlockBytes = 32;
constexpr uint32_t FractalBytes = FractalRows * BlockBytes;

constexpr uint32_t ceilDiv(uint32_t A, uint32_t B) {
  return static_cast<uint32_t>(divideUp(A, B));
}

/// Elements of a block of 32 bytes: the columns of a fractal.
constexpr uint32_t c0Of(Elem T) {
  return T == Elem::S4 ? 64 : BlockBytes / bytesOf(T);
}

/// Bits of one element, also for int4b_t.
constexpr uint32_t bitsOf(Elem T) { return T == Elem::S4 ? 4 : 8 * bytesOf(T); }

/// Copies one element between positions counted in elements. Slow and plain:
/// for layouts that no block copy describes.
inline void copyElement(Elem T, uint8_t *Dst, uint64_t To, const uint8_t *Src,
                        uint64_t From) {
  if (T == Elem::S4) {
    unsigned Value = Src[From / 2] >> (From % 2 * 4) & 15;
    unsigned Shift = To % 2 * 4;
    Dst[To / 2] =
        static_cast<uint8_t>((Dst[To / 2] & ~(15u << Shift)) | Value << Shift);
    return;
  }
  uint32_t Bytes = bytesOf(T);
  __builtin_memmove(Dst + To * Bytes, Src + From * Bytes, Bytes);
}

/// One element of Dst comes from one of Src; positions count elements.
inline Origin elementOrigin(Elem T, const void *Dst, uint64_t To,
                            const void *Src, uint64_t From) {
  uint64_t Bytes = T == Elem::S4 ? 1 : bytesOf(T);
  uint64_t D = reinterpret_cast<uint64_t>(Dst) + To * bitsOf(T) / 8;
  uint64_t S = reinterpret_cast<uint64_t>(Src) + From * bitsOf(T) / 8;
  return {D, D + Bytes, S, S + Bytes};
}
inline Origin bytesOrigin(const void *Dst, uint64_t DstBytes, const void *Src,
                          uint64_t SrcBytes) {
  auto D = reinterpret_cast<uint64_t>(Dst);
  auto S = reinterpret_cast<uint64_t>(Src);
  return {D, D + DstBytes, S, S + SrcBytes};
}

/// Ends the run unless Address lies in one of the memories.
void requireSpace(const Issue &I, const void *Address, const char *Role,
                  std::initializer_list<Space> Allowed);

/// The same for everything inside the core.
inline void requireLocal(const Issue &I, const void *Address,
                         const char *Role) {
  requireSpace(I, Address, Role,
               {Space::UB, Space::L1, Space::L0A, Space::L0B, Space::L0C,
                Space::BT, Space::FB});
}

/// Where an address lies: GM for everything outside the core.
inline Space spaceOf(const void *Address) {
  Space S = Core::current().Memories.spaceOf(Address);
  return S == Space::Host ? Space::GM : S;
}

/// What an instruction demands of an address in a memory of fractals.
constexpr uint32_t alignmentOf(Space S) {
  return S == Space::L0A || S == Space::L0B ? FractalBytes
         : S == Space::GM                   ? 1
                                            : BlockBytes;
}

/// Whether L0A keeps the left matrix as NZ, or as ZZ.
inline bool leftIsNz(const Core &C) { return C.arch().leftIsNz; }

/// The L1 that a vector core copies to from its UB is that of its block's cube
/// core: brings the bytes there. The vector core keeps them as well, for Matmul
/// objects, which compute where they are called.
void bringToCube(const Issue &I, const void *Src, void *Dst, const Extent &E);

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_CUBE_H
