//===- Notifies.cpp - Notifies, and words that streams wait for -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include <cstring>

using namespace belay::device;

namespace {

/// Each record is used up by one wait; either may come first.
struct Notify {
  uint64_t Id = 0;
  std::mutex Mutex;
  std::deque<std::shared_ptr<Recording>> Recorded, Awaited;
};

/// The oldest that the other side has left, or a new one for it to find.
std::shared_ptr<Recording> meet(std::deque<std::shared_ptr<Recording>> &Theirs,
                                std::deque<std::shared_ptr<Recording>> &Ours) {
  if (Theirs.empty()) {
    Ours.push_back(std::make_shared<Recording>());
    return Ours.back();
  }
  std::shared_ptr<Recording> Result = Theirs.front();
  Theirs.pop_front();
  return Result;
}

std::shared_ptr<Notify> notifyOf(Call &This, void *Handle) {
  return runtime().Objects.find<Notify>(Handle, HandleKind::Notify, This.Name,
                                        This.Site, RtParam);
}

} // namespace

int aclrtCreateNotify(void **Handle, uint64_t) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  auto N = std::make_shared<Notify>();
  N->Id = runtime().Objects.reserve();
  *Handle = runtime().Objects.add(N->Id, HandleKind::Notify, N);
  return Success;
}

int aclrtDestroyNotify(void *Handle) {
  BELAY_BEGIN(Initialised);
  if (!notifyOf(This, Handle))
    return RtParam;
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

int aclrtGetNotifyId(void *Handle, uint32_t *Id) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Id);
  auto N = notifyOf(This, Handle);
  if (!N)
    return RtParam;
  *Id = static_cast<uint32_t>(N->Id);
  return Success;
}

int aclrtRecordNotify(void *Handle, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto N = notifyOf(This, Handle);
  if (!N)
    return RtParam;
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  std::lock_guard<std::mutex> Lock(N->Mutex);
  S->record(meet(N->Awaited, N->Recorded));
  return Success;
}

int aclrtWaitAndResetNotify(void *Handle, void *StreamHandle, uint32_t) {
  BELAY_BEGIN(CurrentContext);
  auto N = notifyOf(This, Handle);
  if (!N)
    return RtParam;
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  std::lock_guard<std::mutex> Lock(N->Mutex);
  S->waitFor(meet(N->Recorded, N->Awaited));
  return Success;
}

//===----------------------------------------------------------------------===//
// Words in device memory
//===----------------------------------------------------------------------===//

namespace {

enum Comparison : uint32_t { AtLeast, Equal, AnyBit, NoBitLeft };

bool holds(uint64_t Word, uint64_t Value, uint32_t How) {
  switch (How) {
  case AtLeast:
    return static_cast<int64_t>(Word - Value) >= 0;
  case Equal:
    return Word == Value;
  case AnyBit:
    return (Word & Value) != 0;
  default:
    return ~(Word | Value) != 0;
  }
}

/// Runs Touch with the word, while it cannot be freed.
template <typename Function>
Outcome withWord(Device &D, uint64_t Address, Function Touch) {
  AllocationTable &Table = D.Memory.Table;
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  if (Table.find(Address, sizeof(uint64_t)) == Table.Live.end())
    return {RtCopyFailed,
            "a word that a stream needs is gone: " + Table.describe(Address)};
  Touch(std::atomic_ref<uint64_t>(
      *reinterpret_cast<uint64_t *>(D.Memory.bytes(Address))));
  return {};
}

/// The device whose memory it is; null and an error told otherwise.
Device *placeOf(Call &This, void *Pointer) {
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  Where Place = runtime().locate(Pointer);
  if (!Place.On || Address % sizeof(uint64_t) != 0) {
    This.mistake(RtParam, DiagId::DeviceBadCopy,
                 "this is not the address of a word in device memory");
    return nullptr;
  }
  return Place.On;
}

} // namespace

int aclrtValueWrite(void *Pointer, uint64_t Value, uint32_t,
                    void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Pointer);
  auto S = This.stream(StreamHandle);
  Device *D = S ? placeOf(This, Pointer) : nullptr;
  if (!D)
    return This.error();
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  S->submit([=] {
    Outcome Result = withWord(*D, Address, [&](std::atomic_ref<uint64_t> Word) {
      Word.store(Value);
    });
    D->Memory.markWritten({Address});
    return Result;
  });
  return Success;
}

int aclrtValueWait(void *Pointer, uint64_t Value, uint32_t How,
                   void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Pointer);
  if (How > NoBitLeft)
    return This.fail(RtParam, "there is no comparison " + std::to_string(How));
  auto S = This.stream(StreamHandle);
  Device *D = S ? placeOf(This, Pointer) : nullptr;
  if (!D)
    return This.error();
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  S->submit([=]() -> Outcome {
    for (bool Done = false;;) {
      Outcome Result =
          withWord(*D, Address, [&](std::atomic_ref<uint64_t> Word) {
            Done = holds(Word.load(), Value, How);
          });
      if (Result.Error || Done)
        return Result;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  return Success;
}
