//===- Routine.h - A library routine on its way into the pipe ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ROUTINES_ROUTINE_H
#define BELAY_ROUTINES_ROUTINE_H

#include "abi/Library.h"
#include "model/core/Issue.h"
#include "model/instructions/Values.h"

#include <cstring>

namespace belay::sim {

/// Element types as a set.
using TypeSet = uint32_t;
constexpr TypeSet only(Elem T) {
  return TypeSet(1) << static_cast<unsigned>(T);
}
namespace types {
constexpr TypeSet None = 0;
constexpr TypeSet Float = only(Elem::F32);
constexpr TypeSet HalfFloat = only(Elem::F16) | Float;
constexpr TypeSet Bfloat = only(Elem::BF16);
constexpr TypeSet Int32 = only(Elem::S32);
constexpr TypeSet Int64 = only(Elem::S64);
constexpr TypeSet Bits8 = only(Elem::S8) | only(Elem::U8);
constexpr TypeSet Bits16 = only(Elem::S16) | only(Elem::U16);
constexpr TypeSet Bits32 = Int32 | only(Elem::U32);
constexpr TypeSet SmallIntegers = Bits8 | Bits16 | Bits32;
constexpr TypeSet Integers = SmallIntegers | Int64 | only(Elem::U64);
constexpr TypeSet Anything =
    Integers | HalfFloat | Bfloat | only(Elem::Bool) | only(Elem::F64);
} // namespace types

/// One call of a library routine. Operands are declared as for an instruction;
/// ready() then looks at all of them together, and only after it may the
/// routine touch memory.
class Routine {
public:
  Routine(const char *Name, const void *PC) : I(Name, Pipe::V, PC) {}

  /// The vector library does nothing on a core without a vector unit: mixed
  /// kernels call it on both.
  static bool absent() { return Core::current().Kind == CoreKind::Cube; }

  /// Refuses types that the routine does not have: Old, or New where the
  /// architecture has them. An empty set means that the routine does not exist
  /// there.
  void accepts(Elem T, TypeSet Old, TypeSet New);
  bool isNew() { return I.core().arch().hasNewMath; }

  void reads(const void *P, uint64_t Count, Elem T) {
    I.read(P, {product(Count, bytesOf(T))}, T);
  }
  void writes(void *P, uint64_t Count, Elem T) {
    I.write(P, {product(Count, bytesOf(T))}, T);
  }
  /// The same for operands that a call may leave out.
  void readsIf(const void *P, uint64_t Count, Elem T) {
    if (P)
      reads(P, Count, T);
  }
  void writesIf(void *P, uint64_t Count, Elem T) {
    if (P)
      writes(P, Count, T);
  }
  /// Rows of Columns elements that are Stride elements apart.
  void readsRows(const void *P, uint32_t Rows, uint32_t Columns,
                 uint32_t Stride, Elem T) {
    I.read(P, rows(Rows, Columns, Stride, T), T);
  }
  /// The same where the rest of each row is loaded with them, and changes
  /// nothing that counts.
  void readsPadded(const void *P, uint32_t Rows, uint32_t Columns,
                   uint32_t Stride, Elem T) {
    readsRows(P, Rows, Columns, Stride, T);
    I.inside(P, {product(Rows, Stride, bytesOf(T))}, T);
  }
  void writesRows(void *P, uint32_t Rows, uint32_t Columns, uint32_t Stride,
                  Elem T) {
    I.write(P, rows(Rows, Columns, Stride, T), T);
  }
  /// A source, which may be one element.
  void reads(const Source &S, uint64_t Count, Elem T);
  /// One element at any address that its type allows.
  void readsElement(const void *P, Elem T) {
    I.read(P, {bytesOf(T)}, T, bytesOf(T));
  }

  /// Checks how the operands lie to each other, and spoils the scratch memory,
  /// so that nobody relies on what it held. False if the routine is to run
  /// later; see Issue::later.
  template <typename... Params, typename... Args>
  bool ready(const Scratch &Tmp, void (*Function)(Params...), Args... Values) {
    bool Spoils = check(Tmp);
    if (I.later(Function, Values...))
      return false;
    if (Spoils)
      std::memset(Tmp.Data, 0xff, Tmp.Bytes);
    return true;
  }
  /// For routines that are never put off: waits for all pipes first.
  void ready(const Scratch &Tmp) {
    I.drain();
    if (check(Tmp))
      std::memset(Tmp.Data, 0xff, Tmp.Bytes);
  }

  Issue &issue() { return I; }
  [[noreturn]] void unsupported(Elem T) { I.unsupported(T); }

private:
  /// Whether there is scratch memory.
  bool check(const Scratch &Tmp);
  static Extent rows(uint32_t Rows, uint32_t Columns, uint32_t Stride, Elem T) {
    return {product(Columns, bytesOf(T)), Rows,
            static_cast<int64_t>(Stride) * bytesOf(T)};
  }
  Issue I;
};

/// Converts N elements of type T to float and back, rounding to nearest even;
/// T is F16, BF16 or F32.
void widen(Elem T, float *Dst, const void *Src, size_t N);
void narrow(Elem T, void *Dst, const float *Src, size_t N);

/// The sum of N floats as a balanced tree over neighbours, as the vector unit
/// adds. Overwrites Data.
float treeSum(float *Data, size_t N);

inline uint8_t *elementAt(void *P, Elem T, uint64_t Index) {
  return static_cast<uint8_t *>(P) + Index * bytesOf(T);
}
inline const uint8_t *elementAt(const void *P, Elem T, uint64_t Index) {
  return static_cast<const uint8_t *>(P) + Index * bytesOf(T);
}

} // namespace belay::sim

#endif // BELAY_ROUTINES_ROUTINE_H
