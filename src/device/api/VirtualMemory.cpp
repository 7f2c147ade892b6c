//===- VirtualMemory.cpp - Addresses and memory apart ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses are reserved, memory is allocated, and the one is mapped at the
// other. Here memory exists where it is mapped, so that a piece can be mapped
// at one place at a time; what it holds goes with it.
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include <cstring>

using namespace belay::device;

namespace {

constexpr size_t Granularity = 2 << 20;

struct Physical {
  size_t Bytes = 0;
  std::mutex Mutex;
  uint64_t MappedAt = 0;        // 0: nowhere
  std::vector<uint8_t> Content; // while it is not mapped
};

std::shared_ptr<Physical> physicalOf(Call &This, void *Handle) {
  return runtime().Objects.find<Physical>(Handle, HandleKind::Physical,
                                          This.Name, This.Site, RtParam);
}

int checkSize(Call &This, size_t Bytes) {
  if (Bytes > 0 && Bytes % Granularity == 0)
    return Success;
  return This.fail(RtParam, std::to_string(Bytes) +
                                " bytes are no multiple of what "
                                "aclrtMemGetAllocationGranularity tells");
}

} // namespace

int aclrtMemGetAllocationGranularity(void *, int, size_t *Bytes) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Bytes);
  *Bytes = Granularity;
  return Success;
}

int aclrtReserveMemAddress(void **Pointer, size_t Bytes, size_t, void *,
                           uint64_t) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Pointer);
  if (int E = checkSize(This, Bytes))
    return E;
  *Pointer = This.device().Memory.reserve(Bytes, Granularity);
  return *Pointer ? Success
                  : This.fail(RtMemoryAllocation, "no addresses are left");
}

int aclrtReleaseMemAddress(void *Pointer) {
  BELAY_BEGIN(Initialised);
  Where Place = runtime().locate(Pointer);
  if (Place.On &&
      Place.On->Memory.unreserve(reinterpret_cast<uint64_t>(Pointer)))
    return Success;
  return This.mistake(RtParam, DiagId::DeviceBadFree,
                      "these are no reserved addresses, or memory is still "
                      "mapped there",
                      "call aclrtUnmapMem first");
}

int aclrtMallocPhysical(void **Handle, size_t Bytes, const void *, uint64_t) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Handle);
  if (int E = checkSize(This, Bytes))
    return E;
  auto P = std::make_shared<Physical>();
  P->Bytes = Bytes;
  *Handle = runtime().Objects.add(runtime().Objects.reserve(),
                                  HandleKind::Physical, P);
  return Success;
}

int aclrtFreePhysical(void *Handle) {
  BELAY_BEGIN(Initialised);
  if (!physicalOf(This, Handle))
    return RtParam;
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

int aclrtMapMem(void *Pointer, size_t Bytes, size_t Offset, void *Handle,
                uint64_t) {
  BELAY_BEGIN(CurrentContext);
  auto P = physicalOf(This, Handle);
  if (!P)
    return RtParam;
  std::lock_guard<std::mutex> Lock(P->Mutex);
  if (Offset != 0 || Bytes != P->Bytes)
    return This.fail(RtParam, "memory is mapped as a whole: " +
                                  std::to_string(P->Bytes) + " bytes");
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  Where Place = runtime().locate(Pointer);
  if (P->MappedAt)
    return This.fail(RtFeatureNotSupported,
                     "the simulated device maps memory at one place at a time");
  if (!Place.On || !Place.On->Memory.mapAt(Address, Bytes, This.Site))
    return This.fail(RtParam, "these addresses are not reserved, or taken");
  if (!P->Content.empty()) {
    std::memcpy(Place.On->Memory.bytes(Address), P->Content.data(), Bytes);
    Place.On->Memory.markWritten({Address});
    P->Content = {};
  }
  P->MappedAt = Address;
  return Success;
}

int aclrtUnmapMem(void *Pointer) {
  BELAY_BEGIN(Initialised);
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  Where Place = runtime().locate(Pointer);
  for (const auto &Each : runtime().Objects.all(HandleKind::Physical)) {
    auto &P = *static_cast<Physical *>(Each.get());
    std::lock_guard<std::mutex> Lock(P.Mutex);
    if (!Place.On || P.MappedAt != Address)
      continue;
    const uint8_t *From = Place.On->Memory.bytes(Address);
    P.Content.assign(From, From + P.Bytes);
    P.MappedAt = 0;
  }
  if (Place.On && Place.On->Memory.unmapAt(Address, This.Site))
    return Success;
  return This.mistake(RtParam, DiagId::DeviceBadFree,
                      "no memory is mapped at this address");
}

/// All memory of a device can be read and written by it.
int aclrtMemSetAccess(void *Pointer, size_t, void *, size_t) {
  BELAY_BEGIN(Initialised);
  if (!runtime().locate(Pointer).On)
    return This.fail(RtParam, "this is no address of a device");
  return Success;
}
