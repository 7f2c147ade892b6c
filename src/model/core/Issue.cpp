//===- Issue.cpp - An instruction on its way into a pipe ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Issue.h"

#include "abi/Wording.h"

#include "model/core/Device.h"
#include "model/core/Schedule.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace belay::sim {

void Issue::enterSchedule() {
  if (const void *PC = C.Order->replayed()) {
    Replayed = true;
    I.PC = PC;
    C.LastPC = PC;
    --C.Instructions;
    return;
  }
  // Library objects that drive several pipes are one step of the scalar unit.
  if (I.Kind <= InstructionKind::Copy && I.On == Pipe::S)
    drainPipes();
}

void Issue::leaveSchedule() {
  if (Replayed || Deferred || Dropped)
    return;
  if (I.Kind > InstructionKind::Copy)
    return C.Order->follow(I);
  if (!Drained && I.NumOperands) {
    std::fprintf(stderr, "belay: %s cannot be put off\n", I.Name);
    std::abort();
  }
}

void Issue::defer(std::function<void()> Body) {
  Deferred = true;
  if (!Dropped)
    C.Order->defer(I, OperandsFromData, std::move(Body));
}

void Issue::drainPipes() {
  if (Replayed)
    return;
  C.Order->drain();
  Drained = true;
}

void Issue::foreign() {
  TaskKind Task = C.device().task();
  Dropped = true;
  if (Task == TaskKind::Mix1To1 || Task == TaskKind::Mix1To2)
    return;
  bool Cube = C.Kind == CoreKind::Cube;
  fail("wrong-core", I.PC,
       Cube ? "say that the kernel needs vector cores: "
              "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2), or the task "
              "of the launch"
            : "say that the kernel needs cube cores: "
              "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY or a mixed one), "
              "or the task of the launch",
       "%s needs %s, which a launch of %s cores only does not have", I.Name,
       Cube ? "the vector unit or its UB" : nameOf(I.On),
       Cube ? "cube" : "vector");
}

void Issue::operand(const void *Address, const Extent &E, Elem T, bool Write,
                    uint32_t Alignment) {
  uint64_t Span = E.span();
  if (Span == 0)
    return;
  checkWork(E.work(), Span);
  I.Operands.reserve(I.NumOperands + 1);
  OperandRecord &O = I.Operands[I.NumOperands++];
  O.Address = Address;
  O.Bytes = E;
  O.Type = T;
  O.Write = Write;
  O.Where = C.Memories.spaceOf(Address);
  if (C.Watcher)
    attachTensor(O);
  constexpr int64_t Huge = int64_t(1) << 31; // what -1 looks like, and more
  if (C.Watcher && (E.BlockStride >= Huge || E.RepeatStride >= Huge))
    C.Watcher->onGap(
        static_cast<uint64_t>(std::max(E.BlockStride, E.RepeatStride)) -
            E.BlockBytes,
        I.PC);
  checkPlace(O, Alignment);
  // Only the fixpipe reaches from a cube core into a unified buffer.
  if (O.Where == Space::UB && C.Kind == CoreKind::Cube && I.On != Pipe::FIX &&
      I.Kind <= InstructionKind::Copy)
    foreign();
}

void Issue::checkPlace(OperandRecord &O, uint32_t Alignment) {
  if (O.Where == Space::Host)
    checkGlobal(O);
  else
    checkLocal(O, Alignment);
}

void Issue::inside(const void *Address, const Extent &E, Elem T, bool Write) {
  if (E.span() == 0)
    return;
  OperandRecord O = {};
  O.Address = Address;
  O.Bytes = E;
  O.Type = T;
  O.Write = Write;
  O.Where = C.Memories.spaceOf(Address);
  checkPlace(O, 1);
}

void Issue::checkWork(uint64_t Work, uint64_t Span) {
  /// Twice the largest local memory.
  constexpr uint64_t Most = uint64_t(4) << 20;
  if (__builtin_expect(Work > Most && Work > Span, 0))
    fail("bad-repeat", I.PC,
         "check count, repeat and strides: a stride of 0 stays at one place",
         "%s touches %llu bytes again and again, %llu in all", I.Name,
         static_cast<unsigned long long>(Span),
         static_cast<unsigned long long>(Work));
}

/// The newest note about the operand's address is the tensor it came from. Two
/// tensors may lie at one address: each is the operand of one note.
void Issue::attachTensor(OperandRecord &O) {
  unsigned Oldest =
      C.NumNotes > Core::MaxNotes ? C.NumNotes - Core::MaxNotes : 0;
  TensorNote *Found = nullptr;
  for (unsigned N = C.NumNotes; N-- > Oldest && !(Found && !Found->Taken);) {
    TensorNote &Note = C.Notes[N % Core::MaxNotes];
    if (Note.Address == O.Address && (!Found || !Note.Taken))
      Found = &Note;
  }
  if (!Found)
    return;
  Found->Taken = true;
  O.TensorBytes = Found->Bytes;
  O.Buffer = Found->Buffer;
  O.Generation = Found->Generation;
}

