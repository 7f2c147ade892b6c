//===- fuzz_records.cpp - Random records for the model of a sealed run ----===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fuzz_records [--count N] [--seed S] [--only FUNCTION]
//
// Puts N records into a ring and has the model execute them. Half of them are
// calls as the issuer encodes them, with random parameters that are likely to
// mean something; some of their bytes are then changed. The other half are
// calls that were carried out before, with one or two numbers changed, so that
// the rest of them is valid. Cores of all kinds and architectures alternate;
// what a record leaves (registers, queues, buffers, objects) is there for the
// next ones. Every record may be refused; none may crash, which
// AddressSanitizer and UBSan decide, or take ten seconds of CPU time. One line
// for each 10 % says how many were executed; the last ones say which functions
// have touched memory, that is, got past the comparison with its bounds.
//
//===----------------------------------------------------------------------===//

#include "Records.h"

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "model/core/Observer.h"
#include "model/core/Schedule.h"
#include "sanitizer/Sanitizers.h"
#include "sealed/Seat.h"
#include "sealed/issuer/Encoder.h"
#include "targets/Target.h"

#include "abi/MachineOf.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belay::sim {
extern void (*FailureHook)();
} // namespace belay::sim
// NOLINTNEXTLINE(bugprone-reserved-identifier): of the sanitizers' interface
extern "C" __attribute__((weak)) void __sanitizer_print_stack_trace();

/// Every refusal leaves by longjmp, after which AddressSanitizer looks through
/// all that it keeps of former stack frames: half of the time, if it keeps as
/// much as it does unless told.
// NOLINTNEXTLINE(bugprone-reserved-identifier): of the sanitizers' interface
extern "C" const char *__asan_default_options() {
  return "min_uar_stack_size_log=16:max_uar_stack_size_log=16:"
         "malloc_context_size=4";
}

using namespace belay::sim;
using namespace belay::sim::sealed;
using namespace belay::sim::fuzzing;

