//===- Memory.cpp - Memory, copies ----------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include <cstring>
#include <utility>

using namespace belay::device;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

static int allocate(Call &This, void **Pointer, size_t Bytes, bool Extra) {
  BELAY_NOT_NULL(Pointer);
  if (Bytes == 0)
    return This.fail(RtParam, "0 bytes were asked for");
  *Pointer = This.device().Memory.allocate(Bytes, Extra, This.Site);
  if (*Pointer)
    return Success;
  return This.fail(
      RtMemoryAllocation,
      "no room for " + std::to_string(Bytes) + " bytes: the device has " +
          std::to_string(This.device().Memory.capacity()) + ", of which " +
          std::to_string(This.device().Memory.used()) +
          " are taken (BELAY_DEVICE_MEMORY)");
}

int aclrtMalloc(void **Pointer, size_t Bytes, int) {
  BELAY_BEGIN(CurrentContext);
  return allocate(This, Pointer, Bytes, /*Extra=*/true);
}
int aclrtMallocAlign32(void **Pointer, size_t Bytes, int) {
  BELAY_BEGIN(CurrentContext);
  return allocate(This, Pointer, Bytes, /*Extra=*/false);
}
int aclrtMallocCached(void **Pointer, size_t Bytes, int) {
  BELAY_BEGIN(CurrentContext);
  return allocate(This, Pointer, Bytes, /*Extra=*/true);
}
int aclrtMallocWithCfg(void **Pointer, size_t Bytes, int, void *) {
  BELAY_BEGIN(CurrentContext);
  return allocate(This, Pointer, Bytes, /*Extra=*/true);
}

void belay::device::reportMembers(Call &This, const Share &S, const char *How) {
  uint32_t Members = S.block().Members;
  if (Members)
    This.mistake(Success, DiagId::DeviceLiveChildren,
                 "memory is " + std::string(How) + " that " +
                     std::to_string(Members) +
                     (Members == 1 ? " importer" : " importers") +
                     " of its key still have",
                 "let them call aclrtIpcMemClose first");
}

/// The key of an allocation that processes share; null if they do not.
static std::shared_ptr<Share> shareOf(AllocationTable &Table, void *Pointer) {
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.Live.find(reinterpret_cast<uint64_t>(Pointer));
  return It == Table.Live.end() ? nullptr : It->second.Shared;
}

static bool isForPictures(AllocationTable &Table, void *Pointer) {
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.Live.find(reinterpret_cast<uint64_t>(Pointer));
  return It != Table.Live.end() && It->second.ForPictures;
}

static int release(Call &This, void *Pointer) {
  if (!Pointer)
    return This.fail(RtParam, "null cannot be freed");
  Where Place = runtime().locate(Pointer);
  if (!Place.On)
    return This.mistake(RtMemoryFree, DiagId::DeviceBadFree,
                        Place.Pinned
                            ? "this is host memory; aclrtFreeHost frees it"
                            : "this is not device memory");
  if (isForPictures(Place.On->Memory.Table, Pointer))
    return This.mistake(RtMemoryFree, DiagId::DeviceBadFree,
                        "this memory is acldvppMalloc's; acldvppFree frees it");
  if (std::shared_ptr<Share> Shared =
          shareOf(Place.On->Memory.Table, Pointer)) {
    if (!Shared->isGiver())
      return This.mistake(RtMemoryFree, DiagId::DeviceBadFree,
                          "this memory is another process's",
                          "aclrtIpcMemClose ends its use here");
    reportMembers(This, *Shared, "freed");
    Shared->block().Closed = true;
  }
  auto Taken = takeAllocation(This, Place.On->Memory.Table, Pointer);
  if (!Taken)
    return This.error();
  Place.On->Memory.release(Taken->first, Taken->second);
  return Success;
}

int aclrtFree(void *Pointer) {
  BELAY_BEGIN(Initialised);
  return release(This, Pointer);
}

static int synchronizeDevice(Call &This) {
  int First = Success;
  for (const auto &S : runtime().streamsOf(This.context()))
    if (int E = synchronize(*S))
      First = First ? First : E;
  return First;
}

