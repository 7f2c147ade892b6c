//===- Runner.cpp - The child process that runs one kernel ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// belay-runner --missing NAME...  prints which of these symbols a kernel would
//                                 not find
// belay-runner --launch FD KERNEL.so [CUBE.so]
//                                 runs the Launch in memory file FD; cube cores
//                                 run CUBE.so if there is one
//   ... --sealed                  the kernel gets processes of its own, without
//                                 a sandbox
//   ... --orders=N:ARG,...        then in N random orders, until one of these
//                                 arguments differs
//   ... --time=COSTS:BYTES:ANSWER:ALL:TIMELINE
//                                 also says what it costs, by the costs in one
//                                 memory file, in another one; in all draws,
//                                 and with as many bytes of a timeline
// belay-runner --await             waits to be told what to launch, sealed and
//                                 in a sandbox; see Await.cpp
// belay-runner --serve SOCKET CHANNEL MEMORY
//                                 runs what the simulated device asks for
//
//===----------------------------------------------------------------------===//

#include "abi/Entry.h"
#include "abi/Launch.h"
#include "model/core/Core.h"
#include "model/core/Device.h"
#include "model/core/Failure.h"
#include "runner/Await.h"
#include "runner/KernelObject.h"
#include "runner/OrderLoop.h"
#include "runner/Serve.h"
#include "runner/Tails.h"
#include "runner/TaskInference.h"
#include "sanitizer/Sanitizers.h"
#include "sealed/SealedKernel.h"
#include "timing/Answer.h"
#include "timing/Recorder.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace belay::sim;

