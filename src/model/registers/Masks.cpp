//===- Masks.cpp - Masks of vector functions ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/registers/Lanes.h"

namespace belay::sim {

namespace {

constexpr uint32_t Bits = RegisterBytes;

/// MaskPattern of the API, in its order.
bool selects(uint32_t Pattern, uint32_t Lane, uint32_t Lanes) {
  constexpr uint32_t First[] = {0, 1, 2, 3, 4, 8, 16, 32, 64, 128};
  switch (Pattern) {
  case 0: // ALL
    return true;
  case 10: // M3
    return Lane % 3 == 0;
  case 11: // M4
    return Lane % 4 == 0;
  case 12: // H
    return Lane < Lanes / 2;
  case 13: // Q
    return Lane < Lanes / 4;
  default:
    return Pattern < std::size(First) && Lane < First[Pattern];
  }
}

/// For each bit of the result, by its number.
template <typename Fn> void build(const Micro &X, RegisterName Name, Fn Bit) {
  MaskRegister Result;
  for (uint32_t B = 0; B < Bits; ++B)
    Result.set(B, Bit(B));
  Result.Written = true;
  X.F.writeMask(Name, X.M) = Result;
}

void pattern(const Micro &X) {
  LaneShape L = LaneShape::of(X.C.DstType, X.C.Two);
  if (X.C.Count > 15 || X.C.Count == 14)
    unsupportedForm(X.M, "a MaskPattern that there is not");
  build(X, X.C.Dst, [&](uint32_t B) {
    return B % L.Step == 0 && selects(X.C.Count, B / L.Step, L.Num);
  });
}

void count(const Micro &X) {
  LaneShape L = LaneShape::of(X.C.DstType, X.C.Two);
  MaskRegister &Dst = X.F.writeMask(X.C.Dst, X.M);
  if (X.C.Count >= L.Num) { // most are
    uint64_t Word = L.Step == 1   ? ~uint64_t(0)
                    : L.Step == 2 ? 0x5555555555555555
                    : L.Step == 4 ? 0x1111111111111111
                                  : 0x0101010101010101;
    for (uint64_t &W : Dst.Bits)
      W = Word;
    return;
  }
  build(X, X.C.Dst,
        [&](uint32_t B) { return B % L.Step == 0 && B / L.Step < X.C.Count; });
}

/// One bit of the mask of the older instructions for each element.
void ofVector(const Micro &X) {
  uint32_t Size = bytesOf(X.C.DstType);
  if (Size != 2 && Size != 4)
    unsupportedType(X.M, X.C.DstType, X.C.DstType);
  const struct Registers &R = X.F.core().Regs;
  build(X, X.C.Dst, [&](uint32_t B) {
    uint32_t Lane = B / Size;
    return (Lane < 64 ? R.MaskLow >> Lane : R.MaskHigh >> (Lane - 64)) & 1;
  });
}

/// Each bit of a part of a register becomes those of one element.
void ofRegister(const Micro &X) {
  uint32_t Size = bytesOf(X.C.SrcType), Part = Bits / Size / 8;
  if ((Size != 2 && Size != 4) || X.C.Count >= RegisterBytes / Part)
    unsupportedType(X.M, X.C.SrcType, X.C.SrcType);
  const Register &Src = X.read(X.C.Src0);
  uint32_t First = X.C.Count * Part;
  if (X.Seen)
    X.Seen->use(Src, First, First + Part);
  build(X, X.C.Dst, [&](uint32_t B) {
    uint32_t Lane = B / Size;
    return Src.Bytes[First + Lane / 8] >> Lane % 8 & 1;
  });
}

/// Bitwise; where the mask has no bit the result has none.
void logic(const Micro &X) {
  MaskRegister A = X.F.mask(X.C.Src0, X.M), B = A, M;
  if (X.C.Op != RegisterOp::MaskNot && X.C.Op != RegisterOp::MaskCopy)
    B = X.F.mask(X.C.Src1, X.M);
  std::memset(M.Bits, 0xff, sizeof M.Bits);
  if (X.C.Mask)
    M = X.mask();
  MaskRegister &Dst = X.F.writeMask(X.C.Dst, X.M);
  for (size_t W = 0; W < std::size(Dst.Bits); ++W) {
    uint64_t P = A.Bits[W], Q = B.Bits[W], S = M.Bits[W];
    switch (X.C.Op) {
    case RegisterOp::MaskAnd:
      Dst.Bits[W] = (P & Q) & S;
      break;
    case RegisterOp::MaskOr:
      Dst.Bits[W] = (P | Q) & S;
      break;
    case RegisterOp::MaskXor:
      Dst.Bits[W] = (P ^ Q) & S;
      break;
    case RegisterOp::MaskNot:
      Dst.Bits[W] = ~P & S;
      break;
    case RegisterOp::MaskSelect:
      Dst.Bits[W] = (P & S) | (Q & ~S);
      break;
    default:
      Dst.Bits[W] = P & S;
    }
  }
}

void pack(const Micro &X) {
  MaskRegister Src = X.F.mask(X.C.Src0, X.M);
  uint32_t First = X.C.High ? Bits / 2 : 0;
  build(X, X.C.Dst, [&](uint32_t B) {
    return B >= First && B < First + Bits / 2 && Src.test(2 * (B - First));
  });
}

void unpack(const Micro &X) {
  MaskRegister Src = X.F.mask(X.C.Src0, X.M);
  uint32_t First = X.C.High ? Bits / 2 : 0;
  build(X, X.C.Dst,
        [&](uint32_t B) { return B % 2 == 0 && Src.test(First + B / 2); });
}

/// Groups of as many bits as an element has bytes.
void interleave(const Micro &X, bool Apart) {
  uint32_t Size = bytesOf(X.C.DstType), Groups = Bits / Size;
  MaskRegister A = X.F.mask(X.C.Src0, X.M), B = X.F.mask(X.C.Src1, X.M);
  for (uint32_t N = 0; N < 2; ++N)
    build(X, N ? X.C.Dst1 : X.C.Dst, [&](uint32_t Bit) {
      uint32_t Group = Bit / Size, In = Bit % Size;
      uint32_t At = Apart ? 2 * Group + N : N * Groups + Group;
      if (Apart)
        return (At < Groups ? A : B).test(At % Groups * Size + In);
      return (At % 2 ? B : A).test(At / 2 * Size + In);
    });
}

} // namespace

void computeMask(const Micro &X) {
  switch (X.C.Op) {
  case RegisterOp::MaskPattern:
    return pattern(X);
  case RegisterOp::MaskCount:
    return count(X);
  case RegisterOp::MaskOfVector:
    return ofVector(X);
  case RegisterOp::MaskOfRegister:
    return ofRegister(X);
  case RegisterOp::MaskPack:
    return pack(X);
  case RegisterOp::MaskUnPack:
    return unpack(X);
  case RegisterOp::MaskInterleave:
    return interleave(X, /*Apart=*/false);
  case RegisterOp::MaskDeInterleave:
    return interleave(X, /*Apart=*/true);
  default:
    return logic(X);
  }
}

} // namespace belay::sim
