//===- Errors.h - What a call returns and says ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_ERRORS_H
#define BELAY_DEVICE_CORE_ERRORS_H

#include "support/DiagnosticIds.h"

#include <cstdint>
#include <string>

/// What the libraries with the vendor's names call.
#define BELAY_DEVICE_API __attribute__((visibility("default")))
/// The line that called an ACL function; for use in that function only.
#define BELAY_SITE __builtin_return_address(0)

namespace belay::device {

using support::DiagId;

/// Error codes of ACL, as programs compare them.
enum Code : int {
  Success = 0,
  InvalidParam = 100000,
  Uninitialised = 100001,
  RepeatInitialise = 100002,
  InvalidFile = 100003,
  WrongFileContent = 100004, // "parse file"
  InvalidModelId = 100009,
  InvalidDumpConfig = 100009, // the vendor has the number twice
  KernelNotFound = 100029,
  DumpAlreadyRun = 100044,
  DumpNotRun = 100045,
  Unsupported = 200001, // "API not support"
  RtParam = 107000,
  RtDeviceId = 107001,
  RtNoContext = 107002,
  RtStreamContext = 107003,
  RtEventTimestamp = 107006,
  RtStreamSubscribe = 107011,
  RtThreadSubscribe = 107012,
  RtInvalidHandle = 107017,
  RtWaitTimeout = 107019,
  RtTaskTimeout = 107020,
  RtStreamAbort = 107023,
  RtCaptureMode = 107030,
  RtFeatureNotSupported = 207000,
  RtMemoryAllocation = 207001,
  RtMemoryFree = 207002,
  RtQueueEmpty = 207013,
  RtQueueFull = 207014,
  RtInternal = 507000,
  RtAicoreTimeout = 507014,
  RtAicoreException = 507015,
  RtStreamSyncTimeout = 507046,
  RtCopyFailed = 507899, // "driver internal error"
};

/// Remembers the text for aclGetRecentErrMsg of this thread, and returns Error.
BELAY_DEVICE_API int fail(int Error, const std::string &Text);

/// aclGetRecentErrMsg: the pointer is good until the next call.
BELAY_DEVICE_API const char *takeRecentMessage();

/// The same without a limit to its length; good until this thread's next call.
BELAY_DEVICE_API const char *takeWholeMessage();

/// The last error code of this thread.
BELAY_DEVICE_API int lastError(bool Clear);

/// A mistake of the host program that the real device would not tell, or not
/// here. Printed at once; the process then ends with a status of its own.
struct Mistake {
  DiagId Id;
  std::string Text;
  const void *Site = nullptr;
  std::string OtherRole = {}; // "launched", "destroyed by aclrtDestroyContext"
  const void *OtherSite = nullptr;
  std::string Help = {};
  /// Instead of the sites, where they belong to another process.
  std::string Place = {}, OtherPlace = {};
};
BELAY_DEVICE_API void report(const Mistake &M);
/// The same, and fail().
BELAY_DEVICE_API int failWith(int Error, const Mistake &M);

/// Prints text that a tool has made of a kernel's failure. Counts as a mistake.
void reportText(const std::string &Text);

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_ERRORS_H
