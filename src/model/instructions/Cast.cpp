//===- Cast.cpp - Conversions and dequantisation --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "model/instructions/ByType.h"
#include "model/instructions/Convert.h"
#include "model/instructions/Dequant.h"
#include "model/instructions/ElementFunctions.h"

#include <cstring>
#include <string>

namespace belay::sim {

namespace {

/// The plain meaning.
template <typename T, typename S>
void castPlain(void *D, const void *A, size_t N, Rounding Mode, bool Saturate) {
  auto *Dst = static_cast<T *>(D);
  const auto *Src = static_cast<const S *>(A);
  for (size_t I = 0; I < N; ++I)
    Dst[I] = convert<T>(Src[I], Mode, Saturate);
}

template <typename T, typename S, Rounding Mode>
void castToInteger(void *D, const void *A, size_t N) {
  auto *Dst = static_cast<T *>(D);
  const auto *Src = static_cast<const S *>(A);
  BELAY_LANES
  for (size_t I = 0; I < N; ++I)
    Dst[I] = toInteger<T>(
        roundTo<Mode>(static_cast<double>(static_cast<Wide<S>>(Src[I]))), true);
}

/// One loop per mode, so that each can be vectorised.
template <typename T, typename S>
void castFloatToInteger(void *D, const void *A, size_t N, Rounding Mode,
                        bool Saturate) {
  if (!Saturate)
    return castPlain<T, S>(D, A, N, Mode, Saturate);
  switch (Mode) {
  case Rounding::Floor:
    return castToInteger<T, S, Rounding::Floor>(D, A, N);
  case Rounding::Ceil:
    return castToInteger<T, S, Rounding::Ceil>(D, A, N);
  case Rounding::Round:
    return castToInteger<T, S, Rounding::Round>(D, A, N);
  case Rounding::Trunc:
    return castToInteger<T, S, Rounding::Trunc>(D, A, N);
  default:
    return castToInteger<T, S, Rounding::Rint>(D, A, N);
  }
}

/// What the CPU's own conversion does: exact, or to nearest with ties to even.
template <typename T, typename S>
void castNative(void *D, const void *A, size_t N, Rounding Mode,
                bool Saturate) {
  if (Mode != Rounding::None && Mode != Rounding::Rint)
    return castPlain<T, S>(D, A, N, Mode, Saturate);
  auto *Dst = static_cast<T *>(D);
  const auto *Src = static_cast<const S *>(A);
  BELAY_LANES
  for (size_t I = 0; I < N; ++I)
    Dst[I] = static_cast<T>(static_cast<Wide<S>>(Src[I]));
}

/// float to float keeps the type and drops the fraction.
template <typename T>
void castToIntegral(void *D, const void *A, size_t N, Rounding Mode, bool) {
  auto *Dst = static_cast<T *>(D);
  const auto *Src = static_cast<const T *>(A);
  for (size_t I = 0; I < N; ++I)
    Dst[I] = static_cast<T>(
        static_cast<float>(roundTo(static_cast<Wide<T>>(Src[I]), Mode)));
}

template <int E, int M, bool Infinities>
void castToF8(void *D, const void *A, size_t N, Rounding Mode, bool) {
  auto *Dst = static_cast<uint8_t *>(D);
  const auto *Src = static_cast<const float *>(A);
  for (size_t I = 0; I < N; ++I)
    Dst[I] = static_cast<uint8_t>(small_floats::narrow<E, M, Infinities>(
        static_cast<double>(Src[I]), toFloatMode(Mode)));
}

template <int E, int M, bool Infinities>
void castFromF8(void *D, const void *A, size_t N, Rounding, bool) {
  auto *Dst = static_cast<float *>(D);
  const auto *Src = static_cast<const uint8_t *>(A);
  for (size_t I = 0; I < N; ++I)
    Dst[I] = small_floats::widen<E, M, Infinities>(Src[I]);
}

template <typename T, typename S> constexpr CastFn pick() {
  if constexpr (std::is_integral_v<T> && IsFloat<S>)
    return castFloatToInteger<T, S>;
  // double to bfloat16_t through float would round twice.
  else if constexpr (std::is_same_v<T, BF16> && std::is_same_v<S, double>)
    return castPlain<T, S>;
  else if constexpr (IsFloat<T>)
    return castNative<T, S>;
  else
    return castPlain<T, S>;
}

using CastTypes = TypeList<int8_t, uint8_t, int16_t, uint16_t, int32_t,
                           uint32_t, int64_t, F16, BF16, float, double>;

template <typename S> CastFn castFrom(Elem To) {
  return byType(To, CastTypes(), []<typename T> { return pick<T, S>(); });
}

} // namespace

CastFn findCast(Elem To, Elem From) {
  if (To == Elem::F32 && From == Elem::F32)
    return castToIntegral<float>;
#define BELAY_ELEMENT_FLOAT(Id, Exponent, Mantissa, Infinities, Semantics)     \
  if constexpr (bytesOf(Elem::Id) == 1) {                                      \
    if (From == Elem::F32 && To == Elem::Id)                                   \
      return castToF8<Exponent, Mantissa, Infinities>;                         \
    if (From == Elem::Id)                                                      \
      return castFromF8<Exponent, Mantissa, Infinities>;                       \
  }
#include "belay/elements.def"
  return byType(From, CastTypes(),
                [To]<typename S> { return castFrom<S>(To); });
}

namespace {

struct CastRow {
  uint32_t Arch;
  Elem From, To;
  uint8_t Modes;
};

constexpr uint8_t bit(Rounding M) {
  return static_cast<uint8_t>(1u << static_cast<unsigned>(M));
}

constexpr CastRow Casts[] = {
#define BELAY_CAST(Arch, From, To, Modes)                                      \
  {Arch, Elem::From, Elem::To, [] {                                            \
     [[maybe_unused]] constexpr uint8_t N = bit(Rounding::None),               \
                                        R = bit(Rounding::Rint),               \
                                        F = bit(Rounding::Floor),              \
                                        C = bit(Rounding::Ceil),               \
                                        A = bit(Rounding::Round),              \
                                        T = bit(Rounding::Trunc),              \
                                        O = bit(Rounding::Odd);                \
     return static_cast<uint8_t>(Modes);                                       \
   }()},
#include "targets/Casts.def"
};

constexpr const char *nameOf(Rounding M) {
  constexpr const char *Names[] = {"CAST_NONE", "CAST_RINT",  "CAST_FLOOR",
                                   "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC",
                                   "CAST_ODD",  "CAST_HYBRID"};
  return Names[static_cast<unsigned>(M)];
}

/// "CAST_NONE, CAST_ODD"
std::string namesOf(uint8_t Modes) {
  std::string Names;
  for (unsigned M = 0; Modes >> M; ++M)
    if (Modes >> M & 1)
      Names += (Names.empty() ? "" : ", ") +
               std::string(nameOf(static_cast<Rounding>(M)));
  return Names;
}

void checkCast(Issue &I, Elem To, Elem From, Rounding Mode) {
  if (I.core().arch().coverage != targets::Coverage::Simulated)
    return; // no complete reference
  uint32_t Arch = I.core().arch().number;
  for (const CastRow &R : Casts) {
    if (R.Arch != Arch || R.From != From || R.To != To)
      continue;
    if (R.Modes & bit(Mode))
      return;
    fail("unsupported-dtype", I.pc(),
         ("this conversion has " + namesOf(R.Modes)).c_str(),
         "%s from %s to %s has no %s on arch %u", I.name(), nameOf(From),
         nameOf(To), nameOf(Mode), Arch);
  }
  I.unsupported(To, From);
}

// --- 4-bit integers ----------------------------------------------------------

/// Calls Each(byte offset of the nibble, which half, offset of the other
/// operand) for all lanes.
template <typename Fn>
void forEachNibble(const Lanes &L, const Stride &Nibbles, const Stride &Other,
                   uint32_t OtherBytes, Fn Each) {
  constexpr uint32_t PerBlock = 2 * BlockBytes;
  uint32_t OtherPerBlock = BlockBytes / OtherBytes;
  for (uint64_t R = 0; R < L.Repeats; ++R) {
    uint32_t Active = R + 1 == L.Repeats ? L.LastActive : L.Active;
    for (uint32_t Lane = 0; Lane < Active; ++Lane) {
      if (L.Sparse && !L.lane(Lane))
        continue;
      uint64_t Nibble =
          (R * Nibbles.Repeat + uint64_t(Lane / PerBlock) * Nibbles.Block) *
              BlockBytes +
          Lane % PerBlock / 2;
      uint64_t Offset =
          (R * Other.Repeat + uint64_t(Lane / OtherPerBlock) * Other.Block) *
              BlockBytes +
          uint64_t(Lane % OtherPerBlock) * OtherBytes;
      Each(Nibble, Lane % 2, Offset);
    }
  }
}

/// Two neighbours share a byte, so they are masked together.
void checkNibbles(const Issue &I, const Lanes &L) {
  bool Odd = L.Active % 2 || L.LastActive % 2;
  for (unsigned W = 0; W < 2 && L.Sparse; ++W)
    Odd |= ((L.Mask[W] >> 1 ^ L.Mask[W]) & 0x5555555555555555) != 0;
  if (Odd)
    fail("bad-mask", I.pc(), "use an even count, and masks of equal pairs",
         "%s with int4b_t takes its elements in pairs, two to a byte; this "
         "call splits a pair",
         I.name());
}

Extent nibbleExtent(const Lanes &L, const Stride &S) {
  Lanes Half = L;
  Half.PerRepeat /= 2;
  Half.Active = (Half.Active + 1) / 2;
  Half.LastActive = (Half.LastActive + 1) / 2;
  return extentOf(Half, S, 1);
}

template <typename S>
void narrowToNibbles(Issue &I, const Lanes &L, const Walk &W, void *Dst,
                     const void *Src, Rounding Mode) {
  bool Saturate = I.core().Regs.Vector.SaturateInteger;
  forEachNibble(L, W.Operand[0], W.Operand[1], sizeof(S),
                [&](uint64_t Nibble, bool High, uint64_t Offset) {
                  S X;
                  std::memcpy(&X, at(Src, Offset), sizeof(S));
                  int8_t V = convert<int8_t>(X, Mode, Saturate);
                  if (Saturate)
                    V = std::clamp<int8_t>(V, -8, 7);
                  uint8_t &Byte = *at(Dst, Nibble);
                  Byte =
                      static_cast<uint8_t>(High ? (Byte & 0x0f) | V << 4
                                                : (Byte & 0xf0) | (V & 0x0f));
                });
}

template <typename T>
void widenNibbles(const Lanes &L, const Walk &W, void *Dst, const void *Src) {
  forEachNibble(L, W.Operand[1], W.Operand[0], sizeof(T),
                [&](uint64_t Nibble, bool High, uint64_t Offset) {
                  uint8_t Byte = *at(Src, Nibble);
                  auto V = static_cast<int8_t>(High ? Byte : Byte << 4);
                  T X = convert<T>(static_cast<int8_t>(V >> 4), Rounding::None);
                  std::memcpy(at(Dst, Offset), &X, sizeof(T));
                });
}

void castNibbles(Issue &I, Elem To, Elem From, Rounding Mode, void *Dst,
                 const void *Src, const Walk &W) {
  I.drain();
  Lanes L = Lanes::resolve(W, 2, I);
  checkNibbles(I, L);
  if (To == Elem::S4) {
    I.read(Src, extentOf(L, W.Operand[1], 2), From);
    I.write(Dst, nibbleExtent(L, W.Operand[0]), To);
    From == Elem::F16 ? narrowToNibbles<F16>(I, L, W, Dst, Src, Mode)
                      : narrowToNibbles<int16_t>(I, L, W, Dst, Src, Mode);
    return;
  }
  I.read(Src, nibbleExtent(L, W.Operand[1]), From);
  I.write(Dst, extentOf(L, W.Operand[0], 2), To);
  To == Elem::F16    ? widenNibbles<F16>(L, W, Dst, Src)
  : To == Elem::BF16 ? widenNibbles<BF16>(L, W, Dst, Src)
                     : widenNibbles<int16_t>(L, W, Dst, Src);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_cast(Elem DstT, Elem SrcT, Rounding Mode, void *Dst,
                    const void *Src, const Walk *W) {
  Issue I("Cast", on::cast, BELAY_PC);
  if (I.dropped())
    return;
  checkCast(I, DstT, SrcT, Mode);
  if (DstT == Elem::S4 || SrcT == Elem::S4)
    return castNibbles(I, DstT, SrcT, Mode, Dst, Src, *W);
  if (DstT == Elem::F16 && SrcT == Elem::S32)
    return dequantise(I, Dst, Src, *W);
  CastFn Fn = findCast(DstT, SrcT);
  if (!Fn)
    I.unsupported(DstT, SrcT);
  uint32_t D = bytesOf(DstT), S = bytesOf(SrcT);
  Lanes L = Lanes::resolve(*W, std::max(D, S), I);
  checkDestination(I, L, W->Operand[0], D);
  I.read(Src, extentOf(L, W->Operand[1], S), SrcT);
  I.write(Dst, extentOf(L, W->Operand[0], D), DstT);
  if (I.later(belay_sim_cast, DstT, SrcT, Mode, Dst, Src, W))
    return;
  bool Saturate = I.core().Regs.Vector.SaturateInteger;
  forEachRun<2>(L, W->Operand, {D, S}, [&](const uint64_t (&O)[2], size_t N) {
    Fn(at(Dst, O[0]), at(Src, O[1]), N, Mode, Saturate);
  });
  saturateFloats(I.core().Regs, L, W->Operand[0], Dst, DstT);
}

_Float16 belay_sim_half_to_odd(float X) {
  return toFloat<F16>(static_cast<double>(X), Rounding::Odd);
}

void belay_sim_truncate(Elem T, Rounding Mode, void *Dst, const void *Src,
                        const Walk *W) {
  static const DtypeRow *Dtypes = findDtypes("Truncate");
  Issue I("Truncate", on::truncate, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes, T, W->Mode);
  CastFn Fn = T == Elem::F16    ? castToIntegral<F16>
              : T == Elem::BF16 ? castToIntegral<BF16>
              : T == Elem::F32  ? castToIntegral<float>
                                : nullptr;
  if (!Fn)
    I.unsupported(T);
  uint32_t Size = bytesOf(T);
  Lanes L = Lanes::resolve(*W, Size, I);
  I.read(Src, extentOf(L, W->Operand[1], Size), T);
  I.write(Dst, extentOf(L, W->Operand[0], Size), T);
  if (I.later(belay_sim_truncate, T, Mode, Dst, Src, W))
    return;
  forEachRun<2>(L, W->Operand, {Size, Size},
                [&](const uint64_t (&O)[2], size_t N) {
                  Fn(at(Dst, O[0]), at(Src, O[1]), N, Mode, true);
                });
}
