//===- Overflows.cpp - How floats overflow, and who learns of it ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include <cstring>

using namespace belay::device;

namespace {

enum OverflowMode : int { Saturation = 0, InfNan = 1 };

/// What aclrtGetOverflowStatus writes: a word that is not 0 after an overflow,
/// and nothing else.
constexpr size_t StatusBytes = 64;

bool hasModes(const Device &D) { return D.Kind.Soc->arch->hasFloatModes; }

int notDetected(Call &This, const Device &D) {
  return This.fail(RtFeatureNotSupported,
                   "overflow is not detected on a simulated " +
                       std::string(D.Kind.Soc->name));
}

} // namespace

int aclrtSetDeviceSatMode(int Mode) {
  BELAY_BEGIN(CurrentContext);
  if (Mode != Saturation && Mode != InfNan)
    return This.fail(RtParam, "there is no mode " + std::to_string(Mode));
  Device &D = This.device();
  if (Mode == Saturation && !hasModes(D))
    return This.fail(RtFeatureNotSupported,
                     std::string(D.Kind.Soc->name) +
                         " is simulated with infinities and NaN only");
  D.SaturatesFloats = Mode == Saturation;
  return Success;
}

int aclrtGetDeviceSatMode(int *Mode) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Mode);
  *Mode = This.device().SaturatesFloats ? Saturation : InfNan;
  return Success;
}

int aclrtSetStreamOverflowSwitch(void *Handle, uint32_t On) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  if (On > 1)
    return This.fail(RtParam, "the switch must be 0 or 1");
  if (On && !hasModes(This.device()))
    return notDetected(This, This.device());
  S->OverflowSwitch = On;
  return Success;
}

int aclrtGetStreamOverflowSwitch(void *Handle, uint32_t *On) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(On);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  *On = S->OverflowSwitch;
  return Success;
}

int aclrtGetOverflowStatus(void *To, size_t Bytes, void *Handle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(To);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  Device &D = This.device();
  if (!hasModes(D))
    return notDetected(This, D);
  if (Bytes != StatusBytes)
    return This.fail(RtParam,
                     "the status has 64 bytes, not " + std::to_string(Bytes));
  auto Address = reinterpret_cast<uint64_t>(To);
  Where Place = runtime().locate(To);
  if (Place.On != &D)
    return This.mistake(RtParam, DiagId::DeviceBadCopy,
                        "this is not memory of the stream's device");
  AllocationTable &Table = D.Memory.Table;
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.find(Address, Bytes);
  if (It == Table.Live.end()) {
    std::string What = Table.describe(Address);
    Lock.unlock();
    return This.mistake(RtParam, DiagId::DeviceBadCopy,
                        std::to_string(Bytes) + " bytes from " + What);
  }
  uint64_t Sequence = S->submit([&D, Address, Group = S->UserTag]() -> Outcome {
    {
      std::shared_lock<std::shared_mutex> Held(D.Memory.Table.Mutex);
      if (D.Memory.Table.find(Address, StatusBytes) ==
          D.Memory.Table.Live.end())
        return {RtParam, "aclrtGetOverflowStatus: the memory is gone"};
      uint32_t Any = D.hasOverflow(Group);
      std::memset(D.Memory.bytes(Address), 0, StatusBytes);
      std::memcpy(D.Memory.bytes(Address), &Any, sizeof(Any));
    }
    D.Memory.markWritten({Address});
    return {};
  });
  It->second.Uses[S->Id] = {Sequence, "the query of overflow", This.Site};
  return Success;
}

int aclrtResetOverflowStatus(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  Device &D = This.device();
  if (!hasModes(D))
    return notDetected(This, D);
  S->submit([&D, Group = S->UserTag] {
    D.forgetOverflow(Group);
    return Outcome();
  });
  return Success;
}
