//===- SealedKernel.cpp - A kernel in a process of its own ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sealed/SealedKernel.h"

#include "model/core/Core.h"
#include "model/core/Failure.h"
#include "sandbox/Descriptors.h"
#include "sealed/Fields.h"
#include "sealed/Futex.h"
#include "sealed/OutOfMemory.h"
#include "sealed/Seat.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace belay::sim::sealed {

static constexpr size_t Page = 4096;

/// The machine, not the kernel, is at fault.
[[noreturn]] static void broken(const char *What) {
  fail("belay-failed", nullptr, nullptr, "a sealed run cannot start: %s: %s",
       What, std::strerror(errno));
}

static int memoryFile(const char *Name, uint64_t Bytes) {
  int Fd = memfd_create(Name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (Fd < 0 || ftruncate(Fd, static_cast<off_t>(Bytes)) != 0)
    broken(Name);
  return Fd;
}

static void seal(int Fd, int Seals) {
  if (fcntl(Fd, F_ADD_SEALS,
            Seals | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    broken("F_ADD_SEALS");
}

/// Copies the bytes of a file that were ever written: most of a workspace is
/// none.
static void copyIn(uint8_t *To, int From, uint64_t Bytes) {
  off_t At = 0;
  while (static_cast<uint64_t>(At) < Bytes) {
    off_t Begin = lseek(From, At, SEEK_DATA);
    if (Begin < 0 || static_cast<uint64_t>(Begin) >= Bytes)
      return;
    off_t End = std::min<off_t>(lseek(From, Begin, SEEK_HOLE),
                                static_cast<off_t>(Bytes));
    for (At = Begin; At < End;) {
      ssize_t Read = pread(From, To + At, static_cast<size_t>(End - At), At);
      if (Read <= 0)
        broken("reading an argument");
      At += Read;
    }
  }
}

struct SealedKernel::Impl {
  struct Copy {
    uint8_t *Address;
    uint64_t Bytes, Offset; // in the file of global memory
    int Origin;
    bool Writable;
  };
  IssuePlan Told = {};
  std::vector<Copy> Copies;
  int GlobalFile = -1, LocalFile = -1, ChannelsFile = -1;
  uint64_t GlobalBytes = 0, NextAddress = GlobalBase + Page;
  uint8_t *Local = nullptr;
  uint32_t MaxSeats = 0;
  Channels *Shared = nullptr;
  std::unique_ptr<Seat[]> Seats;
  pid_t Issuer = -1;
  bool Used = false;
};

/// Entry::Invoke has no place for it.
static Seat *TheSeats;

SealedKernel::SealedKernel(const Plan &Ask) : State(std::make_unique<Impl>()) {
  setSealed();
  // What other processes of the user could do to this one.
  prctl(PR_SET_DUMPABLE, 0);
  std::set_new_handler([] {
    fail("memory-limit", BELAY_PC, nullptr,
         "the kernel's calls need more memory than it may have");
  });
  Impl &S = *State;
  S.Told.Target = Ask.Target;
  S.Told.NumBlocks = Ask.NumBlocks;
  S.Told.Task = Ask.Task;
  S.Told.TilingKey = Ask.TilingKey;
  S.GlobalFile = memoryFile("global", 0);
  uint32_t Groups =
      std::max(1u, std::min(Ask.NumBlocks, std::max(Ask.Target.VectorCores,
                                                    3 * Ask.Target.CubeCores)));
  S.MaxSeats = std::min(MaxCores, 3 * Groups);
  S.LocalFile = memoryFile("local", S.MaxSeats * LocalMemories::WindowBytes);
  S.ChannelsFile = memoryFile("channels", sizeof(Channels));
}

SealedKernel::~SealedKernel() {
  if (State->Issuer > 0)
    kill(State->Issuer, SIGKILL);
}

uint8_t *SealedKernel::addBuffer(const Arg &A) {
  Impl &S = *State;
  uint64_t Bytes = (A.Bytes + A.SlackBytes + Page - 1) / Page * Page;
  auto *Address = reinterpret_cast<uint8_t *>(S.NextAddress);
  uint64_t Offset = S.GlobalBytes;
  S.NextAddress += Bytes + Page; // an unmapped page on either side
  S.GlobalBytes += Bytes;
  if (Bytes) {
    if (ftruncate(S.GlobalFile, static_cast<off_t>(S.GlobalBytes)) != 0)
      broken("global memory");
    if (mmap(Address, Bytes, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED_NOREPLACE, S.GlobalFile,
             static_cast<off_t>(Offset)) != Address)
      broken("global memory");
    copyIn(Address, A.Fd, A.Bytes + A.SlackBytes);
  }
  S.Told.Buffers[S.Told.NumBuffers++] = {S.NextAddress - Bytes - Page, Bytes,
                                         Offset, A.Writable};
  S.Copies.push_back(
      {Address, A.Bytes + A.SlackBytes, Offset, A.Fd, A.Writable});
  return Address;
}

void SealedKernel::addPointer(const void *Address) {
  State->Told.Args[State->Told.NumArgs++].Pointer =
      reinterpret_cast<uint64_t>(Address);
}

void SealedKernel::addInline(const Arg &A) {
  auto &To = State->Told.Args[State->Told.NumArgs++];
  To.InlineBytes = static_cast<uint32_t>(std::max<uint64_t>(1, A.Bytes));
  To.InlineOffset = A.InlineOffset;
}

void SealedKernel::setInline(const uint8_t (&Bytes)[InlineBytes]) {
  std::memcpy(State->Told.Inline, Bytes, InlineBytes);
}

/// Notices the end of the kernel's process, and wakes whoever waits for it.
static void watch(pid_t Issuer, Channels *Shared) {
  std::thread([=] {
    sigset_t All;
    sigfillset(&All);
    pthread_sigmask(SIG_BLOCK, &All, nullptr);
    uint64_t Kills = countOutOfMemoryKills();
    int Status = 0;
    while (waitpid(Issuer, &Status, 0) < 0 && errno == EINTR)
      ;
    if (wasKilled(Status))
      MachineOutOfMemory = countOutOfMemoryKills() != Kills;
    IssuerEnd.store(static_cast<uint32_t>(Status) + 1);
    wake(Shared->C.Loaded);
    for (Ring &R : Shared->Rings)
      wake(R.Written);
  }).detach();
}

/// Descriptors for the issuer; the objects are for belay-sandbox, which copies
/// them to where the issuer can see them.
static void sendFiles(const WaitingIssuer &To, std::initializer_list<int> Files,
                      std::initializer_list<const char *> Objects) {
  sandbox::Message M;
  for (int Fd : Files)
    M.add(Fd);
  for (const char *Path : Objects)
    if (Path && To.Confined) {
      int Fd = open(Path, O_RDONLY | O_CLOEXEC);
      if (Fd < 0)
        broken(Path);
      M.add(Fd);
      ++M.Number;
    }
  sandbox::send(To.Socket, M); // its end is noticed by who waits for it
  for (uint32_t N = 0; N < M.Count; ++N)
    close(M.Fds[N]);
  close(To.Socket);
}

/// The kernel's process has ended before its kernel was loaded.
[[noreturn]] static void leaveWithoutLoading(int Ready) {
  char Byte;
  if (read(Ready, &Byte, 1) == 1)
    std::exit(2); // it has said why; the launch could not be loaded
  uint32_t Status = IssuerEnd.load() - 1;
  bool Killed = WIFSIGNALED(Status);
  fail("belay-failed", nullptr, nullptr,
       "a sealed run cannot start: the kernel's process ended before it "
       "loaded the kernel (%s %d), most likely for want of memory or address "
       "space",
       Killed ? "signal" : "exit status",
       Killed ? WTERMSIG(Status) : WEXITSTATUS(Status));
}

void SealedKernel::start(const char *Object, const char *CubeObject,
                         bool Observed, const WaitingIssuer &In) {
  Impl &S = *State;
  S.Told.Observed = Observed;
  S.Told.Confined = In.Confined;
  int PlanFile = memoryFile("plan", 0);
  if (write(PlanFile, &S.Told, sizeof(S.Told)) !=
      static_cast<ssize_t>(sizeof(S.Told)))
    broken("plan");
  seal(PlanFile, F_SEAL_WRITE);
  void *At = mmap(nullptr, sizeof(Channels), PROT_READ | PROT_WRITE, MAP_SHARED,
                  S.ChannelsFile, 0);
  auto *Place = reinterpret_cast<uint8_t *>(LocalBase);
  uint64_t LocalBytes = S.MaxSeats * LocalMemories::WindowBytes;
  if (At == MAP_FAILED ||
      mmap(Place, LocalBytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_FIXED_NOREPLACE, S.LocalFile, 0) != Place)
    broken("channels");
  S.Shared = static_cast<Channels *>(At);
  S.Local = Place;
  seal(S.ChannelsFile, 0);
  // From here on nobody can map them for writing; what is mapped stays.
  seal(S.GlobalFile, F_SEAL_FUTURE_WRITE);
  seal(S.LocalFile, F_SEAL_FUTURE_WRITE);
  S.Issuer = In.Pid;
  if (In.Pid < 0) {
    errno = In.Errno;
    broken("belay-issuer");
  }
  watch(S.Issuer, S.Shared);
  int Ready[2];
  if (pipe2(Ready, O_CLOEXEC | O_NONBLOCK) != 0)
    broken("pipe");
  // finish() reads global memory by its descriptor.
  sendFiles(
      In, {PlanFile, S.ChannelsFile, dup(S.GlobalFile), S.LocalFile, Ready[1]},
      {Object, CubeObject});
  while (!S.Shared->C.Loaded.load()) {
    if (IssuerEnd.load())
      leaveWithoutLoading(Ready[0]);
    sleepOn(S.Shared->C.Loaded, 0u);
  }
  close(Ready[0]);
  uint8_t Wanted = *reinterpret_cast<volatile uint8_t *>(&S.Shared->C.Task);
  if (Wanted > static_cast<uint8_t>(TaskKind::Coupled))
    refuse("a task that is none");
  Task = static_cast<TaskKind>(Wanted);
  setKernelRange(CodeBase, CodeBase + CodeBytes);
  setCubeRange(CubeCodeBase, CubeCodeBase + CodeBytes);
}

void SealedKernel::attach(Device &D) {
  Impl &S = *State;
  D.shareLocal(S.Local, S.Used);
  std::vector<CoreKind> Cores = D.coresOf(Task);
  if (Cores.size() > S.MaxSeats) {
    errno = E2BIG;
    broken("more cores than a sealed run has");
  }
  if (!S.Used) {
    S.Seats = std::make_unique<Seat[]>(Cores.size());
    TheSeats = S.Seats.get();
    for (size_t N = 0; N < Cores.size(); ++N) {
      S.Shared->Rings[N].WakeAt.store(NeverWake);
      S.Seats[N].attach(S.Shared->Rings[N]);
      S.Shared->C.Kinds[N] = Cores[N];
    }
    S.Shared->C.NumCores = static_cast<uint32_t>(Cores.size());
    S.Shared->C.Ready.store(1);
    wake(S.Shared->C.Ready);
  }
  for (size_t N = 0; N < Cores.size(); ++N)
    S.Seats[N].reset();
  S.Used = true;
}

const Entry &SealedKernel::entry() const {
  static const Entry TheEntry = [] {
    Entry E = {};
    E.Invoke = [](void *const *) {
      TheSeats[Core::current().Number].serveBlock();
    };
    return E;
  }();
  return TheEntry;
}

void SealedKernel::finish() {
  for (const Impl::Copy &C : State->Copies)
    if (C.Writable && C.Bytes) {
      // Only what was written: sparse files stay sparse.
      off_t At = static_cast<off_t>(C.Offset);
      off_t Last = At + static_cast<off_t>(C.Bytes);
      while (At < Last) {
        off_t Begin = lseek(State->GlobalFile, At, SEEK_DATA);
        if (Begin < 0 || Begin >= Last)
          break;
        off_t End = std::min(lseek(State->GlobalFile, Begin, SEEK_HOLE), Last);
        for (At = Begin; At < End;) {
          off_t Into = At - static_cast<off_t>(C.Offset);
          ssize_t Wrote = pwrite(C.Origin, C.Address + Into,
                                 static_cast<size_t>(End - At), Into);
          if (Wrote <= 0)
            broken("writing an output");
          At += Wrote;
        }
      }
    }
}

/// The program and its arguments, in memory that stays.
static std::vector<char *> argumentsOf(const std::vector<std::string> &Words) {
  std::vector<char *> Args;
  Args.reserve(Words.size() + 1);
  for (const std::string &Word : Words)
    Args.push_back(const_cast<char *>(Word.c_str()));
  Args.push_back(nullptr);
  return Args;
}

WaitingIssuer startIssuer(const IssuerCommand &Command) {
  std::vector<char *> Args = argumentsOf(Command.Words);
  int Ends[2];
  WaitingIssuer Issuer;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, Ends) != 0) {
    Issuer.Errno = errno;
    return Issuer;
  }
  // Out of the way of the numbers that they get in the child.
  constexpr int Away = 100;
  int Socket = fcntl(Ends[1], F_DUPFD_CLOEXEC, Away), Status = -1;
  if (Command.StatusFd >= 0)
    Status = fcntl(Command.StatusFd, F_DUPFD_CLOEXEC, Away);
  close(Ends[1]);
  char *const Environment[] = {nullptr};
  pid_t Parent = getpid(), Child = fork();
  if (Child) {
    Issuer = {Child, Ends[0], errno, Status >= 0};
    close(Socket);
    close(Status);
    return Issuer;
  }
  // Only system calls from here on: other threads may have held locks.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != Parent)
    _exit(2);
  int Next = sandbox::LateFd;
  dup2(Socket, Next++);
  if (Status >= 0) {
    dup2(Status, Next++);
  } else {
    constexpr rlim_t MaxFile = 1 << 20; // kernels have no business with files
    rlimit Files = {MaxFile, MaxFile};
    setrlimit(RLIMIT_FSIZE, &Files);
  }
  close_range(static_cast<unsigned>(Next), ~0u, 0);
  execve(Args[0], Args.data(), Environment);
  _exit(2);
}

WaitingIssuer startIssuer(const char *Object, const char *CubeObject) {
  char Self[4096];
  ssize_t Length = readlink("/proc/self/exe", Self, sizeof(Self));
  if (Length < 0 || Length == sizeof(Self)) {
    WaitingIssuer None;
    None.Errno = ENAMETOOLONG;
    return None;
  }
  IssuerCommand Command;
  std::string Path(Self, Length);
  Path.replace(Path.rfind('/') + 1, std::string::npos, "belay-issuer");
  Command.Words = {Path, Object};
  if (CubeObject)
    Command.Words.emplace_back(CubeObject);
  return startIssuer(Command);
}

} // namespace belay::sim::sealed
