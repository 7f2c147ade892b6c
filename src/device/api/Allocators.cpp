//===- Allocators.cpp - Allocators that programs bring --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/api/Living.h"

#include <map>

using namespace belay::device;

namespace {
/// What a program says of its allocator. The simulated device takes no memory
/// of its own for operators, so nothing but the program asks for it.
struct Allocator {
  void *Object = nullptr;
  void *(*Allocate)(void *, size_t) = nullptr;
  void (*Free)(void *, void *) = nullptr;
  void *(*AllocateAt)(void *, size_t, void *) = nullptr;
  void *(*Address)(void *) = nullptr;
};
/// The description that was registered, and what it said then.
struct Registered {
  void *Description;
  Allocator Said;
};
std::mutex AllocatorsMutex;
} // namespace

static std::map<void *, Registered> &registered() {
  static auto &All = *new std::map<void *, Registered>; // by stream
  return All;
}

static int set(Call &This, void *Description,
               const std::function<void(Allocator &)> &Change) {
  auto *A = Living<Allocator>::get(static_cast<Allocator *>(Description));
  if (!A)
    return This.mistake(InvalidParam, DiagId::DeviceBadHandle,
                        "this is no description of an allocator, or it was "
                        "destroyed before");
  std::lock_guard<std::mutex> Lock(AllocatorsMutex);
  Change(*A);
  return Success;
}

void *aclrtAllocatorCreateDesc() {
  return Living<Allocator>::add(new Allocator);
}

int aclrtAllocatorDestroyDesc(void *Description) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  return Living<Allocator>::destroy(This, static_cast<Allocator *>(Description),
                                    "description of an allocator");
}

int aclrtAllocatorSetObjToDesc(void *Description, void *Object) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  return set(This, Description, [&](Allocator &A) { A.Object = Object; });
}
int aclrtAllocatorSetAllocFuncToDesc(void *Description,
                                     void *(*F)(void *, size_t)) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  return set(This, Description, [&](Allocator &A) { A.Allocate = F; });
}
int aclrtAllocatorSetFreeFuncToDesc(void *Description,
                                    void (*F)(void *, void *)) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  return set(This, Description, [&](Allocator &A) { A.Free = F; });
}
int aclrtAllocatorSetAllocAdviseFuncToDesc(void *Description,
                                           void *(*F)(void *, size_t, void *)) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  return set(This, Description, [&](Allocator &A) { A.AllocateAt = F; });
}
int aclrtAllocatorSetGetAddrFromBlockFuncToDesc(void *Description,
                                                void *(*F)(void *)) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  return set(This, Description, [&](Allocator &A) { A.Address = F; });
}

int aclrtAllocatorRegister(void *Stream, void *Description) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Stream);
  if (!This.stream(Stream))
    return This.error();
  return set(This, Description,
             [&](Allocator &A) { registered()[Stream] = {Description, A}; });
}

int aclrtAllocatorGetByStream(void *Stream, void **Description, void **Object,
                              void *(**Allocate)(void *, size_t),
                              void (**Free)(void *, void *),
                              void *(**AllocateAt)(void *, size_t, void *),
                              void *(**Address)(void *)) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Stream);
  BELAY_NOT_NULL(Description && Object && Allocate && Free && AllocateAt &&
                 Address);
  std::lock_guard<std::mutex> Lock(AllocatorsMutex);
  auto Found = registered().find(Stream);
  if (Found == registered().end())
    return This.fail(RtParam, "the stream has no allocator");
  const Allocator &A = Found->second.Said;
  *Description = Found->second.Description;
  *Object = A.Object;
  *Allocate = A.Allocate;
  *Free = A.Free;
  *AllocateAt = A.AllocateAt;
  *Address = A.Address;
  return Success;
}

int aclrtAllocatorUnregister(void *Stream) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Stream);
  std::lock_guard<std::mutex> Lock(AllocatorsMutex);
  if (!registered().erase(Stream))
    return This.fail(RtParam, "the stream has no allocator");
  return Success;
}
