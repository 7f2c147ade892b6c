//===- Runtime.cpp - All objects of the simulated device ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Runtime.h"

#include <climits>
#include <pthread.h>
#include <unistd.h>

namespace belay::device {

namespace {

constexpr size_t MaxGraves = 16384;
/// Handles look like addresses of nothing.
constexpr uint64_t HandleBase = 0x10000, HandleStep = 64;

thread_local void *ThreadContext = nullptr;
thread_local bool Calling = false;

} // namespace

Binary::~Binary() {
  for (int Fd : Fds)
    close(Fd);
}

void *Binary::handleOf(const Kernel &K) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto It = Functions.find(K.Name);
  return It == Functions.end() ? nullptr : It->second;
}

const char *nameOf(HandleKind K) {
  constexpr const char *Names[] = {"context",
                                   "stream",
                                   "event",
                                   "binary",
                                   "function",
                                   "argument list",
                                   "communicator",
                                   "executor",
                                   "tensor",
                                   "tensor list",
                                   "scalar",
                                   "array",
                                   "model",
                                   "notify",
                                   "graph",
                                   "physical memory",
                                   "channel",
                                   "picture",
                                   "resize configuration",
                                   "label",
                                   "list of labels",
                                   "group of tasks",
                                   "condition"};
  return Names[static_cast<unsigned>(K)];
}

void *Handles::toHandle(uint64_t Id) {
  return reinterpret_cast<void *>(HandleBase + Id * HandleStep);
}

uint64_t Handles::toId(const void *Handle) {
  auto Value = reinterpret_cast<uint64_t>(Handle);
  return Value % HandleStep || Value < HandleBase
             ? 0
             : (Value - HandleBase) / HandleStep;
}

void *Handles::add(uint64_t Id, HandleKind K, std::shared_ptr<void> Object) {
  std::unique_lock<std::shared_mutex> Lock(Mutex);
  Live[Id] = {K, std::move(Object)};
  return toHandle(Id);
}

std::shared_ptr<void> Handles::peek(const void *Handle, HandleKind K) {
  std::shared_lock<std::shared_mutex> Lock(Mutex);
  auto It = Live.find(toId(Handle));
  return It != Live.end() && It->second.Kind == K ? It->second.Object : nullptr;
}

std::shared_ptr<void> Handles::findAny(const void *Handle, HandleKind K,
                                       const char *Caller, const void *Site,
                                       int Error) {
  std::shared_lock<std::shared_mutex> Lock(Mutex);
  uint64_t Id = toId(Handle);
  if (auto It = Live.find(Id); It != Live.end()) {
    if (It->second.Kind == K)
      return It->second.Object;
    failWith(Error, {DiagId::DeviceBadHandle,
                     std::string(Caller) + ": this is a handle of a " +
                         nameOf(It->second.Kind) + ", not of a " + nameOf(K),
                     Site});
    return nullptr;
  }
  if (auto It = Dead.find(Id); It != Dead.end()) {
    const Grave &G = It->second;
    failWith(Error,
             {DiagId::DeviceUseAfterDestroy,
              std::string(Caller) + ": the " + nameOf(G.Kind) +
                  " was ended before by " + G.By,
              Site, "ended", G.Site, "keep what owns it until the last use"});
    return nullptr;
  }
  failWith(Error,
           {DiagId::DeviceBadHandle,
            std::string(Caller) + ": this is no handle of a " + nameOf(K),
            Site});
  return nullptr;
}

void Handles::remove(const void *Handle, const char *By, const void *Site) {
  std::shared_ptr<void> Last; // ends after the lock
  std::unique_lock<std::shared_mutex> Lock(Mutex);
  uint64_t Id = toId(Handle);
  auto It = Live.find(Id);
  if (It == Live.end())
    return;
  if (Dead.size() >= MaxGraves)
    Dead.erase(Dead.begin());
  Dead[Id] = {It->second.Kind, By, Site};
  Last = std::move(It->second.Object);
  Live.erase(It);
  Lock.unlock();
}