int aclrtFreeWithDevSync(void *Pointer) {
  BELAY_BEGIN(CurrentContext);
  if (int E = synchronizeDevice(This))
    return E;
  return release(This, Pointer);
}

int aclrtMallocHost(void **Pointer, size_t Bytes) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Pointer);
  if (Bytes == 0)
    return This.fail(RtParam, "0 bytes were asked for");
  *Pointer = runtime().Pinned.allocate(Bytes, This.Site);
  return *Pointer ? Success : This.fail(RtMemoryAllocation, "out of memory");
}
int aclrtMallocHostWithCfg(void **Pointer, size_t Bytes, void *) {
  return aclrtMallocHost(Pointer, Bytes);
}

static int releaseHost(Call &This, void *Pointer) {
  if (!Pointer)
    return This.fail(RtParam, "null cannot be freed");
  if (runtime().locate(Pointer).On)
    return This.mistake(RtMemoryFree, DiagId::DeviceBadFree,
                        "this is device memory; aclrtFree frees it");
  auto Taken = takeAllocation(This, runtime().Pinned.Table, Pointer);
  if (!Taken)
    return This.error();
  PinnedMemory::release(Taken->first, Taken->second);
  return Success;
}

int aclrtFreeHost(void *Pointer) {
  BELAY_BEGIN(Initialised);
  return releaseHost(This, Pointer);
}
int aclrtFreeHostWithDevSync(void *Pointer) {
  BELAY_BEGIN(CurrentContext);
  if (int E = synchronizeDevice(This))
    return E;
  return releaseHost(This, Pointer);
}

static std::mutex RegisteringMutex;

int aclrtHostRegisterV2(void *Pointer, uint64_t Bytes, uint32_t Flags) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Pointer);
  constexpr uint32_t Mapped = 2, Pinned = 0x10000000;
  constexpr uint64_t Page = 4096;
  if (Bytes == 0 || Flags == 0 || (Flags & ~(Mapped | Pinned)))
    return This.fail(RtParam, "no bytes, or flags that are not there");
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  if ((Flags & Mapped) && Address % Page)
    return This.fail(RtParam, "the memory does not begin with a page of 4 KiB");
  std::lock_guard<std::mutex> Registering(RegisteringMutex);
  AllocationTable &Table = runtime().Pinned.Table;
  bool WasPinned;
  {
    std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
    auto It = Table.find(Address);
    WasPinned = It != Table.Live.end();
    if (WasPinned && ((Flags & Pinned) || It->second.MappedAt ||
                      It->first != Address || It->second.Bytes < Bytes))
      return This.fail(RtParam, "the memory is pinned or registered already");
  }
  void *Device = nullptr;
  if (Flags & Mapped) {
    Device = This.device().Memory.mapHost(Address, Bytes, This.Site);
    if (!Device)
      return This.fail(RtMemoryAllocation, "the memory cannot be mapped");
  }
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  Allocation &A = Table.Live[Address];
  if (!WasPinned) {
    A = Allocation();
    A.Bytes = Bytes;
    A.Site = This.Site;
  }
  A.MappedAt = reinterpret_cast<uint64_t>(Device);
  A.MappedOn = This.context().Device;
  A.RegisteredOnly = !WasPinned;
  return Success;
}

int aclrtHostGetDevicePointer(void *Pointer, void **Device, uint32_t Flag) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Pointer);
  BELAY_NOT_NULL(Device);
  if (Flag != 0)
    return This.fail(RtParam, "the flag is reserved: it must be 0");
  AllocationTable &Table = runtime().Pinned.Table;
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.find(reinterpret_cast<uint64_t>(Pointer));
  if (It == Table.Live.end() || !It->second.MappedAt)
    return This.fail(RtParam, "the memory was not registered with "
                              "ACL_HOST_REG_MAPPED");
  *Device = reinterpret_cast<void *>(
      It->second.MappedAt + (reinterpret_cast<uint64_t>(Pointer) - It->first));
  return Success;
}