/// Ends the run because of an address in no memory at all.
void Issue::lost(const OperandRecord &O) {
  const char *Verb = O.Write ? "writes" : "reads";
  // Vector and cube instructions know local memory only.
  if (!O.Address && I.Kind == InstructionKind::Compute)
    fail("queue-state", I.PC, "call pipe.InitBuffer(buf, bytes) before Get",
         "%s %s a tensor that has no memory", I.Name, Verb);
  char Where[96] = "and in no memory of this core";
  const GlobalBuffer *B = C.device().nearestGlobal(O.Address);
  if (B && O.Address) {
    auto At = reinterpret_cast<uintptr_t>(O.Address);
    auto Begin = reinterpret_cast<uintptr_t>(B->Address);
    std::snprintf(Where, sizeof Where, "the nearest is '%s', %llu bytes %s",
                  B->Name,
                  static_cast<unsigned long long>(
                      At < Begin ? Begin - At : At - Begin - B->Bytes),
                  At < Begin ? "further on" : "back");
  }
  fail("gm-out-of-bounds", I.PC,
       "check that SetGlobalBuffer received a kernel argument and that the "
       "offset was computed in 64 bits",
       "%s %s %llu bytes at %p, which is in no argument of this launch; %s",
       I.Name, Verb, static_cast<unsigned long long>(O.Bytes.span()), O.Address,
       Where);
}

void Issue::checkGlobal(OperandRecord &O) {
  uint64_t Span = O.Bytes.span();
  const GlobalBuffer *B = C.device().findGlobal(O.Address);
  if (!B)
    lost(O);
  if (I.On == Pipe::V && I.Kind == InstructionKind::Compute)
    fail("wrong-memory", I.PC, "copy the data to a local tensor first",
         "%s works on local memory, but an operand lies in '%s'", I.Name,
         B->Name);
  const char *Verb = O.Write ? "writes" : "reads";
  uint64_t Offset = static_cast<const uint8_t *>(O.Address) - B->Address;
  if (Offset + Span > B->Bytes + B->Slack)
    fail("gm-out-of-bounds", I.PC,
         "clamp the last tile to what is left, or copy the tail with "
         "DataCopyPad",
         "%s %s bytes %llu to %llu of '%s', which has %llu bytes", I.Name, Verb,
         static_cast<unsigned long long>(Offset),
         static_cast<unsigned long long>(Offset + Span - 1), B->Name,
         static_cast<unsigned long long>(B->Bytes));
  if (O.Write && !B->Writable)
    fail("input-written", I.PC,
         "write to an output; if the kernel works in place, say so: --inout",
         "%s writes to '%s', which is an input of this launch", I.Name,
         B->Name);
  O.Where = Space::GM;
}

void Issue::checkLocal(const OperandRecord &O, uint32_t Alignment) {
  uint64_t Offset =
      static_cast<const uint8_t *>(O.Address) - C.Memories.base(O.Where);
  uint64_t Span = O.Bytes.span();
  const char *Verb = O.Write ? "writes" : "reads";
  if (Offset + Span > C.Memories.bytes(O.Where))
    fail("local-out-of-bounds", I.PC,
         "check count, repeat and strides against the size of the tensor",
         "%s %s bytes %llu to %llu of %s, which has %u bytes", I.Name, Verb,
         static_cast<unsigned long long>(Offset),
         static_cast<unsigned long long>(Offset + Span - 1), nameOf(O.Where),
         C.Memories.bytes(O.Where));
  if (Offset % Alignment) {
    const wording::Text T = wording::misaligned(
        I.Name, O.Write, O.Where, std::to_string(Offset), Alignment);
    fail("misaligned-address", I.PC, T.Hint.c_str(), "%s", T.Message.c_str());
  }
}

void Issue::needReservedUb() {
  const Machine &M = C.machine();
  uint32_t Used = C.Used[static_cast<unsigned>(Space::UB)];
  if (C.device().plan().Check && Used > M.UsableUbBytes)
    fail("local-capacity", I.PC,
         "leave the last bytes of UB free: the host's ReserveLocalMemory "
         "subtracts them",
         "%s keeps values of its own in the last %u bytes of UB, and the "
         "buffers of this kernel reach %u bytes into them",
         I.Name, M.UbBytes - M.UsableUbBytes, Used - M.UsableUbBytes);
}

void Issue::unsupported(Elem T) {
  const wording::Text Says =
      wording::unsupportedType(I.Name, T, C.machine().Arch);
  fail("unsupported-dtype", I.PC, Says.Hint.c_str(), "%s",
       Says.Message.c_str());
}

void Issue::unsupported(Elem To, Elem From) {
  const wording::Text Says =
      wording::unsupportedCast(I.Name, From, To, C.machine().Arch);
  fail("unsupported-dtype", I.PC, Says.Hint.c_str(), "%s",
       Says.Message.c_str());
}

} // namespace belay::sim
