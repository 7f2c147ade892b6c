//===- Events.cpp - Events ------------------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include <cstring>

using namespace belay::device;

namespace {
enum EventFlag : uint32_t {
  Sync = 1,
  Progress = 2,
  TimeLine = 8,
  External = 32,
  Ipc = 64
};

/// An event that other processes record, too: which recording was the last, and
/// whether it has happened.
struct SharedRecord {
  std::shared_ptr<Share> Across;
  uint64_t Number = 0;

  explicit SharedRecord(const Event &E)
      : Across(E.Across), Number(Across ? Across->block().Issued.load() : 0) {}
  bool isDone() const { return !Across || Across->block().Done >= Number; }
  /// False if the time ran out.
  bool wait(std::chrono::milliseconds Most = Forever) const {
    auto Start = std::chrono::steady_clock::now();
    while (!isDone()) {
      if (Most != Forever && std::chrono::steady_clock::now() - Start > Most)
        return false;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    return true;
  }
};

/// After the recording in the stream, the other processes are told of it.
void recordAcross(const Event &E, Stream &S) {
  if (!E.Across)
    return;
  uint64_t Number = ++E.Across->block().Issued;
  S.submit([Across = E.Across, Number] {
    std::atomic<uint64_t> &Done = Across->block().Done;
    uint64_t Before = Done;
    while (Before < Number && !Done.compare_exchange_weak(Before, Number))
      ;
    return Outcome();
  });
}

} // namespace

static int create(Call &This, void **Handle, uint32_t Flags, Event::Made How) {
  BELAY_NOT_NULL(Handle);
  if ((Flags & External) && Flags != External)
    return This.fail(RtParam, "ACL_EVENT_EXTERNAL stands alone");
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

static int recordEvent(Call &This, void *Handle, void *StreamHandle) {
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
  E->Recorded.notify_all();
  recordAcross(*E, *S);
  return Success;
}

int aclrtRecordEvent(void *Handle, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  return recordEvent(This, Handle, StreamHandle);
}
/// Of an event that a captured stream records, who waits outside knows anyway.
int aclrtRecordEventWithFlag(void *Handle, void *StreamHandle, uint32_t Flag) {
  BELAY_BEGIN(CurrentContext);
  if (Flag > 1)
    return This.fail(RtParam, "there is no flag " + std::to_string(Flag));
  return recordEvent(This, Handle, StreamHandle);
}

/// Later: the recording is looked up when the task runs, which a captured one
/// does more than once.
static int waitEvent(Call &This, void *StreamHandle, void *Handle,
                     bool Later = false) {
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  auto E = This.event(Handle);
  if (!E)
    return This.error();
  bool IsExternal = E->How == Event::Made::WithFlag && E->Flags == External;
  if (IsExternal && S->isCapturing()) {
    // Each execution waits for a recording from outside of the graph.
    S->submit(
        [E] {
          std::shared_ptr<Recording> R;
          {
            std::unique_lock<std::mutex> Lock(E->Mutex);
            E->Recorded.wait(Lock, [&] { return E->Last != nullptr; });
            R = E->Last;
          }
          R->wait(Forever);
          return Outcome();
        },
        "EVENT_WAIT");
    return Success;
  }
  if (!IsExternal && !(E->Flags & (Sync | TimeLine)) &&
      E->How == Event::Made::WithFlag)
    return This.mistake(
        RtParam, DiagId::DeviceBadEvent,
        "streams cannot wait for this event: it was made "
        "without the flag for synchronisation",
        "make it with aclrtCreateEvent, or with ACL_EVENT_SYNC");
  if (Later) {
    S->submit(
        [E] {
          if (auto R = lastOf(*E))
            R->wait(Forever);
          return Outcome();
        },
        "EVENT_WAIT");
    return Success;
  }
  if (auto R = lastOf(*E))
    S->waitFor(R);
  if (SharedRecord Last(*E); Last.Across)
    S->submit(
        [Last] {
          Last.wait();
          return Outcome();
        },
        "EVENT_WAIT");
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

int aclrtStreamWaitEventWithFlag(void *StreamHandle, void *Handle, int32_t,
                                 uint32_t Flag) {
  BELAY_BEGIN(CurrentContext);
  if (Flag > 1)
    return This.fail(RtParam, "there is no flag " + std::to_string(Flag));
  return waitEvent(This, StreamHandle, Handle, /*Later=*/Flag == 1);
}

int aclrtResetEvent(void *Handle, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto E = This.event(Handle);
  if (!E)
    return This.error();
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  bool IsExternal = E->How == Event::Made::WithFlag && E->Flags == External;
  if (IsExternal && S->isCapturing()) {
    S->submit(
        [E] {
          std::lock_guard<std::mutex> Lock(E->Mutex);
          E->Last = nullptr;
          return Outcome();
        },
        "EVENT_RESET");
    return Success;
  }
  if (E->How != Event::Made::WithFlag || !(E->Flags & (Sync | External)))
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
  bool Done = (!R || R->isDone()) && SharedRecord(*E).isDone();
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
  if (!SharedRecord(*E).wait(waitTime(Timeout)))
    return This.fail(RtWaitTimeout, "the event was not recorded in time");
  auto R = lastOf(*E);
  if (!R)
    return Success;
  if (!R->wait(waitTime(Timeout)))
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

//===----------------------------------------------------------------------===//
// Events of several processes
//===----------------------------------------------------------------------===//

int aclrtIpcGetEventHandle(void *Handle, aclrtIpcEventHandle *Key) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Key);
  auto E = This.event(Handle);
  if (!E)
    return This.error();
  if (E->How != Event::Made::ExWithFlag || !(E->Flags & Ipc))
    return This.mistake(RtParam, DiagId::DeviceBadEvent,
                        "this event cannot be shared between processes",
                        "make it with aclrtCreateEventExWithFlag and "
                        "ACL_EVENT_IPC");
  std::lock_guard<std::mutex> Lock(E->Mutex);
  if (!E->Across)
    E->Across = Share::create(ShareKind::Event, /*AnyProcess=*/true);
  if (!E->Across)
    return This.fail(RtInternal, "no memory for what processes share");
  std::memset(Key, 0, sizeof(*Key));
  std::memcpy(Key, E->Across->key().data(), E->Across->key().size());
  return Success;
}

int aclrtIpcOpenEventHandle(aclrtIpcEventHandle Key, void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  std::string Text(Key.reserved, strnlen(Key.reserved, sizeof(Key.reserved)));
  std::string Why;
  std::shared_ptr<Share> From = Share::join(Text, ShareKind::Event, Why);
  if (!From)
    return This.fail(RtParam, Why);
  if (int Error = create(This, Handle, Ipc | Sync, Event::Made::ExWithFlag))
    return Error;
  This.event(*Handle)->Across = From;
  return Success;
}
