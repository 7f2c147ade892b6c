//===- Stream.h - Work in order, while the host goes on ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_STREAM_H
#define BELAY_DEVICE_CORE_STREAM_H

#include "device/core/Errors.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace belay::device {

/// How far streams are known to have come: the number of tasks of each.
class Clock {
public:
  void advance(uint64_t Stream, uint64_t Sequence) {
    uint64_t &Known = Times[Stream];
    Known = std::max(Known, Sequence);
  }
  void merge(const Clock &Other) {
    for (const auto &[Stream, Sequence] : Other.Times)
      advance(Stream, Sequence);
  }
  uint64_t operator[](uint64_t Stream) const {
    auto It = Times.find(Stream);
    return It == Times.end() ? 0 : It->second;
  }
  void forget(uint64_t Stream) { Times.erase(Stream); }

private:
  std::map<uint64_t, uint64_t> Times;
};

/// One aclrtRecordEvent.
struct BELAY_DEVICE_API Recording {
  std::mutex Mutex;
  std::condition_variable Changed;
  bool Done = false;
  std::chrono::steady_clock::time_point When;
  uint64_t Stream = 0;
  Clock Known; // once it is done

  void complete();
  /// It happens once more: a captured task runs again.
  void restart();
  /// False if the time ran out.
  bool wait(std::chrono::milliseconds Most);
  /// False if the task that waits was stopped.
  bool waitInTask();
  bool isDone();
};

inline constexpr std::chrono::milliseconds Forever =
    std::chrono::milliseconds::max();

/// Result of a task: error code and message.
struct Outcome {
  int Error = 0;
  std::string Text = {};
  /// The program has stopped the task itself: nothing is lost if it does not
  /// look.
  bool Requested = false;
};

struct Branch;

/// Tasks run one after another in a thread of the stream's own.
class BELAY_DEVICE_API Stream {
public:
  using Task = std::function<Outcome()>;

  Stream(uint64_t Id, int Device, uint64_t Context);
  ~Stream();

  const uint64_t Id;
  const int Device;
  const uint64_t Context; // the handle's number
  bool IsDefault = false;
  uint32_t Flags = 0, Priority = 0;
  bool StopOnFailure = false;
  /// The device's floats saturated when the stream was made.
  bool SaturatesFloats = false;
  /// What aclrtSetStreamResLimit left of each kind of core.
  std::map<int, uint32_t> CoreLimits;
  int CaptureMode = 0; // of the capture that has begun last
  /// The handle of the graph that it goes to; null if it replaces tasks.
  void *CaptureTo = nullptr;
  /// The graph that the stream is bound to; 0 for none.
  std::atomic<uint64_t> BoundTo{0};
  /// Where tasks that can be replaced begin; none.
  static constexpr size_t NoGroup = SIZE_MAX;
  size_t GroupStart = NoGroup;
  /// The handle of the tasks that are being replaced.
  void *Replaces = nullptr;
  /// aclrtSetStreamAttribute. Whether overflow is watched for, and in which
  /// group; CacheOpInfo is only kept.
  uint32_t OverflowSwitch = 0, UserTag = 0, CacheOpInfo = 0;
  /// The thread that aclrtSubscribeReport named; 0 for none.
  std::atomic<uint64_t> ReportThread{0};

  /// A task that is kept; Kind is what aclmdlRIDebugJsonPrint calls it.
  struct Kept {
    Task Run;
    const char *Kind;
    std::shared_ptr<Recording> Records = nullptr;
    /// Of a graph only: decides what comes next, instead of Run.
    std::shared_ptr<const Branch> Where = nullptr;
  };

  /// Returns the task's number in the stream, from 1 on.
  uint64_t submit(Task T, const char *Kind = "TASK");
  uint64_t submitted();
  /// Whether what is submitted from now on runs after that task.
  bool follows(uint64_t Stream, uint64_t Sequence);
  bool isIdle();
  /// False if the time ran out. Afterwards the host knows of the end of all
  /// tasks submitted before.
  bool wait(std::chrono::milliseconds Most = Forever);
  /// The first failure since the last call.
  Outcome takeFailure();
  bool hasFailure();
  /// Forgets what has not started.
  void abandon();
  /// Ends the task that the stream is at, with this result if it can be ended:
  /// a kernel, or waiting for an event. Returns when it has ended. What has not
  /// started is forgotten, with the same result, or stays.
  void stop(Outcome With, bool Forget);

  /// \name From the one to the other, tasks are kept instead of run.
  /// @{
  bool beginCapture();
  bool endCapture(std::vector<Kept> &Tasks);
  bool isCapturing();
  /// False if nothing is captured.
  bool keep(Kept K);
  size_t numCaptured();
  /// @}

  /// Orders what is submitted from now on after the recording.
  void waitFor(const std::shared_ptr<Recording> &R);
  void record(const std::shared_ptr<Recording> &R);
  /// The same for a recording that is only known to the stream's knowledge:
  /// what another stream knew when it signalled.
  void learn(const Clock &Other);
  Clock known();

private:
  friend bool taskIsStopped();
  void work();
  uint64_t push(Kept K); // the mutex is held

  std::mutex Mutex;
  std::condition_variable Wake, Progress;
  std::deque<Task> Queue;
  bool Capturing = false;
  std::vector<Kept> Captured;
  uint64_t Submitted = 0, Completed = 0;
  /// The last task whose end an event has told of: Completed follows.
  uint64_t Announced = 0;
  bool Stopping = false;
  /// Tasks that were taken from the queue, and those of them that have ended.
  uint64_t Begun = 0, Over = 0;
  /// Which of them stop() ends, and its result; 0 for none.
  std::atomic<uint64_t> Stopped{0};
  Outcome StoppedWith;
  Outcome Failure;
  Clock Known; // when all that is submitted has ended
  std::thread Thread;
};

/// The stream whose task runs in this thread; null if none does.
BELAY_DEVICE_API const Stream *workingStream();
/// Whether Stream::stop() wants the task to end that runs in this thread. What
/// it returns then is replaced.
BELAY_DEVICE_API bool taskIsStopped();

/// The number of the last task that this thread gave to a stream; 0 for none.
BELAY_DEVICE_API uint64_t lastTaskOfThread();

/// What the host has learnt by waiting, in any of its threads.
class BELAY_DEVICE_API HostKnowledge {
public:
  static void learn(const Clock &C);
  static void learn(uint64_t Stream, uint64_t Sequence);
  static bool knows(uint64_t Stream, uint64_t Sequence);
  static void forget(uint64_t Stream);
};

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_STREAM_H
