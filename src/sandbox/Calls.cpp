//===- Calls.cpp - Which system calls are allowed -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of what is allowed, for the filter of the Linux kernel. Whatever is
// not on it fails with EPERM: libraries have fallbacks for many calls. The list
// is searched by halves, as intervals of numbers: Linux compiles a filter when
// it is installed, and tries all calls to remember which are always allowed,
// and every core installs one.
//
//===----------------------------------------------------------------------===//

#include "sandbox/Calls.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <initializer_list>
#include <iterator>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

using namespace belay::sandbox;

#if defined(__x86_64__)
static constexpr uint32_t Architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static constexpr uint32_t Architecture = AUDIT_ARCH_AARCH64;
#else
#error "the numbers of system calls are not known here"
#endif

/// Computing, memory, time, signals of its own.
static const int ForAll[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_lseek,
    SYS_mprotect,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getrandom,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrusage,
    SYS_times,
    SYS_futex,
    SYS_set_tid_address,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_uname,
    SYS_exit,
    SYS_exit_group,
    SYS_tgkill,
    SYS_restart_syscall,
    SYS_sysinfo,
    SYS_getcpu,
#ifdef SYS_time
    SYS_time,
#endif
#ifdef SYS_arch_prctl
    SYS_arch_prctl,
#endif
};

/// Finding and reading files.
static const int ForLoader[] = {
    SYS_openat,     SYS_readlinkat, SYS_faccessat, SYS_faccessat2,
    SYS_getdents64, SYS_getcwd,     SYS_wait4,     SYS_waitid,
    SYS_dup,        SYS_dup3,       SYS_ppoll,
#ifdef SYS_open
    SYS_open,       SYS_stat,       SYS_lstat,     SYS_access,
    SYS_readlink,   SYS_poll,       SYS_dup2,
#endif
};

/// Writing files, starting programs and threads.
static const int ForTool[] = {
    SYS_execve,         SYS_pwrite64,
    SYS_ftruncate,      SYS_fallocate,
    SYS_fsync,          SYS_fdatasync,
    SYS_renameat,       SYS_renameat2,
    SYS_unlinkat,       SYS_mkdirat,
    SYS_fchmod,         SYS_fchmodat,
    SYS_umask,          SYS_chdir,
    SYS_pipe2,          SYS_pselect6,
    SYS_kill,           SYS_tkill,
    SYS_getpgid,        SYS_setpgid,
    SYS_statfs,         SYS_fstatfs,
    SYS_utimensat,      SYS_get_robust_list,
    SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_mincore,        SYS_fadvise64,
#ifdef SYS_open
    SYS_rename,         SYS_unlink,
    SYS_mkdir,          SYS_rmdir,
    SYS_chmod,          SYS_pipe,
    SYS_select,         SYS_getpgrp,
    SYS_vfork,          SYS_creat,
    SYS_truncate,
#endif
};

namespace {

class Filter {
public:
  explicit Filter(Calls Allowed) {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, Architecture, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    // The numbers of another interface of the same architecture.
    add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
#endif
    if (Allowed != Calls::Kernel)
      allowForks();
    bool IsTool = Allowed == Calls::Tool || Allowed == Calls::Late;
    if (IsTool)
      Always.push_back(SYS_mmap);
    else // memory that no limit of the process counts
      refuseIfAll(SYS_mmap, 3, MAP_SHARED | MAP_ANONYMOUS);
    allowFirst(SYS_ioctl, 1, {TCGETS});
    if (Allowed == Calls::Kernel)
      allowFirst(SYS_prctl, 0, {PR_SET_NAME});
    else // a process can give up more
      allowFirst(
          SYS_prctl, 0,
          {PR_SET_NAME, PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP});
    allowFirst(SYS_fcntl, 1,
               {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL});
    // Only asking: the pointer to new limits is null.
    allowFirst(SYS_prlimit64, 2, {0});
    Always.insert(Always.end(), std::begin(ForAll), std::end(ForAll));
    if (Allowed != Calls::Kernel)
      Always.insert(Always.end(), std::begin(ForLoader), std::end(ForLoader));
    if (IsTool)
      Always.insert(Always.end(), std::begin(ForTool), std::end(ForTool));
    if (Allowed == Calls::Late)
      Always.push_back(SYS_recvmsg);
    decide();
  }

