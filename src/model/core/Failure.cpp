//===- Failure.cpp - Ending a run with a reason ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Failure.h"

#include "abi/DataLimit.h"

#include "model/core/Core.h"
#include "model/core/Device.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace belay::sim {

/// For test/security/fuzz_records.cpp: is called instead of ending the process,
/// and does not return.
BELAY_RUNTIME_API void (*FailureHook)() = nullptr;

namespace {

Report *TheReport;
uintptr_t KernelBegin, KernelEnd, CubeBegin, CubeEnd;
std::atomic<bool> Ending{false};
bool IsSealed = false;

/// What a thread needs to walk its own stack safely inside a signal handler.
struct ThreadInfo {
  Core *C;
  pthread_t Thread;
  void *SignalStack;
};
constexpr size_t SignalStackBytes = size_t(64) << 10;

std::mutex ThreadsMutex;
std::vector<ThreadInfo> Threads;
thread_local uintptr_t StackBegin, StackEnd, OwnBegin, OwnEnd;

/// The first failure wins; the others wait for the process to go.
void becomeTheEnd() {
  if (Ending.exchange(true))
    for (;;)
      pause();
}

[[noreturn]] void leave(Status S) {
  if (FailureHook) {
    Ending = false;
    FailureHook();
  }
  std::fflush(nullptr);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  TheReport->State = S;
  _exit(S == Status::Failed ? 1 : 4);
}

/// The program counter and frame pointer that a signal interrupted.
struct Interrupted {
  const void *PC;
  const void *Frame;
};
Interrupted interrupted(void *Context) {
  auto *U = static_cast<ucontext_t *>(Context);
#if defined(__x86_64__)
  return {reinterpret_cast<void *>(U->uc_mcontext.gregs[REG_RIP]),
          reinterpret_cast<void *>(U->uc_mcontext.gregs[REG_RBP])};
#elif defined(__aarch64__)
  return {reinterpret_cast<void *>(U->uc_mcontext.pc),
          reinterpret_cast<void *>(U->uc_mcontext.regs[29])};
#else
#error "no way to read the program counter on this machine"
#endif
}

/// What a signal says about a kernel that it ended.
[[noreturn]] void leaveCrashed(int Signal, const void *Address, bool Memory) {
  Report &R = *TheReport;
  R.Signal = Signal;
  Core *C = Core::currentOrNull();
  if (R.Where.NumFrames == 0 && C)
    describePlace(R.Where, C, C->LastPC, nullptr);
  const GlobalBuffer *Input =
      C && Signal == SIGSEGV ? C->device().findGlobal(Address) : nullptr;
  if (Input && !Input->Writable) {
    std::snprintf(R.FailureId, sizeof(R.FailureId), "input-written");
    std::snprintf(R.Message, sizeof(R.Message),
                  "a pointer writes to '%s', which is an input of this launch",
                  Input->Name);
    std::snprintf(R.Hint, sizeof(R.Hint),
                  "write to an output; if the kernel works in place, say so: "
                  "--inout");
    _exit((TheReport->State = Status::Crashed, 4));
  }
  std::snprintf(R.FailureId, sizeof(R.FailureId),
                Memory ? "memory-limit" : "kernel-crash");
  if (Memory)
    std::snprintf(R.Message, sizeof(R.Message),
                  "the kernel asked for more memory than it may have, and "
                  "stopped (%s)",
                  strsignal(Signal));
  else if (Signal == SIGSEGV || Signal == SIGBUS)
    std::snprintf(R.Message, sizeof(R.Message),
                  "the kernel touched address %p, which is not its memory (%s)",
                  Address, strsignal(Signal));
  else
    std::snprintf(R.Message, sizeof(R.Message), "the kernel was stopped: %s",
                  strsignal(Signal));
  _exit((TheReport->State = Status::Crashed, 4));
}

/// In a sealed run the kernel is in another process: what crashes here is ours.
[[noreturn]] void leaveBroken(int Signal) {
  Report &R = *TheReport;
  R.Signal = Signal;
  std::snprintf(R.FailureId, sizeof(R.FailureId), "belay-failed");
  std::snprintf(R.Message, sizeof(R.Message), "the model crashed: %s",
                strsignal(Signal));
  _exit((TheReport->State = Status::Crashed, 4));
}

void onCrash(int Signal, siginfo_t *Info, void *Context) {
  becomeTheEnd();
  if (IsSealed)
    leaveBroken(Signal);
  Interrupted I = interrupted(Context);
  // A return address lies one past its call; make this one look the same.
  describePlace(TheReport->Where, Core::currentOrNull(),
                static_cast<const char *>(I.PC) + 1, I.Frame);
  leaveCrashed(Signal, Info->si_addr, outOfMemory());
}

/// Slots that are taken, and threads that have written all they had to say.
std::atomic<unsigned> NumPlaced{0}, NumDone{0};

void placeInterrupted(void *Context) {
  Core *C = Core::currentOrNull();
  unsigned Slot = NumPlaced.fetch_add(1);
  if (!C || Slot >= MaxWaiting)
    return;
  Interrupted I = interrupted(Context);
  Place &P = TheReport->Waiting[Slot];
  describePlace(P, C, static_cast<const char *>(I.PC) + 1, I.Frame);
  if (P.NumFrames == 0)
    describePlace(P, C, C->LastPC, nullptr);
  const char *What = C->WaitingFor;
  std::snprintf(TheReport->WaitingFor[Slot], sizeof(TheReport->WaitingFor[0]),
                "%s", What ? What : "running");
}

/// Runs on each core's thread when the time is up.
void onPlaceRequest(int, siginfo_t *, void *Context) {
  placeInterrupted(Context);
  ++NumDone;
}

/// The launcher's request: say where everyone is, then go.
void onTimeUp(int) {
  becomeTheEnd();
  size_t Signalled = 0;
  for (const ThreadInfo &T : Threads) // the list is stable while cores run
    Signalled += pthread_kill(T.Thread, SIGUSR2) == 0;
  timespec Pause = {0, 2'000'000};
  for (int Tries = 0; Tries < 100 && NumDone < Signalled; ++Tries)
    nanosleep(&Pause, nullptr);
  Report &R = *TheReport;
  R.NumWaiting = NumPlaced < MaxWaiting ? NumPlaced.load() : MaxWaiting;
  if (R.NumWaiting)
    R.Where = R.Waiting[0];
  std::snprintf(R.FailureId, sizeof(R.FailureId), "kernel-timeout");
  std::snprintf(R.Message, sizeof(R.Message),
                "the kernel did not end within its time limit");
  R.State = Status::Failed;
  _exit(4);
}

void handle(int Signal, void (*Handler)(int, siginfo_t *, void *)) {
  struct sigaction A = {};
  A.sa_sigaction = Handler;
  A.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(Signal, &A, nullptr);
}

} // namespace

