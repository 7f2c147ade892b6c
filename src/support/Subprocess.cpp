//===- Subprocess.cpp - Other programs, under limits ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Subprocess.h"

#include "support/Files.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace belay::support;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

extern char **environ;

namespace {

struct Limit {
  int Resource;
  struct rlimit Value;
};

/// All that the child needs, laid out while memory may still be allocated.
struct Launch {
  std::string Program;
  std::string WorkingDir;
  std::vector<char *> Argv, Envp;
  std::vector<std::string> EnvStorage;
  std::vector<std::pair<int, int>> Fds; ///< {here, in the child}
  int FirstSpareFd = 3;
  std::vector<Limit> Limits;
  sigset_t CallersMask;
};

/// Why the child could not start. It shares the parent's memory until then.
struct LaunchFailure {
  const char *Step = nullptr;
  int Errno = 0;
};

/// One captured stream: the end that is read, and what came out of it.
struct Capture {
  Descriptor ReadEnd, WriteEnd;
  std::string *Text = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// The child's side, between vfork and exec: system calls only
//===----------------------------------------------------------------------===//

/// Moves every descriptor first out of the way of all targets, then to its
/// target, so that {3 -> 4, 4 -> 3} does what it says. Everything else closes
/// at exec.
static const char *arrangeFds(Launch &L) {
  for (auto &[Here, There] : L.Fds) {
    Here = ::fcntl(Here, F_DUPFD_CLOEXEC, L.FirstSpareFd);
    if (Here < 0)
      return "fcntl";
  }
  if (::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) < 0 && errno != ENOSYS)
    return "close_range";
  for (auto [Here, There] : L.Fds)
    if (::dup2(Here, There) < 0)
      return "dup2";
  return nullptr;
}

static const char *prepareChild(Launch &L) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::setpgid(0, 0) < 0)
    return "setpgid";
  if (!L.WorkingDir.empty() && ::chdir(L.WorkingDir.c_str()) < 0)
    return "chdir";
  if (const char *Step = arrangeFds(L))
    return Step;
  for (const Limit &Each : L.Limits) {
    // A hard limit below ours is already stricter than what was asked for.
    if (::setrlimit(__rlimit_resource_t(Each.Resource), &Each.Value) < 0 &&
        errno != EPERM)
      return "setrlimit";
  }
  ::signal(SIGPIPE, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &L.CallersMask, nullptr);
  ::execve(L.Program.c_str(), L.Argv.data(), L.Envp.data());
  return "exec";
}

/// vfork, because the cost of fork grows with the caller's memory, and a caller
/// that holds gigabytes of test data starts thousands of children. Not inlined:
/// the child must not write to a frame that the parent returns from.
__attribute__((noinline)) static pid_t launch(Launch &L,
                                              LaunchFailure &Failed) {
  sigset_t All;
  sigfillset(&All);
  // A handler that ran in the child would run on the parent's memory.
  ::pthread_sigmask(SIG_BLOCK, &All, &L.CallersMask);
  // NOLINTBEGIN: checkers prefer posix_spawn, which cannot set limits.
  pid_t Pid = ::vfork();
  if (Pid == 0) {
    Failed.Step = prepareChild(L);
    Failed.Errno = errno;
    ::_exit(127);
  }
  // NOLINTEND
  int Errno = errno;
  ::pthread_sigmask(SIG_SETMASK, &L.CallersMask, nullptr);
  if (Pid < 0)
    Failed = {"vfork", Errno};
  return Pid;
}

//===----------------------------------------------------------------------===//
// The parent's side
//===----------------------------------------------------------------------===//

static void prepareEnv(const ProcessSpec &Spec, Launch &L) {
  L.EnvStorage = Spec.Env;
  auto IsReplaced = [&](llvm::StringRef Entry) {
    llvm::StringRef Name = Entry.split('=').first;
    return std::any_of(Spec.Env.begin(), Spec.Env.end(), [&](const auto &New) {
      return llvm::StringRef(New).split('=').first == Name;
    });
  };
  if (!Spec.ClearEnv)
    for (char **Entry = environ; *Entry; ++Entry)
      if (!IsReplaced(*Entry))
        L.EnvStorage.push_back(*Entry);
  for (std::string &Entry : L.EnvStorage)
    L.Envp.push_back(Entry.data());
  L.Envp.push_back(nullptr);
}

static void prepareFds(const ProcessSpec &Spec, Launch &L, int DevNull,
                       Capture *Captures) {
  L.Fds = Spec.Fds;
  auto Default = [&](int There, int Here) {
    for (auto [_, Taken] : Spec.Fds)
      if (Taken == There)
        return;
    L.Fds.push_back({Here, There});
  };
  Default(0, DevNull);
  Default(1, Spec.ShowOutput ? 1 : Captures[0].WriteEnd.get());
  Default(2, Spec.ShowOutput ? 2 : Captures[1].WriteEnd.get());
  for (auto [_, There] : L.Fds)
    L.FirstSpareFd = std::max(L.FirstSpareFd, There + 1);
}

