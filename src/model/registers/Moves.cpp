//===- Moves.cpp - Elements that change their places ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What moves the bytes of a register moves the flags of its bytes, too.
//
//===----------------------------------------------------------------------===//

#include "model/instructions/ByType.h"
#include "model/instructions/Convert.h"
#include "model/registers/Lanes.h"

namespace belay::sim {

namespace {

/// Bytes and flags of a result that is still in the making: a destination may
/// be a source.
struct Draft {
  uint8_t Bytes[WideBytes] = {}, Undefined[WideBytes] = {};
  const void *Root = nullptr;

  void move(uint32_t To, const Register &R, uint32_t From, uint32_t Size) {
    std::memcpy(Bytes + To, R.Bytes + From, Size);
    std::memcpy(Undefined + To, R.Undefined + From, Size);
    if (R.Suspect)
      Root = R.Root;
  }
};

void take(const Micro &X, RegisterName Name, const Draft &D) {
  Register &Dst = X.F.write(Name, X.M);
  std::memcpy(Dst.Bytes, D.Bytes, WideBytes);
  if (!X.Seen)
    return;
  std::memcpy(Dst.Undefined, D.Undefined, WideBytes);
  Dst.Suspect = anyByte(D.Undefined, WideBytes);
  Dst.Root = D.Root;
}

/// What is not watched has flags that mean nothing.
void clean(const Micro &X, Draft &D) {
  if (!X.Seen)
    std::memset(D.Undefined, 0, WideBytes);
}

void fillScalar(const Micro &X) {
  LaneShape L = LaneShape::of(X.C.DstType, X.C.Two);
  uint8_t Result[WideBytes];
  for (uint32_t I = 0; I < L.Num; ++I)
    std::memcpy(Result + size_t(I) * L.Size, &X.C.Scalar, L.Size);
  const MaskRegister *Mask = X.C.Mask ? &X.mask() : nullptr;
  takeResult(X, Result, Mask, L, LaneFlags(X));
}

void fillLowest(const Micro &X) {
  LaneShape L = LaneShape::of(X.C.DstType, X.C.Two);
  const Register &Src = X.read(X.C.Src0);
  if (X.Seen)
    X.Seen->use(Src, 0, L.Size);
  LaneFlags Flags(X);
  uint8_t Result[WideBytes];
  bool Undefined = X.Seen && Src.Suspect && anyByte(Src.Undefined, L.Size);
  for (uint32_t I = 0; I < L.Num; ++I) {
    std::memcpy(Result + size_t(I) * L.Size, Src.Bytes, L.Size);
    Flags.lane(I, Undefined, Src);
  }
  takeResult(X, Result, &X.mask(), L, Flags);
}

template <typename T>
void progression(uint8_t *Result, uint64_t Scalar, uint32_t Num, bool Down) {
  T First;
  std::memcpy(&First, &Scalar, sizeof(T));
  for (uint32_t I = 0; I < Num; ++I) {
    uint32_t By = Down ? Num - 1 - I : I;
    T V = static_cast<T>(wrap(static_cast<Wide<T>>(First)) +
                         wrap(static_cast<Wide<T>>(static_cast<T>(By))));
    std::memcpy(Result + I * sizeof(T), &V, sizeof(T));
  }
}

/// Upwards from the scalar, or downwards to it.
void arange(const Micro &X) {
  using Fn = void (*)(uint8_t *, uint64_t, uint32_t, bool);
  using Types = SignedTypes::With<F16, float>;
  Fn Fill = byType(X.C.DstType, Types(),
                   []<typename T> { return static_cast<Fn>(progression<T>); });
  if (!Fill)
    unsupportedType(X.M, X.C.DstType, X.C.DstType);
  LaneShape L = LaneShape::of(X.C.DstType, X.C.Two);
  uint8_t Result[WideBytes];
  Fill(Result, X.C.Scalar, L.Num, X.C.High);
  takeResult(X, Result, nullptr, L, LaneFlags(X));
}

void copy(const Micro &X) {
  LaneShape L = LaneShape::of(X.C.DstType, X.C.Two);
  const Register &Src = X.read(X.C.Src0);
  if (!X.C.Mask) {
    Draft D;
    D.move(0, Src, 0, L.bytes());
    clean(X, D);
    AccessId From = Src.FilledBy;
    take(X, X.C.Dst, D);
    X.F.write(X.C.Dst, X.M).FilledBy = From;
    return;
  }
  const MaskRegister &Mask = X.mask();
  X.use(Src, Mask, L);
  LaneFlags Flags(X);
  Flags.from(Src, L);
  uint8_t Result[WideBytes];
  std::memcpy(Result, Src.Bytes, L.bytes());
  takeResult(X, Result, &Mask, L, Flags);
}

void interleave(const Micro &X, bool Apart) {
  LaneShape L = LaneShape::of(X.C.DstType, X.C.Two);
  const Register &A = X.read(X.C.Src0), &B = X.read(X.C.Src1);
  X.useWhole(A);
  X.useWhole(B);
  Draft D[2];
  for (uint32_t I = 0; I < 2 * L.Num; ++I) {
    // Element I of the row in turn; half of it in each register of the other.
    uint32_t Row = I / L.Num, In = I % L.Num, Pair = I % 2, Of = I / 2;
    if (Apart)
      D[Pair].move(Of * L.Size, Row ? B : A, In * L.Size, L.Size);
    else
      D[Row].move(In * L.Size, Pair ? B : A, Of * L.Size, L.Size);
  }
  for (unsigned N = 0; N < 2; ++N) {
    clean(X, D[N]);
    take(X, N ? X.C.Dst1 : X.C.Dst, D[N]);
  }
}

/// The lower half of each element, side by side in half of the register.
void pack(const Micro &X) {
  uint32_t To = bytesOf(X.C.DstType), From = bytesOf(X.C.SrcType);
  if (From != 2 * To)
    unsupportedType(X.M, X.C.DstType, X.C.SrcType);
  const Register &Src = X.read(X.C.Src0);
  X.useWhole(Src);
  Draft D;
  uint32_t Num = (X.C.Two ? WideBytes : RegisterBytes) / From;
  uint32_t First = X.C.High && !X.C.Two ? RegisterBytes / 2 : 0;
  for (uint32_t I = 0; I < Num; ++I)
    D.move(First + I * To, Src, I * From, To);
  clean(X, D);
  take(X, X.C.Dst, D);
}

/// Half of the register, each element widened by its sign.
void unpack(const Micro &X) {
  uint32_t To = bytesOf(X.C.DstType), From = bytesOf(X.C.SrcType);
  if (To != 2 * From)
    unsupportedType(X.M, X.C.DstType, X.C.SrcType);
  const Register &Src = X.read(X.C.Src0);
  X.useWhole(Src);
  bool Signed = X.C.SrcType == Elem::S8 || X.C.SrcType == Elem::S16 ||
                X.C.SrcType == Elem::S32;
  Draft D;
  uint32_t Num = (X.C.Two ? WideBytes : RegisterBytes) / To;
  uint32_t First = X.C.High && !X.C.Two ? RegisterBytes / 2 : 0;
  for (uint32_t I = 0; I < Num; ++I) {
    D.move(I * To, Src, First + I * From, From);
    bool Negative =
        Signed && Src.Bytes[First + size_t(I) * From + From - 1] & 0x80;
    std::memset(D.Bytes + size_t(I) * To + From, Negative ? 0xff : 0, From);
    bool Undefined = anyByte(Src.Undefined + First + size_t(I) * From, From);
    std::memset(D.Undefined + size_t(I) * To, Undefined, To);
  }
  clean(X, D);
  take(X, X.C.Dst, D);
}

/// Indices beyond the register start again at its first element.
void gatherLanes(const Micro &X) {
  LaneShape L = LaneShape::of(X.C.DstType, false);
  if (bytesOf(X.C.SrcType) != L.Size)
    unsupportedType(X.M, X.C.DstType, X.C.SrcType);
  const Register &Src = X.read(X.C.Src0), &Index = X.read(X.C.Src1);
  X.useWhole(Src);
  X.useWhole(Index);
  Draft D;
  for (uint32_t I = 0; I < L.Num; ++I) {
    uint64_t At = 0;
    std::memcpy(&At, Index.Bytes + size_t(I) * L.Size, L.Size);
    D.move(I * L.Size, Src, static_cast<uint32_t>(At % L.Num) * L.Size, L.Size);
    if (X.Seen && Index.Suspect &&
        anyByte(Index.Undefined + size_t(I) * L.Size, L.Size))
      std::memset(D.Undefined + size_t(I) * L.Size, 1, L.Size);
  }
  clean(X, D);
  take(X, X.C.Dst, D);
}

void squeeze(const Micro &X) {
  LaneShape L = LaneShape::of(X.C.DstType, X.C.Two);
  const Register &Src = X.read(X.C.Src0);
  const MaskRegister &Mask = X.mask();
  X.use(Src, Mask, L);
  Draft D;
  uint32_t Kept = 0;
  for (uint32_t I = 0; I < L.Num; ++I)
    if (Mask.test(I * L.Step))
      D.move(Kept++ * L.Size, Src, I * L.Size, L.Size);
  clean(X, D);
  take(X, X.C.Dst, D);
  if (X.C.High)
    X.F.Squeezed = Kept * L.Size;
}

/// How many lanes before each one the mask selects.
void unsqueeze(const Micro &X) {
  LaneShape L = LaneShape::of(X.C.DstType, false);
  const MaskRegister &Mask = X.mask();
  uint8_t Result[WideBytes];
  uint64_t Sum = 0;
  for (uint32_t I = 0; I < L.Num; ++I) {
    std::memcpy(Result + size_t(I) * L.Size, &Sum, L.Size);
    Sum += Mask.test(I * L.Step);
  }
  takeResult(X, Result, nullptr, L, LaneFlags(X));
}

} // namespace

void computeLanes(const Micro &X) {
  switch (X.C.Op) {
  case RegisterOp::FillScalar:
    return fillScalar(X);
  case RegisterOp::FillLowest:
    return fillLowest(X);
  case RegisterOp::Arange:
    return arange(X);
  case RegisterOp::Copy:
    return copy(X);
  case RegisterOp::Interleave:
    return interleave(X, /*Apart=*/false);
  case RegisterOp::DeInterleave:
    return interleave(X, /*Apart=*/true);
  case RegisterOp::Pack:
    return pack(X);
  case RegisterOp::UnPack:
    return unpack(X);
  case RegisterOp::GatherLanes:
    return gatherLanes(X);
  case RegisterOp::Squeeze:
    return squeeze(X);
  case RegisterOp::Unsqueeze:
    return unsqueeze(X);
  default: // ClearAr
    X.F.Ar = 0;
  }
}

} // namespace belay::sim
