//===- Gates.cpp - What a sealed kernel may read, and when ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel runs ahead of the model, so memory that the model changes is closed
// while calls are outstanding. A read of it faults, waits for the model, and
// opens it. A store through a pointer faults in open memory; it goes to a
// private copy of its page, and what has changed there is sent to the model
// before the next call.
//
// None of this is a wall: the wall is that the memory files cannot be mapped
// for writing any more. A kernel that breaks it sees old values.
//
//===----------------------------------------------------------------------===//

#include "abi/DataLimit.h"
#include "sealed/issuer/Issuer.h"

#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace belay::sim::sealed {

namespace {

constexpr size_t Page = 4096;
constexpr size_t SlotBytes = size_t(2) << 20;
constexpr size_t NumSlots = static_cast<size_t>(Space::Host);

struct Gate {
  uint8_t *Begin;
  size_t Bytes; // whole pages
  int File;
  uint64_t Offset;
  bool Open;
};
constexpr unsigned MaxGates = MaxArgs + MaxElements + NumSlots;
Gate Gates[MaxGates];
unsigned NumGates, NumOpen;

/// Pages that hold stores the model has not heard of, and what they held.
constexpr unsigned MaxDirty = 1 << 16;
uint8_t **DirtyPages;
uint8_t *Snapshots;
unsigned NumDirty;

void addGate(uint64_t Address, size_t Bytes, int File, uint64_t Offset) {
  auto *Begin = reinterpret_cast<uint8_t *>(Address);
  if (!Bytes)
    return;
  if (mmap(Begin, Bytes, PROT_NONE, MAP_SHARED | MAP_FIXED_NOREPLACE, File,
           static_cast<off_t>(Offset)) != Begin)
    _exit(2);
  Gates[NumGates++] = {Begin, Bytes, File, Offset, false};
}

Gate *find(const void *Address) {
  for (unsigned N = 0; N < NumGates; ++N)
    if (static_cast<size_t>(static_cast<const uint8_t *>(Address) -
                            Gates[N].Begin) < Gates[N].Bytes)
      return &Gates[N];
  return nullptr;
}

void open(Gate &G) {
  drain();
  if (G.Open)
    return;
  mprotect(G.Begin, G.Bytes, PROT_READ);
  G.Open = true;
  ++NumOpen;
}

/// Lets the kernel write to a page of its own instead.
void divert(uint8_t *At) {
  auto *Begin = reinterpret_cast<uint8_t *>(reinterpret_cast<uintptr_t>(At) &
                                            ~(Page - 1));
  if (NumDirty == MaxDirty)
    _exit(2);
  uint8_t *Snapshot = Snapshots + NumDirty * Page;
  std::memcpy(Snapshot, Begin, Page);
  if (mmap(Begin, Page, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    _exit(2);
  std::memcpy(Begin, Snapshot, Page);
  DirtyPages[NumDirty++] = Begin;
}

void sendStore(const uint8_t *From, size_t Bytes) {
  RawStore Store = {reinterpret_cast<uint64_t>(From), Bytes};
  beginRecord(Function::raw_store, nullptr);
  TheIssuer.Record.put(&Store, sizeof(Store));
  TheIssuer.Record.put(From, static_cast<uint32_t>(Bytes));
  sendRecord();
}

void onFault(int Signal, siginfo_t *Info, void *Context) {
  Gate *G = Signal == SIGSEGV ? find(Info->si_addr) : nullptr;
  if (G && !G->Open)
    return open(*G);
  if (G)
    return divert(static_cast<uint8_t *>(Info->si_addr));
  auto *U = static_cast<ucontext_t *>(Context);
#if defined(__x86_64__)
  auto PC = static_cast<uintptr_t>(U->uc_mcontext.gregs[REG_RIP]);
  auto Frame = static_cast<uintptr_t>(U->uc_mcontext.gregs[REG_RBP]);
#else
  auto PC = static_cast<uintptr_t>(U->uc_mcontext.pc);
  auto Frame = static_cast<uintptr_t>(U->uc_mcontext.regs[29]);
#endif
  // A return address lies one past its call; make this one look the same.
  Crash C = {reinterpret_cast<uint64_t>(Info->si_addr), Signal, outOfMemory()};
  beginRecord(Function::crash, reinterpret_cast<void *>(Frame), PC + 1);
  TheIssuer.Record.put(&C, sizeof(C));
  sendRecord();
  drain();
  _exit(4);
}

constexpr size_t StackBytes = 64 << 10;
/// For each core: snapshots and their pages, a stack, records of buffers.
constexpr size_t ReservedBytes = size_t(512) << 20;
uint8_t *Reserved, *ReservedEnd;

} // namespace

void reserveMemory() {
  void *Room = mmap(nullptr, MaxCores * ReservedBytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Room == MAP_FAILED)
    _exit(2);
  Reserved = static_cast<uint8_t *>(Room);
}

void *takeReserved(size_t Bytes) {
  uint8_t *Room = Reserved;
  Bytes = (Bytes + Page - 1) / Page * Page;
  if (Bytes > static_cast<size_t>(ReservedEnd - Room))
    _exit(2);
  Reserved += Bytes;
  return Room;
}

uint8_t *localMemory(Space S) {
  return reinterpret_cast<uint8_t *>(
      LocalBase +
      (TheIssuer.Core * NumSlots + static_cast<size_t>(S)) * SlotBytes);
}

void mapArguments() {
  const IssuePlan &P = *TheIssuer.Plan;
  for (uint32_t N = 0; N < P.NumBuffers; ++N) {
    const SharedBuffer &B = P.Buffers[N];
    if (B.Writable) {
      addGate(B.Address, B.Bytes, TheIssuer.GlobalFd, B.Offset);
      continue;
    }
    void *Begin = reinterpret_cast<void *>(B.Address);
    if (B.Bytes &&
        mmap(Begin, B.Bytes, PROT_READ, MAP_SHARED | MAP_FIXED_NOREPLACE,
             TheIssuer.GlobalFd, static_cast<off_t>(B.Offset)) != Begin)
      _exit(2);
  }
}

void mapLocalMemories() {
  for (size_t Slot = 1; Slot < NumSlots; ++Slot) {
    auto S = static_cast<Space>(Slot);
    size_t Bytes = (belay_sim_memory_bytes(S) + Page - 1) / Page * Page;
    auto Address = reinterpret_cast<uint64_t>(localMemory(S));
    addGate(Address, Bytes, TheIssuer.LocalFd, Address - LocalBase);
  }
  Reserved += TheIssuer.Core * ReservedBytes;
  ReservedEnd = Reserved + ReservedBytes;
  Snapshots = static_cast<uint8_t *>(takeReserved(MaxDirty * Page));
  DirtyPages =
      static_cast<uint8_t **>(takeReserved(MaxDirty * sizeof(uint8_t *)));
}

void flushStores() {
  unsigned Count = NumDirty;
  NumDirty = 0;
  for (unsigned N = 0; N < Count; ++N) {
    uint8_t *Now = DirtyPages[N];
    const uint8_t *Before = Snapshots + N * Page;
    // Only what has changed: other cores may write what lies between.
    for (size_t At = 0; At < Page;) {
      if (Now[At] == Before[At]) {
        ++At;
        continue;
      }
      size_t End = At + 1;
      while (End < Page && Now[End] != Before[End])
        ++End;
      sendStore(Now + At, End - At);
      At = End;
    }
    Gate *G = find(Now);
    if (mmap(Now, Page, G->Open ? PROT_READ : PROT_NONE, MAP_SHARED | MAP_FIXED,
             G->File,
             static_cast<off_t>(G->Offset + (Now - G->Begin))) == MAP_FAILED)
      _exit(2);
  }
}

void closeMemories() {
  for (unsigned N = 0; NumOpen && N < NumGates; ++N)
    if (Gates[N].Open) {
      mprotect(Gates[N].Begin, Gates[N].Bytes, PROT_NONE);
      Gates[N].Open = false;
      --NumOpen;
    }
}

void openFor(const void *Address, bool Write) {
  Gate *G = find(Address);
  if (!G)
    return;
  open(*G);
  if (Write)
    divert(static_cast<uint8_t *>(const_cast<void *>(Address)));
}

bool isGated(const void *Address) { return find(Address); }

bool isDeviceMemory(const void *Address) {
  if (isGated(Address))
    return true;
  const IssuePlan &P = *TheIssuer.Plan;
  auto At = reinterpret_cast<uint64_t>(Address);
  // With the unmapped pages on either side.
  for (uint32_t N = 0; N < P.NumBuffers; ++N)
    if (At - P.Buffers[N].Address + Page < P.Buffers[N].Bytes + 2 * Page)
      return true;
  return false;
}

bool hasStores() { return NumDirty != 0; }

void installFaultHandler() {
  stack_t Stack = {};
  Stack.ss_sp = takeReserved(StackBytes);
  Stack.ss_size = StackBytes;
  sigaltstack(&Stack, nullptr);
  struct sigaction A = {};
  A.sa_sigaction = onFault;
  // A fault inside a handler of the kernel's own is handled as well.
  A.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    sigaction(Signal, &A, nullptr);
}

} // namespace belay::sim::sealed
