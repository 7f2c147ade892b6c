//===- Overflow.h - What Clang's integer sanitizers hand over ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With --check kernels are compiled with Clang's integer sanitizers. Wrapping
// alone is no mistake (hashes and random numbers live from it); wrapping that
// shows up in an offset of a tensor is. The functions are defined where the
// kernel is loaded, which says what becomes of a note.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_OVERFLOW_H
#define BELAY_ABI_OVERFLOW_H

#include <cstdint>
#include <string_view>

namespace belay::sim::overflow {

// By its documented layout.
struct SourceLocation {
  const char *File;
  uint32_t Line, Column;
};
struct TypeDescriptor {
  uint16_t Kind, Info;
  char Name[1];
  bool isSigned() const { return Info & 1; }
  unsigned bits() const { return 1u << (Info >> 1); }
};
struct OverflowData {
  SourceLocation Where;
  const TypeDescriptor *Type;
};
struct ConversionData {
  SourceLocation Where;
  const TypeDescriptor *From, *To;
  unsigned char Kind;
};

inline __int128 widen(uint64_t Value, const TypeDescriptor &T) {
  unsigned Unused = 64 - (T.bits() < 64 ? T.bits() : 64);
  if (T.isSigned())
    return static_cast<int64_t>(Value << Unused) >> Unused;
  return Value << Unused >> Unused;
}

inline uint64_t wrapTo(__int128 Value, const TypeDescriptor &T) {
  __int128 Modulus = static_cast<__int128>(1) << T.bits();
  __int128 Rest = ((Value % Modulus) + Modulus) % Modulus;
  return static_cast<uint64_t>(Rest);
}

/// What is told of an operation, or of a conversion (Op is 0).
struct Note {
  uint64_t Value; // what was left
  const char *Type;
  char Op;
  int64_t Left, Right;
  uint64_t Before; // of a conversion
  bool Truncation; // a length was cut off
};

/// False if there is nothing to tell. Wider types do not wrap by accident, and
/// narrower ones are promoted.
inline bool describe(const OverflowData &D, char Op, uint64_t A, uint64_t B,
                     Note &To) {
  if (D.Type->bits() != 32)
    return false;
  __int128 Left = widen(A, *D.Type), Right = widen(B, *D.Type);
  __int128 Exact = Op == '+'   ? Left + Right
                   : Op == '-' ? Left - Right
                               : Left * Right;
  To = {wrapTo(Exact, *D.Type),
        D.Type->Name,
        Op,
        static_cast<int64_t>(Left),
        static_cast<int64_t>(Right),
        0,
        false};
  return true;
}

/// How the name of a type begins that tools/belay-casts gives to a cast.
inline constexpr std::string_view CastOfLength = "'belay::cast ";

inline bool describe(const ConversionData &D, uint64_t Src, uint64_t Dst,
                     Note &To) {
  __int128 Before = widen(Src, *D.From);
  // A negative number that becomes a mask is written on purpose.
  if (Before < 0 || Before == widen(Dst, *D.To))
    return false;
  // Casts are here because their values become lengths: tools/belay-casts.
  bool IsCast = std::string_view(D.To->Name).starts_with(CastOfLength);
  To = {wrapTo(Before, *D.To),
        D.To->Name,
        0,
        0,
        0,
        static_cast<uint64_t>(Before),
        IsCast || D.To->bits() <= 16};
  return true;
}

} // namespace belay::sim::overflow

/// Defines the functions that Clang calls, each with Tell(Note).
#define BELAY_OVERFLOW_HANDLERS(Tell)                                          \
  BELAY_OVERFLOW_HANDLER(add, '+', A, B, uint64_t B, Tell)                     \
  BELAY_OVERFLOW_HANDLER(sub, '-', A, B, uint64_t B, Tell)                     \
  BELAY_OVERFLOW_HANDLER(mul, '*', A, B, uint64_t B, Tell)                     \
  BELAY_OVERFLOW_HANDLER(negate, '-', 0, A, uint64_t, Tell)                    \
  /* The smallest number divided by -1. */                                     \
  BELAY_OVERFLOW_HANDLER(divrem, '-', 0, A, uint64_t, Tell)                    \
  extern "C" __attribute__((visibility("default"))) void                       \
  __ubsan_handle_implicit_conversion(belay::sim::overflow::ConversionData *D,  \
                                     uint64_t Src, uint64_t Dst) {             \
    belay::sim::overflow::Note N;                                              \
    if (belay::sim::overflow::describe(*D, Src, Dst, N))                       \
      Tell(N);                                                                 \
  }
#define BELAY_OVERFLOW_HANDLER(Name, Op, Left, Right, Second, Tell)            \
  extern "C" __attribute__((visibility("default"))) void                       \
  __ubsan_handle_##Name##_overflow(belay::sim::overflow::OverflowData *D,      \
                                   uint64_t A, Second) {                       \
    belay::sim::overflow::Note N;                                              \
    if (belay::sim::overflow::describe(*D, Op, Left, Right, N))                \
      Tell(N);                                                                 \
  }

#endif // BELAY_ABI_OVERFLOW_H