namespace {

/// The launches, one after the other.
struct Config {
  const char *Soc;
  TaskKind Task;
  bool Check, RandomOrder;
};
constexpr Config Configs[] = {
    {"Ascend910B1", TaskKind::Vector, true, false},
    {"Ascend310P3", TaskKind::Coupled, true, false},
    {"Ascend950PR_9599", TaskKind::Vector, true, false},
    {"Ascend910B1", TaskKind::Cube, true, false},
    {"Ascend950PR_9599", TaskKind::Cube, true, false},
    {"Ascend910B1", TaskKind::Vector, false, false},
    {"Ascend310P3", TaskKind::Coupled, false, true},
    {"Ascend950PR_9599", TaskKind::Vector, false, true},
};
constexpr unsigned NumConfigs = std::size(Configs);

/// A record that was carried out.
struct KeptRecord {
  uint32_t Bytes;
  alignas(8) uint8_t Data[1016];
};
constexpr unsigned NumKept = 16;

/// What outlives a process of the model.
struct Progress {
  uint64_t Done, Executed;
  unsigned Function;
  bool Touched;   // by the record under way: memory
  bool SaidCrash; // the record under way may say that the kernel crashed
  uint64_t Calls[NumMakers], Touches[NumMakers];
  KeptRecord Kept[NumConfigs][NumMakers][NumKept];
};
Progress *Shared;
Ring *TheRing;
jmp_buf Back;
int Only = -1;
unsigned TheConfig;
Device *TheDevice;
uint64_t RecordsLeft; // of this process: what fails leaks what it had

/// Sees which records touch memory.
class Witness : public Observer {
  void onInstruction(const InstructionRecord &I) override {
    Shared->Touched |= I.NumOperands != 0;
  }
};
class Witnesses : public LaunchObserver {
  std::unique_ptr<Observer> makeFor(Core &) override {
    return std::make_unique<Witness>();
  }
};

/// A record that is carried out as it is, most likely, and then is changed.
uint32_t again(unsigned F, uint8_t *Bytes) {
  const KeptRecord &K = Shared->Kept[TheConfig][F][pick(NumKept)];
  std::memcpy(Bytes, K.Data, K.Bytes);
  for (unsigned N = pick(3); K.Bytes && N; --N)
    change(Bytes, K.Bytes);
  return K.Bytes;
}

/// A record that the model has carried out is kept, if it touched memory.
void keep(const uint8_t *Bytes, uint32_t Count) {
  unsigned F = Shared->Function;
  ++Shared->Calls[F];
  if (!Shared->Touched)
    return;
  ++Shared->Touches[F];
  KeptRecord &K = Shared->Kept[TheConfig][F][pick(NumKept)];
  if (Count > sizeof(K.Data) || (K.Bytes && !chance(5)))
    return;
  std::memcpy(K.Data, Bytes, Count);
  K.Bytes = Count;
}

alignas(8) uint8_t Bytes[MaxRecord];
uint32_t Count;

void putRecord(Encoder &Record) {
  unsigned F;
  do
    F = Only >= 0 ? static_cast<unsigned>(Only) : pick(NumMakers);
  while (Only < 0 && waits(F) && pick(2000));
  Shared->Function = F;
  Shared->Touched = false;
  Count = chance(50) ? again(F, Bytes) : 0;
  if (!Count)
    Count = makeRecord(Record, F, Bytes);
  unsigned What = functionOf(Bytes);
  Shared->SaidCrash = What == static_cast<unsigned>(Function::crash) ||
                      What == static_cast<unsigned>(Function::raw_store);
  if (What < NumMakers)
    Shared->Function = What;
  uint64_t At = TheRing->Written.load();
  for (uint32_t N = 0; N < Count; ++N)
    TheRing->Data[(At + N) % RingBytes] = Bytes[N];
  TheRing->Written.store(At + Count);
}

/// Instructions that are still queued when another one fails refer to the
/// stack of the call that issued them, which longjmp has left. A real run ends
/// with its first failure and never carries them out.
void forgetDeferred() {
  for (Core *C : TheDevice->cores())
    C->Order = TheDevice->makeSchedule(*C);
}

/// Runs on the thread of the core, until a record that waited has failed.
void run(uint64_t Total) {
  // For good: after a failure the call under way is still that record.
  static Seat TheSeat;
  Seat *S = &TheSeat;
  S->attach(*TheRing);
  static Encoder Record;
  sigset_t Alarm;
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGPROF);
  pthread_sigmask(SIG_UNBLOCK, &Alarm, nullptr);
  // Of CPU time: other programs must not make a record slow.
  constexpr itimerval TenSeconds = {{}, {10, 0}};
  while (Shared->Done < Total && RecordsLeft) {
    // From a clean ring: what was refused is not taken out.
    if (!setjmp(Back)) {
      setitimer(ITIMER_PROF, &TenSeconds, nullptr);
      putRecord(Record);
      ++Shared->Done;
      --RecordsLeft;
      while (S->takeRecord()) {
        if (S->isNextBlock())
          refuse("the end of a block");
        S->execute();
        ++Shared->Executed;
        keep(Bytes, Count);
      }
      if (TheRing->Written.load() == TheRing->Taken.load())
        continue;
    } else if (waits(Shared->Function)) {
      _exit(0);
    } else {
      forgetDeferred();
    }
    TheRing->Written = TheRing->Taken = 0;
    S->attach(*TheRing);
  }
  // What fails from here on, at the end of the core, has no record to go back
  // to.
  FailureHook = [] { _exit(0); };
}

uint64_t TheCount;

constexpr int SlowStatus = 3;
/// What says that the kernel crashed ends the run without a hook.
constexpr int CrashedStatus = 4;

void onAlarm(int) {
  if (__sanitizer_print_stack_trace)
    __sanitizer_print_stack_trace();
  _exit(SlowStatus);
}

/// A request that no machine can fulfil ends the run, as in SealedKernel.
constexpr size_t TooLarge = size_t(1) << 30;

[[noreturn]] void child(uint64_t Seed) {
  Random.seed(Seed);
  TheConfig = Seed % NumConfigs;
  RecordsLeft = 1000;
  const Config &As = Configs[TheConfig];
  static Launch L;
  L.Ask.Target = machineOf(*belay::targets::findSoc(As.Soc));
  L.Ask.NumBlocks = 1;
  L.Ask.RunSlots = 1;
  L.Ask.Check = As.Check;
  L.Ask.RandomOrder = As.RandomOrder;
  L.Ask.OrderSeed = Seed;
  setReport(&L.Answer);
  setSealed();
  setKernelRange(CodeBase, CodeBase + CodeBytes);
  belay_sim_observed = true;
  FailureHook = [] { longjmp(Back, 1); };
  // For the thread of the core alone, which knows what takes so long.
  signal(SIGPROF, onAlarm);
  sigset_t Alarm;
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGPROF);
  pthread_sigmask(SIG_BLOCK, &Alarm, nullptr);
  (void)!freopen("/dev/null", "w", stdout);
  Device D(L.Ask);
  TheDevice = &D;
  for (uint8_t *B : Buffers)
    D.addGlobal({B, BufferBytes, B != Buffers[0], "buffer"});
  D.shareLocal(TheWindow, /*Used=*/false);
  checkIfRequested(D);
  D.observeWith(std::make_unique<Witnesses>());
  Entry E = {};
  E.Invoke = [](void *const *) { run(TheCount); };
  D.run(E, E, As.Task, nullptr);
  _exit(0);
}