int aclrtHostUnregister(void *Pointer) {
  BELAY_BEGIN(Initialised);
  std::lock_guard<std::mutex> Registering(RegisteringMutex);
  AllocationTable &Table = runtime().Pinned.Table;
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  uint64_t MappedAt = 0;
  int On = -1;
  bool RegisteredOnly = true;
  {
    std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
    if (auto It = Table.Live.find(Address); It != Table.Live.end()) {
      MappedAt = std::exchange(It->second.MappedAt, 0);
      On = It->second.MappedOn;
      RegisteredOnly = It->second.RegisteredOnly;
      if (!MappedAt && !RegisteredOnly)
        return This.fail(RtParam, "the memory was not registered");
    }
  }
  if (MappedAt) {
    DeviceMemory &Memory = runtime().device(On).Memory;
    auto Taken =
        takeAllocation(This, Memory.Table, reinterpret_cast<void *>(MappedAt));
    if (Taken)
      Memory.unmapHost(Address, MappedAt, Taken->second);
  }
  if (!RegisteredOnly)
    return Success;
  return takeAllocation(This, Table, Pointer) ? Success : This.error();
}

/// Memory of one device, which the host sees at the same address.
int aclrtMemAllocManaged(void **Pointer, uint64_t Bytes, uint32_t Flag) {
  BELAY_BEGIN(CurrentContext);
  constexpr uint32_t Global = 1;
  constexpr uint64_t Unit = uint64_t(2) << 20;
  if (!This.device().Kind.Soc->arch->hasManagedMemory)
    return This.fail(RtFeatureNotSupported,
                     std::string(This.device().Kind.Soc->name) +
                         " has no memory that the host sees, too");
  if (Flag != Global)
    return This.fail(RtParam, "the flag must be ACL_RT_MEM_ATTACH_GLOBAL");
  if (Bytes > UINT64_MAX - Unit)
    return This.fail(RtParam, "a process has at most 3 TB of this memory");
  if (int E = allocate(This, Pointer, (Bytes + Unit - 1) / Unit * Unit,
                       /*Extra=*/false))
    return E;
  return This.device().Memory.showToHost(reinterpret_cast<uint64_t>(*Pointer))
             ? Success
             : This.fail(RtMemoryAllocation, "the host cannot see the memory");
}

int aclrtMemFlush(void *, size_t) { return Success; }
int aclrtMemInvalidate(void *, size_t) { return Success; }

int aclrtMemGetAddressRange(void *Pointer, void **Base, size_t *Bytes) {
  BELAY_BEGIN(Initialised);
  Where Place = runtime().locate(Pointer);
  if (!Place.On)
    return This.fail(RtParam, "this is not device memory");
  AllocationTable &Table = Place.On->Memory.Table;
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.find(reinterpret_cast<uint64_t>(Pointer));
  if (It == Table.Live.end())
    return This.fail(RtParam,
                     Table.describe(reinterpret_cast<uint64_t>(Pointer)));
  if (Base)
    *Base = reinterpret_cast<void *>(It->first);
  if (Bytes)
    *Bytes = It->second.Bytes;
  return Success;
}

