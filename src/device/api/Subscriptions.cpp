//===- Subscriptions.cpp - Times of models through a pipe -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include "device/api/Living.h"
#include "device/core/Subscriptions.h"

#include <algorithm>
#include <cstring>

using namespace belay::device;

/// The vendor's name; programs only hold pointers to it.
struct aclprofSubscribeConfig {
  bool Times;
  int Pipe;
};

/// Metrics of cores are documented as not supported.
aclprofSubscribeConfig *aclprofCreateSubscribeConfig(int8_t Times, int,
                                                     void *Pipe) {
  if (!Pipe) {
    fail(InvalidParam, "aclprofCreateSubscribeConfig: fd is null");
    return nullptr;
  }
  return Living<aclprofSubscribeConfig>::add(
      new aclprofSubscribeConfig{Times != 0, *static_cast<int *>(Pipe)});
}

int aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *Config) {
  BELAY_BEGIN(Nothing);
  return Living<aclprofSubscribeConfig>::destroy(
      This, const_cast<aclprofSubscribeConfig *>(Config),
      "configuration of a subscription");
}

int aclprofModelSubscribe(uint32_t Model,
                          const aclprofSubscribeConfig *Config) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Living<aclprofSubscribeConfig>::get(Config));
  if (!subscriptions().isAnnounced(Model) &&
      !runtime().Objects.peek(Handles::toHandle(Model), HandleKind::Model))
    return This.fail(InvalidModelId,
                     "there is no model " + std::to_string(Model));
  if (!subscriptions().add(Model, Config->Pipe, Config->Times))
    return This.mistake(InvalidParam, DiagId::DeviceProfilingOrder,
                        "model " + std::to_string(Model) +
                            " is subscribed to already",
                        "call aclprofModelUnSubscribe first");
  return Success;
}

int aclprofModelUnSubscribe(uint32_t Model) {
  BELAY_BEGIN(Initialised);
  if (!subscriptions().remove(Model))
    return This.mistake(InvalidModelId, DiagId::DeviceProfilingOrder,
                        "model " + std::to_string(Model) +
                            " is not subscribed to",
                        "call aclprofModelSubscribe first");
  return Success;
}

extern "C" __attribute__((visibility("default"))) int32_t
MsprofSetDeviceIdByGeModelIdx(uint32_t Model, uint32_t Device) {
  if (!runtime().isDevice(Device))
    return -1;
  subscriptions().announce(Model);
  return 0;
}

//===----------------------------------------------------------------------===//
// What comes out of the pipe
//===----------------------------------------------------------------------===//

/// False if there is no such record; the error has been told.
static bool readRecord(const char *Name, const void *Records, size_t Bytes,
                       uint32_t Index, RunRecord &To) {
  if (!Records || Index >= Bytes / sizeof(RunRecord)) {
    fail(InvalidParam,
         std::string(Name) + ": there is no operator " + std::to_string(Index));
    return false;
  }
  std::memcpy(&To,
              static_cast<const char *>(Records) + Index * sizeof(RunRecord),
              sizeof(To));
  To.Type[sizeof(To.Type) - 1] = To.Name[sizeof(To.Name) - 1] = '\0';
  return true;
}

int aclprofGetOpDescSize(size_t *Bytes) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Bytes);
  *Bytes = sizeof(RunRecord);
  return Success;
}

int aclprofGetOpNum(const void *Records, size_t Bytes, uint32_t *Count) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Records);
  BELAY_NOT_NULL(Count);
  if (Bytes == 0 || Bytes % sizeof(RunRecord))
    return This.fail(InvalidParam,
                     std::to_string(Bytes) + " bytes are no whole operators");
  *Count = static_cast<uint32_t>(Bytes / sizeof(RunRecord));
  return Success;
}

static int textLength(const char *Name, const void *Records, size_t Bytes,
                      uint32_t Index, const char (RunRecord::*Text)[256],
                      size_t *Length) {
  RunRecord R;
  if (!Length)
    return fail(InvalidParam, std::string(Name) + ": the length is null");
  if (!readRecord(Name, Records, Bytes, Index, R))
    return InvalidParam;
  *Length = std::strlen(R.*Text) + 1;
  return Success;
}

/// What does not fit is cut off.
static int copyText(const char *Name, const void *Records, size_t Bytes,
                    uint32_t Index, const char (RunRecord::*Text)[256],
                    char *To, size_t Room) {
  RunRecord R;
  if (!To || Room == 0)
    return fail(InvalidParam, std::string(Name) + ": there is no room");
  if (!readRecord(Name, Records, Bytes, Index, R))
    return InvalidParam;
  size_t Length = std::min(std::strlen(R.*Text), Room - 1);
  std::memcpy(To, R.*Text, Length);
  To[Length] = '\0';
  return Success;
}

int aclprofGetOpTypeLen(const void *Records, size_t Bytes, uint32_t Index,
                        size_t *Length) {
  return textLength(__func__, Records, Bytes, Index, &RunRecord::Type, Length);
}
int aclprofGetOpType(const void *Records, size_t Bytes, uint32_t Index,
                     char *To, size_t Room) {
  return copyText(__func__, Records, Bytes, Index, &RunRecord::Type, To, Room);
}
int aclprofGetOpNameLen(const void *Records, size_t Bytes, uint32_t Index,
                        size_t *Length) {
  return textLength(__func__, Records, Bytes, Index, &RunRecord::Name, Length);
}
int aclprofGetOpName(const void *Records, size_t Bytes, uint32_t Index,
                     char *To, size_t Room) {
  return copyText(__func__, Records, Bytes, Index, &RunRecord::Name, To, Room);
}

uint64_t aclprofGetOpStart(const void *Records, size_t Bytes, uint32_t Index) {
  RunRecord R;
  return readRecord(__func__, Records, Bytes, Index, R) ? R.Start : 0;
}
uint64_t aclprofGetOpEnd(const void *Records, size_t Bytes, uint32_t Index) {
  RunRecord R;
  return readRecord(__func__, Records, Bytes, Index, R) ? R.End : 0;
}
uint64_t aclprofGetOpDuration(const void *Records, size_t Bytes,
                              uint32_t Index) {
  RunRecord R;
  return readRecord(__func__, Records, Bytes, Index, R) ? R.End - R.Start : 0;
}
size_t aclprofGetModelId(const void *Records, size_t Bytes, uint32_t Index) {
  RunRecord R;
  return readRecord(__func__, Records, Bytes, Index, R) ? R.Model : 0;
}

int aclprofGetOpFlag(const void *Records, size_t Bytes, uint32_t Index) {
  constexpr int Operator = 0, None = 0xff;
  RunRecord R;
  return readRecord(__func__, Records, Bytes, Index, R) ? Operator : None;
}

/// Only threads of operators have an attribute, and here are none.
const char *aclprofGetOpAttriValue(const void *, size_t, uint32_t, int) {
  fail(InvalidParam, "aclprofGetOpAttriValue: the operator has no attributes");
  return nullptr;
}
