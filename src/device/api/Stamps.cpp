//===- Stamps.cpp - Marks and ranges of profiling -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/api/Living.h"

#include <set>
#include <string_view>

using namespace belay::device;

struct aclprofStepInfo {
  bool Started = false;
};

namespace {
struct Stamp {
  std::string Message;
};
std::mutex RangesMutex;
std::set<uint32_t> Ranges; // that were started
uint32_t LastRange = 0;
thread_local unsigned Pushed = 0; // ranges of one thread are nested
/// Of aclprofRangePushEx, which is not nested.
thread_local bool Announced = false;
} // namespace

/// Like sessions, stamps are not written anywhere; that they are paired is
/// checked.
static int unpaired(Call &This, const char *Text, const char *Fix) {
  return This.mistake(RtParam, DiagId::DeviceProfilingOrder, Text, Fix);
}

static int stamp(Call &This, void *Handle) {
  return Living<Stamp>::get(static_cast<Stamp *>(Handle))
             ? Success
             : This.mistake(InvalidParam, DiagId::DeviceBadHandle,
                            "this is no stamp, or it was destroyed before");
}

void *aclprofCreateStamp() { return Living<Stamp>::add(new Stamp); }

void aclprofDestroyStamp(void *Handle) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  Living<Stamp>::destroy(This, static_cast<Stamp *>(Handle), "stamp");
}

int aclprofSetStampTraceMessage(void *Handle, const char *Text,
                                uint32_t Length) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  BELAY_NOT_NULL(Text);
  if (int Code = stamp(This, Handle))
    return Code;
  static_cast<Stamp *>(Handle)->Message.assign(Text, Length);
  return Success;
}

int aclprofMark(void *Handle) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  return stamp(This, Handle);
}

int aclprofPush(void *Handle) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (int Code = stamp(This, Handle))
    return Code;
  ++Pushed;
  return Success;
}

int aclprofPop() {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (!Pushed)
    return unpaired(This, "this thread has no range that was begun",
                    "call aclprofPush before, in the same thread");
  --Pushed;
  return Success;
}

int aclprofRangeStart(void *Handle, uint32_t *Range) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  BELAY_NOT_NULL(Range);
  if (int Code = stamp(This, Handle))
    return Code;
  std::lock_guard<std::mutex> Lock(RangesMutex);
  *Range = ++LastRange;
  Ranges.insert(*Range);
  return Success;
}

int aclprofRangeStop(uint32_t Range) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  std::lock_guard<std::mutex> Lock(RangesMutex);
  if (!Ranges.erase(Range))
    return unpaired(This, "there is no such range, or it was stopped before",
                    "stop what aclprofRangeStart has returned, once");
  return Success;
}

int aclprofMarkEx(const char *Text, size_t Length, void *Stream) {
  BELAY_BEGIN(CurrentContext);
  constexpr size_t MostBytes = 127;
  BELAY_NOT_NULL(Text);
  if (Length > MostBytes)
    return This.fail(InvalidParam, "a mark has at most 127 bytes");
  return This.stream(Stream) ? Success : This.error();
}

/// Strings that differ may have the same number, as there.
uint64_t aclprofStr2Id(const char *Text) {
  return Text ? std::hash<std::string_view>()(Text) : 0;
}

int aclprofRangePushEx(aclprofEventAttributes *Attributes) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  BELAY_NOT_NULL(Attributes);
  if (Attributes->messageType != 0)
    return This.fail(InvalidParam, "messages are about tensors, and have type "
                                   "ACL_PROF_MESSAGE_TYPE_TENSOR_INFO");
  BELAY_NOT_NULL(Attributes->tensorInfo);
  Announced = true;
  return Success;
}

int aclprofRangePop() {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (!Announced)
    return unpaired(This, "this thread has no range that was begun",
                    "call aclprofRangePushEx before, in the same thread");
  Announced = false;
  return Success;
}

aclprofStepInfo *aclprofCreateStepInfo() {
  return Living<aclprofStepInfo>::add(new aclprofStepInfo);
}

void aclprofDestroyStepInfo(aclprofStepInfo *Step) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  Living<aclprofStepInfo>::destroy(This, Step, "step");
}

int aclprofGetStepTimestamp(aclprofStepInfo *Step, int Tag, void *Stream) {
  BELAY_BEGIN(CurrentContext);
  constexpr int Start = 0, End = 1;
  if (!Living<aclprofStepInfo>::get(Step))
    return This.mistake(InvalidParam, DiagId::DeviceBadHandle,
                        "this is no step, or it was destroyed before");
  if (!This.stream(Stream))
    return This.error();
  if (Tag != Start && Tag != End)
    return This.fail(InvalidParam, "a step has a start and an end");
  if (Step->Started != (Tag == End))
    return unpaired(This, "the start of a step comes before its end",
                    "ACL_STEP_START, then ACL_STEP_END");
  Step->Started = Tag == Start;
  return Success;
}