namespace {

[[noreturn]] void usage() {
  std::fputs("usage: belay-runner --missing NAME...\n"
             "       belay-runner --launch FD KERNEL.so [CUBE.so] [--sealed] "
             "[--orders=N:ARG,... | --time=COSTS:BYTES:ANSWER:ALL:TIMELINE]\n"
             "       belay-runner --await\n"
             "       belay-runner --serve SOCKET CHANNEL MEMORY\n",
             stderr);
  std::exit(2);
}

size_t pageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

/// Whether a file has pages for all of its bytes. A workspace has none until
/// it is used, and most of it never is.
bool isFilled(int Fd) {
  struct stat S;
  return fstat(Fd, &S) == 0 && S.st_blocks * 512 >= S.st_size;
}

/// Maps a memory file with an unmapped page on either side, so that a raw
/// pointer that runs off its end faults.
uint8_t *mapArgument(const Arg &A) {
  size_t Page = pageBytes();
  size_t Bytes = (A.Bytes + A.SlackBytes + Page - 1) / Page * Page;
  auto *Room = static_cast<uint8_t *>(
      mmap(nullptr, Bytes + 2 * Page, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (Room == MAP_FAILED)
    std::abort();
  if (Bytes &&
      mmap(Room + Page, Bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_FIXED | (isFilled(A.Fd) ? MAP_POPULATE : 0), A.Fd,
           0) == MAP_FAILED)
    std::abort();
  return Room + Page;
}

using Globals = std::vector<GlobalBuffer>;

/// From here on even a raw pointer cannot write to inputs.
void protectInputs(const Globals &All) {
  for (const GlobalBuffer &B : All)
    if (!B.Writable && B.Bytes + B.Slack)
      mprotect(B.Address, B.Bytes + B.Slack, PROT_READ);
}

/// Sealed is null if the kernel is in this process.
uint8_t *addArgument(Globals &All, const Arg &A, sealed::SealedKernel *Sealed) {
  uint8_t *Address = Sealed ? Sealed->addBuffer(A) : mapArgument(A);
  All.push_back({Address, A.Bytes, A.Writable, A.Name, A.SlackBytes,
                 A.HasValues, A.Type, A.TypeKnown, A.MustWrite,
                 std::max(1u, A.ElementBytes)});
  return Address;
}

/// Writes the addresses of a list's tensors into its table.
void fillList(const Arg &List, uint8_t *Words, uint8_t *const *Elements) {
  uint64_t Table;
  std::memcpy(&Table, Words, sizeof(Table));
  std::memcpy(Words + Table, Elements + List.FirstElement,
              List.NumElements * sizeof(*Elements));
}

/// What a launch costs: asked for and answered in two memory files. The bytes
/// after the answer are for the timeline.
bool parseTiming(const char *Text, belay::timing::TimeRequest &To) {
  int CostsFd, AnswerFd, All;
  size_t Bytes, TimelineBytes;
  if (std::sscanf(Text, "%d:%zu:%d:%d:%zu", &CostsFd, &Bytes, &AnswerFd, &All,
                  &TimelineBytes) != 5)
    return false;
  void *From = mmap(nullptr, Bytes, PROT_READ, MAP_PRIVATE, CostsFd, 0);
  void *Room = mmap(nullptr, sizeof *To.To + TimelineBytes,
                    PROT_READ | PROT_WRITE, MAP_SHARED, AnswerFd, 0);
  if (From == MAP_FAILED || Room == MAP_FAILED)
    return false;
  To.Costs = {static_cast<const char *>(From), Bytes};
  To.AllDraws = All;
  To.To = static_cast<belay::timing::Answer *>(Room);
  To.Timeline = {reinterpret_cast<uint8_t *>(To.To + 1), TimelineBytes};
  return true;
}

/// The arguments of a launch, in memory.
struct Arguments {
  Globals All;
  uint8_t *Elements[MaxElements];
  uint8_t *Pointers[MaxArgs];
  void *Args[MaxArgs];

  void map(Plan &Ask, OrderLoop *Orders, sealed::SealedKernel *Sealed) {
    for (uint32_t N = 0; N < Ask.NumElements; ++N) {
      Elements[N] = addArgument(All, Ask.Elements[N], Sealed);
      if (Orders)
        Orders->addElement(Ask.Elements[N], Elements[N]);
    }
    for (uint32_t N = 0; N < Ask.NumArgs; ++N) {
      const Arg &A = Ask.Args[N];
      Args[N] = static_cast<void *>(&Pointers[N]);
      if (A.What == Arg::Kind::Inline)
        Args[N] = Ask.Inline + A.InlineOffset;
      else
        Pointers[N] = map(A, N, Orders, Sealed);
      if (Sealed && A.What == Arg::Kind::Inline)
        Sealed->addInline(A);
      else if (Sealed)
        Sealed->addPointer(Pointers[N]);
    }
    if (Sealed)
      Sealed->setInline(Ask.Inline);
    protectInputs(All);
  }

private:
  uint8_t *map(const Arg &A, uint32_t Number, OrderLoop *Orders,
               sealed::SealedKernel *Sealed) {
    uint8_t *Address = nullptr;
    switch (A.What) {
    case Arg::Kind::Memory:
      Address = addArgument(All, A, Sealed);
      if (Orders)
        Orders->add(A, Number, Address);
      break;
    case Arg::Kind::List:
      Address = addArgument(All, A, Sealed);
      fillList(A, Address, Elements);
      break;
    case Arg::Kind::Same:
      return Pointers[A.FirstElement];
    case Arg::Kind::Null:
    case Arg::Kind::Inline:
      break;
    }
    return Address;
  }
};

/// The kernel that a launch runs: in this process, or sealed.
class Kernel {
public:
  void load(const Plan &Ask, const char *Path, const char *CubePath,
            sealed::SealedKernel *Sealed, const sealed::WaitingIssuer &In) {
    if (Sealed) {
      Sealed->start(Path, CubePath, belay_sim_observed, In);
      Vector = Cube = &Sealed->entry();
      Task = Sealed->task();
      return;
    }
    Here.emplace(Path);
    setKernelRange(Here->begin(), Here->end());
    Vector = Cube = &Here->entry();
    if (CubePath) {
      ForCube.emplace(CubePath);
      setCubeRange(ForCube->begin(), ForCube->end());
      Here->add(*ForCube);
      Cube = &ForCube->entry();
    }
    Task = Here->taskKind(Ask);
  }
  void run(Device &D, void *const *Args) const {
    D.run(*Vector, *Cube, Task, Args);
  }

private:
  std::optional<KernelObject> Here, ForCube;
  const Entry *Vector = nullptr, *Cube = nullptr;
  TaskKind Task = {};
};

/// Orders is null for one run as the plan says.
int launch(int Fd, const char *Path, const char *CubePath,
           const sealed::WaitingIssuer *Issuer, OrderLoop *Orders,
           const belay::timing::TimeRequest &Time) {
  void *Shared =
      mmap(nullptr, sizeof(Launch), PROT_READ | PROT_WRITE, MAP_SHARED, Fd, 0);
  if (Shared == MAP_FAILED)
    usage();
  auto &L = *static_cast<Launch *>(Shared);
  if (L.Ask.Magic != LaunchMagic || L.Ask.Version != LaunchVersion)
    usage();
  setReport(&L.Answer);
  L.Answer.State = Status::Loading;
  installSignalHandlers();
  std::optional<sealed::SealedKernel> Sealed;
  if (Issuer)
    Sealed.emplace(L.Ask);
  belay_sim_observed = L.Ask.TracePath[0] != 0 || L.Ask.Count || L.Ask.Check ||
                       Orders || Time.To;
  Kernel K;
  Arguments A;
  // A kernel in this process is loaded before there is memory that it could
  // write to; a sealed one needs to be shown its memory.
  if (!Sealed)
    K.load(L.Ask, Path, CubePath, nullptr, {});
  A.map(L.Ask, Orders, Sealed ? &*Sealed : nullptr);
  if (Sealed)
    K.load(L.Ask, Path, CubePath, &*Sealed, *Issuer);
  Tails After; // of a sealed kernel the model sees every store
  for (const GlobalBuffer &B : A.All)
    if (!Sealed)
      After.add(B, pageBytes());
  L.Answer.State = Status::Running;
  auto Once = [&] {
    After.fill();
    Device D(L.Ask);
    for (const GlobalBuffer &B : A.All)
      D.addGlobal(B);
    checkIfRequested(D);
    if (Time.To)
      belay::timing::timeLaunch(D, Time);
    if (Sealed)
      Sealed->attach(D);
    K.run(D, A.Args);
    After.check();
    L.Answer.Instructions = D.instructions();
    if (L.Ask.Count && !L.Ask.RandomOrder)
      L.Answer.Executed = D.counts();
  };
  auto Start = std::chrono::steady_clock::now();
  if (Orders)
    Orders->run(L.Ask, Once);
  else
    Once();
  L.Answer.KernelNanoseconds = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::steady_clock::now() - Start)
          .count());
  std::fflush(stdout);
  if (Sealed)
    Sealed->finish();
  L.Answer.State = Status::Passed;
  return 0;
}

/// The value of an option, or null if it is another.
const char *after(const char *Option, const char *Arg) {
  size_t Length = std::strlen(Option);
  return std::strncmp(Arg, Option, Length) ? nullptr : Arg + Length;
}

/// "--launch FD KERNEL.so ...", without the program's name. Waiting is null
/// unless a sealed kernel's process was started before.
int launch(std::vector<const char *> Args,
           const sealed::WaitingIssuer *Waiting) {
  // Into a pipe, too, so that a crash loses no line.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  OrderLoop Orders;
  belay::timing::TimeRequest Time;
  bool HasOrders = false;
  constexpr size_t Fewest = 3;
  auto Last = [&](const char *Option) {
    return Args.size() > Fewest ? after(Option, Args.back()) : nullptr;
  };
  if (const char *Text = Last("--orders=")) {
    HasOrders = true;
    if (!Orders.parse(Text))
      usage();
    Args.pop_back();
  } else if (const char *Files = Last("--time=")) {
    if (!parseTiming(Files, Time))
      usage();
    Args.pop_back();
  }
  bool StartIssuer = Last("--sealed") != nullptr;
  if (StartIssuer)
    Args.pop_back();
  if (Args.size() < Fewest || Args.size() > Fewest + 1 ||
      std::strcmp(Args[0], "--launch") != 0)
    usage();
  const char *Object = Args[2];
  const char *Cube = Args.size() > Fewest ? Args[3] : nullptr;
  sealed::WaitingIssuer Started;
  if (StartIssuer) {
    Started = sealed::startIssuer(Object, Cube);
    Waiting = &Started;
  }
  return launch(std::atoi(Args[1]), Object, Cube, Waiting,
                HasOrders ? &Orders : nullptr, Time);
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc >= 2 && !std::strcmp(Argv[1], "--missing")) {
    for (int N = 2; N < Argc; ++N)
      if (!dlsym(RTLD_DEFAULT, Argv[N]))
        std::puts(Argv[N]);
    return 0;
  }
  if (Argc >= 2 && !std::strcmp(Argv[1], "--needs")) {
    TaskInference Needs;
    for (int N = 2; N < Argc; ++N)
      Needs.import(Argv[N]);
    std::puts(Needs.task() == TaskKind::Cube ? "cube" : "vector");
    return 0;
  }
  if (Argc == 5 && !std::strcmp(Argv[1], "--serve"))
    return serve(std::atoi(Argv[2]), std::atoi(Argv[3]), std::atoi(Argv[4]));
  if (Argc == 2 && !std::strcmp(Argv[1], "--await")) {
    SentLaunch Sent = awaitLaunch();
    std::vector<const char *> Args;
    for (const std::string &Word : Sent.Words)
      Args.push_back(Word.c_str());
    return launch(Args, &Sent.Issuer);
  }
  return launch({Argv + 1, Argv + Argc}, nullptr);
}
