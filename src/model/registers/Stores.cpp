//===- Stores.cpp - From registers into the UB ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Functions.h"
#include "model/registers/Places.h"
#include "model/registers/RegisterFile.h"

#include <set>

namespace belay::sim {

namespace {

constexpr uint32_t Block = 32;

const char *nameOf(StoreForm F) {
  switch (F) {
  case StoreForm::Scatter:
    return "Scatter";
  case StoreForm::Unaligned:
  case StoreForm::UnalignedByAr:
  case StoreForm::MaskUnaligned:
    return "StoreUnAlign";
  case StoreForm::UnalignedLast:
    return "StoreUnAlignPost";
  case StoreForm::Anywhere:
    return "Store";
  default:
    return "StoreAlign";
  }
}

/// Bytes on their way to memory, with what is known of their values.
struct Outgoing {
  const uint8_t *Bytes;
  const uint8_t *Undefined;
  const void *Root;
  RegisterName From;
  const uint8_t *Base = nullptr; // of a scatter
};

void put(RegisterFile &F, const MicroCall &M, uint8_t *To, const Outgoing &O,
         uint32_t Bytes, Elem T) {
  std::memcpy(To, O.Bytes, Bytes);
  if (VectorAccesses *A = F.accesses())
    A->store(M, To, Bytes, T, O.Undefined, O.Root, O.From, O.Base);
}

Outgoing from(const Register &R, uint32_t Place, RegisterName Name) {
  return {R.Bytes + Place, R.Undefined + Place, R.Root, Name};
}

/// Calls Visit(first lane, number of lanes) for neighbours that the mask
/// selects, with a bit every Step.
template <typename Fn>
void forEachRun(const MaskRegister &Mask, uint32_t Lanes, uint32_t Step,
                Fn Visit) {
  for (uint32_t I = 0; I < Lanes;) {
    uint32_t First = I;
    while (I < Lanes && Mask.test(I * Step))
      ++I;
    if (I > First)
      Visit(First, I - First);
    else
      ++I;
  }
}

void storeNormal(RegisterFile &F, const MicroCall &M, uint8_t *To,
                 const RegisterStore &S) {
  const Register &Src = F.read(S.Src, M);
  const MaskRegister &Mask = F.mask(S.Mask, M);
  uint32_t Size = S.Unit;
  uint32_t Lanes = (S.Two ? WideBytes : RegisterBytes) / Size;
  uint32_t Step = RegisterBytes / Lanes;
  checkPlace(F, M, To, 0, /*Write=*/true, Block);
  if (VectorAccesses *A = F.accesses())
    A->use(Src, Mask, Step, Size);
  if (Mask.allOf(Step)) {
    checkPlace(F, M, To, uint64_t(Lanes) * Size, /*Write=*/true, Block);
    return put(F, M, To, from(Src, 0, S.Src), Lanes * Size, S.Type);
  }
  forEachRun(Mask, Lanes, Step, [&](uint32_t First, uint32_t Num) {
    uint32_t Place = First * Size;
    checkPlace(F, M, To + Place, uint64_t(Num) * Size, /*Write=*/true, 1);
    put(F, M, To + Place, from(Src, Place, S.Src), Num * Size, S.Type);
  });
}

void storeFirst(RegisterFile &F, const MicroCall &M, uint8_t *To,
                const RegisterStore &S) {
  const Register &Src = F.read(S.Src, M);
  if (VectorAccesses *A = F.accesses())
    A->use(Src, 0, S.Unit);
  checkPlace(F, M, To, S.Unit, /*Write=*/true, S.Unit);
  put(F, M, To, from(Src, 0, S.Src), S.Unit, S.Type);
}

/// The low Kept bytes of each element. Where lanes go that follow a gap in the
/// mask the documents do not say.
void storePacked(RegisterFile &F, const MicroCall &M, uint8_t *To,
                 const RegisterStore &S) {
  const Register &Src = F.read(S.Src, M);
  const MaskRegister &Mask = F.mask(S.Mask, M);
  uint32_t Unit = S.Unit, Kept = Unit / (S.Form == StoreForm::Pack ? 2 : 4);
  if (!Kept)
    unsupportedForm(M, "elements of this size cannot be packed");
  checkPlace(F, M, To, 0, /*Write=*/true, Block);
  if (VectorAccesses *A = F.accesses())
    A->use(Src, Mask, Unit, Unit);
  uint8_t Bytes[RegisterBytes], Flags[RegisterBytes];
  for (uint32_t I = 0; I < RegisterBytes / Unit; ++I) {
    std::memcpy(Bytes + size_t(I) * Kept, Src.Bytes + size_t(I) * Unit, Kept);
    std::memcpy(Flags + size_t(I) * Kept, Src.Undefined + size_t(I) * Unit,
                Kept);
  }
  forEachRun(
      Mask, RegisterBytes / Unit, Unit, [&](uint32_t First, uint32_t Num) {
        if (First)
          unsupportedForm(M, "a packing store with a mask that selects "
                             "other elements than the first ones");
        checkPlace(F, M, To, uint64_t(Num) * Kept, /*Write=*/true, 1);
        put(F, M, To, {Bytes, Flags, Src.Root, S.Src}, Num * Kept, S.Type);
      });
}

void storeInterleaved(RegisterFile &F, const MicroCall &M, uint8_t *To,
                      const RegisterStore &S) {
  const Register &A = F.read(S.Src, M), &B = F.read(S.Src1, M);
  if (VectorAccesses *Seen = F.accesses()) {
    Seen->use(A, 0, RegisterBytes);
    Seen->use(B, 0, RegisterBytes);
  }
  uint8_t Bytes[WideBytes], Flags[WideBytes];
  uint32_t Unit = S.Unit;
  for (uint32_t I = 0; I < WideBytes / Unit; ++I) {
    const Register &Src = I % 2 ? B : A;
    std::memcpy(Bytes + size_t(I) * Unit, Src.Bytes + size_t(I / 2) * Unit,
                Unit);
    std::memcpy(Flags + size_t(I) * Unit, Src.Undefined + size_t(I / 2) * Unit,
                Unit);
  }
  checkPlace(F, M, To, WideBytes, /*Write=*/true, Block);
  put(F, M, To, {Bytes, Flags, A.Root, S.Src}, WideBytes, S.Type);
}

void storeBlocks(RegisterFile &F, const MicroCall &M, uint8_t *To,
                 const RegisterStore &S) {
  const Register &Src = F.read(S.Src, M);
  const MaskRegister &Mask = F.mask(S.Mask, M);
  uint32_t Size = bytesOf(S.Type), PerBlock = Block / Size;
  checkPlace(F, M, To, 0, /*Write=*/true, Block);
  if (VectorAccesses *A = F.accesses())
    A->use(Src, Mask, Size, Size);
  forEachRun(Mask, RegisterBytes / Size, Size,
             [&](uint32_t First, uint32_t Num) {
               for (uint32_t I = First; I < First + Num;) {
                 uint32_t B = I / PerBlock;
                 uint32_t End = std::min(First + Num, (B + 1) * PerBlock);
                 uint8_t *At = To + uint64_t(B) * S.Stride * Block +
                               size_t(I % PerBlock) * Size;
                 uint32_t Bytes = (End - I) * Size;
                 checkPlace(F, M, At, Bytes, /*Write=*/true, 1);
                 put(F, M, At, from(Src, I * Size, S.Src), Bytes, S.Type);
                 I = End;
               }
             });
}

/// Of bytes, only those at even places take part.
void scatter(RegisterFile &F, const MicroCall &M, uint8_t *To,
             const RegisterStore &S) {
  const Register &Src = F.read(S.Src, M), &Index = F.read(S.Index, M);
  const MaskRegister &Mask = F.mask(S.Mask, M);
  uint32_t Size = bytesOf(S.Type), Wide = bytesOf(S.IndexType);
  uint32_t Place = std::max(Size, 2u);
  uint32_t Lanes = (S.Two ? WideBytes : RegisterBytes) / Place;
  uint32_t Step = RegisterBytes / Lanes;
  if (Lanes * Wide > WideBytes)
    unsupportedType(M, S.Type, S.IndexType);
  checkPlace(F, M, To, 0, /*Write=*/true, Block);
  if (VectorAccesses *A = F.accesses()) {
    A->use(Src, Mask, Step, Place);
    A->use(Index, Mask, Step, Wide);
  }
  std::set<uint64_t> Taken;
  for (uint32_t I = 0; I < Lanes; ++I) {
    if (!Mask.test(I * Step))
      continue;
    uint64_t At = indexOf(F, M, Index, I, Wide);
    checkIndexed(F, M, To, I, At, Size, /*Write=*/true);
    if (!Taken.insert(At).second)
      fail("scatter-conflict", M.PC,
           "make the indices of the selected lanes differ",
           "Scatter has index %llu twice (lane %u): which value stays is not "
           "defined",
           static_cast<unsigned long long>(At), I);
    Outgoing O = from(Src, I * Place, S.Src);
    O.Base = To;
    put(F, M, To + At * Size, O, Size, S.Type);
  }
}

// --- unaligned ---------------------------------------------------------------

/// Appends to what an unaligned register holds, and stores whole blocks of it.
void append(RegisterFile &F, const MicroCall &M, uint8_t *To, const Outgoing &O,
            uint32_t Bytes, const RegisterStore &S) {
  UnalignedRegister &U = F.unaligned(S.Unaligned, M);
  using Use = UnalignedRegister::Use;
  if (U.For == Use::Store && U.Held && U.Address + U.Held != To) {
    if (VectorAccesses *A = F.accesses())
      A->misuse("register-state", M.PC,
                "StoreUnAlign does not go on where the last one ended: the " +
                    std::to_string(U.Held) +
                    " bytes that wait in the unaligned register are for "
                    "another place",
                "call StoreUnAlignPost before the address jumps", U.PC,
                "filled");
    U.Held = 0;
  }
  uint32_t Held = U.For == Use::Store ? U.Held : 0, All = Held + Bytes;
  if (!Bytes)
    return;
  uint8_t Data[Block + WideBytes], Flags[Block + WideBytes];
  std::memcpy(Data, U.Bytes, Held);
  std::memcpy(Flags, U.Undefined, Held);
  std::memcpy(Data + Held, O.Bytes, Bytes);
  std::memcpy(Flags + Held, O.Undefined, Bytes);
  uint8_t *Start = To - Held;
  checkPlace(F, M, Start, All, /*Write=*/true, 1);
  auto Offset =
      static_cast<uint64_t>(Start - F.core().Memories.base(Space::UB));
  uint64_t FullBlocks = (Offset + All) / Block * Block;
  uint32_t Now =
      FullBlocks > Offset ? static_cast<uint32_t>(FullBlocks - Offset) : 0;
  if (Now)
    put(F, M, Start, {Data, Flags, O.Root, O.From}, Now, S.Type);
  U.For = Use::Store;
  U.Held = All - Now;
  U.Address = Start + Now;
  U.PC = M.PC;
  std::memcpy(U.Bytes, Data + Now, U.Held);
  std::memcpy(U.Undefined, Flags + Now, U.Held);
}

void storeUnaligned(RegisterFile &F, const MicroCall &M, uint8_t *To,
                    const RegisterStore &S) {
  const Register &Src = F.read(S.Src, M);
  uint32_t Most = S.Two ? WideBytes : RegisterBytes;
  uint32_t Bytes = S.Count * bytesOf(S.Type);
  if (S.Form == StoreForm::UnalignedByAr) {
    Bytes = F.Squeezed;
    To += F.Ar;
    if (S.Count)
      F.Ar += Bytes;
  }
  if (S.Count > Most || Bytes > Most)
    fail("bad-repeat", M.PC, "store at most one register at a time",
         "%s stores %u bytes of a register of %u", M.Name, Bytes, Most);
  if (VectorAccesses *A = F.accesses())
    A->use(Src, 0, Bytes);
  append(F, M, To, from(Src, 0, S.Src), Bytes, S);
}

void storeLast(RegisterFile &F, const MicroCall &M, const RegisterStore &S) {
  UnalignedRegister &U = F.unaligned(S.Unaligned, M);
  if (U.For != UnalignedRegister::Use::Store || !U.Held)
    return;
  auto *To = const_cast<uint8_t *>(U.Address);
  checkPlace(F, M, To, U.Held, /*Write=*/true, 1);
  put(F, M, To, {U.Bytes, U.Undefined, nullptr, S.Unaligned}, U.Held, S.Type);
  U.Held = 0;
}

void storeAnywhere(RegisterFile &F, const MicroCall &M, uint8_t *To,
                   const RegisterStore &S) {
  const Register &Src = F.read(S.Src, M);
  uint32_t Most = S.Two ? WideBytes : RegisterBytes, Size = bytesOf(S.Type);
  if (S.Count > Most / Size)
    fail("bad-repeat", M.PC, "store at most one register at a time",
         "%s stores %u elements of a register of %u", M.Name, S.Count,
         Most / Size);
  uint32_t Bytes = S.Count * Size;
  if (VectorAccesses *A = F.accesses())
    A->use(Src, 0, Bytes);
  checkPlace(F, M, To, Bytes, /*Write=*/true, 1);
  put(F, M, To, from(Src, 0, S.Src), Bytes, S.Type);
}

// --- masks -------------------------------------------------------------------

void storeMask(RegisterFile &F, const MicroCall &M, uint8_t *To,
               const RegisterStore &S) {
  const MaskRegister &Mask = F.mask(S.Src, M);
  bool Unaligned = S.Form == StoreForm::MaskUnaligned;
  uint32_t Step = Unaligned                       ? bytesOf(S.Type)
                  : S.Form == StoreForm::MaskPack ? 2
                                                  : 1;
  uint8_t Bytes[RegisterBytes / 8] = {}, Flags[RegisterBytes / 8] = {};
  for (uint32_t Bit = 0; Bit < RegisterBytes; Bit += Step)
    if (Mask.test(Bit))
      Bytes[Bit / Step / 8] |= static_cast<uint8_t>(1u << Bit / Step % 8);
  uint32_t Num = RegisterBytes / 8 / Step;
  Outgoing O = {Bytes, Flags, nullptr, S.Src};
  if (Unaligned)
    return append(F, M, To, O, Num, S);
  checkPlace(F, M, To, Num, /*Write=*/true, Num);
  put(F, M, To, O, Num, Elem::U8);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_register_store(void *To, const RegisterStore *Theirs) {
  RegisterStore Copy = *Theirs, *S = &Copy;
  MicroCall M = {nameOf(S->Form), BELAY_PC};
  RegisterFile &F = RegisterFile::current();
  if (!F.enter(M))
    return;
  auto *At = static_cast<uint8_t *>(To);
  S->Unit = unitOf(M, S->Unit, S->Type);
  switch (S->Form) {
  case StoreForm::Normal:
    return storeNormal(F, M, At, *S);
  case StoreForm::First:
    return storeFirst(F, M, At, *S);
  case StoreForm::Pack:
  case StoreForm::Pack4:
    return storePacked(F, M, At, *S);
  case StoreForm::Interleave:
    return storeInterleaved(F, M, At, *S);
  case StoreForm::Blocks:
    return storeBlocks(F, M, At, *S);
  case StoreForm::Scatter:
    return scatter(F, M, At, *S);
  case StoreForm::Unaligned:
  case StoreForm::UnalignedByAr:
    return storeUnaligned(F, M, At, *S);
  case StoreForm::UnalignedLast:
    return storeLast(F, M, *S);
  case StoreForm::Anywhere:
    return storeAnywhere(F, M, At, *S);
  case StoreForm::Mask:
  case StoreForm::MaskPack:
  case StoreForm::MaskUnaligned:
    return storeMask(F, M, At, *S);
  }
}
