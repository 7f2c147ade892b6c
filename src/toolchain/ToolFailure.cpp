//===- ToolFailure.cpp - Compilers that fail for other reasons ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/ToolFailure.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <csignal>
#include <sys/statvfs.h>

using namespace llvm;
using belay::support::ProcessResult;

/// Less than any object file.
static constexpr uint64_t LeastSpace = 64 << 10;

static bool isFull(StringRef Folder) {
  struct statvfs Disk;
  if (Folder.empty() || ::statvfs(Folder.str().c_str(), &Disk) != 0)
    return false;
  return uint64_t(Disk.f_bavail) * Disk.f_frsize < LeastSpace ||
         (Disk.f_files && !Disk.f_favail);
}

/// Clang's driver survives the crash of what it starts, and says so in its own
/// name: "clang++-22: error: clang frontend command failed with exit code 132".
/// What it says of a source begins with the place.
static bool saysThatItCrashed(StringRef Err) {
  for (StringRef Line : split(Err, '\n')) {
    auto [Program, Rest] = Line.split(": error: ");
    if (!Program.contains(':') && Rest.starts_with("clang ") &&
        Rest.contains(" command failed "))
      return true;
  }
  return false;
}

std::string belay::toolchain::faultOfMachine(const ProcessResult &Result,
                                             StringRef Folder) {
  using Status = ProcessResult::Status;
  // What a limit on memory looks like from inside.
  bool OutOfMemory =
      StringRef(Result.Err).contains("LLVM ERROR: out of memory");
  switch (Result.How) {
  case Status::NotRun:
  case Status::NotConfined:
    return Result.Error;
  case Status::TimedOut:
    return Result.Starved ? "the machine did not give it the CPU time that it "
                            "may have"
                          : "";
  case Status::TooLarge:
    return "";
  case Status::Signaled:
    if (Result.Code == SIGXCPU || Result.Code == SIGXFSZ || OutOfMemory)
      return "";
    if (Result.Code == SIGKILL)
      return formatv("{0} with {1} MiB in use; most likely the machine ran out "
                     "of memory",
                     Result.describe(), Result.PeakBytes >> 20);
    return Result.describe();
  case Status::Exited:
    if (isFull(Folder))
      return formatv("there is no space left in {0}", Folder);
    return saysThatItCrashed(Result.Err) && !OutOfMemory ? "it crashed" : "";
  }
  return "";
}
