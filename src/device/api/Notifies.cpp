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
  /// If other processes know it: then they count.
  std::shared_ptr<Share> Across;
  Clock Known; // of who recorded it here
};

constexpr auto PollInterval = std::chrono::microseconds(50);

/// Uses up one signal; false if there is none.
bool takeSignal(ShareBlock &Block) {
  uint64_t Count = Block.Signals;
  while (Count > 0)
    if (Block.Signals.compare_exchange_weak(Count, Count - 1))
      return true;
  return false;
}

/// What a stream does that waits for other processes. 0 waits for ever.
Outcome awaitSignal(const std::shared_ptr<Share> &Across,
                    std::chrono::milliseconds Most) {
  auto Start = std::chrono::steady_clock::now();
  while (!takeSignal(Across->block())) {
    if (Most.count() && std::chrono::steady_clock::now() - Start > Most)
      return {RtTaskTimeout, "no process recorded the notify in time"};
    std::this_thread::sleep_for(PollInterval);
  }
  return {};
}

/// The oldest that the other side has left, or a new one for it to find.
std::shared_ptr<Recording>
pairUp(std::deque<std::shared_ptr<Recording>> &Theirs,
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
  if (N->Across && N->Awaited.empty()) {
    N->Known.merge(S->known());
    S->submit(
        [Across = N->Across] {
          ++Across->block().Signals;
          return Outcome();
        },
        "NOTIFY_RECORD");
    return Success;
  }
  S->record(pairUp(N->Awaited, N->Recorded));
  return Success;
}

int aclrtWaitAndResetNotify(void *Handle, void *StreamHandle,
                            uint32_t Timeout) {
  BELAY_BEGIN(CurrentContext);
  auto N = notifyOf(This, Handle);
  if (!N)
    return RtParam;
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  std::lock_guard<std::mutex> Lock(N->Mutex);
  if (N->Across && N->Recorded.empty()) {
    S->learn(N->Known);
    S->submit(
        [Across = N->Across, Timeout] {
          return awaitSignal(Across, std::chrono::milliseconds(Timeout));
        },
        "NOTIFY_WAIT");
    return Success;
  }
  S->waitFor(pairUp(N->Recorded, N->Awaited));
  return Success;
}

int aclrtNotifyGetExportKey(void *Handle, char *Key, size_t Length,
                            uint64_t Flags) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Key);
  auto N = notifyOf(This, Handle);
  if (!N)
    return RtParam;
  if (Length < Share::KeyBytes)
    return This.fail(RtParam, "a key needs " + std::to_string(Share::KeyBytes) +
                                  " bytes, not " + std::to_string(Length));
  std::lock_guard<std::mutex> Lock(N->Mutex);
  constexpr uint64_t AnyProcess = 2;
  if (!N->Across)
    N->Across = Share::create(ShareKind::Notify, Flags & AnyProcess);
  if (!N->Across)
    return This.fail(RtInternal, "no memory for what processes share");
  std::strcpy(Key, N->Across->key().c_str());
  return Success;
}

int aclrtNotifySetImportPid(void *Handle, int32_t *Pids, size_t Count) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Pids);
  auto N = notifyOf(This, Handle);
  if (!N)
    return RtParam;
  std::lock_guard<std::mutex> Lock(N->Mutex);
  if (!N->Across || !N->Across->isGiver())
    return This.fail(RtParam, "the notify has no key; "
                              "aclrtNotifyGetExportKey gives it one");
  return N->Across->allow(Pids, Count)
             ? Success
             : This.fail(RtParam, "a key has room for " +
                                      std::to_string(ShareBlock::MaxPids) +
                                      " processes");
}

int aclrtNotifyImportByKey(void **Handle, const char *Key, uint64_t) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  BELAY_NOT_NULL(Key);
  std::string Why;
  std::shared_ptr<Share> From = Share::join(Key, ShareKind::Notify, Why);
  if (!From)
    return This.fail(RtParam, Why);
  auto N = std::make_shared<Notify>();
  N->Id = runtime().Objects.reserve();
  N->Across = From;
  *Handle = runtime().Objects.add(N->Id, HandleKind::Notify, N);
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
      std::this_thread::sleep_for(PollInterval);
    }
  });
  return Success;
}
