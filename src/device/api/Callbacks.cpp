//===- Callbacks.cpp - Functions of the host in a stream ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include <pthread.h>

using namespace belay::device;

namespace {

using Callback = void (*)(void *);

/// What waits for a thread that calls aclrtProcessReport.
struct ReportQueue {
  std::mutex Mutex;
  std::condition_variable Arrived;
  struct Item {
    Callback Function;
    void *Argument;
    std::shared_ptr<Recording> Done; // null if nobody waits for it
  };
  std::deque<Item> Items;
  unsigned Streams = 0;
};

struct ReportQueues {
  std::mutex Mutex;
  std::map<uint64_t, std::shared_ptr<ReportQueue>> ByThread;
};
ReportQueues &reportQueues() {
  static auto &Only = *new ReportQueues;
  return Only;
}

/// While it runs, calls of ACL in this thread are mistakes.
void call(Callback Function, void *Argument) {
  inCallback() = true;
  Function(Argument);
  inCallback() = false;
}

} // namespace

int aclrtLaunchHostFunc(void *StreamHandle, Callback Function, void *Argument) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Function);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (S->ReportThread)
    return This.mistake(
        RtStreamSubscribe, DiagId::DeviceMixedCallbacks,
        "the stream has a thread for aclrtLaunchCallback; the two kinds of "
        "callbacks cannot share a stream",
        "use one of them in each stream");
  uint64_t Id = S->Id;
  uint64_t Before = S->submitted();
  S->submit([=] {
    // Who is told by the callback knows that what stands before it has ended.
    HostKnowledge::learn(Id, Before);
    call(Function, Argument);
    return Outcome();
  });
  return Success;
}

int aclrtSubscribeReport(uint64_t Thread, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  uint64_t None = 0;
  if (!S->ReportThread.compare_exchange_strong(None, Thread))
    return This.fail(RtStreamSubscribe, "the stream has a thread already");
  std::lock_guard<std::mutex> Lock(reportQueues().Mutex);
  auto &Queue = reportQueues().ByThread[Thread];
  if (!Queue)
    Queue = std::make_shared<ReportQueue>();
  ++Queue->Streams;
  return Success;
}

int aclrtUnSubscribeReport(uint64_t Thread, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  if (!S->ReportThread.compare_exchange_strong(Thread, 0))
    return This.fail(RtThreadSubscribe, "the stream has not this thread");
  std::lock_guard<std::mutex> Lock(reportQueues().Mutex);
  auto It = reportQueues().ByThread.find(Thread);
  if (It != reportQueues().ByThread.end() && --It->second->Streams == 0)
    reportQueues().ByThread.erase(It);
  return Success;
}

int aclrtLaunchCallback(Callback Function, void *Argument, int Block,
                        void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Function);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  std::shared_ptr<ReportQueue> Queue;
  {
    std::lock_guard<std::mutex> Lock(reportQueues().Mutex);
    auto It = reportQueues().ByThread.find(S->ReportThread);
    if (It != reportQueues().ByThread.end())
      Queue = It->second;
  }
  if (!Queue)
    return This.fail(RtStreamSubscribe,
                     "no thread is subscribed to the stream; call "
                     "aclrtSubscribeReport first");
  uint64_t Id = S->Id;
  uint64_t Before = S->submitted();
  auto Done = Block ? std::make_shared<Recording>() : nullptr;
  S->submit([=] {
    HostKnowledge::learn(Id, Before);
    {
      std::lock_guard<std::mutex> Lock(Queue->Mutex);
      Queue->Items.push_back({Function, Argument, Done});
      Queue->Arrived.notify_one();
    }
    if (Done)
      Done->wait(Forever);
    return Outcome();
  });
  return Success;
}

int aclrtProcessReport(int32_t Timeout) {
  BELAY_BEGIN(Initialised);
  std::shared_ptr<ReportQueue> Queue;
  {
    std::lock_guard<std::mutex> Lock(reportQueues().Mutex);
    auto It =
        reportQueues().ByThread.find(static_cast<uint64_t>(pthread_self()));
    if (It != reportQueues().ByThread.end())
      Queue = It->second;
  }
  if (!Queue)
    return This.fail(RtThreadSubscribe,
                     "this thread is subscribed to no stream");
  ReportQueue::Item Item;
  {
    std::unique_lock<std::mutex> Lock(Queue->Mutex);
    auto Any = [&] { return !Queue->Items.empty(); };
    if (Timeout < 0)
      Queue->Arrived.wait(Lock, Any);
    else if (!Queue->Arrived.wait_for(Lock, std::chrono::milliseconds(Timeout),
                                      Any))
      return This.fail(RtWaitTimeout, "no callback arrived in time");
    Item = Queue->Items.front();
    Queue->Items.pop_front();
  }
  call(Item.Function, Item.Argument);
  if (Item.Done)
    Item.Done->complete();
  return Success;
}

//===----------------------------------------------------------------------===//
// Failures of kernels
//===----------------------------------------------------------------------===//

int aclrtSetExceptionInfoCallback(Callback Function) {
  BELAY_BEGIN(Initialised);
  setExceptionCallback(Function);
  return Success;
}

static const ExceptionInfo &read(const void *Info) {
  return *static_cast<const ExceptionInfo *>(Info);
}
static uint32_t get(const char *Name, const void *Site, const void *Info,
                    uint32_t ExceptionInfo::*Field) {
  if (!Info || read(Info).Magic != ExceptionInfo::Alive) {
    report({DiagId::DeviceExceptionInfo,
            std::string(Name) +
                ": the information ended with the callback that got it",
            Site,
            {},
            nullptr,
            "copy the numbers inside the callback"});
    return 0xffffffff;
  }
  return read(Info).*Field;
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const void *Info) {
  return get(__func__, BELAY_SITE, Info, &ExceptionInfo::Task);
}
uint32_t aclrtGetStreamIdFromExceptionInfo(const void *Info) {
  return get(__func__, BELAY_SITE, Info, &ExceptionInfo::Stream);
}
uint32_t aclrtGetThreadIdFromExceptionInfo(const void *Info) {
  return get(__func__, BELAY_SITE, Info, &ExceptionInfo::Thread);
}
uint32_t aclrtGetDeviceIdFromExceptionInfo(const void *Info) {
  return get(__func__, BELAY_SITE, Info, &ExceptionInfo::Device);
}
uint32_t aclrtGetErrorCodeFromExceptionInfo(const void *Info) {
  return get(__func__, BELAY_SITE, Info, &ExceptionInfo::Error);
}

int aclrtGetFuncHandleFromExceptionInfo(const void *Info, void **Handle) {
  if (!Handle)
    return fail(RtParam, "aclrtGetFuncHandleFromExceptionInfo: null");
  *Handle = nullptr;
  if (get(__func__, BELAY_SITE, Info, &ExceptionInfo::Device) == 0xffffffff)
    return RtParam;
  *Handle = read(Info).Function;
  return Success;
}

/// Arguments do not lie in device memory here.
int aclrtGetArgsFromExceptionInfo(const void *Info, void **Args,
                                  uint32_t *Bytes) {
  if (Args)
    *Args = nullptr;
  if (Bytes)
    *Bytes = 0;
  if (get(__func__, BELAY_SITE, Info, &ExceptionInfo::Device) == 0xffffffff)
    return RtParam;
  return fail(RtFeatureNotSupported,
              "aclrtGetArgsFromExceptionInfo: the simulated device keeps "
              "arguments outside of device memory");
}