std::vector<std::shared_ptr<void>> Handles::all(HandleKind K) {
  std::shared_lock<std::shared_mutex> Lock(Mutex);
  std::vector<std::shared_ptr<void>> Result;
  for (const auto &[Id, Entry] : Live)
    if (Entry.Kind == K)
      Result.push_back(Entry.Object);
  return Result;
}

/// Set in processes that were forked from one that had a runtime: its streams
/// are threads, which a fork leaves in the parent.
static std::atomic<bool> WasForked{false};

static Runtime &makeRuntime() {
  pthread_atfork(nullptr, nullptr, [] { WasForked = true; });
  return *new Runtime; // outlives static destructors
}

Runtime &runtime() {
  static auto &Only = makeRuntime();
  return Only;
}

void *&currentContextHandle() { return ThreadContext; }

static std::atomic<int> GlobalCaptures{0};
static thread_local int ThreadCaptures = 0;
static thread_local CaptureMode ThreadMode = CaptureMode::Global;

CaptureMode &threadCaptureMode() { return ThreadMode; }

void countCapture(CaptureMode Mode, int Change) {
  if (Mode == CaptureMode::Global)
    GlobalCaptures += Change;
  else if (Mode == CaptureMode::ThreadLocal)
    ThreadCaptures += Change;
}

int Call::waitsForDevice() {
  bool Forbidden = (ThreadMode != CaptureMode::Relaxed && ThreadCaptures > 0) ||
                   (ThreadMode == CaptureMode::Global && GlobalCaptures > 0);
  if (!Forbidden)
    return Success;
  return fail(RtCaptureMode,
              "a stream is being captured, and this call does not belong to "
              "what is captured; aclmdlRICaptureThreadExchangeMode with the "
              "relaxed mode allows it");
}
bool &inCallback() { return Calling; }

bool Runtime::isDevice(int64_t Id) {
  if (Id >= 0 && Id < configuration().Devices)
    return true;
  std::lock_guard<std::mutex> Lock(DevicesMutex);
  return Id >= 0 && Id <= INT_MAX && Devices.count(static_cast<int>(Id));
}

int Runtime::addDevice(const DeviceKind &Kind) {
  std::lock_guard<std::mutex> Lock(DevicesMutex);
  int Id = static_cast<int>(configuration().Devices);
  if (!Devices.empty())
    Id = std::max(Id, Devices.rbegin()->first + 1);
  constexpr uint64_t Otherwise = uint64_t(32) << 30;
  Devices[Id] = std::make_unique<Device>(
      Id, Kind, Kind.Soc->memory ? Kind.Soc->memory : Otherwise);
  return Id;
}

Device &Runtime::device(int Id) {
  std::lock_guard<std::mutex> Lock(DevicesMutex);
  std::unique_ptr<Device> &D = Devices[Id];
  if (!D)
    D = std::make_unique<Device>(Id, configuration().kind(),
                                 configuration().MemoryBytes);
  return *D;
}

void Device::noteOverflow(uint32_t Group) {
  std::lock_guard<std::mutex> Lock(OverflowMutex);
  Overflows.insert(Group);
}
bool Device::hasOverflow(uint32_t Group) {
  std::lock_guard<std::mutex> Lock(OverflowMutex);
  return Group ? Overflows.count(Group) != 0 : !Overflows.empty();
}
void Device::forgetOverflow(uint32_t Group) {
  std::lock_guard<std::mutex> Lock(OverflowMutex);
  if (Group)
    Overflows.erase(Group);
  else
    Overflows.clear();
}

Where Runtime::locate(const void *P) {
  Where Result;
  {
    std::lock_guard<std::mutex> Lock(DevicesMutex);
    for (const auto &[Id, D] : Devices)
      if (D->Memory.owns(P))
        Result.On = D.get();
  }
  if (!Result.On) {
    std::shared_lock<std::shared_mutex> Lock(Pinned.Table.Mutex);
    auto &Table = Pinned.Table;
    Result.Pinned =
        Table.find(reinterpret_cast<uint64_t>(P)) != Table.Live.end();
  }
  return Result;
}

