//===- Lanes.h - Elements of registers, one by one --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_REGISTERS_LANES_H
#define BELAY_MODEL_REGISTERS_LANES_H

#include "model/registers/RegisterFile.h"

namespace belay::sim {

/// How a register is divided: so many elements of Size bytes, and the distance
/// of their bits in a mask.
struct LaneShape {
  uint32_t Size, Num, Step;

  static LaneShape of(Elem T, bool Two) {
    uint32_t Size = bytesOf(T);
    uint32_t Num = (Two ? WideBytes : RegisterBytes) / Size;
    return {Size, Num, std::max(RegisterBytes / Num, 1u)};
  }
  uint32_t bytes() const { return Size * Num; }
};

/// Everything an instruction between registers is given.
struct Micro {
  RegisterFile &F;
  MicroCall M;
  const RegisterCompute &C;
  VectorAccesses *Seen = F.accesses();

  const Register &read(RegisterName Name) const { return F.read(Name, M); }
  const MaskRegister &mask() const { return F.mask(C.Mask, M); }
  /// What the mask lets through of a source counts.
  void use(const Register &R, const MaskRegister &Mask, LaneShape L) const {
    if (Seen)
      Seen->use(R, Mask, L.Step, L.Size);
  }
  /// All of a source counts, as far as its buffer goes.
  void useWhole(const Register &R) const {
    if (Seen)
      Seen->useWhole(R);
  }
};

inline bool anyByte(const uint8_t *Flags, uint32_t Bytes) {
  uint8_t All = 0;
  for (uint32_t B = 0; B < Bytes; ++B)
    All |= Flags[B];
  return All != 0;
}

/// What values flow into the lanes of a result: one flag for each lane.
class LaneFlags {
public:
  explicit LaneFlags(const Micro &X) : Watched(X.Seen != nullptr) {}
  /// Lane I of the result depends on lane I of R.
  void from(const Register &R, LaneShape L) {
    if (!Watched || !R.Suspect)
      return;
    for (uint32_t I = 0; I < L.Num; ++I)
      lane(I, anyByte(R.Undefined + size_t(I) * L.Size, L.Size), R);
  }
  void lane(uint32_t I, bool Undefined, const Register &R) {
    if (!Undefined)
      return;
    Flags[I] = 1;
    Any = true;
    Root = R.Root;
  }
  bool any() const { return Any; }
  bool test(uint32_t I) const { return Flags[I]; }
  const void *root() const { return Root; }

private:
  bool Watched, Any = false;
  uint8_t Flags[WideBytes] = {};
  const void *Root = nullptr;
};

/// Takes over the lanes of a result that the mask selects. The others become 0,
/// or stay.
void takeResult(const Micro &X, const uint8_t *Result, const MaskRegister *Mask,
                LaneShape L, const LaneFlags &Flags);
/// The same for a result that was left in the register itself, in all lanes.
void tookResult(const Micro &X, Register &Dst, LaneShape L,
                const LaneFlags &Flags);

// By families, one file each.
void computeElements(const Micro &X);  // Elements.cpp
void computeConverted(const Micro &X); // Conversions.cpp
void computeLanes(const Micro &X);     // Moves.cpp
void computeReduced(const Micro &X);   // Reductions.cpp
void computeMask(const Micro &X);      // Masks.cpp

} // namespace belay::sim

#endif // BELAY_MODEL_REGISTERS_LANES_H