int aclrtPointerGetAttributes(const void *Pointer, void *Attributes) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Attributes);
  struct {
    uint32_t Device;
    int Type; // host, device, or unregistered
    uint32_t PageBytes;
    uint32_t Reserved[4];
  } Result = {};
  Where Place = runtime().locate(Pointer);
  Result.Type = Place.On ? 1 : Place.Pinned ? 0 : 2;
  Result.Device = Place.On ? static_cast<uint32_t>(Place.On->Id) : 0;
  Result.PageBytes = 4096;
  std::memcpy(Attributes, &Result, sizeof(Result));
  return Success;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {

/// Bytes that a copy touches: device memory, pinned memory, or any other.
struct Side {
  Where Place;
  uint64_t Address;
  size_t Bytes;

  Side(const void *P, size_t Bytes)
      : Place(runtime().locate(P)), Address(reinterpret_cast<uint64_t>(P)),
        Bytes(Bytes) {}

  AllocationTable *table() const {
    return Place.On       ? &Place.On->Memory.Table
           : Place.Pinned ? &runtime().Pinned.Table
                          : nullptr;
  }
  /// Empty if the bytes lie in one allocation. The table is locked.
  std::string problem() const {
    AllocationTable *Table = table();
    if (!Table || Bytes == 0)
      return {};
    auto It = Table->find(Address, Bytes);
    if (It != Table->Live.end())
      return It->second.IsHosts ? "this is memory of the host that kernels see "
                                  "here; copies use the host's own address"
                                : std::string();
    return std::to_string(Bytes) + " bytes from " + Table->describe(Address);
  }
  uint8_t *bytes() const {
    return Place.On ? Place.On->Memory.bytes(Address)
                    : reinterpret_cast<uint8_t *>(Address);
  }
  void use(uint64_t Stream, const Use &U) const {
    AllocationTable *Table = table();
    if (!Table)
      return;
    std::unique_lock<std::shared_mutex> Lock(Table->Mutex);
    if (auto It = Table->find(Address, Bytes); It != Table->Live.end())
      It->second.Uses[Stream] = U;
  }
  void written() const {
    if (Place.On)
      Place.On->Memory.markWritten({Address});
  }
};

} // namespace

/// While it lives, what the sides point to is not freed.
class Hold {
public:
  explicit Hold(const Side &A) { lock(A.table()); }
  Hold(const Side &A, const Side &B) {
    // Always in the same order, and never twice.
    AllocationTable *First = std::min(A.table(), B.table());
    AllocationTable *Second = std::max(A.table(), B.table());
    lock(First);
    if (Second != First)
      lock(Second);
  }

private:
  void lock(AllocationTable *Table) {
    if (Table)
      Locks[Count++] = std::shared_lock<std::shared_mutex>(Table->Mutex);
  }
  std::shared_lock<std::shared_mutex> Locks[2];
  unsigned Count = 0;
};

static int check(Call &This, const Side &S, const char *Which) {
  std::string Problem;
  {
    Hold Held(S);
    Problem = S.problem();
  }
  if (Problem.empty())
    return Success;
  return This.mistake(RtParam, DiagId::DeviceBadCopy,
                      std::string("the ") + Which +
                          " has not that many: " + Problem);
}

static Outcome copyRows(const Side &To, size_t ToPitch, const Side &From,
                        size_t FromPitch, size_t Width, size_t Height) {
  {
    Hold Held(To, From);
    for (const Side *S : {&To, &From})
      if (std::string Problem = S->problem(); !Problem.empty())
        return {RtCopyFailed, "a copy touched memory that is gone: " + Problem};
    for (size_t Row = 0; Row < Height; ++Row)
      std::memmove(To.bytes() + Row * ToPitch, From.bytes() + Row * FromPitch,
                   Width);
  }
  To.written();
  return {};
}

/// Bytes from the first row to the end of the last: more than any memory has if
/// that is no number of 64 bits.
static size_t extent(size_t Pitch, size_t Width, size_t Height) {
  size_t Rows;
  if (Height == 0)
    return 0;
  if (__builtin_mul_overflow(Pitch, Height - 1, &Rows) ||
      __builtin_add_overflow(Rows, Width, &Rows))
    return SIZE_MAX;
  return Rows;
}

static int copy(Call &This, void *To, size_t ToPitch, const void *From,
                size_t FromPitch, size_t Width, size_t Height,
                Stream *OnStream) {
  Side Destination(To, extent(ToPitch, Width, Height));
  Side Source(From, extent(FromPitch, Width, Height));
  if (int E = check(This, Destination, "destination"))
    return E;
  if (int E = check(This, Source, "source"))
    return E;
  if (!OnStream) {
    if (int E = This.waitsForDevice())
      return E;
    Outcome Result =
        copyRows(Destination, ToPitch, Source, FromPitch, Width, Height);
    return Result.Error ? This.fail(Result.Error, Result.Text) : Success;
  }
  // Memory that is not pinned cannot be read later: the call waits.
  bool Waits = (!Destination.Place.On && !Destination.Place.Pinned) ||
               (!Source.Place.On && !Source.Place.Pinned);
  if (Waits && OnStream->isCapturing())
    if (int E = This.waitsForDevice())
      return E;
  uint64_t Sequence = OnStream->submit(
      [=] {
        return copyRows(Destination, ToPitch, Source, FromPitch, Width, Height);
      },
      "MEMCPY_ASYNC");
  Use U = {Sequence, "the copy", This.Site};
  Destination.use(OnStream->Id, U);
  Source.use(OnStream->Id, U);
  if (Waits)
    OnStream->wait();
  return Success;
}

