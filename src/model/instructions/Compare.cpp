//===- Compare.cpp - Comparisons into bits --------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "model/instructions/Bits.h"
#include "model/instructions/ByType.h"
#include "model/instructions/ElementFunctions.h"

#include <cstring>

namespace belay::sim {

namespace {

template <CompareOp Op, typename T> bool holds(T A, T B) {
  if constexpr (Op == CompareOp::LT)
    return A < B;
  else if constexpr (Op == CompareOp::GT)
    return A > B;
  else if constexpr (Op == CompareOp::EQ)
    return A == B;
  else if constexpr (Op == CompareOp::LE)
    return A <= B;
  else if constexpr (Op == CompareOp::GE)
    return A >= B;
  else
    return A != B;
}

template <CompareOp Op, typename T>
void compare(uint8_t *Flags, const void *Src0, const void *Src1, bool Scalar,
             size_t N) {
  const auto *A = static_cast<const T *>(Src0);
  const auto *B = static_cast<const T *>(Src1);
  if (Scalar) {
    auto S = static_cast<Wide<T>>(*B);
    BELAY_LANES
    for (size_t I = 0; I < N; ++I)
      Flags[I] = holds<Op>(static_cast<Wide<T>>(A[I]), S);
    return;
  }
  BELAY_LANES
  for (size_t I = 0; I < N; ++I)
    Flags[I] =
        holds<Op>(static_cast<Wide<T>>(A[I]), static_cast<Wide<T>>(B[I]));
}

template <typename T> CompareFn compareFor(CompareOp Op) {
  switch (Op) {
  case CompareOp::LT:
    return compare<CompareOp::LT, T>;
  case CompareOp::GT:
    return compare<CompareOp::GT, T>;
  case CompareOp::EQ:
    return compare<CompareOp::EQ, T>;
  case CompareOp::LE:
    return compare<CompareOp::LE, T>;
  case CompareOp::GE:
    return compare<CompareOp::GE, T>;
  case CompareOp::NE:
    return compare<CompareOp::NE, T>;
  }
  return nullptr;
}

} // namespace

CompareFn findCompare(CompareOp Op, Elem T) {
  return byType(T, NumberTypes::With<double>(),
                [Op]<typename U> { return compareFor<U>(Op); });
}

namespace {

/// Older parts compare 32-bit integers only for equality; no part compares
/// double with a scalar otherwise.
void checkMode(const Issue &I, CompareOp Op, Elem T, Second Kind,
               const targets::Arch &Arch) {
  bool OnlyEqual =
      (T == Elem::S32 && Arch.hasIntEqual && !Arch.hasIntCompare) ||
      (T == Elem::F64 && Kind == Second::Scalar);
  if (OnlyEqual && Op != CompareOp::EQ)
    fail("unsupported-dtype", I.pc(), "cast to float and compare that",
         "%s of %s has only CMPMODE::EQ on arch %u", I.name(), nameOf(T),
         Arch.number);
}

/// The vector unit compares whole repeats; elements after the last whole one
/// would be left out.
void checkCount(const Issue &I, Elem T, uint64_t Count) {
  if (Count * bytesOf(T) % RepeatBytes)
    fail("bad-repeat", I.pc(),
         "round the count up to a multiple of 256 bytes, and give the buffers "
         "that size",
         "%s of %llu elements of %s: they are %llu bytes, and the count form "
         "takes multiples of 256 bytes",
         I.name(), static_cast<unsigned long long>(Count), nameOf(T),
         static_cast<unsigned long long>(Count * bytesOf(T)));
}

/// Which lanes take part. On most architectures the mask of the forms with a
/// destination is there only for symmetry.
Lanes lanesOf(Issue &I, Elem T, const Walk &W, bool ToRegister) {
  uint32_t Size = bytesOf(T);
  if (W.Mode == MaskMode::Count)
    checkCount(I, T, W.Mask[0]);
  bool MaskCounts = I.core().arch().compareHeedsMask || ToRegister ||
                    W.Mode == MaskMode::Count || I.core().Regs.MaskCounter;
  return MaskCounts ? Lanes::resolve(W, Size, I) : Lanes::all(W.Repeat, Size);
}

/// Eight lanes share a byte. It counts as having a value if its first lane has:
/// what lies past the end of the data ends up in bits that nobody uses.
void noteOrigins(Issue &I, void *Dst, uint64_t Lane, const uint8_t *Src0,
                 const uint8_t *Src1, uint32_t Size, size_t N) {
  for (uint64_t K = (8 - Lane % 8) % 8; K < N; K += 8) {
    I.origin(at(Dst, (Lane + K) / 8), 1, Src0 + K * Size, Size);
    if (Src1)
      I.origin(at(Dst, (Lane + K) / 8), 1, Src1 + K * Size, Size);
  }
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_compare(CompareOp Op, Elem T, void *Dst, const void *Src0,
                       const void *Src1, Second Kind, const Walk *W,
                       const char *Name) {
  static const DtypeRow *Dtypes = findDtypes("Compare");
  Issue I(Name, on::compare, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes, T, W->Mode);
  checkMode(I, Op, T, Kind, I.core().arch());
  CompareFn Fn = findCompare(Op, T);
  if (!Fn || (!Dst && T != Elem::F16 && T != Elem::F32))
    I.unsupported(T);
  uint32_t Size = bytesOf(T);
  bool Scalar = Kind == Second::Scalar;
  Lanes L = lanesOf(I, T, *W, !Dst);
  uint64_t Bits =
      L.Repeats ? product(L.PerRepeat, L.Repeats - 1) +
                      (L.Active == L.PerRepeat ? L.LastActive : L.PerRepeat)
                : 0;
  I.read(Src0, extentOf(L, W->Operand[1], Size), T);
  if (!Scalar)
    I.read(Src1, extentOf(L, W->Operand[2], Size), T);
  if (Dst)
    I.write(Dst, {divideUp(Bits, 8)}, Elem::U8);
  if (I.later(belay_sim_compare, Op, T, Dst, Src0, I.scalarAt(Src1, T, Scalar),
              Kind, W, Name))
    return;
  LaneFlags Flags(L);
  Stride Strides[3] = {Flags.stride(), W->Operand[1], W->Operand[2]};
  if (Scalar)
    Strides[2] = W->Operand[1];
  forEachRun<3>(L, Strides, {1, Size, Size},
                [&](const uint64_t (&O)[3], size_t N) {
                  Fn(Flags.data() + O[0], at(Src0, O[1]),
                     Scalar ? Src1 : at(Src1, O[2]), Scalar, N);
                  if (Dst && I.watched())
                    noteOrigins(I, Dst, O[0], at(Src0, O[1]),
                                Scalar ? nullptr : at(Src1, O[2]), Size, N);
                });
  if (Dst) {
    Flags.pack(static_cast<uint8_t *>(Dst), Bits);
    return;
  }
  Registers &R = I.core().Regs;
  R.Vector.CmpMask[0] = R.Vector.CmpMask[1] = 0;
  Flags.pack(reinterpret_cast<uint8_t *>(R.Vector.CmpMask),
             std::min<uint64_t>(Bits, sizeof(R.Vector.CmpMask) * 8));
}

void belay_sim_get_cmp_mask(void *Dst) {
  Issue I("GetCmpMask", on::get_cmp_mask, BELAY_PC);
  if (I.dropped())
    return;
  const Registers &R = I.core().Regs;
  I.write(Dst, {sizeof(R.Vector.CmpMask)}, Elem::U8, 16);
  if (I.later(belay_sim_get_cmp_mask, Dst))
    return;
  std::memcpy(Dst, R.Vector.CmpMask, sizeof(R.Vector.CmpMask));
}

void belay_sim_set_cmp_mask(const void *Src) {
  Issue I("SetCmpMask", on::set_cmp_mask, BELAY_PC);
  if (I.dropped())
    return;
  Registers &R = I.core().Regs;
  I.read(Src, {sizeof(R.Vector.CmpMask)}, Elem::U8, 16);
  if (I.later(belay_sim_set_cmp_mask, Src))
    return;
  std::memcpy(R.Vector.CmpMask, Src, sizeof(R.Vector.CmpMask));
}