  bool install() {
    sock_fprog Program = {static_cast<unsigned short>(Code.size()),
                          Code.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Program) == 0;
  }

private:
  /// Numbers of calls from one to the first of the next.
  struct Interval {
    uint32_t First;
    bool Allowed;
  };

  void add(int Operation, uint32_t K, uint8_t IfTrue = 0, uint8_t IfFalse = 0) {
    Code.push_back({static_cast<uint16_t>(Operation), IfTrue, IfFalse, K});
  }
  void load(size_t Offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(Offset));
  }
  static size_t argument(unsigned Index, bool High = false) {
    return offsetof(seccomp_data, args) + Index * sizeof(uint64_t) +
           (High ? 4 : 0);
  }
  /// Allows the calls of Always, and refuses all others. The accumulator holds
  /// the number of the call, here and below.
  void decide() {
    std::sort(Always.begin(), Always.end());
    std::vector<Interval> All;
    uint32_t Next = 0; // in no interval yet
    for (int Each : Always) {
      auto Number = static_cast<uint32_t>(Each);
      if (Number > Next)
        All.push_back({Next, false});
      if (All.empty() || !All.back().Allowed)
        All.push_back({Number, true});
      Next = Number + 1;
    }
    All.push_back({Next, false});
    search(All, 0, All.size());
  }
  /// Halves the intervals from First to Last.
  void search(const std::vector<Interval> &All, size_t First, size_t Last) {
    if (Last - First == 1) {
      add(BPF_RET | BPF_K,
          All[First].Allowed ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | EPERM);
      return;
    }
    size_t Middle = (First + Last) / 2, Branch = Code.size();
    add(BPF_JMP | BPF_JGE | BPF_K, All[Middle].First);
    search(All, First, Middle);
    size_t Skipped = Code.size() - Branch - 1;
    if (Skipped <= UINT8_MAX) {
      Code[Branch].jt = static_cast<uint8_t>(Skipped);
    } else {
      Code[Branch].jf = 1;
      Code.insert(Code.begin() + static_cast<ptrdiff_t>(Branch) + 1,
                  {BPF_JMP | BPF_JA, 0, 0, static_cast<uint32_t>(Skipped)});
    }
    search(All, Middle, Last);
  }
  /// Allowed unless all of the bits are set in an argument.
  void refuseIfAll(int Number, unsigned Index, uint32_t Bits) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(Number), 0, 5);
    load(argument(Index));
    add(BPF_ALU | BPF_AND | BPF_K, Bits);
    add(BPF_JMP | BPF_JEQ | BPF_K, Bits, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  }
  /// Allowed if an argument is one of these values.
  void allowFirst(int Number, unsigned Index,
                  std::initializer_list<uint32_t> Values) {
    auto Count = static_cast<uint8_t>(Values.size());
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(Number), 0,
        static_cast<uint8_t>(2 * Count + 4));
    load(argument(Index, /*High=*/true));
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, static_cast<uint8_t>(2 * Count + 1));
    load(argument(Index));
    for (uint32_t Value : Values) {
      add(BPF_JMP | BPF_JEQ | BPF_K, Value, 0, 1);
      add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  }
  /// Threads and processes, but no namespaces. The arguments of clone3 cannot
  /// be looked at; without it libraries use clone.
  void allowForks() {
    constexpr uint32_t Namespaces = CLONE_NEWNS | CLONE_NEWCGROUP |
                                    CLONE_NEWUTS | CLONE_NEWIPC |
                                    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    add(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 5);
    load(argument(0));
    add(BPF_ALU | BPF_AND | BPF_K, Namespaces);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    add(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
#ifdef SYS_fork
    Always.push_back(SYS_fork);
#endif
  }

  std::vector<sock_filter> Code;
  std::vector<int> Always;
};

} // namespace

bool belay::sandbox::restrictCalls(Calls Allowed) {
  return Filter(Allowed).install();
}
