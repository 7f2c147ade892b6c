//===- Streams.cpp - Streams and events -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

using namespace belay::device;

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

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
  if (Force && !S->isIdle()) {
    This.mistake(Success, DiagId::DeviceDroppedTasks,
                 "the stream has tasks that have not run, and now never will",
                 "synchronise with the stream, then use aclrtDestroyStream");
    S->abandon();
  }
  S->wait();
  if (Outcome Lost = S->takeFailure(); Lost.Error)
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

static std::chrono::milliseconds milliseconds(int32_t Timeout) {
  return Timeout < 0 ? Forever : std::chrono::milliseconds(Timeout);
}

int aclrtSynchronizeStream(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  return S ? synchronize(*S) : This.error();
}
int aclrtSynchronizeStreamWithTimeout(void *Handle, int32_t Timeout) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  return S ? synchronize(*S, milliseconds(Timeout)) : This.error();
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

int aclrtStreamAbort(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  S->abandon();
  S->wait();
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
// Events
//===----------------------------------------------------------------------===//

namespace {
enum EventFlag : uint32_t { Sync = 1, Progress = 2, TimeLine = 8 };
}

static int create(Call &This, void **Handle, uint32_t Flags, Event::Made How) {
  BELAY_NOT_NULL(Handle);
  auto E = std::make_shared<Event>();
  E->Id = runtime().Objects.reserve();
  E->Device = This.context().Device;
  E->Flags = Flags;
  E->How = How;
  *Handle = runtime().Objects.add(E->Id, HandleKind::Event, E);
  return Success;
}

int aclrtCreateEvent(void **Handle) {
  BELAY_BEGIN(CurrentContext);
  return create(This, Handle, TimeLine | Sync, Event::Made::Plain);
}
int aclrtCreateEventWithFlag(void **Handle, uint32_t Flags) {
  BELAY_BEGIN(CurrentContext);
  return create(This, Handle, Flags, Event::Made::WithFlag);
}
int aclrtCreateEventExWithFlag(void **Handle, uint32_t Flags) {
  BELAY_BEGIN(CurrentContext);
  return create(This, Handle, Flags, Event::Made::ExWithFlag);
}

int aclrtDestroyEvent(void *Handle) {
  BELAY_BEGIN(Initialised);
  if (!This.event(Handle))
    return This.error();
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

static std::shared_ptr<Recording> lastOf(Event &E) {
  std::lock_guard<std::mutex> Lock(E.Mutex);
  return E.Last;
}

static int checkDevice(Call &This, const Event &E, const Stream &S) {
  if (E.Device == S.Device)
    return Success;
  return This.mistake(RtStreamContext, DiagId::DeviceWrongContext,
                      "the event belongs to device " +
                          std::to_string(E.Device) + ", the stream to device " +
                          std::to_string(S.Device));
}

int aclrtRecordEvent(void *Handle, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto E = This.event(Handle);
  if (!E)
    return This.error();
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (int Error = checkDevice(This, *E, *S))
    return Error;
  auto R = std::make_shared<Recording>();
  S->record(R);
  std::lock_guard<std::mutex> Lock(E->Mutex);
  E->Last = R;
  return Success;
}

static int waitEvent(Call &This, void *StreamHandle, void *Handle) {
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  auto E = This.event(Handle);
  if (!E)
    return This.error();
  if (!(E->Flags & (Sync | TimeLine)) && E->How == Event::Made::WithFlag)
    return This.mistake(
        RtParam, DiagId::DeviceBadEvent,
        "streams cannot wait for this event: it was made "
        "without the flag for synchronisation",
        "make it with aclrtCreateEvent, or with ACL_EVENT_SYNC");
  if (auto R = lastOf(*E))
    S->waitFor(R);
  return Success;
}

int aclrtStreamWaitEvent(void *StreamHandle, void *Handle) {
  BELAY_BEGIN(CurrentContext);
  return waitEvent(This, StreamHandle, Handle);
}
int aclrtStreamWaitEventWithTimeout(void *StreamHandle, void *Handle, int32_t) {
  BELAY_BEGIN(CurrentContext);
  return waitEvent(This, StreamHandle, Handle);
}

int aclrtResetEvent(void *Handle, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto E = This.event(Handle);
  if (!E)
    return This.error();
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (E->How != Event::Made::WithFlag || !(E->Flags & Sync))
    return This.mistake(RtParam, DiagId::DeviceBadEvent,
                        "only events of aclrtCreateEventWithFlag with "
                        "ACL_EVENT_SYNC can be reset",
                        "record the event again instead; no reset is needed");
  // The recording stays with who waits for it already.
  S->submit([] { return Outcome(); });
  std::lock_guard<std::mutex> Lock(E->Mutex);
  E->Last = nullptr;
  return Success;
}

static int query(Call &This, void *Handle, int *Status, int Complete,
                 int NotReady) {
  BELAY_NOT_NULL(Status);
  auto E = This.event(Handle);
  if (!E)
    return This.error();
  auto R = lastOf(*E);
  bool Done = !R || R->isDone();
  if (R && Done)
    HostKnowledge::learn(R->Known);
  *Status = Done ? Complete : NotReady;
  return Success;
}

int aclrtQueryEvent(void *Handle, int *Status) {
  BELAY_BEGIN(CurrentContext);
  return query(This, Handle, Status, 0, 1);
}
int aclrtQueryEventStatus(void *Handle, int *Status) {
  BELAY_BEGIN(CurrentContext);
  return query(This, Handle, Status, 1, 0);
}
int aclrtQueryEventWaitStatus(void *Handle, int *Status) {
  BELAY_BEGIN(CurrentContext);
  auto E = This.event(Handle);
  if (!E)
    return This.error();
  if (E->How == Event::Made::ExWithFlag)
    return This.mistake(RtParam, DiagId::DeviceBadEvent,
                        "events of aclrtCreateEventExWithFlag cannot be asked "
                        "for their waits",
                        "use aclrtQueryEventStatus");
  return query(This, Handle, Status, 0, 1);
}

static int synchronizeEvent(Call &This, void *Handle, int32_t Timeout) {
  auto E = This.event(Handle);
  if (!E)
    return This.error();
  auto R = lastOf(*E);
  if (!R)
    return Success;
  if (!R->wait(milliseconds(Timeout)))
    return This.fail(RtWaitTimeout, "the event was not recorded in time");
  HostKnowledge::learn(R->Known);
  return Success;
}

int aclrtSynchronizeEvent(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  return synchronizeEvent(This, Handle, -1);
}
int aclrtSynchronizeEventWithTimeout(void *Handle, int32_t Timeout) {
  BELAY_BEGIN(CurrentContext);
  return synchronizeEvent(This, Handle, Timeout);
}

/// The recording of an event that keeps time; null and an error otherwise.
static std::shared_ptr<Recording> timed(Call &This, void *Handle) {
  auto E = This.event(Handle);
  if (!E)
    return nullptr;
  if (!(E->Flags & TimeLine)) {
    This.mistake(RtEventTimestamp, DiagId::DeviceBadEvent,
                 "the event keeps no time: it was made without "
                 "ACL_EVENT_TIME_LINE",
                 "make it with aclrtCreateEvent");
    return nullptr;
  }
  auto R = lastOf(*E);
  if (!R || !R->isDone()) {
    This.fail(RtEventTimestamp,
              R ? "the event has not happened yet; synchronise first"
                : "the event was never recorded");
    return nullptr;
  }
  return R;
}

int aclrtEventElapsedTime(float *Milliseconds, void *Start, void *End) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Milliseconds);
  auto From = timed(This, Start);
  auto To = From ? timed(This, End) : nullptr;
  if (!To)
    return This.error();
  if (From->Stream != To->Stream)
    return This.mistake(RtEventTimestamp, DiagId::DeviceBadEvent,
                        "the events were recorded in different streams",
                        "record both in the stream whose time is of interest");
  *Milliseconds =
      std::chrono::duration<float, std::milli>(To->When - From->When).count();
  return Success;
}

int aclrtEventGetTimestamp(void *Handle, uint64_t *Microseconds) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Microseconds);
  auto R = timed(This, Handle);
  if (!R)
    return This.error();
  *Microseconds = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(
          R->When.time_since_epoch())
          .count());
  return Success;
}

int aclrtGetEventId(void *Handle, uint32_t *Id) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Id);
  auto E = This.event(Handle);
  if (!E)
    return This.error();
  *Id = static_cast<uint32_t>(E->Id);
  return Success;
}
int aclrtGetEventAvailNum(uint32_t *Count) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Count);
  *Count = 65535;
  return Success;
}