std::shared_ptr<Stream>
Runtime::createStream(const Context &C, uint32_t Priority, uint32_t Flags) {
  uint64_t Id = Objects.reserve();
  auto S = std::make_shared<Stream>(Id, C.Device, C.Id);
  S->Priority = Priority;
  S->Flags = Flags;
  S->SaturatesFloats = device(C.Device).SaturatesFloats;
  Objects.add(Id, HandleKind::Stream, S);
  tellStreamState(*S, StreamState::Made);
  return S;
}

std::shared_ptr<Context> Runtime::createContext(int Device, bool IsDefault) {
  auto C = std::make_shared<Context>();
  C->Id = Objects.reserve();
  C->Device = Device;
  C->IsDefault = IsDefault;
  C->DefaultStream = createStream(*C, 0, 0);
  C->DefaultStream->IsDefault = true;
  Objects.add(C->Id, HandleKind::Context, C);
  return C;
}

std::vector<std::shared_ptr<Stream>> Runtime::streamsOf(const Context &C) {
  std::vector<std::shared_ptr<Stream>> Result;
  for (const std::shared_ptr<void> &Each : Objects.all(HandleKind::Stream))
    if (auto S = std::static_pointer_cast<Stream>(Each); S->Context == C.Id)
      Result.push_back(std::move(S));
  return Result;
}

void Runtime::destroyContext(const std::shared_ptr<Context> &C, const char *By,
                             const void *Site) {
  for (const std::shared_ptr<Stream> &S : streamsOf(*C)) {
    tellStreamState(*S, StreamState::BeforeEnd);
    S->wait();
    Objects.remove(Handles::toHandle(S->Id), By, Site);
  }
  Objects.remove(Handles::toHandle(C->Id), By, Site);
}

Call::Call(const char *Name, const void *Site, Need N)
    : Name(Name), Site(Site) {
  if (inCallback()) {
    mistake(RtInternal, DiagId::DeviceCallInCallback,
            "called from a host callback, which deadlocks on the device",
            "only note in the callback that it ran; call ACL from the thread "
            "that waits");
    return;
  }
  if (WasForked) {
    fail(RtInternal, "this process was forked from one that uses the device, "
                     "whose threads are not here; fork before the first call, "
                     "or start another program");
    return;
  }
  if (N == Nothing)
    return;
  {
    std::lock_guard<std::mutex> Lock(runtime().Mutex);
    if (runtime().Ended) {
      fail(Uninitialised, "aclFinalize has been called");
      return;
    }
  }
  if (N != CurrentContext)
    return;
  void *Handle = currentContextHandle();
  if (!Handle) {
    fail(RtNoContext, "this thread has no context; call aclrtSetDevice or "
                      "aclrtSetCurrentContext in it");
    return;
  }
  Current = runtime().Objects.find<Context>(Handle, HandleKind::Context, Name,
                                            Site, RtNoContext);
  if (!Current)
    Error = RtNoContext;
}

std::shared_ptr<Stream> Call::stream(void *Handle) {
  if (!Handle)
    return Current->DefaultStream;
  auto S = runtime().Objects.find<Stream>(Handle, HandleKind::Stream, Name,
                                          Site, RtStreamContext);
  if (!S) {
    Error = RtStreamContext;
    return nullptr;
  }
  if (S->Context != Current->Id) {
    mistake(RtStreamContext, DiagId::DeviceWrongContext,
            S->Device != Current->Device
                ? "the stream belongs to device " + std::to_string(S->Device) +
                      ", but device " + std::to_string(Current->Device) +
                      " is current in this thread"
                : "the stream belongs to another context than the current one",
            "call aclrtSetCurrentContext with the stream's context first");
    return nullptr;
  }
  return S;
}

