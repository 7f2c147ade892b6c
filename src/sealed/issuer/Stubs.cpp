//===- Stubs.cpp - The functions that a sealed kernel calls ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One for each row of abi/Functions.def, but for those that the issuer answers
// itself (Replica.cpp, Threads.cpp): each writes a record, and waits if there
// is an answer.
//
//===----------------------------------------------------------------------===//

#include "abi/Overflow.h"
#include "abi/Pointers.h"
#include "sealed/issuer/Issuer.h"
#include "threads/ThreadBlock.h"

#include <unistd.h>

bool belay_sim_observed = false;

namespace belay::sim::sealed {

namespace {

/// Takes what a call returns through its pointers, in the order in which the
/// model leaves it.
template <Function F, unsigned N, typename T>
void takeBack(T Parameter, const uint8_t *&Answer) {
  if constexpr (std::is_pointer_v<T>) {
    using Target = std::remove_pointer_t<T>;
    if constexpr (std::is_same_v<Target, MatmulState>) {
      std::memcpy(Parameter, Answer, sizeof(Target));
      Answer += sizeof(Target);
    } else if constexpr (ruleOf(F, N).What == Rule::Kind::Result) {
      constexpr size_t Bytes = [] {
        if constexpr (std::is_void_v<Target>)
          return size_t(0);
        else
          return sizeof(Target);
      }();
      if (Bytes && Parameter)
        std::memcpy(Parameter, Answer, Bytes);
      Answer += 8;
    }
  }
}

/// Accesses of the scalar unit follow their call at once.
constexpr bool isAccess(Function F) {
  return F == Function::scalar_local || F == Function::scalar_global ||
         F == Function::uncached || F == Function::pointer;
}

template <Function F>
void access(const void *Frame, const void *Address, uint32_t Bytes,
            bool Write) {
  if (isGated(Address)) {
    ask<F>(Frame, Address, Bytes, Write);
    openFor(Address, Write);
  } else {
    issue<F>(Frame, Address, Bytes, Write);
  }
  TheIssuer.Announced = {Address, Bytes, Write};
}

template <Function F, typename T> struct Stub;
template <Function F, typename R, typename... Params>
struct Stub<F, R(Params...)> {
  static R call(Params... P) {
    const void *Frame = __builtin_frame_address(0);
    if constexpr (isAccess(F))
      return access<F>(Frame, P...);
    if constexpr (F == Function::set_workspace)
      ((TheIssuer.Workspace = P), ...);
    if constexpr (std::is_void_v<R> && !hasAnswer(F)) {
      issue<F>(Frame, P...);
    } else {
      ask<F>(Frame, P...);
      const uint8_t *Answer = TheIssuer.Channel->Answer + 8;
      [&]<size_t... Index>(std::index_sequence<Index...>) {
        (takeBack<F, Index>(P, Answer), ...);
      }(std::index_sequence_for<Params...>());
      if constexpr (F == Function::global_atomic)
        takeOld(P...);
      if constexpr (!std::is_void_v<R>) {
        R Result;
        std::memcpy(&Result, TheIssuer.Channel->Answer, sizeof(R));
        return Result;
      }
    }
  }

private:
  /// The length of what was there is the type's.
  static void takeOld(GlobalAtomic, Elem T, void *, const void *, const void *,
                      void *Old) {
    if (Old)
      std::memcpy(Old, TheIssuer.Channel->Answer + 8, bytesOf(T));
  }
};

} // namespace

// Rows without stubs of their own stand in Replica.cpp and Threads.cpp.
#define BELAY_ABI_QUESTION(Name, Result, Parameters)
#define BELAY_ABI_THREADS(Name, Result, Parameters)
#define BELAY_ABI_BUFFERS(Name, Result, Parameters)
#define BELAY_ABI(Name, Result, Parameters)                                    \
  extern "C" __attribute__((                                                   \
      used, visibility("hidden"))) decltype(&Stub<Function::Name,              \
                                                  function_types::Name>::call) \
      const belay_stub_##Name =                                                \
          &Stub<Function::Name, function_types::Name>::call;
#include "abi/Functions.def"

} // namespace belay::sim::sealed

// The functions themselves only jump, so that the frame that a stub sees is the
// kernel's.
#if defined(__x86_64__)
#define BELAY_JUMP(Name) "jmp *belay_stub_" #Name "(%rip)\n"
#elif defined(__aarch64__)
#define BELAY_JUMP(Name)                                                       \
  "adrp x16, belay_stub_" #Name "\n"                                           \
  "ldr x16, [x16, :lo12:belay_stub_" #Name "]\n"                               \
  "br x16\n"
#endif
#define BELAY_ABI_QUESTION(Name, Result, Parameters)
#define BELAY_ABI_THREADS(Name, Result, Parameters)
#define BELAY_ABI_BUFFERS(Name, Result, Parameters)
#define BELAY_ABI(Name, Result, Parameters)                                    \
  asm(".text\n.globl belay_sim_" #Name "\n.type belay_sim_" #Name              \
      ", @function\nbelay_sim_" #Name                                          \
      ":\n" BELAY_JUMP(Name) ".size belay_sim_" #Name ", .-belay_sim_" #Name   \
                             "\n");
#include "abi/Functions.def"

// --- integers of kernels compiled for --check --------------------------------

namespace belay::sim::sealed {

static void tell(const overflow::Note &N, const void *Frame) {
  if (!belay_sim_observed || !TheIssuer.Channel)
    return;
  IntegerNote Note = {N.Value, N.Before, N.Left, N.Right, N.Op};
  beginRecord(N.Truncation ? Function::note_truncation : Function::note_wrap,
              Frame);
  TheIssuer.Record.put(&Note, sizeof(Note));
  TheIssuer.Record.putText(N.Type);
  sendRecord();
  closeMemories();
}

} // namespace belay::sim::sealed

#define TELL(Note) belay::sim::sealed::tell(Note, __builtin_frame_address(0))
BELAY_OVERFLOW_HANDLERS(TELL)

// --- pointers of kernels compiled for --check
// ---------------------------------

namespace belay::sim::sealed {

/// Most pointers of a kernel go to its own variables.
static void tellPointer(const void *Address, uint64_t Bytes, bool Write,
                        const void *Frame) {
  if (!belay_sim_observed || !TheIssuer.Channel || !isDeviceMemory(Address))
    return;
  if (ThreadBlock *B = ThreadBlock::current())
    return tellThreadAccess(Frame, B->thread(), Address, Bytes, Write);
  if (TheIssuer.Announced.covers(Address, Bytes, Write))
    return;
  access<Function::pointer>(Frame, Address, static_cast<uint32_t>(Bytes),
                            Write);
}

} // namespace belay::sim::sealed

#define TELL_POINTER(Address, Bytes, Write)                                    \
  belay::sim::sealed::tellPointer(Address, Bytes, Write,                       \
                                  __builtin_frame_address(0))
BELAY_POINTER_HANDLERS(TELL_POINTER)
