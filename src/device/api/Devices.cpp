//===- Devices.cpp - Start, end, devices and contexts ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include "device/core/Configuration.h"
#include "device/core/Dump.h"
#include "device/hccl/Communicator.h"

#include <cstring>

using namespace belay::device;

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

int aclInit(const char *Config) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (!This)
    return This.error();
  std::lock_guard<std::mutex> Lock(runtime().Mutex);
  std::string Problem;
  if (Config && *Config && runtime().InitCount == 0)
    if (int E = dumps().configure(Config, /*AtStart=*/true, Problem))
      return This.fail(E, Problem);
  runtime().Ended = false;
  return runtime().InitCount++ == 0 ? Success : RepeatInitialise;
}

/// What a program has not given back. The device does not care; its memory and
/// queues stay taken until the process ends.
static void reportLeaks(const Call &This) {
  size_t Buffers = 0, Streams = 0;
  const void *Site = nullptr;
  for (unsigned D = 0; D < configuration().Devices; ++D) {
    AllocationTable &Table = runtime().device(static_cast<int>(D)).Memory.Table;
    std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
    Buffers += Table.Live.size();
    if (!Table.Live.empty())
      Site = Table.Live.begin()->second.Site;
  }
  bool Busy = false;
  for (const auto &Each : runtime().Objects.all(HandleKind::Stream)) {
    auto &S = *static_cast<Stream *>(Each.get());
    Streams += !S.IsDefault;
    Busy |= !S.isIdle();
    if (Outcome Lost = S.takeFailure(); Lost.Error && !Lost.Requested)
      report({DiagId::DeviceLostError,
              std::string(This.Name) + ": a task failed with " +
                  std::to_string(Lost.Error) +
                  ", and nobody synchronised with its stream",
              This.Site,
              {},
              nullptr,
              "call aclrtSynchronizeStream and look at what it returns"});
  }
  if (Busy)
    report({DiagId::DeviceLiveChildren,
            std::string(This.Name) + ": streams are still at work",
            This.Site,
            {},
            nullptr,
            "synchronise with all streams first"});
  if (Buffers)
    report({DiagId::DeviceLeak,
            std::string(This.Name) + ": " + std::to_string(Buffers) +
                (Buffers == 1 ? " buffer" : " buffers") +
                " of device memory not freed",
            This.Site, "the first of them was allocated", Site});
  if (Streams)
    report({DiagId::DeviceLeak,
            std::string(This.Name) + ": " + std::to_string(Streams) +
                (Streams == 1 ? " stream" : " streams") + " not destroyed",
            This.Site});
}

int aclFinalize() {
  BELAY_BEGIN(Initialised);
  reportLeaks(This);
  dumps().forgetStart();
  std::lock_guard<std::mutex> Lock(runtime().Mutex);
  runtime().InitCount = 0;
  runtime().Ended = true;
  return Success;
}

int aclFinalizeReference(uint64_t *Count) {
  BELAY_BEGIN(Initialised);
  {
    std::lock_guard<std::mutex> Lock(runtime().Mutex);
    uint64_t Left = runtime().InitCount ? runtime().InitCount - 1 : 0;
    if (Count)
      *Count = Left;
    if (Left > 0) {
      runtime().InitCount = Left;
      return Success;
    }
  }
  reportLeaks(This);
  dumps().forgetStart();
  std::lock_guard<std::mutex> Lock(runtime().Mutex);
  runtime().InitCount = 0;
  runtime().Ended = true;
  return Success;
}

const char *aclGetRecentErrMsg() { return takeRecentMessage(); }
int aclrtGetLastError(int) { return lastError(/*Clear=*/true); }
int aclrtPeekAtLastError(int) { return lastError(/*Clear=*/false); }