static void prepareLimits(const ProcessSpec &Spec, Launch &L) {
  auto Add = [&](int Resource, uint64_t Soft, uint64_t Hard) {
    L.Limits.push_back({Resource, {rlim_t(Soft), rlim_t(Hard)}});
  };
  // At the soft limit the child gets SIGXCPU, which tells what happened; at the
  // hard one SIGKILL, which could be anything.
  if (Spec.CpuSeconds)
    Add(RLIMIT_CPU, Spec.CpuSeconds, Spec.CpuSeconds + 1);
  if (Spec.AddressSpaceBytes)
    Add(RLIMIT_AS, Spec.AddressSpaceBytes, Spec.AddressSpaceBytes);
  if (Spec.DataBytes)
    Add(RLIMIT_DATA, Spec.DataBytes, Spec.DataBytes);
  if (Spec.FileBytes)
    Add(RLIMIT_FSIZE, Spec.FileBytes, Spec.FileBytes);
  // A crash is reported by the parent; nobody looks for the core file.
  Add(RLIMIT_CORE, 0, 0);
}

static bool openPipe(Capture &C, std::string &Text) {
  int Ends[2];
  if (::pipe2(Ends, O_CLOEXEC) < 0)
    return false;
  C.ReadEnd = Descriptor(Ends[0]);
  C.WriteEnd = Descriptor(Ends[1]);
  ::fcntl(Ends[0], F_SETFL, O_NONBLOCK);
  C.Text = &Text;
  return true;
}

/// Reads what is there now, but not for ever if the child prints for ever;
/// closes the stream at its end.
static void readAvailable(Capture &C, const ProcessSpec &Spec, int Stream,
                          bool &Truncated) {
  constexpr unsigned MaxReads = 64;
  char Buffer[1 << 16];
  for (unsigned Reads = 0; Reads < MaxReads && C.ReadEnd.get() >= 0; ++Reads) {
    ssize_t Got = ::read(C.ReadEnd.get(), Buffer, sizeof Buffer);
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return;
    if (Got == 0) {
      C.ReadEnd.reset();
      return;
    }
    if (Spec.OnOutput) {
      Spec.OnOutput(Stream, {Buffer, static_cast<size_t>(Got)});
      continue;
    }
    size_t Room =
        Spec.MaxCapturedBytes - std::min(Spec.MaxCapturedBytes, C.Text->size());
    C.Text->append(Buffer, std::min<size_t>(Got, Room));
    Truncated |= size_t(Got) > Room;
  }
}

/// Whether the child has ended; it stays a zombie, so its group cannot be
/// mistaken for a later one.
static bool hasEnded(pid_t Pid) {
  siginfo_t Info = {};
  if (::waitid(P_PID, id_t(Pid), &Info, WEXITED | WNOHANG | WNOWAIT) != 0)
    // A program that ignores SIGCHLD, whose guests we may be, has no zombies.
    return errno == ECHILD;
  return Info.si_pid == Pid;
}

