//===- Loads.cpp - From the UB into registers -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Functions.h"
#include "model/registers/Lanes.h"
#include "model/registers/Places.h"
#include "model/registers/RegisterFile.h"

namespace belay::sim {

namespace {

constexpr uint32_t Block = 32;

const char *nameOf(LoadForm F) {
  switch (F) {
  case LoadForm::Gather:
    return "Gather";
  case LoadForm::GatherBlocks:
    return "GatherB";
  case LoadForm::UnalignedFirst:
    return "LoadUnAlignPre";
  case LoadForm::Unaligned:
    return "LoadUnAlign";
  case LoadForm::Anywhere:
    return "Load";
  default:
    return "LoadAlign";
  }
}

/// What a form reads, where it may start, and how it spreads over a register.
struct Shape {
  uint32_t Bytes, Alignment;
  Spread How;
  bool Exact; // all that it reads counts
};

Shape shapeOf(const RegisterLoad &L) {
  uint32_t Unit = L.Unit;
  switch (L.Form) {
  case LoadForm::Broadcast:
    return {Unit, Unit, {}, true};
  case LoadForm::Upsample:
  case LoadForm::Unpack:
    return {RegisterBytes / 2, Block, {1, 2}, false};
  case LoadForm::Unpack4:
    return {RegisterBytes / 4, Block, {1, 4}, false};
  case LoadForm::Downsample:
  case LoadForm::Deinterleave:
    return {WideBytes, Block, {2, 1}, false};
  case LoadForm::Block:
    return {Block, Block, {}, true};
  case LoadForm::ElementToBlock:
    return {8 * Unit, 8 * Unit, {}, true};
  case LoadForm::Anywhere:
    return {RegisterBytes, 1, {}, false};
  default:
    return {L.Two ? WideBytes : RegisterBytes, Block, {}, false};
  }
}

/// The bytes of a register from those of memory; also for flags of bytes.
void arrange(const RegisterLoad &L, uint8_t *Dst, uint8_t *Dst1,
             const uint8_t *Src) {
  uint32_t Unit = L.Unit;
  auto Element = [&](uint32_t To, uint32_t From) {
    std::memcpy(Dst + size_t(To) * Unit, Src + size_t(From) * Unit, Unit);
  };
  uint32_t Lanes = Unit ? RegisterBytes / Unit : 0;
  switch (L.Form) {
  case LoadForm::Broadcast:
    for (uint32_t I = 0; I < Lanes; ++I)
      Element(I, 0);
    return;
  case LoadForm::Upsample:
    for (uint32_t I = 0; I < Lanes; ++I)
      Element(I, I / 2);
    return;
  case LoadForm::Downsample:
    for (uint32_t I = 0; I < Lanes; ++I)
      Element(I, 2 * I);
    return;
  case LoadForm::Unpack:
  case LoadForm::Unpack4: {
    uint32_t Step = L.Form == LoadForm::Unpack ? 2 : 4;
    std::memset(Dst, 0, RegisterBytes);
    for (uint32_t I = 0; I < Lanes; I += Step)
      Element(I, I / Step);
    return;
  }
  case LoadForm::Block:
    for (uint32_t B = 0; B < RegisterBytes; B += Block)
      std::memcpy(Dst + B, Src, Block);
    return;
  case LoadForm::ElementToBlock:
    for (uint32_t I = 0; I < Lanes; ++I)
      Element(I, I * Unit / Block);
    return;
  case LoadForm::Deinterleave:
    for (uint32_t I = 0; I < Lanes; ++I) {
      Element(I, 2 * I);
      std::memcpy(Dst1 + size_t(I) * Unit, Src + (2ul * I + 1) * Unit, Unit);
    }
    return;
  default:
    std::memcpy(Dst, Src, L.Two ? WideBytes : RegisterBytes);
  }
}

/// Everything but what follows further below.
void loadContiguous(RegisterFile &F, const MicroCall &M, const uint8_t *From,
                    const RegisterLoad &L) {
  Shape S = shapeOf(L);
  checkPlace(F, M, From, S.Bytes, /*Write=*/false, S.Alignment);
  Register &Dst = F.write(L.Dst, M);
  Register *Dst1 =
      L.Form == LoadForm::Deinterleave ? &F.write(L.Dst1, M) : nullptr;
  arrange(L, Dst.Bytes, Dst1 ? Dst1->Bytes : nullptr, From);
  VectorAccesses *A = F.accesses();
  if (!A)
    return;
  uint8_t Flags[WideBytes];
  A->undefined(From, S.Bytes, Flags);
  arrange(L, Dst.Undefined, Dst1 ? Dst1->Undefined : nullptr, Flags);
  AccessId Id = A->load(M, From, S.Bytes, L.Type, S.How, L.Dst);
  bool Suspect = anyByte(Flags, S.Bytes);
  for (Register *R : {&Dst, Dst1})
    if (R) {
      R->FilledBy = Id;
      R->Suspect = Suspect;
      R->Root = M.PC;
    }
  if (S.Exact) {
    A->use(Dst, 0, S.Bytes);
    Dst.FilledBy = 0;
  }
}

/// Bytes that are read for certain, into a part of a register.
void loadPiece(RegisterFile &F, const MicroCall &M, Register &Dst,
               uint32_t Place, const uint8_t *From, uint32_t Bytes, Elem T,
               RegisterName Into, const uint8_t *Base = nullptr) {
  std::memcpy(Dst.Bytes + Place, From, Bytes);
  VectorAccesses *A = F.accesses();
  if (!A)
    return;
  A->undefined(From, Bytes, Dst.Undefined + Place);
  Dst.Suspect = true;
  Dst.Root = M.PC;
  Dst.FilledBy = A->load(M, From, Bytes, T, {}, Into, Base);
  A->use(Dst, 0, Bytes);
  Dst.FilledBy = 0;
}

void clear(Register &R, uint32_t Begin, uint32_t Bytes) {
  std::memset(R.Bytes + Begin, 0, Bytes);
  std::memset(R.Undefined + Begin, 0, Bytes);
}

/// Blocks of which the mask selects an element; others become 0, wherever they
/// lie.
void loadBlocks(RegisterFile &F, const MicroCall &M, const uint8_t *From,
                const RegisterLoad &L) {
  const MaskRegister &Mask = F.mask(L.Mask, M);
  uint32_t Size = bytesOf(L.Type);
  checkPlace(F, M, From, 0, /*Write=*/false, Block);
  Register &Dst = F.write(L.Dst, M);
  for (uint32_t B = 0; B < RegisterBytes / Block; ++B) {
    bool Any = false;
    for (uint32_t Bit = B * Block; Bit < (B + 1) * Block; Bit += Size)
      Any |= Mask.test(Bit);
    clear(Dst, B * Block, Block);
    if (!Any)
      continue;
    const uint8_t *At = From + uint64_t(B) * L.Stride * Block;
    checkPlace(F, M, At, Block, /*Write=*/false, Block);
    loadPiece(F, M, Dst, B * Block, At, Block, L.Type, L.Dst);
  }
}

void gather(RegisterFile &F, const MicroCall &M, const uint8_t *From,
            const RegisterLoad &L) {
  const MaskRegister &Mask = F.mask(L.Mask, M);
  const Register &Index = F.read(L.Index, M);
  Register Indices = Index; // it may be the destination
  uint32_t Size = bytesOf(L.Type), Wide = bytesOf(L.IndexType);
  uint32_t Lanes = (L.Two ? WideBytes : RegisterBytes) / Size;
  if (L.Unit > Size || Lanes * Wide > WideBytes)
    unsupportedType(M, L.Type, L.IndexType);
  checkPlace(F, M, From, 0, /*Write=*/false, Block);
  if (VectorAccesses *A = F.accesses())
    A->use(Index, Mask, RegisterBytes / Lanes, Wide);
  Register &Dst = F.write(L.Dst, M);
  for (uint32_t I = 0; I < Lanes; ++I) {
    clear(Dst, I * Size, Size);
    if (!Mask.test(I * (RegisterBytes / Lanes)))
      continue;
    uint64_t At = indexOf(F, M, Indices, I, Wide);
    checkIndexed(F, M, From, I, At, L.Unit, /*Write=*/false);
    loadPiece(F, M, Dst, I * Size, From + At * L.Unit, L.Unit, L.Type, L.Dst,
              From);
  }
}

/// The mask's bits are those of 32-bit elements: one for each block. What it
/// leaves out is not said; nobody may count on it.
void gatherBlocks(RegisterFile &F, const MicroCall &M, const uint8_t *From,
                  const RegisterLoad &L) {
  const MaskRegister &Mask = F.mask(L.Mask, M);
  Register Indices = F.read(L.Index, M);
  checkPlace(F, M, From, 0, /*Write=*/false, Block);
  if (VectorAccesses *A = F.accesses())
    A->use(Indices, 0, 32);
  Register &Dst = F.write(L.Dst, M);
  for (uint32_t B = 0; B < RegisterBytes / Block; ++B) {
    if (!Mask.test(4 * B)) {
      std::memset(Dst.Undefined + size_t(B) * Block, 1, Block);
      Dst.Suspect = true;
      continue;
    }
    uint64_t At = indexOf(F, M, Indices, B, 4);
    checkIndexed(F, M, From, B, At, 1, /*Write=*/false);
    checkPlace(F, M, From + At, Block, /*Write=*/false, Block);
    loadPiece(F, M, Dst, B * Block, From + At, Block, L.Type, L.Dst, From);
  }
}

// --- unaligned ---------------------------------------------------------------

const uint8_t *blockOf(const RegisterFile &F, const uint8_t *At) {
  const uint8_t *Base = F.core().Memories.base(Space::UB);
  return Base + static_cast<uint64_t>(At - Base) / Block * Block;
}

void hold(RegisterFile &F, UnalignedRegister &U, const MicroCall &M,
          const uint8_t *At) {
  U.For = UnalignedRegister::Use::Load;
  U.Address = At;
  U.PC = M.PC;
  const uint8_t *Base = F.core().Memories.base(Space::UB);
  bool Beyond = static_cast<uint64_t>(At - Base) + Block >
                F.core().Memories.bytes(Space::UB);
  if (Beyond) { // nobody can need it
    std::memset(U.Undefined, 1, Block);
    return;
  }
  std::memcpy(U.Bytes, At, Block);
  if (VectorAccesses *A = F.accesses())
    A->undefined(At, Block, U.Undefined);
}

void loadUnaligned(RegisterFile &F, const MicroCall &M, const uint8_t *From,
                   const RegisterLoad &L) {
  uint32_t Bytes = L.Two ? WideBytes : RegisterBytes;
  checkPlace(F, M, From, Bytes, /*Write=*/false, 1);
  UnalignedRegister &U = F.unaligned(L.Unaligned, M);
  const uint8_t *First = blockOf(F, From);
  bool Ready = U.For == UnalignedRegister::Use::Load && U.Address == First;
  VectorAccesses *A = F.accesses();
  if (A && !Ready)
    A->misuse("register-state", M.PC,
              "LoadUnAlign takes the start of its data from an unaligned "
              "register that does not hold it",
              "call LoadUnAlignPre with the address that the next LoadUnAlign "
              "starts from",
              U.PC, "filled");
  Register &Dst = F.write(L.Dst, M);
  auto Head = static_cast<uint32_t>(First + Block - From);
  std::memcpy(Dst.Bytes, From, Bytes);
  std::memcpy(Dst.Bytes, U.Bytes + (Block - Head), Head);
  if (A) {
    A->undefined(From, Bytes, Dst.Undefined);
    std::memcpy(Dst.Undefined, U.Undefined + (Block - Head), Head);
    Dst.Suspect = anyByte(Dst.Undefined, Bytes);
    Dst.Root = M.PC;
    Dst.FilledBy = A->load(M, From, Bytes, L.Type, {}, L.Dst);
  }
  hold(F, U, M, blockOf(F, From + Bytes));
}

// --- masks -------------------------------------------------------------------

void loadMask(RegisterFile &F, const MicroCall &M, const uint8_t *From,
              const RegisterLoad &L) {
  bool Up = L.Form == LoadForm::MaskUpsample;
  bool Down = L.Form == LoadForm::MaskDownsample;
  uint32_t Bytes = RegisterBytes / (Up ? 16 : Down ? 4 : 8);
  checkPlace(F, M, From, Bytes, /*Write=*/false, Up ? 16 : 32);
  MaskRegister &Dst = F.writeMask(L.Dst, M);
  for (uint32_t Bit = 0; Bit < RegisterBytes; ++Bit) {
    uint32_t At = Up ? Bit / 2 : Down ? 2 * Bit : Bit;
    Dst.set(Bit, From[At / 8] >> At % 8 & 1);
  }
  VectorAccesses *A = F.accesses();
  if (!A)
    return;
  Register Bits;
  Bits.FilledBy = A->load(M, From, Bytes, Elem::U8, {}, L.Dst);
  A->use(Bits, 0, Bytes);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_register_load(const void *From, const RegisterLoad *Theirs) {
  RegisterLoad Copy = *Theirs, *L = &Copy;
  MicroCall M = {nameOf(L->Form), BELAY_PC};
  RegisterFile &F = RegisterFile::current();
  if (!F.enter(M))
    return;
  const auto *At = static_cast<const uint8_t *>(From);
  L->Unit = unitOf(M, L->Unit, L->Type);
  switch (L->Form) {
  case LoadForm::Blocks:
    return loadBlocks(F, M, At, *L);
  case LoadForm::Gather:
    return gather(F, M, At, *L);
  case LoadForm::GatherBlocks:
    return gatherBlocks(F, M, At, *L);
  case LoadForm::UnalignedFirst:
    checkPlace(F, M, At, 1, /*Write=*/false, 1);
    return hold(F, F.unaligned(L->Unaligned, M), M, blockOf(F, At));
  case LoadForm::Unaligned:
    return loadUnaligned(F, M, At, *L);
  case LoadForm::Mask:
  case LoadForm::MaskUpsample:
  case LoadForm::MaskDownsample:
    return loadMask(F, M, At, *L);
  default:
    return loadContiguous(F, M, At, *L);
  }
}