std::shared_ptr<Event> Call::event(void *Handle) {
  auto E = runtime().Objects.find<Event>(Handle, HandleKind::Event, Name, Site,
                                         RtParam);
  if (!E)
    Error = RtParam;
  return E;
}

namespace {
struct StreamWatcher {
  void (*Function)(void *, int, void *);
  void *Argument;
};
std::mutex WatchersMutex;
std::map<std::string, StreamWatcher> &streamWatchers() {
  static auto &Only = *new std::map<std::string, StreamWatcher>;
  return Only;
}
} // namespace

bool watchStreams(const std::string &Name,
                  void (*Function)(void *, int, void *), void *Argument) {
  std::lock_guard<std::mutex> Lock(WatchersMutex);
  if (!Function)
    return streamWatchers().erase(Name) == 1;
  return streamWatchers().insert({Name, {Function, Argument}}).second;
}

void tellStreamState(const Stream &S, StreamState State) {
  // The functions may register others.
  std::map<std::string, StreamWatcher> All;
  {
    std::lock_guard<std::mutex> Lock(WatchersMutex);
    All = streamWatchers();
  }
  for (const auto &[Name, W] : All)
    W.Function(Handles::toHandle(S.Id), static_cast<int>(State), W.Argument);
}

static std::atomic<void (*)(void *)> ExceptionCallback{nullptr};

void setExceptionCallback(void (*Function)(void *)) {
  ExceptionCallback = Function;
}

void raiseException(ExceptionInfo Info) {
  auto Function = ExceptionCallback.load();
  if (!Function)
    return;
  // A program that keeps the pointer shall find the mark. Failures are rare.
  auto *Kept = new ExceptionInfo(Info);
  inCallback() = true;
  Function(Kept);
  inCallback() = false;
  *Kept = {0, 0, 0, 0, 0, 0, nullptr};
  static auto &All = *new std::vector<std::unique_ptr<ExceptionInfo>>;
  static auto &Mutex = *new std::mutex;
  std::lock_guard<std::mutex> Lock(Mutex);
  All.emplace_back(Kept);
}

/// A task that may not have ended when the memory goes. The table is locked.
static void reportUses(Call &This, const Allocation &A) {
  for (const auto &[StreamId, U] : A.Uses) {
    if (HostKnowledge::knows(StreamId, U.Sequence))
      continue;
    This.mistake(Success, DiagId::DeviceFreedInFlight,
                 std::to_string(A.Bytes) + " bytes are freed while " + U.What +
                     " that uses them may still run",
                 U.Help, std::string(U.What) + " was enqueued", U.Site);
    return;
  }
}

std::optional<std::pair<uint64_t, Allocation>>
takeAllocation(Call &This, AllocationTable &Table, void *Pointer) {
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.Live.find(Address);
  if (It == Table.Live.end()) {
    const void *Before = nullptr;
    if (auto Gone = Table.Dead.find(Address); Gone != Table.Dead.end())
      Before = Gone->second.Site;
    std::string What = Table.describe(Address);
    Lock.unlock();
    This.mistake(RtMemoryFree, DiagId::DeviceBadFree,
                 "this is not the start of an allocation: " + What, {},
                 Before ? "freed before" : "", Before);
    return std::nullopt;
  }
  reportUses(This, It->second);
  std::pair<uint64_t, Allocation> Result = {Address, std::move(It->second)};
  It->second.Bytes = Result.second.Bytes;
  Table.remove(It, This.Site);
  return Result;
}

int synchronize(Stream &S, std::chrono::milliseconds Most) {
  constexpr uint32_t Persistent = 4;
  if (S.Flags & Persistent)
    return Success;
  if (!S.wait(Most))
    return fail(RtStreamSyncTimeout, "the stream did not end in time");
  Outcome Result = S.takeFailure();
  return Result.Error ? fail(Result.Error, Result.Text) : Success;
}

} // namespace belay::device