void setReport(Report *R) { TheReport = R; }
Report *report() { return TheReport; }

void setKernelRange(uintptr_t Begin, uintptr_t End) {
  KernelBegin = Begin;
  KernelEnd = End;
}

void setCubeRange(uintptr_t Begin, uintptr_t End) {
  CubeBegin = Begin;
  CubeEnd = End;
}

uint64_t kernelOffset(const void *PC) {
  uintptr_t A = reinterpret_cast<uintptr_t>(PC);
  if (A >= CubeBegin && A < CubeEnd)
    return (A - CubeBegin) | CubeObjectFrame;
  return A >= KernelBegin && A < KernelEnd ? A - KernelBegin : 0;
}

thread_local IssuedCall TheIssuedCall;

static void addFrame(Place &P, uint64_t Offset) {
  if (Offset && P.NumFrames < MaxStack &&
      (!P.NumFrames || P.Frames[P.NumFrames - 1] != Offset))
    P.Frames[P.NumFrames++] = Offset;
}

void setSealed() { IsSealed = true; }

void kernelCrashed(int Signal, const void *Address, bool OutOfMemory) {
  becomeTheEnd();
  describePlace(TheReport->Where, Core::currentOrNull(), TheIssuedCall.PC,
                &TheIssuedCall);
  leaveCrashed(Signal, Address, OutOfMemory);
}

