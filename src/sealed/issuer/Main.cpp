//===- Main.cpp - The process that holds a sealed kernel ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// belay-issuer [KERNEL.so [CUBE.so]]
//
// Started by belay-runner with a socket, over which it is sent the descriptors
// of Protocol.h. Loads the kernel, by default what belay-sandbox has copied to
// the root folder, says what cores it needs, and becomes one process for each.
//
//===----------------------------------------------------------------------===//

#include "runner/KernelObject.h"
#include "sandbox/Calls.h"
#include "sandbox/Descriptors.h"
#include "sealed/Futex.h"
#include "sealed/issuer/Issuer.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belay::sim::sealed {

Issuer TheIssuer;

uint64_t codeOf(uintptr_t PC) {
  const Issuer &I = TheIssuer;
  if (PC >= I.CubeBegin && PC < I.CubeEnd)
    return CubeCodeBase + (PC - I.CubeBegin);
  return PC >= I.CodeBegin && PC < I.CodeEnd ? CodeBase + (PC - I.CodeBegin)
                                             : 0;
}

void beginRecord(Function F, const void *Frame, uintptr_t First) {
  if (hasStores())
    flushStores();
  TheIssuer.Announced = {};
  beginNote(F, Frame, First);
}

void beginNote(Function F, const void *Frame, uintptr_t First) {
  Encoder &To = TheIssuer.Record;
  To.begin(F);
  unsigned Room = MaxStack;
  if (uint64_t Code = First ? codeOf(First) : 0) {
    To.addFrame(Code);
    --Room;
  }
  auto At = reinterpret_cast<uintptr_t>(Frame);
  uintptr_t Lowest = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  while (At && At > Lowest - (64 << 10) && At < TheIssuer.StackEnd &&
         At % 8 == 0 && Room) {
    auto *Words = reinterpret_cast<const uintptr_t *>(At);
    if (uint64_t Code = codeOf(Words[1])) {
      To.addFrame(Code);
      --Room;
    }
    if (Words[0] <= At)
      break;
    At = Words[0];
  }
}

/// The model looks at what is published. Not every record by itself: both would
/// wait for each other's caches.
static constexpr uint64_t PublishAt = 2048;

static void publish() {
  Issuer &I = TheIssuer;
  if (I.Published == I.Written)
    return;
  I.Published = I.Written;
  I.Channel->Written.store(I.Written, std::memory_order_seq_cst);
  if (I.Channel->ModelSleeps.load(std::memory_order_seq_cst))
    wake(I.Channel->Written);
}

static void awaitTaken(uint64_t Target) {
  Ring &R = *TheIssuer.Channel;
  for (unsigned Tries = 0; Tries < Spins; ++Tries) {
    if (R.Taken.load(std::memory_order_acquire) >= Target)
      return;
    relax();
  }
  for (;;) {
    R.WakeAt.store(Target, std::memory_order_seq_cst);
    uint64_t Now = R.Taken.load(std::memory_order_seq_cst);
    if (Now >= Target)
      break;
    sleepOn(R.Taken, Now);
  }
  R.WakeAt.store(NeverWake, std::memory_order_relaxed);
}

void drain() {
  publish();
  awaitTaken(TheIssuer.Written);
}

void sendRecord() {
  Issuer &I = TheIssuer;
  const uint8_t *From = I.Record.finish();
  uint32_t Bytes = I.Record.bytes();
  if (I.Written + Bytes - I.TakenSeen > RingBytes)
    I.TakenSeen = I.Channel->Taken.load(std::memory_order_acquire);
  if (I.Written + Bytes - I.TakenSeen > RingBytes) {
    publish();
    // Not at the first free byte: half a ring, so that both have work.
    awaitTaken(
        I.Written + Bytes > RingBytes / 2
            ? std::max(I.Written - RingBytes / 2, I.Written + Bytes - RingBytes)
            : 0);
    I.TakenSeen = I.Channel->Taken.load(std::memory_order_acquire);
  }
  uint32_t At = I.Written % RingBytes, Rest = std::min(Bytes, RingBytes - At);
  std::memcpy(I.Channel->Data + At, From, Rest);
  if (Bytes != Rest)
    std::memcpy(I.Channel->Data, From + Rest, Bytes - Rest);
  I.Written += Bytes;
  if (I.Written - I.Published >= PublishAt)
    publish();
}