int aclrtGetVersion(int32_t *Major, int32_t *Minor, int32_t *Patch) {
  if (!Major || !Minor || !Patch)
    return fail(RtParam, "aclrtGetVersion: a pointer is null");
  // The interface that is spoken: what 1.x of the vendor's libraries exports.
  *Major = 1;
  *Minor = 15;
  *Patch = 0;
  return Success;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

const char *aclrtGetSocName() { return configuration().Soc->name; }

int aclrtGetDeviceCount(uint32_t *Count) {
  if (!Count)
    return fail(RtParam, "aclrtGetDeviceCount: Count is null");
  *Count = configuration().Devices;
  return Success;
}

static int checkDevice(Call &This, int64_t Id) {
  if (runtime().isDevice(Id))
    return Success;
  return This.fail(RtDeviceId,
                   "there is no device " + std::to_string(Id) + "; there " +
                       (configuration().Devices == 1
                            ? "is 1 device"
                            : "are " + std::to_string(configuration().Devices) +
                                  " devices") +
                       " (BELAY_DEVICES)");
}

int aclrtSetDevice(int32_t Id) {
  BELAY_BEGIN(Initialised);
  if (int E = checkDevice(This, Id))
    return E;
  Device &D = runtime().device(Id);
  // Functions of aclrtRegStreamStateCallback run while the context is made, and
  // may call others of ACL.
  static auto &Making = *new std::mutex;
  std::lock_guard<std::mutex> Alone(Making);
  bool First;
  {
    std::lock_guard<std::mutex> Lock(runtime().Mutex);
    First = D.References++ == 0;
  }
  if (First)
    D.DefaultContext = Handles::toHandle(runtime().createContext(Id, true)->Id);
  currentContextHandle() = D.DefaultContext;
  return Success;
}

/// Contexts and streams that the program made on a device, and events.
static std::string liveObjects(int Id) {
  size_t Contexts = 0, Streams = 0, Events = 0, Communicators = 0;
  for (const auto &Each : runtime().Objects.all(HandleKind::Context)) {
    auto &C = *static_cast<Context *>(Each.get());
    Contexts += C.Device == Id && !C.IsDefault;
  }
  for (const auto &Each : runtime().Objects.all(HandleKind::Stream)) {
    auto &S = *static_cast<Stream *>(Each.get());
    Streams += S.Device == Id && !S.IsDefault;
  }
  for (const auto &Each : runtime().Objects.all(HandleKind::Event))
    Events += static_cast<Event *>(Each.get())->Device == Id;
  for (const auto &Each : runtime().Objects.all(HandleKind::Communicator))
    Communicators +=
        static_cast<hccl::Communicator *>(Each.get())->Device == Id;
  std::string Text;
  auto Add = [&](size_t Count, const char *What) {
    if (Count)
      Text += (Text.empty() ? "" : ", ") + std::to_string(Count) + " " + What +
              (Count == 1 ? "" : "s");
  };
  Add(Contexts, "context");
  Add(Streams, "stream");
  Add(Events, "event");
  Add(Communicators, "communicator");
  return Text;
}

static int reset(Call &This, int32_t Id, bool Force) {
  if (int E = checkDevice(This, Id))
    return E;
  Device &D = runtime().device(Id);
  {
    std::lock_guard<std::mutex> Lock(runtime().Mutex);
    if (D.References == 0)
      return This.fail(RtDeviceId, "device " + std::to_string(Id) +
                                       " is not set, or was reset before");
    if (!Force && --D.References > 0)
      return Success;
    D.References = 0;
  }
  if (std::string Alive = liveObjects(Id); !Alive.empty())
    This.mistake(Success, DiagId::DeviceLiveChildren,
                 "device " + std::to_string(Id) + " still has " + Alive,
                 "destroy events and streams first, then contexts, then reset "
                 "the device");
  // All that lives on the device ends with it.
  for (const auto &Each : runtime().Objects.all(HandleKind::Context)) {
    auto C = std::static_pointer_cast<Context>(Each);
    if (C->Device == Id)
      runtime().destroyContext(C, This.Name, This.Site);
  }
  for (const auto &Each : runtime().Objects.all(HandleKind::Event)) {
    auto *E = static_cast<Event *>(Each.get());
    if (E->Device == Id)
      runtime().Objects.remove(Handles::toHandle(E->Id), This.Name, This.Site);
  }
  for (const auto &Each : runtime().Objects.all(HandleKind::Communicator)) {
    auto *C = static_cast<hccl::Communicator *>(Each.get());
    if (C->Device != Id)
      continue;
    C->board().leave(C->Rank);
    runtime().Objects.remove(Handles::toHandle(C->Id), This.Name, This.Site);
  }
  if (!runtime().Objects.peek(currentContextHandle(), HandleKind::Context))
    currentContextHandle() = nullptr;
  D.DefaultContext = nullptr;
  return Success;
}

// The vendor's own examples call it after aclFinalize.
int aclrtResetDevice(int32_t Id) {
  BELAY_BEGIN(Nothing);
  return reset(This, Id, /*Force=*/false);
}

int aclrtResetDeviceForce(int32_t Id) {
  BELAY_BEGIN(Initialised);
  return reset(This, Id, /*Force=*/true);
}

int aclrtGetDevice(int32_t *Id) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Id);
  *Id = This.context().Device;
  return Success;
}

