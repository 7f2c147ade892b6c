//===- Main.cpp - Starts a program under a policy -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// belay-sandbox [--status FD] [--read PATH]... [--write FOLDER]...
//               [--hide PATH]... [--tmp BYTES] [--late 1] [--processes N]
//               -- PROGRAM ARG...
//
// Three processes: this one, which waits; the first of the new namespaces, at
// whose end the Linux kernel ends all others in them; and the program. Ends as
// the program ends, and dies with whoever started it.
//
//===----------------------------------------------------------------------===//

#include "sandbox/Calls.h"
#include "sandbox/Descriptors.h"
#include "sandbox/program/Program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace belay::sandbox;

/// Whom untrusted code runs as if this was started by root. Being root in a
/// namespace is not enough: files of root outside would be its own.
static constexpr unsigned Nobody = 65534;

/// Shared by the three processes.
static Status *Told;

void belay::sandbox::fail(const char *Step, const std::string &Detail) {
  if (!Told)
    std::_Exit(CannotStart);
  Told->Errno = errno;
  std::snprintf(Told->Step, sizeof(Told->Step), "%s%s%s", Step,
                Detail.empty() ? "" : " ", Detail.c_str());
  std::fprintf(stderr, "belay-sandbox: %s: %s\n", Told->Step,
               std::strerror(Told->Errno));
  std::_Exit(CannotStart);
}

namespace {

struct Options {
  Policy P;
  int StatusFd = -1;
  char **Program = nullptr;
};

} // namespace

static Options parse(int Argc, char **Argv) {
  Options O;
  int N = 1;
  auto Number = [&](int At) { return std::strtoull(Argv[At], nullptr, 10); };
  for (; N + 1 < Argc && std::strcmp(Argv[N], "--") != 0; N += 2) {
    std::string Option = Argv[N];
    if (Option == "--read")
      O.P.Read.emplace_back(Argv[N + 1]);
    else if (Option == "--write")
      O.P.Write.emplace_back(Argv[N + 1]);
    else if (Option == "--hide")
      O.P.Hide.emplace_back(Argv[N + 1]);
    else if (Option == "--tmp")
      O.P.TemporaryBytes = Number(N + 1);
    else if (Option == "--processes")
      O.P.Processes = static_cast<unsigned>(Number(N + 1));
    else if (Option == "--proc")
      O.P.Proc = Number(N + 1) != 0;
    else if (Option == "--late")
      O.P.Late = Number(N + 1) != 0;
    else if (Option == "--status")
      O.StatusFd = static_cast<int>(Number(N + 1));
    else
      break;
  }
  if (N + 1 >= Argc || std::strcmp(Argv[N], "--") != 0) {
    std::fputs("usage: belay-sandbox OPTIONS -- PROGRAM ARG...\n", stderr);
    std::exit(CannotStart);
  }
  O.Program = Argv + N + 1;
  return O;
}

static void openStatus(int Fd) {
  void *At = ::mmap(nullptr, sizeof(Status), PROT_READ | PROT_WRITE,
                    MAP_SHARED | (Fd < 0 ? MAP_ANONYMOUS : 0), Fd, 0);
  if (At == MAP_FAILED)
    std::exit(CannotStart);
  if (Fd >= 0)
    ::close(Fd);
  Told = static_cast<Status *>(At);
  Told->Version = Status::ThisVersion;
  Told->Ended = CannotStart << 8;
}

//===----------------------------------------------------------------------===//
// The process that waits
//===----------------------------------------------------------------------===//

/// Changing the user forgets who this process dies with.
static void dieWithParent(pid_t Parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != Parent)
    std::_Exit(CannotStart);
}

static void becomeNobody() {
  if (::setgroups(0, nullptr) != 0 ||
      ::setresgid(Nobody, Nobody, Nobody) != 0 ||
      ::setresuid(Nobody, Nobody, Nobody) != 0)
    fail("changing the user");
}

static void writeProc(const char *Path, const std::string &Text) {
  int Fd = ::open(Path, O_WRONLY | O_CLOEXEC);
  if (Fd < 0 || ::write(Fd, Text.data(), Text.size()) !=
                    static_cast<ssize_t>(Text.size()))
    fail("user namespace", Path);
  ::close(Fd);
}

static void enterNamespaces() {
  unsigned User = ::geteuid(), Group = ::getegid();
  // Otherwise /proc/self belongs to root.
  ::prctl(PR_SET_DUMPABLE, 1);
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |
                CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP) != 0)
    fail("unshare");
  auto Same = [](unsigned Id) {
    return std::to_string(Id) + " " + std::to_string(Id) + " 1";
  };
  writeProc("/proc/self/setgroups", "deny");
  writeProc("/proc/self/uid_map", Same(User));
  writeProc("/proc/self/gid_map", Same(Group));
  Told->Namespaces = 1;
  Told->User = User;
}

/// Ends this process as the program has ended.
[[noreturn]] static void endAs(int Ended) {
  if (WIFSIGNALED(Ended)) {
    int Signal = WTERMSIG(Ended);
    ::signal(Signal, SIG_DFL);
    sigset_t Only;
    sigemptyset(&Only);
    sigaddset(&Only, Signal);
    ::sigprocmask(SIG_UNBLOCK, &Only, nullptr);
    ::kill(::getpid(), Signal);
    std::_Exit(128 + Signal);
  }
  std::_Exit(WEXITSTATUS(Ended));
}

