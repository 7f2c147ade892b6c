//===- Ring.cpp - The ring of a sealed run, made of noise -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is what a kernel leaves in its ring: eight bytes that are added to
// the cursor after it, and records. libFuzzer changes them as it likes, and now
// and then a record is added as the issuer writes it (test/security/Records.h),
// which noise does not become. Memory lies at the addresses that it has in a
// run, so that inputs mean the same in every process.
//
//===----------------------------------------------------------------------===//

#include "../../security/Records.h"

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "model/core/Failure.h"
#include "sealed/Seat.h"
#include "targets/Target.h"

#include "abi/MachineOf.h"

#include <csetjmp>
#include <cstdlib>
#include <new>
#include <semaphore>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace belay::sim {
extern void (*FailureHook)();
} // namespace belay::sim

using namespace belay::sim;
using namespace belay::sim::fuzzing;

// NOLINTNEXTLINE(bugprone-reserved-identifier): of libFuzzer
extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

/// A refusal leaves by longjmp what the call had; and as in fuzz_records.
// NOLINTNEXTLINE(bugprone-reserved-identifier): of the sanitizers' interface
extern "C" const char *__asan_default_options() {
  return "detect_leaks=0:min_uar_stack_size_log=16:max_uar_stack_size_log=16:"
         "malloc_context_size=4";
}

namespace {

constexpr size_t CursorBytes = 8;
jmp_buf Back;
Ring *TheRing;
Device *TheDevice;
const uint8_t *Input;
size_t InputBytes;
std::binary_semaphore HasInput{0}, IsDone{0};

/// Other functions wait for cores that are not there, or end the process.
bool isLast(unsigned F) {
  return waits(F) || F == static_cast<unsigned>(Function::crash) ||
         F == static_cast<unsigned>(Function::raw_store);
}

void fillRing() {
  uint64_t Forged = 0;
  std::memcpy(&Forged, Input, std::min(InputBytes, CursorBytes));
  size_t Bytes = InputBytes < CursorBytes ? 0 : InputBytes - CursorBytes;
  Bytes = std::min<size_t>(Bytes, RingBytes);
  std::memcpy(TheRing->Data, Input + InputBytes - Bytes, Bytes);
  TheRing->Taken = 0;
  TheRing->Written = (Bytes & ~size_t(7)) + Forged;
}

/// Takes records out of the ring until one is refused.
void drainRing(Seat &S) {
  S.attach(*TheRing);
  if (setjmp(Back))
    return;
  fillRing();
  while (S.takeRecord()) {
    uint8_t Header[sizeof(RecordHeader)];
    std::memcpy(Header, &S.header(), sizeof(Header));
    if (S.isNextBlock() || isLast(functionOf(Header)))
      return;
    S.execute();
  }
}

/// What a core is before its first block: an input must not depend on others.
void playInputs(void *const *) {
  static Seat S;
  Core &C = *TheDevice->cores().front();
  for (;;) {
    HasInput.acquire();
    drainRing(S);
    C.Regs = Registers();
    C.Objects.clear();
    IsDone.release();
  }
}

void *mapAt(uint64_t Address, size_t Bytes) {
  auto *At = reinterpret_cast<void *>(Address);
  if (mmap(At, Bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
           -1, 0) != At)
    std::abort();
  return At;
}

[[noreturn]] void playDevice() {
  static Launch L;
  L.Ask.Target = machineOf(*belay::targets::findSoc("Ascend910B1"));
  L.Ask.NumBlocks = L.Ask.RunSlots = 1;
  setReport(&L.Answer);
  setSealed();
  setKernelRange(CodeBase, CodeBase + CodeBytes);
  FailureHook = [] { longjmp(Back, 1); };
  Device D(L.Ask);
  TheDevice = &D;
  for (uint8_t *B : Buffers)
    D.addGlobal({B, BufferBytes, B != Buffers[0], "buffer"});
  D.shareLocal(TheWindow, /*Used=*/false);
  Entry E = {};
  E.Invoke = playInputs;
  D.run(E, E, TaskKind::Vector, nullptr);
  std::abort();
}

} // namespace

/// A request that no machine can fulfil ends the run, as in SealedKernel.
void *operator new(size_t Bytes) {
  if (Bytes > size_t(1) << 30 && TheDevice)
    refuse("more memory than there is");
  void *At = std::malloc(Bytes);
  if (!At)
    std::abort();
  return At;
}
void operator delete(void *At) noexcept { std::free(At); }
void operator delete(void *At, size_t) noexcept { std::free(At); }

uint64_t belay::sim::sealed::ordinalOf(const void *) { return pick(12); }

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  TheRing = new Ring();
  uint64_t Next = GlobalBase;
  for (uint8_t *&B : Buffers) {
    Next += 4096; // a page that is not mapped before each of them
    B = static_cast<uint8_t *>(mapAt(Next, BufferBytes));
    Next += BufferBytes;
  }
  TheWindow =
      static_cast<uint8_t *>(mapAt(LocalBase, LocalMemories::WindowBytes));
  // What kernels print is no output of this program.
  (void)!freopen("/dev/null", "w", stdout);
  std::thread(playDevice).detach();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Input = Data;
  InputBytes = Size;
  HasInput.release();
  IsDone.acquire();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned int Seed) {
  Random.seed(Seed);
  if (Size >= CursorBytes && !chance(25))
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  static Encoder Record;
  alignas(8) static uint8_t Bytes[MaxRecord];
  unsigned F;
  do
    F = static_cast<unsigned>(pick(NumMakers));
  while (waits(F));
  uint32_t Count = makeRecord(Record, F, Bytes);
  if (Size < CursorBytes) {
    std::memset(Data, 0, std::min(CursorBytes, MaxSize));
    Size = CursorBytes;
  }
  Size &= ~size_t(7);
  if (Size + Count > MaxSize)
    return LLVMFuzzerMutate(Data, std::min(Size, MaxSize), MaxSize);
  std::memcpy(Data + Size, Bytes, Count);
  return Size + Count;
}
