//===- Subprocess.h - Other programs, under limits --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts a program without a shell, watches it, and always ends it: compilers,
// and untrusted kernels. Whatever the child does (crash, loop, fork,
// print without end, eat memory), runProcess() returns.
//
// LLVM's sys::ExecuteAndWait knows neither rlimits nor process groups nor
// captured output.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_SUBPROCESS_H
#define BELAY_SUPPORT_SUBPROCESS_H

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::support {

/// What to start, and what it may use. A limit of 0 is no limit.
struct ProcessSpec {
  /// Program and arguments. A program without a slash is looked up in PATH.
  std::vector<std::string> Args;
  /// "NAME=value", added to the environment or replacing what is there.
  std::vector<std::string> Env;
  /// Start from an empty environment instead of the caller's.
  bool ClearEnv = false;
  std::string WorkingDir;

  std::chrono::milliseconds Timeout{0}; ///< Wall clock.
  /// CPU time of the child and its descendants together, which does not depend
  /// on who else uses the machine; looked at ten times a second. With it,
  /// Timeout only says how long to wait for a machine that is busy.
  std::chrono::milliseconds CpuTime{0};
  uint64_t CpuSeconds = 0; ///< Of each process.
  uint64_t AddressSpaceBytes = 0;
  /// Private memory. Unlike a bound on the address space it leaves room for
  /// large reservations and shared files.
  uint64_t DataBytes = 0;
  /// Memory in use by the child and its descendants, shared files included;
  /// looked at ten times a second.
  uint64_t ResidentBytes = 0;
  uint64_t FileBytes = 0; ///< Largest file that it may write.

  /// Inherited descriptors: {the caller's, the number it has in the child}.
  /// All others are closed; standard input is /dev/null unless named here.
  std::vector<std::pair<int, int>> Fds;
  /// Let the child write to the caller's stdout and stderr.
  bool ShowOutput = false;
  /// Called with what the child prints to stream 1 or 2, as it comes, in place
  /// of keeping it.
  std::function<void(int Stream, std::string_view Text)> OnOutput;
  /// Of each captured stream, keep this much; the rest is read and dropped.
  size_t MaxCapturedBytes = 16 << 20;

  /// Called with the process id when the time is over; the child is killed
  /// \c Grace later. Lets a supervisor ask where a hanging child is.
  std::function<void(pid_t)> OnTimeout;
  std::chrono::milliseconds Grace{0};
};

struct ProcessResult {
  enum class Status {
    Exited,      ///< Code is the exit status.
    Signaled,    ///< Code is the signal.
    TimedOut,    ///< Timeout or CpuTime ran out; killed.
    TooLarge,    ///< It used more than ResidentBytes; killed.
    NotRun,      ///< Error says why the program could not be started.
    NotConfined, ///< Error says what could not be enforced; it did not start.
  };
  Status How = Status::NotRun;
  int Code = 0;
  std::string Error;

  std::string Out, Err;
  bool Truncated = false; ///< Out or Err had more than was kept.
  /// TimedOut, and of its CpuTime there was some left: it waited, for the
  /// machine or for nothing. Says nothing about the work that it had to do.
  bool Starved = false;

  double WallSeconds = 0, UserSeconds = 0, SystemSeconds = 0;
  /// Of the child and its descendants, as far as it was seen.
  double CpuSeconds = 0;
  uint64_t PeakBytes = 0; ///< Peak resident set.

  bool succeeded() const { return How == Status::Exited && Code == 0; }
  /// "exit status 2", "signal 11 (Segmentation fault)", "timed out", ...
  std::string describe() const;
};

/// A child that has been started, and ends with this object at the latest. It
/// leads a process group of its own, which is killed as a whole when the child
/// has ended or its time is over, and dies with the caller.
class RunningProcess {
public:
  explicit RunningProcess(ProcessSpec Spec);
  RunningProcess(RunningProcess &&) noexcept;
  RunningProcess &operator=(RunningProcess &&) noexcept;
  ~RunningProcess();

  /// Limits of wait() may be set until it is called: Timeout, from then on,
  /// CpuTime, ResidentBytes, OnOutput, OnTimeout and Grace.
  ProcessSpec &spec();
  /// Follows the child to its end; once.
  ProcessResult wait();

private:
  struct Impl;
  std::unique_ptr<Impl> State;
};

/// Runs \p Spec to its end.
ProcessResult runProcess(ProcessSpec Spec);

} // namespace belay::support

#endif // BELAY_SUPPORT_SUBPROCESS_H
