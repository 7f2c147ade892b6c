//===- Overflow.cpp - Integers that lost bits, and where they went --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// With --check kernels are compiled with Clang's integer sanitizers, whose
// calls end here. Wrapping alone is no mistake (hashes and random numbers live
// from it); wrapping that shows up in an offset of a tensor is.
//
//===----------------------------------------------------------------------===//

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "model/core/Failure.h"
#include "model/core/Observer.h"
#include <string_view>

using namespace belay::sim;

namespace {

/// How the name of a type begins that tools/belay-casts gives to a cast.
constexpr std::string_view CastOfLength = "'belay::cast ";

// What Clang hands over, by its documented layout.
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

__int128 widen(uint64_t Value, const TypeDescriptor &T) {
  unsigned Unused = 64 - std::min(64u, T.bits());
  if (T.isSigned())
    return static_cast<int64_t>(Value << Unused) >> Unused;
  return Value << Unused >> Unused;
}

uint64_t wrapTo(__int128 Value, const TypeDescriptor &T) {
  __int128 Modulus = static_cast<__int128>(1) << T.bits();
  __int128 Rest = ((Value % Modulus) + Modulus) % Modulus;
  return static_cast<uint64_t>(Rest);
}

/// Wider types do not wrap by accident, and narrower ones are promoted.
void wrapped(const OverflowData &D, char Op, uint64_t A, uint64_t B,
             const void *PC) {
  Core *C = Core::currentOrNull();
  if (!C || !C->Watcher || D.Type->bits() != 32)
    return;
  __int128 Left = widen(A, *D.Type), Right = widen(B, *D.Type);
  __int128 Exact = Op == '+'   ? Left + Right
                   : Op == '-' ? Left - Right
                               : Left * Right;
  C->Watcher->onWrap({PC, wrapTo(Exact, *D.Type), D.Type->Name, Op,
                      static_cast<int64_t>(Left), static_cast<int64_t>(Right)});
}

} // namespace

#define BELAY_UBSAN extern "C" __attribute__((visibility("default"))) void

BELAY_UBSAN __ubsan_handle_add_overflow(OverflowData *D, uint64_t A,
                                        uint64_t B) {
  wrapped(*D, '+', A, B, BELAY_PC);
}
BELAY_UBSAN __ubsan_handle_sub_overflow(OverflowData *D, uint64_t A,
                                        uint64_t B) {
  wrapped(*D, '-', A, B, BELAY_PC);
}
BELAY_UBSAN __ubsan_handle_mul_overflow(OverflowData *D, uint64_t A,
                                        uint64_t B) {
  wrapped(*D, '*', A, B, BELAY_PC);
}
BELAY_UBSAN __ubsan_handle_negate_overflow(OverflowData *D, uint64_t A) {
  wrapped(*D, '-', 0, A, BELAY_PC);
}
/// The smallest number divided by -1.
BELAY_UBSAN __ubsan_handle_divrem_overflow(OverflowData *D, uint64_t A,
                                           uint64_t) {
  wrapped(*D, '-', 0, A, BELAY_PC);
}
BELAY_UBSAN __ubsan_handle_implicit_conversion(ConversionData *D, uint64_t Src,
                                               uint64_t Dst) {
  Core *C = Core::currentOrNull();
  __int128 Before = widen(Src, *D->From);
  // A negative number that becomes a mask is written on purpose.
  if (!C || !C->Watcher || Before < 0 || Before == widen(Dst, *D->To))
    return;
  WrapRecord R = {BELAY_PC, wrapTo(Before, *D->To), D->To->Name};
  // Casts are here because their values become lengths: tools/belay-casts.
  bool IsCast = std::string_view(D->To->Name).starts_with(CastOfLength);
  if (IsCast || D->To->bits() <= 16)
    C->Watcher->onTruncation(R, static_cast<uint64_t>(Before));
  else
    C->Watcher->onWrap(R);
}
