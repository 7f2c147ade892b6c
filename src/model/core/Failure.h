//===- Failure.h - Ending a run with a reason -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_FAILURE_H
#define BELAY_MODEL_CORE_FAILURE_H

#include "abi/Launch.h"

/// What the runner and the simulated device call, besides the instructions.
#define BELAY_RUNTIME_API __attribute__((visibility("default")))

namespace belay::sim {

class Core;

/// Ends the whole run: records what went wrong, on which core and at which
/// line, then leaves the process. Id is one of src/support/Diagnostics.def.
[[noreturn]] BELAY_RUNTIME_API void
fail(const char *Id, const void *PC, const char *Hint, const char *Format, ...)
    __attribute__((format(printf, 4, 5)));

/// The same with a second place, for what cannot be understood from one.
[[noreturn]] void failAt(const char *Id, const void *PC, const void *OtherPC,
                         const char *OtherRole, const char *Hint,
                         const char *Format, ...)
    __attribute__((format(printf, 6, 7)));

/// Where failures are written; set once, before any core runs.
BELAY_RUNTIME_API void setReport(Report *R);
Report *report();

/// Tells offsets into the kernel's shared object from everything else.
BELAY_RUNTIME_API void setKernelRange(uintptr_t Begin, uintptr_t End);
/// The same for the object that cube cores run, if it is another.
BELAY_RUNTIME_API void setCubeRange(uintptr_t Begin, uintptr_t End);

/// PC as an offset into the kernel's shared object; 0 if it is elsewhere.
uint64_t kernelOffset(const void *PC);

/// Fills P with the core's identity and a stack that starts at PC and continues
/// with the frame pointers from Frame.
void describePlace(Place &P, const Core *C, const void *PC, const void *Frame);

/// Handlers for crashes (SIGSEGV, SIGBUS and others) and for the launcher's
/// request to say where everyone is (SIGUSR1).
BELAY_RUNTIME_API void installSignalHandlers();

/// Brackets the life of a thread that plays a core: alternate signal stack, the
/// bounds of its stack, its place in the list that a time-out report reads.
void enterCoreThread(Core &C);
void leaveCoreThread(Core &C);
/// The stack that the kernel's code runs on from now; that of the thread if
/// Begin is 0.
void setStackBounds(uintptr_t Begin, uintptr_t End);

/// In a sealed run the kernel is in another process, which sends its calls and
/// where they come from: the innermost frame is the call itself.
struct IssuedCall {
  const void *PC = nullptr;
  const uint64_t *Frames = nullptr;
  uint32_t NumFrames = 0;
};
extern thread_local IssuedCall TheIssuedCall
    __attribute__((tls_model("initial-exec")));
BELAY_RUNTIME_API void setSealed();
/// What became of the kernel's process; the place is that of TheIssuedCall.
[[noreturn]] BELAY_RUNTIME_API void
kernelCrashed(int Signal, const void *Address, bool OutOfMemory);

inline const void *callerOr(const void *Return) {
  return TheIssuedCall.PC ? TheIssuedCall.PC : Return;
}

} // namespace belay::sim

/// The line of the kernel that called the runtime.
#define BELAY_PC belay::sim::callerOr(__builtin_return_address(0))

#endif // BELAY_MODEL_CORE_FAILURE_H
