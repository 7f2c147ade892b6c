//===- Places.cpp - Where vector functions may load and store -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/registers/Places.h"

#include "abi/Wording.h"

namespace belay::sim {

void checkPlace(const RegisterFile &F, const MicroCall &M, const uint8_t *At,
                uint64_t Bytes, bool Write, uint32_t Alignment) {
  const LocalMemories &Local = F.core().Memories;
  const uint8_t *Base = Local.base(Space::UB);
  auto Offset = static_cast<uint64_t>(At - Base);
  uint32_t All = Local.bytes(Space::UB);
  if (__builtin_expect(
          Offset < All && Bytes <= All - Offset && Offset % Alignment == 0, 1))
    return;
  if (Local.spaceOf(At) != Space::UB)
    fail("wrong-memory", M.PC,
         "pass GetPhyAddr() of a LocalTensor in the UB to the vector function",
         "%s %s %p, which is not in the UB: vector functions know no other "
         "memory",
         M.Name, Write ? "writes" : "reads", static_cast<const void *>(At));
  if (Offset >= All || Bytes > All - Offset)
    fail("local-out-of-bounds", M.PC,
         "check the number of iterations and the offsets against the size of "
         "the buffer; a load reads a whole register, whatever the masks are",
         "%s %s bytes %llu to %llu of UB, which has %u bytes", M.Name,
         Write ? "writes" : "reads", static_cast<unsigned long long>(Offset),
         static_cast<unsigned long long>(Offset + Bytes - 1), All);
  const wording::Text T = wording::misaligned(
      M.Name, Write, Space::UB, std::to_string(Offset), Alignment);
  fail("misaligned-address", M.PC, T.Hint.c_str(), "%s", T.Message.c_str());
}

void checkIndexed(const RegisterFile &F, const MicroCall &M,
                  const uint8_t *Base, uint32_t Lane, uint64_t Index,
                  uint32_t Unit, bool Write) {
  const LocalMemories &Local = F.core().Memories;
  auto Offset = static_cast<uint64_t>(Base - Local.base(Space::UB));
  uint64_t Room = Local.bytes(Space::UB) - Offset;
  if (Index < Room && Unit <= Room && Index <= (Room - Unit) / Unit)
    return;
  fail("local-out-of-bounds", M.PC,
       "check the indices, or leave the lanes out by the mask",
       "%s %s element %llu from byte %llu of UB for lane %u; UB has %u bytes",
       M.Name, Write ? "writes" : "reads",
       static_cast<unsigned long long>(Index),
       static_cast<unsigned long long>(Offset), Lane, Local.bytes(Space::UB));
}

uint64_t indexOf(RegisterFile &F, const MicroCall &M, const Register &Indices,
                 uint32_t Lane, uint32_t Wide) {
  uint64_t Index = 0;
  std::memcpy(&Index, Indices.Bytes + size_t(Lane) * Wide, Wide);
  if (VectorAccesses *A = F.accesses(); A && Indices.Suspect)
    for (uint32_t B = Lane * Wide; B < (Lane + 1) * Wide; ++B)
      if (Indices.Undefined[B]) {
        A->misuse("uninitialised-read", M.PC,
                  std::string(M.Name) + " takes lane " + std::to_string(Lane) +
                      " for an index, and nothing has given it a value",
                  "initialise the indices, or leave the lanes out by the mask",
                  Indices.Root, "loaded");
        break;
      }
  return Index;
}

uint8_t unitOf(const MicroCall &M, uint32_t Unit, Elem T) {
  if (!Unit)
    Unit = bytesOf(T);
  if (Unit > 8 || (Unit & (Unit - 1)))
    unsupportedForm(M, "elements of no such length");
  return static_cast<uint8_t>(Unit);
}

} // namespace belay::sim
