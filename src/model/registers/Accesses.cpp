//===- Accesses.cpp - What a vector function touches ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/registers/Accesses.h"

#include "abi/Buffers.h"
#include "model/core/Issue.h"
#include "model/registers/RegisterFile.h"

#include <bit>
#include <unordered_map>

namespace belay::sim {

void VectorAccesses::begin(Core &Of) {
  C = &Of;
  All.clear();
  Sites.clear();
  Stores.resize(Of.Memories.bytes(Space::UB));
  // The vector unit carries out its functions one after the other.
  ForLoads = ForStores = Now;
}

void VectorAccesses::end() { tellAll(); }

void VectorAccesses::undefined(const uint8_t *From, uint64_t Bytes,
                               uint8_t *Flags) {
  C->Watcher->undefinedBytes(From, Bytes, Flags);
}

AccessId VectorAccesses::load(const MicroCall &M, const uint8_t *From,
                              uint64_t Bytes, Elem T, Spread How,
                              RegisterName Into, const uint8_t *Base) {
  Access A = {M.PC, M.Name, From, From, From, T, /*Write=*/false, How, Base};
  auto Offset = static_cast<size_t>(From - C->Memories.base(Space::UB));
  const Stored *S = &Stores[Offset];
  for (uint64_t B = 0; B < Bytes; ++B) {
    // An instruction waits for those before it that use its own register.
    if (S[B].Time <= ForLoads || Sites[S[B].Site].From == Into)
      continue;
    if (!A.ConflictBegin)
      A.ConflictBegin =
          From + B; // NOLINT(clang-analyzer-core.NullPointerArithm)
    A.ConflictEnd = From + B + 1;
    A.StoredAt = Sites[S[B].Site].PC;
  }
  All.push_back(A);
  return static_cast<AccessId>(All.size());
}

void VectorAccesses::use(const Register &R, uint32_t Begin, uint32_t End) {
  if (!R.FilledBy || Begin == End)
    return;
  Access &A = All[R.FilledBy - 1];
  const uint8_t *First = A.From + Begin * A.How.Times / A.How.Over;
  const uint8_t *Last = A.From + ((End - 1) * A.How.Times) / A.How.Over + 1;
  A.Begin = A.Begin == A.End ? First : std::min(A.Begin, First);
  A.End = std::max(A.End, Last);
  if (!A.ConflictBegin || A.Begin >= A.ConflictEnd || A.End <= A.ConflictBegin)
    return;
  misuse("missing-barrier", A.PC,
         std::string(A.Name) + " reads bytes of the UB that the same vector "
                               "function has stored, and nothing makes it wait "
                               "for the store",
         "insert LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD>() between "
         "them",
         A.StoredAt, "stored");
  A.ConflictBegin = nullptr;
}

void VectorAccesses::use(const Register &R, const MaskRegister &Mask,
                         uint32_t Step, uint32_t Size) {
  if (!R.FilledBy)
    return;
  uint32_t First = RegisterBytes, Last = 0;
  for (uint32_t W = 0; W < std::size(Mask.Bits); ++W) {
    uint64_t Bits = Mask.Bits[W];
    for (; Bits; Bits &= Bits - 1) {
      uint32_t Bit = W * 64 + static_cast<uint32_t>(std::countr_zero(Bits));
      if (Bit % Step)
        continue;
      First = std::min(First, Bit);
      Last = Bit;
      break;
    }
    for (Bits = Mask.Bits[W]; Bits;) {
      uint32_t Top = 63 - static_cast<uint32_t>(std::countl_zero(Bits));
      Bits &= ~(uint64_t(1) << Top);
      if ((W * 64 + Top) % Step)
        continue;
      Last = W * 64 + Top;
      break;
    }
  }
  if (First < RegisterBytes)
    use(R, First / Step * Size, (Last / Step + 1) * Size);
}

void VectorAccesses::useWhole(const Register &R) {
  if (!R.FilledBy)
    return;
  const Access &A = All[R.FilledBy - 1];
  unsigned Owners;
  const BufferRecord *B = bufferOf(A.From, A.From + 1, Owners);
  uint64_t Room =
      B ? static_cast<uint64_t>(B->Address + B->Bytes - A.From) : 32;
  use(R, 0,
      static_cast<uint32_t>(
          std::min<uint64_t>(RegisterBytes, Room * A.How.Over / A.How.Times)));
}

uint32_t VectorAccesses::siteOf(const void *PC, RegisterName From) {
  // The newest ones: a loop has few stores.
  size_t First = Sites.size() > 16 ? Sites.size() - 16 : 0;
  for (size_t N = First; N < Sites.size(); ++N)
    if (Sites[N].PC == PC && Sites[N].From == From)
      return static_cast<uint32_t>(N);
  Sites.push_back({PC, From});
  return static_cast<uint32_t>(Sites.size() - 1);
}

void VectorAccesses::store(const MicroCall &M, uint8_t *To, uint64_t Bytes,
                           Elem T, const uint8_t *Flags, const void *Root,
                           RegisterName From, const uint8_t *Base) {
  if (!Bytes)
    return;
  All.push_back(
      {M.PC, M.Name, To, To, To + Bytes, T, /*Write=*/true, {}, Base});
  uint32_t Site = siteOf(M.PC, From);
  Stored *S = &Stores[static_cast<size_t>(To - C->Memories.base(Space::UB))];
  const void *Before = nullptr;
  ++Now;
  for (uint64_t B = 0; B < Bytes; ++B) {
    if (S[B].Time > ForStores && Sites[S[B].Site].From != From)
      Before = Sites[S[B].Site].PC;
    S[B] = {Now, Site};
  }
  if (Before)
    misuse("missing-barrier", M.PC,
           std::string(M.Name) +
               " writes bytes of the UB that another store of "
               "the same vector function writes, and nothing "
               "says which comes last",
           "insert LocalMemBar<MemType::VEC_STORE, MemType::VEC_STORE>() "
           "between them",
           Before, "stored");
  C->Watcher->onFunctionStore(To, Bytes, Flags, Root, M.Name);
}

void VectorAccesses::barrier(MemoryPort From, MemoryPort To) {
  if (From != MemoryPort::VectorStore && From != MemoryPort::VectorAll)
    return;
  if (To == MemoryPort::VectorLoad || To == MemoryPort::VectorAll)
    ForLoads = Now;
  if (To == MemoryPort::VectorStore || To == MemoryPort::VectorAll)
    ForStores = Now;
}

void VectorAccesses::misuse(const char *Id, const void *PC,
                            const std::string &Message, const char *Hint,
                            const void *Other, const char *Role) {
  C->Watcher->onMisuse(Id, PC, Other, Role, Message, Hint);
}

/// The buffer of InitBuffer that an access starts in. Pools give out the same
/// bytes again: then it is the one that holds all of the access, or none.
const BufferRecord *VectorAccesses::bufferOf(const uint8_t *Begin,
                                             const uint8_t *End,
                                             unsigned &Owners) const {
  const BufferRecord *Found = nullptr;
  Owners = 0;
  for (const Core::BufferBlock &Block : C->BufferBlocks)
    for (uint32_t N = 0; N < Block.Num; ++N) {
      const BufferRecord &B = Block.Records[N];
      if (Begin < B.Address || Begin >= B.Address + B.Bytes)
        continue;
      ++Owners;
      bool Holds = End <= B.Address + B.Bytes;
      if (!Found || (Holds && B.State != BufferState::Free))
        Found = &B;
    }
  bool Holds = Found && End <= Found->Address + Found->Bytes &&
               Found->State != BufferState::Free;
  return Owners == 1 || Holds ? Found : nullptr;
}

/// Before: the buffer that this line was in before, if it was in one.
void VectorAccesses::tell(const Access &A, const BufferRecord *Before) {
  Issue I(A.Name, Pipe::V, A.PC);
  I.drain();
  I.record().OfFunction = true;
  auto Bytes = static_cast<uint64_t>(A.End - A.Begin);
  if (A.Write)
    I.write(const_cast<uint8_t *>(A.Begin), {Bytes}, A.Type, 1);
  else
    I.read(A.Begin, {Bytes}, A.Type, 1);
  unsigned Owners;
  const uint8_t *First = A.Base ? A.Base : A.Begin;
  const BufferRecord *B = bufferOf(First, A.Base ? First + 1 : A.End, Owners);
  if (!Owners)
    B = Before;
  if (!B)
    return;
  OperandRecord &O = I.record().Operands[0];
  O.Buffer = B;
  O.Generation = B->Generation;
  const uint8_t *End = B->Address + B->Bytes;
  O.TensorBytes = End > A.Begin ? static_cast<uint64_t>(End - A.Begin) : 0;
}

/// Accesses of one line that follow each other in memory are told as one.
void VectorAccesses::tellAll() {
  std::unordered_map<const void *, size_t> Open;
  std::vector<Access> Merged;
  for (const Access &A : All) {
    if (A.Begin == A.End)
      continue;
    auto [It, New] = Open.try_emplace(A.PC, Merged.size());
    if (!New) {
      Access &Last = Merged[It->second];
      if (A.Write == Last.Write && A.Begin >= Last.Begin &&
          A.Begin <= Last.End) {
        Last.End = std::max(Last.End, A.End);
        continue;
      }
      It->second = Merged.size();
    }
    Merged.push_back(A);
  }
  std::unordered_map<const void *, const BufferRecord *> Buffers;
  for (const Access &A : Merged) {
    unsigned Owners;
    auto [It, New] = Buffers.try_emplace(A.PC);
    if (New)
      It->second = bufferOf(A.Begin, A.Begin + 1, Owners);
    tell(A, It->second);
  }
}

} // namespace belay::sim
