//===- Streams.cpp - Streams ----------------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include <cstring>
#include <iterator>

using namespace belay::device;

int aclrtCreateStream(void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  *Handle = Handles::toHandle(runtime().createStream(This.context(), 0, 0)->Id);
  return Success;
}

int aclrtCreateStreamWithConfig(void **Handle, uint32_t Priority,
                                uint32_t Flags) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  *Handle = Handles::toHandle(
      runtime().createStream(This.context(), Priority, Flags)->Id);
  return Success;
}

static int destroy(Call &This, void *Handle, bool Force) {
  if (!Handle)
    return This.fail(RtParam, "the default stream ends with its context");
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  if (S->IsDefault)
    return This.fail(RtParam, "the default stream ends with its context");
  tellStreamState(*S, StreamState::BeforeEnd);
  if (Force && !S->isIdle()) {
    This.mistake(Success, DiagId::DeviceDroppedTasks,
                 "the stream has tasks that have not run, and now never will",
                 "synchronise with the stream, then use aclrtDestroyStream");
    S->abandon();
  }
  S->wait();
  if (Outcome Lost = S->takeFailure(); Lost.Error && !Lost.Requested)
    This.mistake(Success, DiagId::DeviceLostError,
                 "a task of the stream failed with " +
                     std::to_string(Lost.Error) +
                     ", and nobody synchronised with it",
                 "call aclrtSynchronizeStream and look at what it returns");
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

int aclrtDestroyStream(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  return destroy(This, Handle, /*Force=*/false);
}
int aclrtDestroyStreamForce(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  return destroy(This, Handle, /*Force=*/true);
}

int aclrtSynchronizeStream(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  return S ? synchronize(*S) : This.error();
}
int aclrtSynchronizeStreamWithTimeout(void *Handle, int32_t Timeout) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  return S ? synchronize(*S, waitTime(Timeout)) : This.error();
}

int aclrtStreamQuery(void *Handle, int *Status) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Status);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  *Status = S->isIdle() ? 0 : 1; // complete, not ready
  return Success;
}

static int checkStoppable(Call &This, const Stream &S) {
  return S.BoundTo ? This.fail(RtParam, "the stream is bound to a graph") : 0;
}

int aclrtStreamAbort(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  if (int E = checkStoppable(This, *S))
    return E;
  S->stop({RtStreamAbort, "the stream was aborted", /*Requested=*/true},
          /*Forget=*/true);
  return Success;
}

int aclrtStreamStop(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  if (!Handle)
    return This.fail(RtParam, "the default stream cannot be stopped");
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  if (int E = checkStoppable(This, *S))
    return E;
  S->stop({RtInternal, "the task was stopped by aclrtStreamStop",
           /*Requested=*/true},
          /*Forget=*/false);
  return Success;
}

int aclrtRegStreamStateCallback(const char *Name,
                                void (*Function)(void *, int, void *),
                                void *Argument) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Name);
  if (*Name == '\0')
    return This.fail(RtParam, "the name is empty");
  if (!watchStreams(Name, Function, Argument))
    return This.fail(RtParam, std::string("'") + Name +
                                  (Function ? "' is registered already"
                                            : "' is not registered"));
  return Success;
}

int aclrtSetStreamFailureMode(void *Handle, uint64_t Mode) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  if (Mode > 1)
    return This.fail(RtParam, "the mode must be 0 or 1");
  S->StopOnFailure = Mode == 1;
  return Success;
}

/// Writes one fact about a stream to `To`.
template <typename T, typename Fact>
static int tell(Call &This, void *Handle, T *To, Fact Of) {
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  *To = static_cast<T>(Of(*S));
  return Success;
}

int aclrtStreamGetId(void *Handle, int32_t *Id) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Id);
  return tell(This, Handle, Id, [](const Stream &S) { return S.Id; });
}
int aclrtStreamGetFlags(void *Handle, uint32_t *Flags) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Flags);
  return tell(This, Handle, Flags, [](const Stream &S) { return S.Flags; });
}
int aclrtStreamGetPriority(void *Handle, uint32_t *Priority) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Priority);
  return tell(This, Handle, Priority,
              [](const Stream &S) { return S.Priority; });
}

int aclrtGetStreamAvailableNum(uint32_t *Count) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Count);
  constexpr size_t Most = 1984; // of 910B
  size_t Taken = runtime().Objects.all(HandleKind::Stream).size();
  *Count = static_cast<uint32_t>(Most - std::min(Most, Taken));
  return Success;
}
int aclrtDeviceGetStreamPriorityRange(int32_t *Least, int32_t *Greatest) {
  BELAY_BEGIN(CurrentContext);
  if (Least)
    *Least = 7;
  if (Greatest)
    *Greatest = 0;
  return Success;
}

//===----------------------------------------------------------------------===//
// Attributes, and streams made from a list of them
//===----------------------------------------------------------------------===//