int aclrtMemcpy(void *To, size_t Room, const void *From, size_t Bytes, int) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(To);
  BELAY_NOT_NULL(From);
  if (Bytes > Room)
    return This.fail(RtParam, std::to_string(Bytes) +
                                  " bytes do not fit into destMax " +
                                  std::to_string(Room));
  return copy(This, To, Bytes, From, Bytes, Bytes, 1, nullptr);
}

int aclrtMemcpyAsync(void *To, size_t Room, const void *From, size_t Bytes, int,
                     void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(To);
  BELAY_NOT_NULL(From);
  if (Bytes > Room)
    return This.fail(RtParam, std::to_string(Bytes) +
                                  " bytes do not fit into destMax " +
                                  std::to_string(Room));
  auto S = This.stream(StreamHandle);
  return S ? copy(This, To, Bytes, From, Bytes, Bytes, 1, S.get())
           : This.error();
}

int aclrtMemcpy2d(void *To, size_t ToPitch, const void *From, size_t FromPitch,
                  size_t Width, size_t Height, int) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(To);
  BELAY_NOT_NULL(From);
  if (Width > ToPitch || Width > FromPitch)
    return This.fail(RtParam, "the width is more than a pitch");
  return copy(This, To, ToPitch, From, FromPitch, Width, Height, nullptr);
}

int aclrtMemcpy2dAsync(void *To, size_t ToPitch, const void *From,
                       size_t FromPitch, size_t Width, size_t Height, int,
                       void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(To);
  BELAY_NOT_NULL(From);
  if (Width > ToPitch || Width > FromPitch)
    return This.fail(RtParam, "the width is more than a pitch");
  auto S = This.stream(StreamHandle);
  return S ? copy(This, To, ToPitch, From, FromPitch, Width, Height, S.get())
           : This.error();
}

static int fill(Call &This, void *To, size_t Room, int Value, size_t Bytes,
                Stream *OnStream) {
  if (Bytes > Room)
    return This.fail(RtParam, std::to_string(Bytes) +
                                  " bytes do not fit into maxCount " +
                                  std::to_string(Room));
  Side Destination(To, Bytes);
  if (int E = check(This, Destination, "destination"))
    return E;
  auto Run = [=]() -> Outcome {
    {
      Hold Held(Destination);
      if (std::string Problem = Destination.problem(); !Problem.empty())
        return {RtCopyFailed, "memory to be set is gone: " + Problem};
      std::memset(Destination.bytes(), Value, Bytes);
    }
    Destination.written();
    return {};
  };
  if (!OnStream) {
    if (int E = This.waitsForDevice())
      return E;
    Outcome Result = Run();
    return Result.Error ? This.fail(Result.Error, Result.Text) : Success;
  }
  uint64_t Sequence = OnStream->submit(Run, "MEMSET_ASYNC");
  Destination.use(OnStream->Id, {Sequence, "the memset", This.Site});
  return Success;
}

int aclrtMemset(void *To, size_t Room, int32_t Value, size_t Bytes) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(To);
  return fill(This, To, Room, Value, Bytes, nullptr);
}

int aclrtMemsetAsync(void *To, size_t Room, int32_t Value, size_t Bytes,
                     void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(To);
  auto S = This.stream(StreamHandle);
  return S ? fill(This, To, Room, Value, Bytes, S.get()) : This.error();
}
