//===- Select.cpp - One of two sources, by a bit per lane -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "model/instructions/Bits.h"
#include "model/instructions/Elementwise.h"

namespace belay::sim {

namespace {

using SelectFn = void (*)(void *Dst, const void *Src0, const void *Src1,
                          bool Scalar, const uint8_t *Flags, size_t N);

template <typename T>
void select(void *Dst, const void *Src0, const void *Src1, bool Scalar,
            const uint8_t *Flags, size_t N) {
  auto *D = static_cast<T *>(Dst);
  const auto *A = static_cast<const T *>(Src0);
  const auto *B = static_cast<const T *>(Src1);
  if (Scalar) {
    T S = *B;
    BELAY_LANES
    for (size_t I = 0; I < N; ++I)
      D[I] = Flags[I] ? A[I] : S;
    return;
  }
  BELAY_LANES
  for (size_t I = 0; I < N; ++I)
    D[I] = Flags[I] ? A[I] : B[I];
}

/// Only the size of the elements matters.
SelectFn findSelect(Elem T) {
  switch (bytesOf(T)) {
  case 1:
    return select<uint8_t>;
  case 2:
    return select<uint16_t>;
  case 4:
    return select<uint32_t>;
  default:
    return select<uint64_t>;
  }
}

/// The compare register holds the low 32 bits of an address in UB, as a kernel
/// would compute it on the device.
const void *addressInRegister(Core &C) {
  auto Low = static_cast<uint32_t>(C.Regs.Vector.CmpMask[0]);
  uint8_t *Base = C.Memories.base(Space::UB);
  return Base +
         static_cast<uint32_t>(
             Low - static_cast<uint32_t>(reinterpret_cast<uintptr_t>(Base)));
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_select(SelectMode Mode, Elem T, void *Dst, const void *Sel,
                      const void *Src0, const void *Src1, Second Kind,
                      const Walk *W) {
  static const DtypeRow *Dtypes = findDtypes("Select");
  Issue I("Select", on::select, BELAY_PC);
  if (I.dropped())
    return;
  checkDtype(I, Dtypes, T, W->Mode);
  if (Mode != SelectMode::CmpMask)
    I.needReservedUb();
  Core &C = I.core();
  uint32_t Size = bytesOf(T);
  auto PutOff = [&, Sel, Src0, Src1] {
    return I.later(belay_sim_select, Mode, T, Dst, Sel,
                   I.scalarAt(Src0, T, Kind == Second::ScalarFirst),
                   I.scalarAt(Src1, T, Kind == Second::Scalar), Kind, W);
  };
  // A scalar as the first operand is one as the second, with inverted bits.
  bool Inverted = Kind == Second::ScalarFirst;
  if (Inverted)
    std::swap(Src0, Src1);
  bool Scalar = Kind != Second::Vector;
  if (!Sel && Mode == SelectMode::Tensor) {
    I.operandsFromData();
    if (PutOff())
      return;
    Sel = addressInRegister(C);
  }
  if (Scalar && !Src1)
    Src1 = C.Regs.Vector.CmpMask;
  Lanes L = Lanes::resolve(*W, Size, I);
  checkDestination(I, L, W->Operand[0], Size);
  // In mode 0 each repeat starts over with the bits of the first.
  bool Repeating = Mode == SelectMode::CmpMask;
  uint64_t Bits =
      Repeating
          ? L.PerRepeat
          : product(L.PerRepeat, L.Repeats ? L.Repeats - 1 : 0) + L.LastActive;
  if (Sel && L.Repeats)
    I.read(Sel, {divideUp(Bits, 8)}, Elem::U8);
  I.read(Src0, extentOf(L, W->Operand[1], Size), T);
  if (!Scalar)
    I.read(Src1, extentOf(L, W->Operand[2], Size), T);
  I.write(Dst, extentOf(L, W->Operand[0], Size), T);
  if (PutOff())
    return;
  // The compare register has 128 bits.
  if (!Sel)
    Bits = std::min<uint64_t>(Bits, sizeof(C.Regs.Vector.CmpMask) * 8);
  LaneFlags Flags(L);
  const auto *Source =
      Sel ? static_cast<const uint8_t *>(Sel)
          : reinterpret_cast<const uint8_t *>(C.Regs.Vector.CmpMask);
  Flags.unpack(Source, Repeating ? L.PerRepeat : 0, Bits);
  if (Inverted)
    for (size_t N = 0; N < Flags.size(); ++N)
      Flags.data()[N] ^= 1;
  Stride Strides[4] = {W->Operand[0], W->Operand[1], W->Operand[2],
                       Flags.stride()};
  if (Scalar)
    Strides[2] = W->Operand[1];
  SelectFn Fn = findSelect(T);
  forEachRun<4>(
      L, Strides, {Size, Size, Size, 1}, [&](const uint64_t (&O)[4], size_t N) {
        Fn(at(Dst, O[0]), at(Src0, O[1]), Scalar ? Src1 : at(Src1, O[2]),
           Scalar, Flags.data() + O[3], N);
        if (!I.watched())
          return;
        for (size_t K = 0; K < N; ++K) {
          uint64_t Lane = O[3] + K;
          uint8_t *To = at(Dst, O[0] + K * Size);
          uint64_t Bit = Repeating ? Lane % L.PerRepeat : Lane;
          if (Sel)
            I.origin(To, Size, at(Sel, Bit / 8), 1);
          if (Flags.data()[Lane])
            I.origin(To, Size, at(Src0, O[1] + K * Size), Size);
          else if (!Scalar)
            I.origin(To, Size, at(Src1, O[2] + K * Size), Size);
        }
      });
}
