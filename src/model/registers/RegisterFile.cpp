//===- RegisterFile.cpp - Registers of a vector function ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/registers/RegisterFile.h"

#include "abi/Functions.h"
#include "model/core/Issue.h"

namespace belay::sim {

/// What a register holds that nothing was written to.
static constexpr uint8_t Leftover = 0xa5;

RegisterFile &RegisterFile::current() {
  static thread_local RegisterFile TheFile;
  return TheFile;
}

void RegisterFile::begin(const void *PC) {
  if (Inside)
    fail("unsupported-api", PC, "end one vector function before the next",
         "a vector function is called inside of a vector function");
  Issue I("vector function", Pipe::V, PC);
  I.drain();
  I.record().OfFunction = true;
  C = &I.core();
  BeginPC = PC;
  Count = 0;
  C->NumNotes = 0;
  Inside = true;
  Dropped = I.dropped();
  Watched = C->Watcher && !Dropped;
  Registers.clear();
  Masks.clear();
  Unaligned.clear();
  if (Watched)
    Seen.begin(*C);
}

void RegisterFile::end(const void *PC) {
  if (!Inside)
    fail("unsupported-api", PC, "call it by asc_vf_call",
         "a vector function ends that has not begun");
  if (Watched) {
    reportLostBytes();
    Seen.end();
    Issue I("vector function", Pipe::V, BeginPC);
    I.drain();
    I.record().Inner = Count;
  }
  Inside = false;
}

bool RegisterFile::enter(const MicroCall &M) {
  ++Count;
  if (__builtin_expect(!Inside, 0))
    fail("unsupported-api", M.PC,
         "call the function by asc_vf_call, or put the code into __VEC_SCOPE__",
         "%s works on registers, which only vector functions have", M.Name);
  if (__builtin_expect(Watched && Seen.full(), 0))
    Seen.compact([&](auto Keep) {
      Registers.forEach([&](Register &R) { Keep(R.FilledBy); });
    });
  return !Dropped;
}

Register &RegisterFile::find(RegisterName Name, const MicroCall &M, bool &New) {
  Register *R = Registers.find(Name, New);
  if (!R)
    fail("unsupported-api", M.PC, "use fewer registers; the device has 32",
         "a vector function with more than 1024 registers");
  if (New) {
    std::memset(R->Bytes, Leftover, sizeof R->Bytes);
    std::memset(R->Undefined, 1, sizeof R->Undefined);
    R->Suspect = true;
    R->Written = false;
    R->FilledBy = 0;
    R->Root = nullptr;
  }
  return *R;
}

Register &RegisterFile::read(RegisterName Name, const MicroCall &M) {
  bool New;
  Register &R = find(Name, M, New);
  if (Watched && !R.Written) {
    Seen.misuse("uninitialised-read", M.PC,
                std::string(M.Name) + " reads a register that this vector "
                                      "function has not written",
                "load it, or fill it with Duplicate, first: registers keep "
                "nothing from one vector function to the next");
    R.Written = true; // once is enough
  }
  return R;
}

Register &RegisterFile::write(RegisterName Name, const MicroCall &M) {
  bool New;
  Register &R = find(Name, M, New);
  R.Written = true;
  R.FilledBy = 0;
  R.Root = nullptr;
  return R;
}

Register &RegisterFile::merge(RegisterName Name, const MicroCall &M) {
  bool New;
  Register &R = find(Name, M, New);
  // What fills it still does, for the lanes that stay.
  R.Written = true;
  return R;
}

MaskRegister &RegisterFile::findMask(RegisterName Name, const MicroCall &M,
                                     bool &New) {
  MaskRegister *R = Masks.find(Name, New);
  if (!R)
    fail("unsupported-api", M.PC, "use fewer masks; the device has 8",
         "a vector function with more than 512 masks");
  if (New)
    *R = MaskRegister();
  return *R;
}

const MaskRegister &RegisterFile::mask(RegisterName Name, const MicroCall &M) {
  bool New;
  MaskRegister &R = findMask(Name, M, New);
  if (Watched && !R.Written) {
    Seen.misuse("uninitialised-read", M.PC,
                std::string(M.Name) +
                    " reads a mask that this vector function has not written",
                "make it with CreateMask or UpdateMask first");
    R.Written = true;
  }
  return R;
}

MaskRegister &RegisterFile::writeMask(RegisterName Name, const MicroCall &M) {
  bool New;
  MaskRegister &R = findMask(Name, M, New);
  R.Written = true;
  return R;
}

UnalignedRegister &RegisterFile::unaligned(RegisterName Name,
                                           const MicroCall &M) {
  bool New;
  UnalignedRegister *R = Unaligned.find(Name, New);
  if (!R)
    fail("unsupported-api", M.PC, "use fewer of them; the device has 4",
         "a vector function with more than 128 unaligned registers");
  if (New)
    *R = UnalignedRegister();
  return *R;
}

void RegisterFile::forget(RegisterName Name, bool Mask) {
  MicroCall M = {"RegTensor", nullptr};
  bool New;
  if (!Inside || !Watched)
    return;
  if (Mask) {
    findMask(Name, M, New).Written = false;
    return;
  }
  Register &R = find(Name, M, New);
  R.Written = false;
  R.FilledBy = 0;
  R.Suspect = true;
  std::memset(R.Undefined, 1, sizeof R.Undefined);
}

/// What an unaligned store has kept back and nobody has stored.
void RegisterFile::reportLostBytes() {
  Unaligned.forEach([&](UnalignedRegister &U) {
    if (U.For == UnalignedRegister::Use::Store && U.Held)
      Seen.misuse("register-state", U.PC,
                  "the last " + std::to_string(U.Held) +
                      " bytes of an unaligned store never reach the UB: they "
                      "wait in the unaligned register for the rest of their "
                      "block",
                  "call StoreUnAlignPost with the same register after the last "
                  "StoreUnAlign");
  });
}

void unsupportedType(const MicroCall &M, Elem To, Elem From) {
  if (To == From)
    fail("unsupported-dtype", M.PC, "cast to a type that the instruction has",
         "%s has no form for registers of %s", M.Name, nameOf(To));
  fail("unsupported-dtype", M.PC, "go through a type that both have",
       "%s has no form for registers from %s to %s", M.Name, nameOf(From),
       nameOf(To));
}

void unsupportedForm(const MicroCall &M, const char *What) {
  fail("unsupported-api", M.PC, "use another form, or run it on a device",
       "%s: %s", M.Name, What);
}

} // namespace belay::sim

using namespace belay::sim;

void belay_sim_vector_begin() { RegisterFile::current().begin(BELAY_PC); }
void belay_sim_vector_end() { RegisterFile::current().end(BELAY_PC); }
void belay_sim_register_new(RegisterName Name, bool Mask) {
  RegisterFile::current().forget(Name, Mask);
}
int64_t belay_sim_register_ar() { return RegisterFile::current().Ar; }

void belay_sim_register_barrier(MemoryPort From, MemoryPort To) {
  RegisterFile &F = RegisterFile::current();
  if (!F.enter({"LocalMemBar", BELAY_PC}))
    return;
  if (VectorAccesses *A = F.accesses())
    A->barrier(From, To);
}

uint32_t belay_sim_register_mask(uint32_t Count, uint32_t Lanes) {
  return Count > Lanes ? Count - Lanes : 0;
}