int aclrtGetRunMode(int *Mode) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  BELAY_NOT_NULL(Mode);
  constexpr int Host = 1;
  *Mode = Host;
  return Success;
}

int aclrtGetDeviceInfo(uint32_t Id, int Attribute, int64_t *Value) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Value);
  if (int E = checkDevice(This, Id))
    return E;
  const belay::targets::Soc &Soc =
      *runtime().device(static_cast<int>(Id)).Kind.Soc;
  enum { AiCores = 1, VectorCores = 101, L2 = 401 };
  switch (Attribute) {
  case AiCores:
    *Value = belay::targets::cubeWorkers(Soc);
    return Success;
  case VectorCores:
    *Value = belay::targets::vectorWorkers(Soc);
    return Success;
  case L2:
    *Value = static_cast<int64_t>(Soc.l2);
    return Success;
  default:
    return This.fail(RtFeatureNotSupported,
                     "the simulated device does not know attribute " +
                         std::to_string(Attribute));
  }
}

/// How many cores of a kind there are; 0 if there is no such kind.
static uint32_t coresOf(int Kind) {
  enum { Cube = 0, Vector = 1 };
  const belay::targets::Soc &Soc = *configuration().Soc;
  return Kind == Cube     ? belay::targets::cubeWorkers(Soc)
         : Kind == Vector ? belay::targets::vectorWorkers(Soc)
                          : 0;
}

int aclrtGetDeviceResLimit(int32_t Id, int Kind, uint32_t *Value) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Value);
  if (int E = checkDevice(This, Id))
    return E;
  if (coresOf(Kind) == 0)
    return This.fail(RtParam, "there is no resource " + std::to_string(Kind));
  std::map<int, uint32_t> &Limits = runtime().device(Id).CoreLimits;
  std::lock_guard<std::mutex> Lock(runtime().Mutex);
  auto It = Limits.find(Kind);
  *Value = It == Limits.end() ? coresOf(Kind) : It->second;
  return Success;
}
/// Kept and told; kernels of the simulated device run as before, since their
/// blocks may share a core anyway.
int aclrtSetDeviceResLimit(int32_t Id, int Kind, uint32_t Value) {
  BELAY_BEGIN(Initialised);
  if (int E = checkDevice(This, Id))
    return E;
  if (Value == 0 || Value > coresOf(Kind))
    return This.fail(RtParam, "the device has " +
                                  std::to_string(coresOf(Kind)) +
                                  " of these, not " + std::to_string(Value));
  Device &D = runtime().device(Id);
  std::lock_guard<std::mutex> Lock(runtime().Mutex);
  D.CoreLimits[Kind] = Value;
  return Success;
}
int aclrtResetDeviceResLimit(int32_t Id) {
  BELAY_BEGIN(Initialised);
  if (int E = checkDevice(This, Id))
    return E;
  Device &D = runtime().device(Id);
  std::lock_guard<std::mutex> Lock(runtime().Mutex);
  D.CoreLimits.clear();
  return Success;
}

int aclrtGetDeviceUtilizationRate(int32_t Id, void *Info) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Info);
  if (int E = checkDevice(This, Id))
    return E;
  // Cube, vector, AI CPU, memory in percent. Nobody measures the first three.
  DeviceMemory &Memory = runtime().device(Id).Memory;
  int32_t Rates[4] = {
      0, 0, 0, static_cast<int32_t>(100 * Memory.used() / Memory.capacity())};
  std::memcpy(Info, Rates, sizeof(Rates));
  return Success;
}

/// There are no faults of hardware here: no error, and nothing to repair.
int aclrtGetErrorVerbose(int32_t Id, void *Info) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Info);
  if (int E = checkDevice(This, Id))
    return E;
  std::memset(Info, 0, 8);
  return Success;
}

int aclrtGetMemInfo(int, size_t *Free, size_t *Total) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Free);
  BELAY_NOT_NULL(Total);
  *Total = This.device().Memory.capacity();
  *Free = *Total - This.device().Memory.used();
  return Success;
}

