//===- Elements.cpp - Registers, element by element -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Functions.h"
#include "model/instructions/ByType.h"
#include "model/instructions/ElementFunctions.h"
#include "model/registers/Lanes.h"

#include <array>
#include <cmath>

namespace belay::sim {

void takeResult(const Micro &X, const uint8_t *Result, const MaskRegister *Mask,
                LaneShape L, const LaneFlags &Flags) {
  const MaskRegister Selected = Mask ? *Mask : MaskRegister();
  Register &Dst = X.C.Merge ? X.F.merge(X.C.Dst, X.M) : X.F.write(X.C.Dst, X.M);
  for (uint32_t I = 0; I < L.Num; ++I) {
    size_t At = size_t(I) * L.Size;
    bool Active = !Mask || Selected.test(I * L.Step);
    if (Active)
      std::memcpy(Dst.Bytes + At, Result + At, L.Size);
    else if (!X.C.Merge)
      std::memset(Dst.Bytes + At, 0, L.Size);
    if (X.Seen && (Active || !X.C.Merge))
      std::memset(Dst.Undefined + At, Active && Flags.test(I), L.Size);
  }
  Dst.Suspect = Flags.any() || (X.C.Merge && Dst.Suspect);
  if (Flags.any())
    Dst.Root = Flags.root();
}

void tookResult(const Micro &X, Register &Dst, LaneShape L,
                const LaneFlags &Flags) {
  if (!X.Seen || (!Flags.any() && !Dst.Suspect))
    return;
  for (uint32_t I = 0; I < L.Num; ++I)
    std::memset(Dst.Undefined + size_t(I) * L.Size, Flags.test(I), L.Size);
  Dst.Suspect = Flags.any();
  Dst.Root = Flags.root();
}

namespace {

constexpr size_t NumElems = 32;
template <typename Fn> using ForTypes = std::array<Fn, NumElems>;

/// Looks a function up once for each operation and type.
template <typename Fn, size_t Ops, typename FindFn>
std::array<ForTypes<Fn>, Ops> tableOf(FindFn Find) {
  std::array<ForTypes<Fn>, Ops> Table = {};
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump)                                   \
  for (size_t Op = 0; Op < Ops; ++Op)                                          \
    Table[Op][static_cast<size_t>(Elem::Id)] = Find(Op, Elem::Id);
#include "belay/elements.def"
  return Table;
}

constexpr size_t NumUnary = 0
#define BELAY_UNARY(Name) +1
#include "abi/Ops.def"
    ;
constexpr size_t NumBinary = 0
#define BELAY_BINARY(Name) +1
#include "abi/Ops.def"
    ;
constexpr size_t NumScalar = 0
#define BELAY_SCALAR(Name) +1
#include "abi/Ops.def"
    ;

UnaryFn unaryOf(UnaryOp Op, Elem T) {
  static const auto Table = tableOf<UnaryFn, NumUnary>(
      [](size_t O, Elem E) { return findUnary(static_cast<UnaryOp>(O), E); });
  return Table[static_cast<size_t>(Op)][static_cast<size_t>(T)];
}

BinaryFn binaryOf(BinaryOp Op, Elem T, const targets::Arch &Arch) {
  static const auto Table = tableOf<BinaryFn, NumBinary>([&](size_t O, Elem E) {
    return findBinary(static_cast<BinaryOp>(O), E, E, Arch);
  });
  return Table[static_cast<size_t>(Op)][static_cast<size_t>(T)];
}

ScalarFn scalarOf(ScalarOp Op, Elem T) {
  static const auto Table = tableOf<ScalarFn, NumScalar>([](size_t O, Elem E) {
    return findScalar(static_cast<ScalarOp>(O), E, E);
  });
  return Table[static_cast<size_t>(Op)][static_cast<size_t>(T)];
}

template <typename T> float log2Of(T X) { return std::log2(X); }
template <typename T> float log10Of(T X) { return std::log10(X); }
UnaryFn logarithmOf(RegisterOp Op, Elem T) {
  if (Op == RegisterOp::Log2)
    return T == Elem::F32   ? mapUnary<float, log2Of<float>>
           : T == Elem::F16 ? mapUnary<F16, log2Of<float>>
                            : nullptr;
  return T == Elem::F32   ? mapUnary<float, log10Of<float>>
         : T == Elem::F16 ? mapUnary<F16, log10Of<float>>
                          : nullptr;
}

bool readsDestination(BinaryOp Op) {
  return Op == BinaryOp::MulAddDst || Op == BinaryOp::FusedMulAdd ||
         Op == BinaryOp::FusedMulAddRelu;
}

/// Run(destination) fills all lanes of it from the sources.
template <typename RunFn>
void forLanes(const Micro &X, const Register *Src0, const Register *Src1,
              bool ReadsDst, RunFn Run) {
  LaneShape L = LaneShape::of(X.C.DstType, X.C.Two);
  const MaskRegister &Mask = X.mask();
  const Register *Old = ReadsDst ? &X.read(X.C.Dst) : nullptr;
  LaneFlags Flags(X);
  if (X.Seen)
    for (const Register *R : {Src0, Src1, Old})
      if (R) {
        X.use(*R, Mask, L);
        Flags.from(*R, L);
      }
  bool Saturate = X.F.core().Regs.Vector.SaturateFloat &&
                  (X.C.DstType == Elem::F16 || X.C.DstType == Elem::BF16);
  if (!Saturate && Mask.allOf(L.Step)) {
    Register &Dst = X.F.write(X.C.Dst, X.M);
    Run(Dst.Bytes);
    return tookResult(X, Dst, L, Flags);
  }
  alignas(64) uint8_t Result[WideBytes];
  if (Old)
    std::memcpy(Result, Old->Bytes, L.bytes());
  Run(Result);
  if (Saturate)
    saturateLanes(Result, L.Num, X.C.DstType);
  takeResult(X, Result, &Mask, L, Flags);
}

void unary(const Micro &X, UnaryFn Fn) {
  if (!Fn)
    unsupportedType(X.M, X.C.DstType, X.C.DstType);
  const Register &Src = X.read(X.C.Src0);
  uint32_t Num = LaneShape::of(X.C.DstType, X.C.Two).Num;
  forLanes(X, &Src, nullptr, false,
           [&](uint8_t *Dst) { Fn(Dst, Src.Bytes, Num); });
}

void binary(const Micro &X) {
  BinaryFn Fn = binaryOf(X.C.Binary, X.C.DstType, X.F.core().arch());
  if (!Fn)
    unsupportedType(X.M, X.C.DstType, X.C.DstType);
  const Register &A = X.read(X.C.Src0), &B = X.read(X.C.Src1);
  uint32_t Num = LaneShape::of(X.C.DstType, X.C.Two).Num;
  forLanes(X, &A, &B, readsDestination(X.C.Binary),
           [&](uint8_t *Dst) { Fn(Dst, A.Bytes, B.Bytes, Num); });
}

void withScalar(const Micro &X) {
  ScalarFn Fn = scalarOf(X.C.WithScalar, X.C.DstType);
  if (!Fn)
    unsupportedType(X.M, X.C.DstType, X.C.DstType);
  const Register &Src = X.read(X.C.Src0);
  uint32_t Num = LaneShape::of(X.C.DstType, X.C.Two).Num;
  forLanes(X, &Src, nullptr, X.C.WithScalar == ScalarOp::Axpy,
           [&](uint8_t *Dst) { Fn(Dst, Src.Bytes, &X.C.Scalar, Num); });
}

/// Lanes that the mask leaves out are 0 in the result.
void compare(const Micro &X, bool Scalar) {
  CompareFn Fn = findCompare(X.C.Compare, X.C.SrcType);
  if (!Fn)
    unsupportedType(X.M, X.C.SrcType, X.C.SrcType);
  LaneShape L = LaneShape::of(X.C.SrcType, X.C.Two);
  const Register &A = X.read(X.C.Src0);
  const Register *B = Scalar ? nullptr : &X.read(X.C.Src1);
  MaskRegister Mask = X.mask();
  X.use(A, Mask, L);
  if (B)
    X.use(*B, Mask, L);
  LaneFlags Flags(X);
  Flags.from(A, L);
  if (B)
    Flags.from(*B, L);
  uint8_t Holds[WideBytes];
  Fn(Holds, A.Bytes,
     B ? B->Bytes : reinterpret_cast<const uint8_t *>(&X.C.Scalar), Scalar,
     L.Num);
  MaskRegister &Dst = X.F.writeMask(X.C.Dst, X.M);
  std::memset(Dst.Bits, 0, sizeof Dst.Bits);
  for (uint32_t I = 0; I < L.Num; ++I)
    if (Mask.test(I * L.Step)) {
      Dst.set(I * L.Step, Holds[I]);
      if (Flags.test(I) && X.Seen) {
        X.Seen->misuse("uninitialised-read", X.M.PC,
                       std::string(X.M.Name) + " compares lane " +
                           std::to_string(I) +
                           ", and nothing has given it a value",
                       "initialise what is loaded, or leave the lanes out by "
                       "the mask",
                       Flags.root(), "loaded");
        return;
      }
    }
}

/// Where the mask selects, the first source; the second elsewhere.
void select(const Micro &X) {
  LaneShape L = LaneShape::of(X.C.DstType, X.C.Two);
  const Register &A = X.read(X.C.Src0), &B = X.read(X.C.Src1);
  const MaskRegister &Mask = X.mask();
  X.use(A, Mask, L);
  AccessId Rest = B.FilledBy; // counts where somebody uses it
  uint8_t Result[WideBytes];
  LaneFlags Flags(X);
  for (uint32_t I = 0; I < L.Num; ++I) {
    const Register &R = Mask.test(I * L.Step) ? A : B;
    size_t At = size_t(I) * L.Size;
    std::memcpy(Result + At, R.Bytes + At, L.Size);
    if (X.Seen)
      Flags.lane(I, R.Suspect && anyByte(R.Undefined + At, L.Size), R);
  }
  takeResult(X, Result, nullptr, L, Flags);
  if (X.Seen)
    X.F.write(X.C.Dst, X.M).FilledBy = Rest;
}

/// {carry, result} = a + b + carry; a difference adds the complement.
void carry(const Micro &X, bool Subtract) {
  LaneShape L = LaneShape::of(X.C.DstType, false);
  if (L.Size != 4)
    unsupportedType(X.M, X.C.DstType, X.C.DstType);
  const Register &A = X.read(X.C.Src0), &B = X.read(X.C.Src1);
  MaskRegister Mask = X.mask(), In;
  if (X.C.Carry)
    In = X.F.mask(X.C.Carry, X.M);
  X.use(A, Mask, L);
  X.use(B, Mask, L);
  LaneFlags Flags(X);
  Flags.from(A, L);
  Flags.from(B, L);
  MaskRegister Out;
  uint8_t Result[RegisterBytes];
  for (uint32_t I = 0; I < L.Num; ++I) {
    uint32_t P, Q;
    std::memcpy(&P, A.Bytes + size_t(I) * 4, 4);
    std::memcpy(&Q, B.Bytes + size_t(I) * 4, 4);
    uint64_t Sum = uint64_t(P) + (Subtract ? ~Q : Q) +
                   (X.C.Carry ? In.test(I * 4) : Subtract);
    auto Low = static_cast<uint32_t>(Sum);
    std::memcpy(Result + size_t(I) * 4, &Low, 4);
    Out.set(I * 4, Mask.test(I * 4) && Sum >> 32);
  }
  takeResult(X, Result, &Mask, L, Flags);
  Out.Written = true;
  X.F.writeMask(X.C.Dst1, X.M) = Out;
}

template <typename T, typename Wide>
void multiply(uint8_t *Low, uint8_t *High, const Register &A, const Register &B,
              uint32_t Num) {
  for (uint32_t I = 0; I < Num; ++I) {
    T P, Q;
    std::memcpy(&P, A.Bytes + size_t(I) * 4, 4);
    std::memcpy(&Q, B.Bytes + size_t(I) * 4, 4);
    auto Product = static_cast<uint64_t>(Wide(P) * Wide(Q));
    std::memcpy(Low + size_t(I) * 4, &Product, 4);
    Product >>= 32;
    std::memcpy(High + size_t(I) * 4, &Product, 4);
  }
}

/// The lower and the upper halves of products.
void mulWide(const Micro &X) {
  LaneShape L = LaneShape::of(X.C.DstType, false);
  if (X.C.DstType != Elem::S32 && X.C.DstType != Elem::U32)
    unsupportedType(X.M, X.C.DstType, X.C.DstType);
  const Register &A = X.read(X.C.Src0), &B = X.read(X.C.Src1);
  MaskRegister Mask = X.mask();
  X.use(A, Mask, L);
  X.use(B, Mask, L);
  LaneFlags Flags(X);
  Flags.from(A, L);
  Flags.from(B, L);
  uint8_t Low[RegisterBytes], High[RegisterBytes];
  if (X.C.DstType == Elem::S32)
    multiply<int32_t, int64_t>(Low, High, A, B, L.Num);
  else
    multiply<uint32_t, uint64_t>(Low, High, A, B, L.Num);
  takeResult(X, Low, &Mask, L, Flags);
  RegisterCompute Upper = X.C;
  Upper.Dst = X.C.Dst1;
  takeResult(Micro{X.F, X.M, Upper}, High, &Mask, L, Flags);
}

} // namespace

void computeElements(const Micro &X) {
  switch (X.C.Op) {
  case RegisterOp::Unary:
    return unary(X, unaryOf(X.C.Unary, X.C.DstType));
  case RegisterOp::Log2:
  case RegisterOp::Log10:
    return unary(X, logarithmOf(X.C.Op, X.C.DstType));
  case RegisterOp::Binary:
    return binary(X);
  case RegisterOp::WithScalar:
    return withScalar(X);
  case RegisterOp::Compare:
    return compare(X, /*Scalar=*/false);
  case RegisterOp::CompareScalar:
    return compare(X, /*Scalar=*/true);
  case RegisterOp::Select:
    return select(X);
  case RegisterOp::AddCarry:
    return carry(X, /*Subtract=*/false);
  case RegisterOp::SubCarry:
    return carry(X, /*Subtract=*/true);
  default:
    return mulWide(X);
  }
}

} // namespace belay::sim
