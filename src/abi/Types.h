//===- Types.h - Words shared by kernels and the simulated core -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything under abi/ is included by every simulated kernel, so it stays
// free of the standard library's heavy headers: a kernel compiles in a fraction
// of a second only because this does.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_TYPES_H
#define BELAY_ABI_TYPES_H

#include <cstddef>
#include <cstdint>

namespace belay::sim {

/// Element types an instruction can name.
enum class Elem : uint8_t {
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump) Id,
#include "belay/elements.def"
};

namespace bits_of_element {
enum : uint32_t {
#define BELAY_ELEMENT(Id, Kind, Bits, Name) Id = Bits,
#include "belay/elements.def"
};
} // namespace bits_of_element

/// Bytes of one element. S4 packs two in a byte and reports 1: its users count
/// in bytes.
constexpr uint32_t bytesOf(Elem E) {
  switch (E) {
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump)                                   \
  case Elem::Id:                                                               \
    return (bits_of_element::Id + 7) / 8;
#include "belay/elements.def"
  }
  return 0;
}

/// As kernels write it.
constexpr const char *nameOf(Elem E) {
  switch (E) {
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump)                                   \
  case Elem::Id:                                                               \
    return #Type;
#include "belay/elements.def"
  }
  return "?";
}

/// Memories of an AI Core, plus global memory.
enum class Space : uint8_t { GM, UB, L1, L0A, L0B, L0C, BT, FB, Host };
constexpr const char *nameOf(Space S) {
  constexpr const char *Names[] = {"GM",  "UB", "L1", "L0A",        "L0B",
                                   "L0C", "BT", "FB", "host memory"};
  return Names[static_cast<unsigned>(S)];
}

/// The in-order queues that the scalar unit issues into.
enum class Pipe : uint8_t { S, V, M, MTE1, MTE2, MTE3, FIX, All };
constexpr const char *nameOf(Pipe P) {
  constexpr const char *Names[] = {"PIPE_S",    "PIPE_V",    "PIPE_M",
                                   "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3",
                                   "PIPE_FIX",  "PIPE_ALL"};
  return Names[static_cast<unsigned>(P)];
}

/// What kind of core a piece of code runs on. 310P-style parts have one kind of
/// core that holds both a cube and a vector unit.
enum class CoreKind : uint8_t { Vector, Cube, Coupled };

/// How many cores of each kind one block of a launch occupies.
enum class TaskKind : uint8_t {
  Unset,
  Vector,  // one AIV per block
  Cube,    // one AIC per block
  Mix1To1, // one AIC and one AIV per block
  Mix1To2, // one AIC and two AIV per block
  Coupled, // one AI core with both units
};

/// Which lanes of a vector instruction take part.
enum class MaskMode : uint8_t {
  Bits,     // Mask[0..1] hold one bit per lane of a repeat
  Lanes,    // the first Mask[0] lanes of each repeat
  Count,    // Mask[0] elements in all; repeats follow from it
  Register, // whatever SetVectorMask and SetMaskCount left behind
};

/// Strides of one vector operand, in 32-byte blocks.
struct Stride {
  uint16_t Block = 1;
  uint16_t Repeat = 8;
};

/// How a vector instruction walks over its operands. Operand 0 is the
/// destination; the sources follow in the order of the API.
struct Walk {
  uint64_t Mask[2] = {0, 0};
  MaskMode Mode = MaskMode::Count;
  uint16_t Repeat = 1;
  Stride Operand[3];
};

} // namespace belay::sim

#endif // BELAY_ABI_TYPES_H