namespace {

template <typename T> T *mapped(int Fd, int Protection) {
  void *At = mmap(nullptr, sizeof(T), Protection, MAP_SHARED, Fd, 0);
  if (At == MAP_FAILED)
    _exit(2);
  close(Fd);
  return static_cast<T *>(At);
}

void confine(sandbox::Calls Allowed) {
  if (TheIssuer.Plan->Confined && !sandbox::restrictCalls(Allowed))
    _exit(2);
}

/// Runs blocks as long as the model has some for this core.
[[noreturn]] void play(const Entry &E) {
  Issuer &I = TheIssuer;
  I.StackEnd = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + 16;
  mapLocalMemories();
  installFaultHandler();
  confine(sandbox::Calls::Kernel);
  uint64_t Pointers[MaxArgs];
  void *Args[MaxArgs];
  for (uint32_t N = 0; N < I.Plan->NumArgs; ++N) {
    const auto &A = I.Plan->Args[N];
    Pointers[N] = A.Pointer;
    Args[N] = A.InlineBytes
                  ? const_cast<uint8_t *>(I.Plan->Inline) + A.InlineOffset
                  : static_cast<void *>(&Pointers[N]);
  }
  for (;;) {
    ask<Function::next_block>(nullptr);
    std::memcpy(&I.Self, I.Channel->Answer, sizeof(I.Self));
    if (I.Self.Block == NoBlock)
      _exit(0);
    if (I.Self.FirstOfCore) {
      resetReplica();
      I.Workspace = nullptr;
    }
    E.Invoke(Args);
    std::fflush(stdout);
  }
}

/// A process for each core: what one core is allowed to see at a time must not
/// depend on the others.
pid_t startCore(uint32_t Number, const Entry &E, Channels &Shared) {
  pid_t Parent = getpid(), Child = fork();
  if (Child)
    return Child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != Parent)
    _exit(2);
  TheIssuer.Core = Number;
  TheIssuer.Channel = &Shared.Rings[Number];
  play(E);
}

} // namespace
} // namespace belay::sim::sealed

using namespace belay::sim;
using namespace belay::sim::sealed;

int main(int Argc, char **Argv) {
  if (Argc > 3)
    return 2;
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  belay::sandbox::Message Sent;
  if (!receive(belay::sandbox::LateFd, Sent) || Sent.Count != NumSent ||
      Sent.Number > belay::sandbox::MaxLateFiles)
    return 2;
  close(belay::sandbox::LateFd);
  bool Unconfined = Argc > 1;
  auto ObjectAt = [&](unsigned N) {
    return Unconfined ? Argv[1 + N] : belay::sandbox::LateFiles[N];
  };
  bool HasCube = Unconfined ? Argc == 3 : Sent.Number == 2;
  Issuer &I = TheIssuer;
  I.Plan = mapped<IssuePlan>(Sent.Fds[SentPlan], PROT_READ);
  auto *Shared =
      mapped<Channels>(Sent.Fds[SentChannels], PROT_READ | PROT_WRITE);
  I.GlobalFd = Sent.Fds[SentGlobal];
  I.LocalFd = Sent.Fds[SentLocal];
  belay_sim_observed = I.Plan->Observed;

  static Plan Ask; // what taskKind() reads of it
  Ask.Target = I.Plan->Target;
  Ask.Task = I.Plan->Task;
  Ask.TilingKey = I.Plan->TilingKey;
  reserveMemory();
  if (write(Sent.Fds[SentReady], "", 1) != 1)
    return 2;
  close(Sent.Fds[SentReady]);
  // From here on code of the kernel runs.
  confine(belay::sandbox::Calls::Loader);
  KernelObject Kernel(ObjectAt(0));
  I.CodeBegin = Kernel.begin();
  I.CodeEnd = Kernel.end();
  std::optional<KernelObject> ForCube;
  if (HasCube) {
    ForCube.emplace(ObjectAt(1));
    I.CubeBegin = ForCube->begin();
    I.CubeEnd = ForCube->end();
    Kernel.add(*ForCube);
  }
  Shared->C.Task = Kernel.taskKind(Ask);
  Shared->C.Loaded.store(1);
  wake(Shared->C.Loaded);
  while (!Shared->C.Ready.load())
    sleepOn(Shared->C.Ready, 0u);
  mapArguments();
  uint32_t Cores = std::min(Shared->C.NumCores, MaxCores);
  for (uint32_t N = 0; N < Cores; ++N)
    if (startCore(N,
                  (Shared->C.Kinds[N] == CoreKind::Cube && ForCube ? *ForCube
                                                                   : Kernel)
                      .entry(),
                  *Shared) < 0)
      return 2;
  // The first that does not end well ends all.
  int Status;
  while (Cores-- && wait(&Status) > 0)
    if (Status)
      return WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
  return 0;
}