void describePlace(Place &P, const Core *C, const void *PC, const void *Frame) {
  P = Place();
  if (C) {
    P.OnCore = true;
    P.Kind = C->Kind;
    P.Block = C->Block;
    P.SubBlock = C->SubBlock;
  }
  if (uint64_t Offset = kernelOffset(PC))
    P.Frames[P.NumFrames++] = Offset;
  if (IsSealed) { // this stack says nothing about the kernel
    const IssuedCall &Call = TheIssuedCall;
    for (uint32_t N = 0; Frame && Call.PC && N < Call.NumFrames; ++N)
      addFrame(P, kernelOffset(reinterpret_cast<void *>(Call.Frames[N])));
    return;
  }
  auto F = reinterpret_cast<uintptr_t>(Frame);
  while (F >= StackBegin && F + 16 <= StackEnd && F % 8 == 0 &&
         P.NumFrames < MaxStack) {
    auto *Words = reinterpret_cast<uintptr_t *>(F);
    addFrame(P, kernelOffset(reinterpret_cast<void *>(Words[1])));
    if (Words[0] <= F)
      break;
    F = Words[0];
  }
}

/// Common to both forms; the caller has formatted nothing yet.
static void beginFailure(const char *Id, const char *Hint) {
  becomeTheEnd();
  Report &R = *TheReport;
  std::snprintf(R.FailureId, sizeof(R.FailureId), "%s", Id);
  std::snprintf(R.Hint, sizeof(R.Hint), "%s", Hint ? Hint : "");
}

void fail(const char *Id, const void *PC, const char *Hint, const char *Format,
          ...) {
  beginFailure(Id, Hint);
  Report &R = *TheReport;
  va_list Args;
  va_start(Args, Format);
  std::vsnprintf(R.Message, sizeof(R.Message), Format, Args);
  va_end(Args);
  describePlace(R.Where, Core::currentOrNull(), PC, __builtin_frame_address(0));
  leave(Status::Failed);
}

void failAt(const char *Id, const void *PC, const void *OtherPC,
            const char *OtherRole, const char *Hint, const char *Format, ...) {
  beginFailure(Id, Hint);
  Report &R = *TheReport;
  va_list Args;
  va_start(Args, Format);
  std::vsnprintf(R.Message, sizeof(R.Message), Format, Args);
  va_end(Args);
  std::snprintf(R.OtherRole, sizeof(R.OtherRole), "%s", OtherRole);
  describePlace(R.Other, Core::currentOrNull(), OtherPC, nullptr);
  describePlace(R.Where, Core::currentOrNull(), PC, __builtin_frame_address(0));
  leave(Status::Failed);
}

void installSignalHandlers() {
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    handle(Signal, onCrash);
  handle(SIGUSR2, onPlaceRequest);
  struct sigaction A = {};
  A.sa_handler = onTimeUp;
  sigaction(SIGUSR1, &A, nullptr);
}

void enterCoreThread(Core &C) {
  Core::setCurrent(&C);
  pthread_attr_t Attr;
  pthread_getattr_np(pthread_self(), &Attr);
  void *Low;
  size_t Bytes;
  pthread_attr_getstack(&Attr, &Low, &Bytes);
  pthread_attr_destroy(&Attr);
  StackBegin = OwnBegin = reinterpret_cast<uintptr_t>(Low);
  StackEnd = OwnEnd = StackBegin + Bytes;
  void *Alternate = mmap(nullptr, SignalStackBytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t S = {};
  S.ss_sp = Alternate;
  S.ss_size = SignalStackBytes;
  sigaltstack(&S, nullptr);
  // The request of the launcher is the main thread's to answer.
  sigset_t Mask;
  sigemptyset(&Mask);
  sigaddset(&Mask, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &Mask, nullptr);
  std::lock_guard<std::mutex> Lock(ThreadsMutex);
  Threads.push_back({&C, pthread_self(), Alternate});
}

void setStackBounds(uintptr_t Begin, uintptr_t End) {
  StackBegin = Begin ? Begin : OwnBegin;
  StackEnd = Begin ? End : OwnEnd;
}

void leaveCoreThread(Core &C) {
  std::lock_guard<std::mutex> Lock(ThreadsMutex);
  for (size_t I = 0; I < Threads.size(); ++I)
    if (Threads[I].C == &C) {
      // A process may run many launches.
      stack_t None = {};
      None.ss_flags = SS_DISABLE;
      sigaltstack(&None, nullptr);
      munmap(Threads[I].SignalStack, SignalStackBytes);
      Threads.erase(Threads.begin() + static_cast<long>(I));
      break;
    }
  Core::setCurrent(nullptr);
}

} // namespace belay::sim
