//===- SharedMemory.cpp - Device memory of several processes --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One process gives an allocation a key, others take it by the key: then they
// all see the same bytes, their kernels included. Which process waited for what
// is not known to the others; only lifetimes are checked.
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include "device/core/Configuration.h"

#include <cstring>
#include <unistd.h>

using namespace belay::device;

namespace {

/// An allocation of this process that has a key.
struct Found {
  Device *On = nullptr;
  uint64_t Address = 0;
  std::shared_ptr<Share> Key;
};

/// Of several, one that was taken: it has to go before what was given.
Found findKey(const char *Key) {
  Found Result;
  for (unsigned Id = 0; Id < configuration().Devices; ++Id) {
    Device &D = runtime().device(static_cast<int>(Id));
    std::shared_lock<std::shared_mutex> Lock(D.Memory.Table.Mutex);
    for (const auto &[Address, A] : D.Memory.Table.Live)
      if (A.Shared && A.Shared->key() == Key &&
          (!Result.On || !A.Shared->isGiver()))
        Result = {&D, Address, A.Shared};
  }
  return Result;
}

int unknownKey(Call &This, const char *Key) {
  return This.mistake(RtParam, DiagId::DeviceBadHandle,
                      std::string("this process has no memory with the key '") +
                          Key + "'",
                      "the key comes from aclrtIpcMemGetExportKey; it ends "
                      "with aclrtIpcMemClose");
}

} // namespace

int aclrtIpcMemGetExportKey(void *Pointer, size_t Bytes, char *Key,
                            size_t Length, uint64_t Flags) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Pointer);
  BELAY_NOT_NULL(Key);
  if (Length < Share::KeyBytes)
    return This.fail(RtParam, "a key needs " + std::to_string(Share::KeyBytes) +
                                  " bytes, not " + std::to_string(Length));
  Where Place = runtime().locate(Pointer);
  if (!Place.On)
    return This.mistake(RtParam, DiagId::DeviceBadHandle,
                        "this is not device memory; only that can be shared");
  DeviceMemory &Memory = Place.On->Memory;
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  std::unique_lock<std::shared_mutex> Lock(Memory.Table.Mutex);
  auto It = Memory.Table.Live.find(Address);
  if (It == Memory.Table.Live.end() || Bytes > It->second.Bytes || Bytes == 0) {
    std::string What = Memory.Table.describe(Address);
    Lock.unlock();
    return This.mistake(
        RtParam, DiagId::DeviceBadHandle,
        std::to_string(Bytes) +
            " bytes here are not the start of an allocation: " + What);
  }
  Allocation &A = It->second;
  if (A.File >= 0)
    return This.fail(RtFeatureNotSupported,
                     "this memory is another process's, which shares it");
  constexpr uint64_t AnyProcess = 1;
  if (!A.Shared)
    A.Shared = Share::create(ShareKind::Memory, Flags & AnyProcess);
  if (!A.Shared)
    return This.fail(RtInternal, "no memory for what processes share");
  ShareBlock &Block = A.Shared->block();
  Block.MemoryFd = Memory.fd();
  Block.Offset = Address - Memory.base();
  Block.Bytes = Bytes;
  Block.Slack = A.Slack;
  std::strcpy(Key, A.Shared->key().c_str());
  return Success;
}

int aclrtIpcMemSetImportPid(const char *Key, int32_t *Pids, size_t Count) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Key);
  BELAY_NOT_NULL(Pids);
  Found Mine = findKey(Key);
  if (!Mine.On || !Mine.Key->isGiver())
    return unknownKey(This, Key);
  return Mine.Key->allow(Pids, Count)
             ? Success
             : This.fail(RtParam, "a key has room for " +
                                      std::to_string(ShareBlock::MaxPids) +
                                      " processes");
}

int aclrtIpcMemImportByKey(void **Pointer, const char *Key, uint64_t) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Pointer);
  BELAY_NOT_NULL(Key);
  std::string Why;
  std::shared_ptr<Share> From = Share::join(Key, ShareKind::Memory, Why);
  if (!From)
    return This.fail(RtParam, Why);
  int File = From->openGivers(From->block().MemoryFd);
  if (File < 0)
    return This.fail(RtParam, "the memory's process has ended");
  *Pointer = This.device().Memory.adopt(File, From, This.Site);
  if (!*Pointer) {
    close(File);
    return This.fail(RtMemoryAllocation, "no addresses are left");
  }
  ++From->block().Members;
  return Success;
}

int aclrtIpcMemClose(const char *Key) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Key);
  Found Mine = findKey(Key);
  if (!Mine.On)
    return unknownKey(This, Key);
  if (!Mine.Key->isGiver()) {
    auto Taken = takeAllocation(This, Mine.On->Memory.Table,
                                reinterpret_cast<void *>(Mine.Address));
    if (!Taken)
      return This.error();
    Mine.On->Memory.drop(Taken->first, Taken->second);
    --Mine.Key->block().Members;
    return Success;
  }
  reportMembers(This, *Mine.Key, "closed");
  Mine.Key->block().Closed = true;
  std::unique_lock<std::shared_mutex> Lock(Mine.On->Memory.Table.Mutex);
  if (auto It = Mine.On->Memory.Table.Live.find(Mine.Address);
      It != Mine.On->Memory.Table.Live.end())
    It->second.Shared = nullptr;
  return Success;
}

/// The number that the other process needs for aclrtIpcMemSetImportPid.
int aclrtDeviceGetBareTgid(int32_t *Pid) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Pid);
  *Pid = getpid();
  return Success;
}