int aclrtQueryDeviceStatus(int32_t Id, int *Status) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Status);
  if (int E = checkDevice(This, Id))
    return E;
  *Status = 0; // normal
  return Success;
}

int aclrtDeviceCanAccessPeer(int32_t *Can, int32_t Id, int32_t Peer) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Can);
  if (int E = checkDevice(This, Id))
    return E;
  if (int E = checkDevice(This, Peer))
    return E;
  *Can = Id != Peer;
  return Success;
}

int aclrtDeviceEnablePeerAccess(int32_t Peer, uint32_t Flags) {
  BELAY_BEGIN(CurrentContext);
  if (int E = checkDevice(This, Peer))
    return E;
  if (Flags != 0)
    return This.fail(RtFeatureNotSupported, "the flags must be 0");
  std::lock_guard<std::mutex> Lock(runtime().Mutex);
  This.device().Peers.insert(Peer);
  return Success;
}

int aclrtDeviceDisablePeerAccess(int32_t Peer) {
  BELAY_BEGIN(CurrentContext);
  if (int E = checkDevice(This, Peer))
    return E;
  std::lock_guard<std::mutex> Lock(runtime().Mutex);
  This.device().Peers.erase(Peer);
  return Success;
}

// Settings that a simulated kernel does not depend on.
int aclrtSetTsDevice(int) { return Success; }
int aclrtSetOpExecuteTimeOut(uint32_t) { return Success; }
int aclrtSetOpWaitTimeout(uint32_t) { return Success; }
int aclrtGetDeviceCapability(int32_t Id, int, int32_t *Value) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Value);
  if (int E = checkDevice(This, Id))
    return E;
  *Value = 0; // none of the optional features
  return Success;
}

int aclrtGetHardwareSyncAddr(void **Address) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Address);
  // Cube and vector cores synchronise inside the simulator; nothing is read
  // there.
  *Address = nullptr;
  return Success;
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

int aclrtCreateContext(void **Handle, int32_t Id) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Handle);
  if (int E = checkDevice(This, Id))
    return E;
  *Handle = Handles::toHandle(runtime().createContext(Id, false)->Id);
  currentContextHandle() = *Handle;
  return Success;
}

int aclrtDestroyContext(void *Handle) {
  BELAY_BEGIN(Initialised);
  auto C = runtime().Objects.find<Context>(Handle, HandleKind::Context,
                                           This.Name, This.Site);
  if (!C)
    return RtInvalidHandle;
  if (C->IsDefault)
    return This.fail(RtParam, "this is the default context of device " +
                                  std::to_string(C->Device) +
                                  "; aclrtResetDevice ends it");
  size_t Own = runtime().streamsOf(*C).size() - 1; // the default stream
  if (Own)
    This.mistake(
        Success, DiagId::DeviceLiveChildren,
        "the context still has " + std::to_string(Own) +
            (Own == 1 ? " stream, which ends" : " streams, which end") +
            " with it: handles to it dangle",
        "destroy its streams first");
  runtime().destroyContext(C, This.Name, This.Site);
  if (currentContextHandle() == Handle)
    currentContextHandle() = nullptr;
  return Success;
}

int aclrtSetCurrentContext(void *Handle) {
  BELAY_BEGIN(Initialised);
  if (!runtime().Objects.find<Context>(Handle, HandleKind::Context, This.Name,
                                       This.Site))
    return RtInvalidHandle;
  currentContextHandle() = Handle;
  return Success;
}

int aclrtGetCurrentContext(void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  *Handle = currentContextHandle();
  return Success;
}

int aclrtCtxGetCurrentDefaultStream(void **Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  *Handle = Handles::toHandle(This.context().DefaultStream->Id);
  return Success;
}

static int synchronizeAll(Call &This, int32_t Timeout) {
  int First = Success;
  for (const auto &S : runtime().streamsOf(This.context()))
    if (int E = synchronize(
            *S, Timeout < 0 ? Forever : std::chrono::milliseconds(Timeout)))
      First = First ? First : E;
  return First;
}

int aclrtSynchronizeDevice() {
  BELAY_BEGIN(CurrentContext);
  return synchronizeAll(This, -1);
}

int aclrtSynchronizeDeviceWithTimeout(int32_t Timeout) {
  BELAY_BEGIN(CurrentContext);
  return synchronizeAll(This, Timeout);
}