//===----------------------------------------------------------------------===//
// The first process of the namespaces, and the program
//===----------------------------------------------------------------------===//

static void dropCapabilities() {
  for (int Each = 0; ::prctl(PR_CAPBSET_DROP, Each, 0, 0, 0) == 0; ++Each)
    ;
  __user_cap_header_struct Header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct None[2] = {};
  if (::syscall(SYS_capset, &Header, None) != 0 ||
      ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    fail("dropping capabilities");
}

static void limit(int Resource, rlim_t Most) {
  struct rlimit Now;
  auto Which = static_cast<__rlimit_resource_t>(Resource);
  if (::getrlimit(Which, &Now) == 0)
    Most = std::min(Most, Now.rlim_max);
  struct rlimit New = {Most, Most};
  if (::setrlimit(Which, &New) != 0)
    fail("setrlimit");
}

/// What the child cannot read although it is allowed to is not its fault.
static void checkReadable(const Policy &P) {
  for (const auto *Paths : {&P.Read, &P.Write})
    for (const std::string &Path : *Paths) {
      struct stat Info;
      if (::access(Path.c_str(), R_OK) != 0 &&
          (errno == EACCES || ::stat(Path.c_str(), &Info) == 0))
        fail("access", Path);
    }
}

[[noreturn]] static void execute(const Options &O) {
  constexpr rlim_t MaxOpenFiles = 1024;
  // The two processes that wait count, too.
  limit(RLIMIT_NPROC, O.P.Processes + 2);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, MaxOpenFiles);
  limit(RLIMIT_MEMLOCK, 0);
  limit(RLIMIT_MSGQUEUE, 0);
  constexpr rlim_t MaxFileOfKernels = 1 << 20; // it has no business with files
  if (O.P.Late)
    limit(RLIMIT_FSIZE, MaxFileOfKernels);
  dropCapabilities();
  checkReadable(O.P);
  Told->Landlock = restrictFiles(O.P);
  extern char **environ;
  Told->Started = 1;
  if (!restrictCalls(O.P.Late ? Calls::Late : Calls::Tool)) {
    Told->Started = 0;
    fail("seccomp");
  }
  Told->SystemCalls = 1;
  ::execve(O.Program[0], O.Program, environ);
  Told->Started = 0;
  fail("exec", O.Program[0]);
}

/// Takes what the program waits for, makes the files, and passes on the rest.
static void deliver(int Program) {
  Message M;
  if (!receive(LateFd, M))
    std::_Exit(CannotStart); // nobody needs it any more
  if (M.Number > MaxLateFiles || M.Number > M.Count) {
    errno = EINVAL;
    fail("files");
  }
  M.Count -= M.Number;
  for (uint32_t N = 0; N < M.Number; ++N)
    addFile(M.Fds[M.Count + N], LateFiles[N]);
  closeRoot();
  // If the program has ended, its end is noticed below.
  send(Program, M);
}

[[noreturn]] static void runInside(const Options &O, std::vector<Tree> &Trees,
                                   int AliveFd) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd Alive = {AliveFd, 0, 0};
  if (::poll(&Alive, 1, 0) != 0)
    std::_Exit(CannotStart); // whoever started this is gone already
  replaceRoot(Trees, O.P);
  if (!O.P.Late)
    closeRoot();
  int Ends[2] = {-1, -1};
  if (O.P.Late &&
      ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, Ends) != 0)
    fail("socketpair");
  pid_t Child = ::fork();
  if (Child < 0)
    fail("fork");
  if (Child == 0) {
    ::close(AliveFd);
    if (O.P.Late && ::dup2(Ends[1], LateFd) < 0)
      fail("dup2");
    execute(O);
  }
  if (O.P.Late) {
    ::close(Ends[1]);
    deliver(Ends[0]);
  }
  // What the program has open, the end of its output, must not depend on this.
  ::close_range(0, ~0u, 0);
  int Ended;
  for (;;) {
    pid_t Which = ::waitpid(-1, &Ended, 0);
    if (Which == Child)
      break;
    if (Which < 0 && errno != EINTR)
      std::_Exit(CannotStart);
  }
  Told->Ended = Ended;
  std::_Exit(0);
}

int main(int Argc, char **Argv) {
  pid_t Parent = ::getppid();
  Options O = parse(Argc, Argv);
  openStatus(O.StatusFd);
  std::vector<Tree> Trees;
  bool AsRoot = ::geteuid() == 0;
  if (AsRoot) {
    Trees = openTrees(O.P, AsRoot, Nobody);
    becomeNobody();
  }
  dieWithParent(Parent);
  enterNamespaces();
  if (!AsRoot)
    Trees = openTrees(O.P, AsRoot, Nobody);
  int Alive[2];
  if (::pipe2(Alive, O_CLOEXEC) != 0)
    fail("pipe");
  pid_t Init = ::fork();
  if (Init < 0)
    fail("fork");
  if (Init == 0) {
    ::close(Alive[1]);
    runInside(O, Trees, Alive[0]);
  }
  for (const Tree &T : Trees)
    ::close(T.Fd);
  for (int Fd : {0, 1, Alive[0]})
    ::close(Fd);
  if (O.P.Late)
    ::close(LateFd);
  int Ended;
  while (::waitpid(Init, &Ended, 0) < 0)
    if (errno != EINTR)
      return CannotStart;
  if (Ended != 0)
    endAs(Ended);
  endAs(Told->Ended);
}