/// What a small file of /proc says; "" if the process is gone.
static std::string readProc(pid_t Pid, const char *Name) {
  char Text[4096];
  std::string Path = "/proc/" + std::to_string(Pid) + "/" + Name;
  Descriptor File(::open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  ssize_t Got = ::read(File.get(), Text, sizeof Text);
  return {Text, static_cast<size_t>(std::max<ssize_t>(Got, 0))};
}

namespace {

/// What a process and its descendants use.
class UsedByTree {
public:
  explicit UsedByTree(pid_t Root) { add(Root); }

  /// What they share is in each of them, so the most that one has of it counts.
  uint64_t residentBytes() const {
    return (PrivatePages + SharedPages) * uint64_t(::sysconf(_SC_PAGESIZE));
  }
  /// With that of children which have ended and were waited for.
  milliseconds cpuTime() const {
    return milliseconds(Ticks * 1000 / uint64_t(::sysconf(_SC_CLK_TCK)));
  }

private:
  void add(pid_t Pid) {
    constexpr unsigned MaxProcesses = 1000;
    if (++Processes > MaxProcesses)
      return;
    addPages(readProc(Pid, "statm"));
    addTicks(readProc(Pid, "stat"));
    // Each thread has children of its own.
    std::string Threads = "/proc/" + std::to_string(Pid) + "/task";
    std::error_code EC;
    for (llvm::sys::fs::directory_iterator At(Threads, EC), End;
         At != End && !EC; At.increment(EC)) {
      llvm::StringRef Thread = llvm::sys::path::filename(At->path());
      addChildren(
          readProc(Pid, ("task/" + Thread + "/children").str().c_str()));
    }
  }

  void addPages(llvm::StringRef Statm) {
    uint64_t Resident = 0, Common = 0;
    llvm::StringRef After = Statm.split(' ').second;
    if (After.consumeInteger(10, Resident) || !After.consume_front(" ") ||
        After.consumeInteger(10, Common))
      return;
    PrivatePages += Resident - std::min(Resident, Common);
    SharedPages = std::max(SharedPages, Common);
  }

  /// After the name, which is the program's choice: state, ten numbers, then
  /// the ticks in user and system mode, own and of children.
  void addTicks(llvm::StringRef Stat) {
    llvm::SmallVector<llvm::StringRef, 64> Fields;
    Stat.rsplit(')').second.trim().split(Fields, ' ');
    for (unsigned I = 11; I < 15 && I < Fields.size(); ++I) {
      uint64_t Number = 0;
      if (!Fields[I].getAsInteger(10, Number))
        Ticks += Number;
    }
  }

  void addChildren(llvm::StringRef Rest) {
    while (!Rest.trim().empty()) {
      auto [Word, Others] = Rest.trim().split(' ');
      Rest = Others;
      int Child = 0;
      if (!Word.getAsInteger(10, Child))
        add(Child);
    }
  }

  uint64_t PrivatePages = 0, SharedPages = 0, Ticks = 0;
  unsigned Processes = 0;
};

} // namespace

namespace {

/// Follows a running child to its end.
class Watch {
public:
  Watch(const ProcessSpec &Spec, pid_t Pid, Capture *Captures,
        ProcessResult &Result)
      : Spec(Spec), Pid(Pid), Captures(Captures), Result(Result),
        // glibc 2.36 declares pidfd_open without C linkage.
        PidFd(int(::syscall(SYS_pidfd_open, Pid, 0))),
        Deadline(Spec.Timeout.count() ? Clock::now() + Spec.Timeout
                                      : Clock::time_point::max()) {}

  void untilEnd() {
    while (!hasEnded(Pid)) {
      waitForNews();
      readBoth();
      look();
      if (TooLarge || (isTimeOver() && !onDeadline()))
        break;
    }
    // Also ends what the child left running.
    ::kill(-Pid, SIGKILL);
    readBoth();
    collect();
  }

private:
  bool looks() const { return Spec.ResidentBytes || Spec.CpuTime.count(); }

  /// Measures what the child uses, ten times a second.
  void look() {
    auto Now = Clock::now();
    if (!looks() || Now < NextLook)
      return;
    NextLook = Now + LookEvery;
    UsedByTree Used(Pid);
    TooLarge = Spec.ResidentBytes && Used.residentBytes() > Spec.ResidentBytes;
    // What nobody waited for is in no sum any more.
    Cpu = std::max(Cpu, Used.cpuTime());
  }

  bool isOutOfCpu() const {
    return Spec.CpuTime.count() && Cpu >= Spec.CpuTime;
  }

  bool isTimeOver() const {
    // After the first time there is only the grace.
    return Clock::now() >= Deadline || (!TimedOut && isOutOfCpu());
  }

  /// Sleeps until the child ends, prints, or runs out of time.
  void waitForNews() {
    pollfd Polled[3] = {{PidFd.get(), POLLIN, 0},
                        {Captures[0].ReadEnd.get(), POLLIN, 0},
                        {Captures[1].ReadEnd.get(), POLLIN, 0}};
    // Kernels older than pidfd are asked again and again.
    milliseconds Sleep = PidFd.get() < 0 ? milliseconds(5)
                         : looks()       ? LookEvery
                                         : milliseconds(60000);
    auto Left = Deadline == Clock::time_point::max()
                    ? Sleep
                    : std::chrono::ceil<milliseconds>(Deadline - Clock::now());
    Left = std::clamp(Left, milliseconds(0), Sleep);
    ::poll(Polled, 3, int(Left.count()));
  }

  void readBoth() {
    for (int Stream : {1, 2})
      readAvailable(Captures[Stream - 1], Spec, Stream, Result.Truncated);
  }

  /// Whether the child gets more time.
  bool onDeadline() {
    bool First = !std::exchange(TimedOut, true);
    if (First)
      Result.Starved = Spec.CpuTime.count() && !isOutOfCpu();
    if (!First || !Spec.OnTimeout)
      return false;
    Spec.OnTimeout(Pid);
    Deadline = Clock::now() + Spec.Grace;
    return true;
  }

  void collect() {
    int Status = 0;
    struct rusage Usage = {};
    pid_t Waited;
    do
      Waited = ::wait4(Pid, &Status, 0, &Usage);
    while (Waited < 0 && errno == EINTR);
    if (Waited != Pid) {
      Result.Error = "its exit status was lost: this program ignores SIGCHLD";
      return;
    }
    auto Seconds = [](timeval T) { return T.tv_sec + T.tv_usec * 1e-6; };
    Result.UserSeconds = Seconds(Usage.ru_utime);
    Result.SystemSeconds = Seconds(Usage.ru_stime);
    Result.CpuSeconds = std::max(Result.UserSeconds + Result.SystemSeconds,
                                 std::chrono::duration<double>(Cpu).count());
    Result.PeakBytes = uint64_t(Usage.ru_maxrss) * 1024;
    using How = ProcessResult::Status;
    bool BySignal = WIFSIGNALED(Status);
    Result.Code = BySignal ? WTERMSIG(Status) : WEXITSTATUS(Status);
    Result.How = TimedOut   ? How::TimedOut
                 : TooLarge ? How::TooLarge
                 : BySignal ? How::Signaled
                            : How::Exited;
  }

  static constexpr milliseconds LookEvery{100};
  const ProcessSpec &Spec;
  pid_t Pid;
  Capture *Captures;
  ProcessResult &Result;
  Descriptor PidFd;
  Clock::time_point Deadline;
  Clock::time_point NextLook = Clock::now() + LookEvery;
  milliseconds Cpu{0};
  bool TimedOut = false, TooLarge = false;
};

} // namespace

struct RunningProcess::Impl {
  ProcessSpec Spec;
  Capture Captures[2];
  ProcessResult Result; // captures are read into it
  Clock::time_point Start;
  pid_t Pid = -1; // -1: not started, or not any more

  void start();
  void notRun(std::string Error) { Result.Error = std::move(Error); }
};

void RunningProcess::Impl::start() {
  if (Spec.Args.empty())
    return notRun("no program given");
  Launch L;
  auto Program = llvm::sys::findProgramByName(Spec.Args[0]);
  if (!Program)
    return notRun("cannot find program '" + Spec.Args[0] + "'");
  L.Program = *Program;
  L.WorkingDir = Spec.WorkingDir;
  for (const std::string &Arg : Spec.Args)
    L.Argv.push_back(const_cast<char *>(Arg.c_str()));
  L.Argv.push_back(nullptr);
  prepareEnv(Spec, L);
  prepareLimits(Spec, L);

  Descriptor DevNull(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!Spec.ShowOutput &&
      !(openPipe(Captures[0], Result.Out) && openPipe(Captures[1], Result.Err)))
    return notRun(std::string("cannot create a pipe: ") + strerror(errno));
  prepareFds(Spec, L, DevNull.get(), Captures);

  Start = Clock::now();
  LaunchFailure Failed;
  Pid = launch(L, Failed);
  for (Capture &C : Captures)
    C.WriteEnd.reset();
  if (!Failed.Step)
    return;
  if (Pid > 0)
    ::waitpid(Pid, nullptr, 0);
  Pid = -1;
  notRun("cannot start '" + Spec.Args[0] + "': " + Failed.Step + ": " +
         strerror(Failed.Errno));
}

RunningProcess::RunningProcess(ProcessSpec Spec)
    : State(std::make_unique<Impl>()) {
  State->Spec = std::move(Spec);
  State->start();
}

RunningProcess::RunningProcess(RunningProcess &&) noexcept = default;
RunningProcess &RunningProcess::operator=(RunningProcess &&Other) noexcept {
  std::swap(State, Other.State);
  return *this;
}

RunningProcess::~RunningProcess() {
  if (!State || State->Pid < 0)
    return;
  ::kill(-State->Pid, SIGKILL);
  while (::waitpid(State->Pid, nullptr, 0) < 0 && errno == EINTR)
    ;
}

ProcessSpec &RunningProcess::spec() { return State->Spec; }

ProcessResult RunningProcess::wait() {
  Impl &S = *State;
  if (S.Pid < 0)
    return std::move(S.Result);
  Watch(S.Spec, S.Pid, S.Captures, S.Result).untilEnd();
  S.Pid = -1;
  S.Result.WallSeconds =
      std::chrono::duration<double>(Clock::now() - S.Start).count();
  return std::move(S.Result);
}

ProcessResult belay::support::runProcess(ProcessSpec Spec) {
  return RunningProcess(std::move(Spec)).wait();
}

std::string ProcessResult::describe() const {
  switch (How) {
  case Status::Exited:
    return "exit status " + std::to_string(Code);
  case Status::Signaled:
    return "signal " + std::to_string(Code) + " (" + strsignal(Code) + ")";
  case Status::TimedOut:
    return "timed out";
  case Status::TooLarge:
    return "used too much memory";
  case Status::NotRun:
  case Status::NotConfined:
    return Error;
  }
  return Error;
}
