//===- Profiling.cpp - Profiling sessions ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include "device/core/Subscriptions.h"

using namespace belay::device;

struct aclprofConfig {
  std::vector<uint32_t> Devices;
  bool Running = false;
};

namespace {
std::mutex ProfilingMutex;
bool Opened = false;
unsigned Running = 0;
} // namespace

static int outOfOrder(Call &This, const std::string &Text) {
  return This.mistake(RtParam, DiagId::DeviceProfilingOrder, Text,
                      "aclprofInit, aclprofStart, aclprofStop, "
                      "aclprofFinalize, in this order");
}

/// While a model is subscribed to, sessions may not change.
static int checkAlone(Call &This) {
  if (!subscriptions().any())
    return Success;
  return This.mistake(RtParam, DiagId::DeviceProfilingOrder,
                      "a model is subscribed to",
                      "call aclprofModelUnSubscribe first");
}

/// Nothing is written: the simulator's own traces say more. The order of calls
/// is what programs get wrong, and is checked.
int aclprofInit(const char *Path, size_t) {
  BELAY_BEGIN(Initialised);
  if (int E = checkAlone(This))
    return E;
  BELAY_NOT_NULL(Path);
  std::lock_guard<std::mutex> Lock(ProfilingMutex);
  if (Opened)
    return outOfOrder(This, "profiling has begun already");
  Opened = true;
  return Success;
}

int aclprofFinalize() {
  BELAY_BEGIN(Initialised);
  if (int E = checkAlone(This))
    return E;
  std::lock_guard<std::mutex> Lock(ProfilingMutex);
  if (!Opened)
    return outOfOrder(This, "profiling has not begun");
  if (Running)
    return outOfOrder(This, "a session is still running");
  Opened = false;
  return Success;
}

aclprofConfig *aclprofCreateConfig(uint32_t *Devices, uint32_t NumDevices, int,
                                   const void *, uint64_t) {
  auto *Config = new aclprofConfig;
  if (Devices)
    Config->Devices.assign(Devices, Devices + NumDevices);
  return Config;
}

int aclprofDestroyConfig(const aclprofConfig *Config) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  BELAY_NOT_NULL(Config);
  std::lock_guard<std::mutex> Lock(ProfilingMutex);
  if (Config->Running)
    return outOfOrder(This, "the session is still running");
  delete Config;
  return Success;
}

int aclprofStart(const aclprofConfig *Config) {
  BELAY_BEGIN(Initialised);
  if (int E = checkAlone(This))
    return E;
  BELAY_NOT_NULL(Config);
  std::lock_guard<std::mutex> Lock(ProfilingMutex);
  if (!Opened)
    return outOfOrder(This, "profiling has not begun");
  if (Config->Running)
    return outOfOrder(This, "the session is running already");
  const_cast<aclprofConfig *>(Config)->Running = true;
  ++Running;
  return Success;
}

int aclprofStop(const aclprofConfig *Config) {
  BELAY_BEGIN(Initialised);
  if (int E = checkAlone(This))
    return E;
  BELAY_NOT_NULL(Config);
  std::lock_guard<std::mutex> Lock(ProfilingMutex);
  if (!Config->Running)
    return outOfOrder(This, "the session is not running");
  const_cast<aclprofConfig *>(Config)->Running = false;
  --Running;
  return Success;
}

/// Settings of what would be measured. They count for sessions that start
/// later.
int aclprofSetConfig(int Type, const char *Config, size_t Length) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Config);
  constexpr int Last = 16;
  constexpr size_t MostBytes = 256;
  if (Type <= 0 || Type > Last)
    return This.fail(InvalidParam,
                     "there is no setting " + std::to_string(Type));
  if (Length == 0 || Length > MostBytes)
    return This.fail(InvalidParam, "a setting has 1 to 256 bytes");
  std::lock_guard<std::mutex> Lock(ProfilingMutex);
  if (!Opened)
    return outOfOrder(This, "profiling has not begun");
  if (Running)
    return outOfOrder(This, "a session is running; settings come before "
                            "aclprofStart");
  return Success;
}