namespace {

enum StreamAttribute : int {
  FailureMode = 1,
  OverflowCheck = 2,
  UserTag = 3,
  CacheOpInfo = 4,
  Priority = 5
};

/// The vendor's union: all members begin at its start.
union AttributeValue {
  uint64_t Mode;
  uint32_t Number;
  uint32_t Reserved[4];
};

/// The number that an attribute is kept in; null for the failure mode and for
/// attributes that do not exist.
uint32_t *numberOf(Stream &S, int Attribute) {
  switch (Attribute) {
  case OverflowCheck:
    return &S.OverflowSwitch;
  case UserTag:
    return &S.UserTag;
  case CacheOpInfo:
    return &S.CacheOpInfo;
  case Priority:
    return &S.Priority;
  default:
    return nullptr;
  }
}

int noAttribute(Call &This, int Attribute) {
  return This.fail(RtParam,
                   "a stream has no attribute " + std::to_string(Attribute));
}

} // namespace

int aclrtSetStreamAttribute(void *Handle, int Attribute, void *Value) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Value);
  if (Attribute == FailureMode)
    return aclrtSetStreamFailureMode(
        Handle, static_cast<AttributeValue *>(Value)->Mode);
  if (Attribute == OverflowCheck)
    return aclrtSetStreamOverflowSwitch(
        Handle, static_cast<AttributeValue *>(Value)->Number);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  uint32_t *To = numberOf(*S, Attribute);
  if (!To)
    return noAttribute(This, Attribute);
  *To = static_cast<AttributeValue *>(Value)->Number;
  return Success;
}

int aclrtGetStreamAttribute(void *Handle, int Attribute, void *Value) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Value);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  auto &To = *static_cast<AttributeValue *>(Value);
  if (Attribute == FailureMode)
    To.Mode = S->StopOnFailure;
  else if (uint32_t *From = numberOf(*S, Attribute))
    To.Number = *From;
  else
    return noAttribute(This, Attribute);
  return Success;
}

/// The vendor's layout; programs only hold pointers to it.
struct aclrtStreamConfigHandle {
  void *WorkAddress = nullptr;
  size_t WorkBytes = 0;
  size_t Flags = 0;
  uint32_t Priority = 0;
};

aclrtStreamConfigHandle *aclrtCreateStreamConfigHandle() {
  return new aclrtStreamConfigHandle;
}

int aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle *Config) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Config);
  delete Config;
  return Success;
}

int aclrtSetStreamConfigOpt(aclrtStreamConfigHandle *Config, int Attribute,
                            const void *Value, size_t Bytes) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Config);
  BELAY_NOT_NULL(Value);
  struct {
    void *To;
    size_t Bytes;
  } const Places[] = {{&Config->WorkAddress, sizeof(void *)},
                      {&Config->WorkBytes, sizeof(size_t)},
                      {&Config->Flags, sizeof(size_t)},
                      {&Config->Priority, sizeof(uint32_t)}};
  if (Attribute < 0 || static_cast<size_t>(Attribute) >= std::size(Places))
    return noAttribute(This, Attribute);
  // Flags are given as 32 bits, too.
  if (Bytes == 0 || Bytes > Places[Attribute].Bytes)
    return This.fail(RtParam, "attribute " + std::to_string(Attribute) +
                                  " has " +
                                  std::to_string(Places[Attribute].Bytes) +
                                  " bytes, not " + std::to_string(Bytes));
  std::memcpy(Places[Attribute].To, Value, Bytes);
  return Success;
}

int aclrtCreateStreamV2(void **Handle, const aclrtStreamConfigHandle *Config) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  BELAY_NOT_NULL(Config);
  *Handle =
      Handles::toHandle(runtime()
                            .createStream(This.context(), Config->Priority,
                                          static_cast<uint32_t>(Config->Flags))
                            ->Id);
  return Success;
}

/// Prefetches into caches that the simulated device does not have; what is
/// checked is that the memory is there.
int aclrtCmoAsync(void *Pointer, size_t Bytes, int Kind, void *Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Pointer);
  constexpr int Prefetch = 0;
  if (Kind != Prefetch)
    return This.fail(RtFeatureNotSupported, "only prefetching is supported");
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  Where Place = runtime().locate(Pointer);
  if (!Place.On || Place.On->Id != S->Device)
    return This.mistake(RtParam, DiagId::DeviceBadCopy,
                        "this is not memory of the stream's device");
  AllocationTable &Table = Place.On->Memory.Table;
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.find(Address, Bytes);
  if (It == Table.Live.end()) {
    std::string What = Table.describe(Address);
    Lock.unlock();
    return This.mistake(RtParam, DiagId::DeviceBadCopy,
                        std::to_string(Bytes) + " bytes from " + What);
  }
  uint64_t Sequence = S->submit([] { return Outcome(); }, "CMO");
  It->second.Uses[S->Id] = {Sequence, "the prefetch", This.Site};
  return Success;
}
