//===- Issuer.h - One core of a sealed kernel -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_ISSUER_ISSUER_H
#define BELAY_SEALED_ISSUER_ISSUER_H

#include "abi/Pointers.h"
#include "sealed/issuer/Encoder.h"

namespace belay::sim::sealed {

/// What the process of one core has: its ring, its identity, its memories.
struct Issuer {
  const IssuePlan *Plan;
  int GlobalFd, LocalFd;
  Ring *Channel;
  uint32_t Core;
  Identity Self;
  uint64_t Written = 0; // also what has not been published
  uint64_t Published = 0;
  uint64_t TakenSeen = 0; // of what the model has taken
  uintptr_t StackEnd;
  // The kernel's objects, to make offsets of program counters.
  uintptr_t CodeBegin, CodeEnd, CubeBegin, CubeEnd;
  void *Workspace = nullptr;
  AnnouncedAccess Announced; // while nothing else was sent
  Encoder Record;
};
extern Issuer TheIssuer;

/// Program counters of the kernel as the model knows them; 0 for others.
uint64_t codeOf(uintptr_t PC);

/// Begins a record with the kernel's call stack, from a frame of it on. First,
/// if given, stands before the frames.
void beginRecord(Function F, const void *Frame, uintptr_t First = 0);
/// The same for a record that the kernel's stores need not come before.
void beginNote(Function F, const void *Frame, uintptr_t First = 0);
/// Puts the record into the ring; the model executes it some time later.
void sendRecord();
/// Waits until the model has executed all that was sent.
void drain();

/// One call of the kernel, which does not wait.
template <Function F, typename... Params>
void issue(const void *Frame, Params... P);
/// One call that waits; its answer is in Channel->Answer.
template <Function F, typename... Params>
void ask(const void *Frame, Params... P);

/// While observed, an access of a thread (Threads.cpp).
void tellThreadAccess(const void *Frame, uint32_t Thread, const void *Address,
                      uint64_t Bytes, bool Write);

// --- memory (Gates.cpp) ------------------------------------------------------

/// Room for all cores, shared between them: private memory would count against
/// the memory limit of the kernel.
void reserveMemory();
/// Of this core's part of it.
void *takeReserved(size_t Bytes);
void mapArguments();
void mapLocalMemories();
uint8_t *localMemory(Space S);
/// Crashes are told to the model; other faults are about gates.
void installFaultHandler();

/// Stores through pointers that the model has not heard of, and telling it.
bool hasStores();
void flushStores();
/// Memory that outstanding calls may change is closed.
void closeMemories();
/// Whether an address lies in memory that is closed at times.
bool isGated(const void *Address);
/// The same, or an input, or right before or after one.
bool isDeviceMemory(const void *Address);
/// Lets the kernel access it right away, instead of by a fault.
void openFor(const void *Address, bool Write);

// -----------------------------------------------------------------------------

template <Function F, typename... Params>
void issue(const void *Frame, Params... P) {
  beginRecord(F, Frame);
  TheIssuer.Record.parameters<F>(P...);
  sendRecord();
  closeMemories();
}

template <Function F, typename... Params>
void ask(const void *Frame, Params... P) {
  beginRecord(F, Frame);
  TheIssuer.Record.parameters<F>(P...);
  sendRecord();
  drain();
}

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_ISSUER_ISSUER_H
