//===- State.cpp - Registers, identity, notes, output ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "model/core/Device.h"
#include "model/core/Issue.h"
#include "model/instructions/Dtypes.h"

#include <chrono>
#include <cstdio>

using namespace belay::sim;

bool belay_sim_observed = false;

void belay_sim_set_mask(uint64_t High, uint64_t Low) {
  Registers &R = Core::current().Regs;
  R.MaskHigh = High;
  R.MaskLow = Low;
}

void belay_sim_set_mask_counter(bool Counter) {
  Registers &R = Core::current().Regs;
  R.MaskCounter = Counter;
  R.MaskCounterAt = BELAY_PC;
}

/// Refuses element types that the part's copies cannot combine.
static void checkAtomic(Issue &I, AtomicOp Op, Elem T) {
  if (Op == AtomicOp::None)
    return;
  bool All = I.core().arch().hasAllAtomics;
  requireFact(I, All || Op == AtomicOp::Add);
  bool Legal = T == Elem::S16 || T == Elem::F16 || T == Elem::F32 ||
               (All && (T == Elem::S8 || T == Elem::BF16 || T == Elem::S32));
  if (!Legal)
    I.unsupported(T);
}

void belay_sim_set_atomic(AtomicOp Op, Elem T) {
  constexpr const char *Names[] = {"SetAtomicNone", "SetAtomicAdd",
                                   "SetAtomicMax", "SetAtomicMin"};
  Issue I(Names[static_cast<unsigned>(Op)], Pipe::S, BELAY_PC,
          InstructionKind::ScalarAccess);
  checkAtomic(I, Op, T);
  I.core().Regs.Atomic = Op;
  I.core().Regs.AtomicType = T;
  I.core().Regs.AtomicAt = I.pc();
}

void belay_sim_set_atomic_type(Elem T) {
  Issue I("SetAtomicType", Pipe::S, BELAY_PC, InstructionKind::ScalarAccess);
  checkAtomic(I, AtomicOp::Add, T);
  I.core().Regs.AtomicType = T;
}

void belay_sim_get_atomic(AtomicOp *Op, Elem *T) {
  *Op = Core::current().Regs.Atomic;
  *T = Core::current().Regs.AtomicType;
}

void belay_sim_set_saturation(bool Float, bool On) {
  Issue I("SetSaturationFlag", Pipe::S, BELAY_PC,
          InstructionKind::ScalarAccess);
  requireFact(I, I.core().arch().hasSaturationFlag);
  VectorRegisters &R = I.core().Regs.Vector;
  (Float ? R.SaturateFloat : R.SaturateInteger) = On;
}

bool belay_sim_get_saturation(bool Float) {
  const VectorRegisters &R = Core::current().Regs.Vector;
  return Float ? R.SaturateFloat : R.SaturateInteger;
}

uint32_t belay_sim_block_idx() {
  Core &C = Core::current();
  if (C.Kind != CoreKind::Vector)
    return C.Block;
  // Vector cores of a mixed kernel are numbered through.
  return C.Block * belay_sim_sub_block_num() + C.SubBlock;
}

uint32_t belay_sim_block_num() {
  return Core::current().device().plan().NumBlocks;
}

uint32_t belay_sim_sub_block_idx() { return Core::current().SubBlock; }

uint32_t belay_sim_sub_block_num() {
  Core &C = Core::current();
  return C.Kind == CoreKind::Vector && C.device().task() == TaskKind::Mix1To2
             ? 2
             : 1;
}

bool belay_sim_is_cube() { return Core::current().Kind != CoreKind::Vector; }
bool belay_sim_is_vector() { return Core::current().Kind != CoreKind::Cube; }

uint64_t belay_sim_tiling_key() {
  return Core::current().device().plan().TilingKey;
}

int64_t belay_sim_cycles() {
  Core &C = Core::current();
  C.device().slots().yield(); // whoever reads the clock may be polling
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

void *belay_sim_workspace() { return Core::current().Workspace; }
void belay_sim_set_workspace(void *P) { Core::current().Workspace = P; }

uint8_t *belay_sim_memory(Space S) { return Core::current().Memories.base(S); }
uint32_t belay_sim_memory_bytes(Space S) {
  return Core::current().Memories.bytes(S);
}

void belay_sim_note_offset(uint64_t Elements) {
  if (Observer *O = Core::current().Watcher.get())
    O->onOffset(Elements, BELAY_PC);
}

void belay_sim_note_buffer(const void *Address, uint32_t ElementBytes) {
  Core &C = Core::current();
  const GlobalBuffer *B = C.device().findGlobal(Address);
  if (C.Watcher && B)
    C.Watcher->onOffset(
        static_cast<uint64_t>(static_cast<const uint8_t *>(Address) -
                              B->Address) /
            ElementBytes,
        BELAY_PC);
}

void belay_sim_note_slice(const void *Address, uint64_t Bytes,
                          const void *Buffer) {
  if (Observer *O = Core::current().Watcher.get())
    O->onSlice(Address, Bytes, *static_cast<const BufferRecord *>(Buffer),
               BELAY_PC);
}

void belay_sim_note_tensor(const void *Address, uint64_t Bytes,
                           const void *Buffer, uint32_t Generation) {
  Core &C = Core::current();
  // More tensors than any instruction has operands: the oldest are leftovers.
  C.Notes[C.NumNotes++ % Core::MaxNotes] = {
      Address, Bytes, static_cast<const BufferRecord *>(Buffer), Generation};
}

void belay_sim_element_past_end(const void *Address, uint32_t Bytes,
                                uint64_t Index, uint64_t Size) {
  const LocalMemories &Local = Core::current().Memories;
  Space Where = Local.spaceOf(Address);
  if (!belay_sim_observed && Where != Space::Host) {
    const auto *First = static_cast<const uint8_t *>(Address);
    if (First + Bytes <= Local.base(Where) + Local.bytes(Where))
      return;
  }
  fail("local-out-of-bounds", BELAY_PC, "check the index against GetSize()",
       "element %llu of a tensor of %llu elements",
       static_cast<unsigned long long>(Index),
       static_cast<unsigned long long>(Size));
}

void belay_sim_fail(const char *Id, const char *Message, const char *Hint) {
  fail(Id, BELAY_PC, Hint, "%s", Message);
}

void belay_sim_print(const char *Text, uint32_t Bytes) {
  std::fwrite(Text, 1, Bytes, stdout);
}