/// How many functions touched memory, and those that never did.
void printCoverage() {
  unsigned Returned = 0, Touched = 0;
  for (unsigned F = 0; F < NumMakers; ++F) {
    Returned += Shared->Calls[F] != 0;
    Touched += Shared->Touches[F] != 0;
  }
  std::printf("%u functions, %u carried out, %u touched memory; never carried "
              "out:",
              NumMakers, Returned, Touched);
  for (unsigned F = 0; F < NumMakers; ++F)
    if (!Shared->Calls[F])
      std::printf(" %s", Names[F]);
  std::printf("; without memory:");
  for (unsigned F = 0; F < NumMakers; ++F)
    if (Shared->Calls[F] && !Shared->Touches[F])
      std::printf(" %s", Names[F]);
  std::printf("\n");
}

} // namespace

void *operator new(size_t Bytes) {
  if (Bytes > TooLarge && FailureHook)
    refuse("more memory than there is");
  void *At = std::malloc(Bytes);
  if (!At)
    std::abort();
  return At;
}
void operator delete(void *At) noexcept { std::free(At); }
void operator delete(void *At, size_t) noexcept { std::free(At); }

uint64_t belay::sim::sealed::ordinalOf(const void *) {
  return chance(90) ? pick(12) : integer();
}

int main(int Argc, char **Argv) {
  uint64_t Seed = 1, Step = 0;
  TheCount = 20000;
  for (int N = 1; N + 1 < Argc; N += 2) {
    std::string_view Option = Argv[N];
    if (Option == "--count")
      TheCount = std::strtoull(Argv[N + 1], nullptr, 10);
    else if (Option == "--seed")
      Seed = std::strtoull(Argv[N + 1], nullptr, 10);
    else if (Option == "--only")
      for (unsigned F = 0; F < std::size(Names); ++F)
        if (std::string_view(Names[F]) == Argv[N + 1])
          Only = static_cast<int>(F);
  }
  void *At = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Shared = static_cast<Progress *>(At);
  TheRing = new Ring();
  for (uint8_t *&B : Buffers)
    B = new uint8_t[BufferBytes]();
  // At the same place in every process, so that records can be kept.
  TheWindow = static_cast<uint8_t *>(
      mmap(nullptr, LocalMemories::WindowBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  uint64_t Crashes = 0, Slow = 0;
  while (Shared->Done < TheCount) {
    uint64_t Before = Shared->Done;
    std::fflush(stdout);
    pid_t Child = fork();
    if (!Child)
      child(Seed);
    int Status = 0;
    waitpid(Child, &Status, 0);
    if (WIFEXITED(Status) && WEXITSTATUS(Status) == CrashedStatus &&
        Shared->SaidCrash)
      Status = 0;
    if (WIFEXITED(Status) && WEXITSTATUS(Status) == SlowStatus) {
      ++Slow; // a time limit is what ends such a kernel
      std::printf("slow: %s\n", Names[Shared->Function]);
    } else if (Status) {
      std::printf("seed %llu: %s ended with status 0x%x\n",
                  static_cast<unsigned long long>(Seed),
                  Names[Shared->Function], static_cast<unsigned>(Status));
      if (++Crashes == 20)
        break;
      if (Shared->Done == Before)
        ++Shared->Done;
    }
    ++Seed;
    if (Shared->Done * 10 / TheCount != Step) {
      Step = Shared->Done * 10 / TheCount;
      std::printf("%llu records, %llu executed, next seed %llu\n",
                  static_cast<unsigned long long>(Shared->Done),
                  static_cast<unsigned long long>(Shared->Executed),
                  static_cast<unsigned long long>(Seed));
      std::fflush(stdout);
    }
  }
  std::printf(
      "%llu records, %llu executed, %llu took over 10 s, %llu crashes\n",
      static_cast<unsigned long long>(Shared->Done),
      static_cast<unsigned long long>(Shared->Executed),
      static_cast<unsigned long long>(Slow),
      static_cast<unsigned long long>(Crashes));
  printCoverage();
  return Crashes != 0;
}
