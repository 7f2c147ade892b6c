//===- Stream.cpp - Work in order, while the host goes on -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Stream.h"

#include <algorithm>
#include <utility>

namespace belay::device {

namespace {

thread_local uint64_t LastTask = 0;
/// Of a stream's thread; and the task that it is at.
thread_local const Stream *Working = nullptr;
thread_local uint64_t WorkingTask = 0;
thread_local bool SawStop = false;

std::mutex &knowledgeMutex() {
  static auto &Mutex = *new std::mutex;
  return Mutex;
}
Clock &knowledge() {
  static auto &Only = *new Clock;
  return Only;
}

/// condition_variable::wait_for overflows with the largest duration.
template <typename Predicate>
bool waitUntil(std::condition_variable &Condition,
               std::unique_lock<std::mutex> &Lock,
               std::chrono::milliseconds Most, Predicate Done) {
  if (Most == Forever) {
    Condition.wait(Lock, Done);
    return true;
  }
  return Condition.wait_for(Lock, Most, Done);
}

} // namespace

uint64_t lastTaskOfThread() { return LastTask; }

const Stream *workingStream() { return Working; }

bool taskIsStopped() {
  SawStop |= Working && Working->Stopped == WorkingTask;
  return SawStop;
}

void HostKnowledge::learn(const Clock &C) {
  std::lock_guard<std::mutex> Lock(knowledgeMutex());
  knowledge().merge(C);
}
void HostKnowledge::learn(uint64_t Stream, uint64_t Sequence) {
  std::lock_guard<std::mutex> Lock(knowledgeMutex());
  knowledge().advance(Stream, Sequence);
}
bool HostKnowledge::knows(uint64_t Stream, uint64_t Sequence) {
  std::lock_guard<std::mutex> Lock(knowledgeMutex());
  return knowledge()[Stream] >= Sequence;
}
void HostKnowledge::forget(uint64_t Stream) {
  std::lock_guard<std::mutex> Lock(knowledgeMutex());
  knowledge().forget(Stream);
}

void Recording::complete() {
  std::lock_guard<std::mutex> Lock(Mutex);
  When = std::chrono::steady_clock::now();
  Done = true;
  Changed.notify_all();
}

void Recording::restart() {
  std::lock_guard<std::mutex> Lock(Mutex);
  Done = false;
}

bool Recording::wait(std::chrono::milliseconds Most) {
  std::unique_lock<std::mutex> Lock(Mutex);
  return waitUntil(Changed, Lock, Most, [&] { return Done; });
}

bool Recording::waitInTask() {
  constexpr auto Often = std::chrono::milliseconds(5);
  while (!wait(Often))
    if (taskIsStopped())
      return false;
  return true;
}

bool Recording::isDone() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Done;
}

Stream::Stream(uint64_t Id, int Device, uint64_t Context)
    : Id(Id), Device(Device), Context(Context), Thread([this] { work(); }) {}

Stream::~Stream() {
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    Stopping = true;
    Wake.notify_all();
  }
  Thread.join();
}

void Stream::work() {
  Working = this;
  std::unique_lock<std::mutex> Lock(Mutex);
  for (;;) {
    Wake.wait(Lock, [&] { return Stopping || !Queue.empty(); });
    if (Queue.empty())
      return;
    Task Now = std::move(Queue.front());
    Queue.pop_front();
    WorkingTask = ++Begun;
    SawStop = false;
    Lock.unlock();
    Outcome Result = Now();
    Now = nullptr; // what it holds goes before anyone hears of the end
    Lock.lock();
    ++Over;
    if (SawStop)
      Result = std::move(StoppedWith);
    if (Result.Error && !Failure.Error)
      Failure = std::move(Result);
    if (Failure.Error && StopOnFailure) {
      Completed += Queue.size();
      Queue.clear();
    }
    ++Completed;
    Progress.notify_all();
  }
}

uint64_t Stream::push(Kept K) {
  if (Capturing) {
    Captured.push_back(std::move(K));
    return Submitted; // it does not run now
  }
  Queue.push_back(std::move(K.Run));
  Known.advance(Id, ++Submitted);
  LastTask = Submitted;
  Wake.notify_one();
  return Submitted;
}

uint64_t Stream::submit(Task T, const char *Kind) {
  std::lock_guard<std::mutex> Lock(Mutex);
  return push({std::move(T), Kind});
}

uint64_t Stream::submitted() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Submitted;
}

bool Stream::beginCapture() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return !std::exchange(Capturing, true);
}

bool Stream::endCapture(std::vector<Kept> &Tasks) {
  std::lock_guard<std::mutex> Lock(Mutex);
  Tasks = std::exchange(Captured, {});
  return std::exchange(Capturing, false);
}

bool Stream::isCapturing() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Capturing;
}

bool Stream::keep(Kept K) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (Capturing)
    Captured.push_back(std::move(K));
  return Capturing;
}

size_t Stream::numCaptured() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Captured.size();
}

bool Stream::follows(uint64_t Other, uint64_t Sequence) {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Known[Other] >= Sequence;
}

bool Stream::isIdle() {
  std::lock_guard<std::mutex> Lock(Mutex);
  bool Idle = std::max(Completed, Announced) == Submitted;
  if (Idle)
    HostKnowledge::learn(Known);
  return Idle;
}

bool Stream::wait(std::chrono::milliseconds Most) {
  std::unique_lock<std::mutex> Lock(Mutex);
  uint64_t Target = Submitted;
  Clock Then = Known;
  if (!waitUntil(Progress, Lock, Most, [&] { return Completed >= Target; }))
    return false;
  HostKnowledge::learn(Then);
  return true;
}

Outcome Stream::takeFailure() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return std::exchange(Failure, {});
}

bool Stream::hasFailure() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Failure.Error != 0;
}

void Stream::abandon() {
  std::lock_guard<std::mutex> Lock(Mutex);
  Completed += Queue.size();
  Queue.clear();
  Progress.notify_all();
}

void Stream::stop(Outcome With, bool Forget) {
  std::unique_lock<std::mutex> Lock(Mutex);
  if (Forget && !Queue.empty()) {
    Completed += Queue.size();
    Queue.clear();
    if (!Failure.Error)
      Failure = With;
    Progress.notify_all();
  }
  if (Begun == Over && Queue.empty())
    return;
  uint64_t Task = Over + 1;
  StoppedWith = std::move(With);
  Stopped = Task;
  Progress.wait(Lock, [&] { return Over >= Task; });
}

void Stream::waitFor(const std::shared_ptr<Recording> &R) {
  std::lock_guard<std::mutex> Lock(Mutex);
  push({[R] {
          R->waitInTask();
          return Outcome();
        },
        "EVENT_WAIT"});
  Known.merge(R->Known);
}

void Stream::learn(const Clock &Other) {
  std::lock_guard<std::mutex> Lock(Mutex);
  Known.merge(Other);
}

Clock Stream::known() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Known;
}

void Stream::record(const std::shared_ptr<Recording> &R) {
  std::lock_guard<std::mutex> Lock(Mutex);
  R->Stream = Id;
  R->Known = Known;
  R->Known.advance(Id, Submitted + 1);
  // Who hears of the event finds the stream as far, though this task is still
  // to be counted. What is captured runs elsewhere.
  uint64_t Place = Capturing ? 0 : Submitted + 1;
  push({[this, R, Place] {
          if (Place) {
            std::lock_guard<std::mutex> Announcing(Mutex);
            Announced = Place;
          }
          R->complete();
          return Outcome();
        },
        "EVENT_RECORD", R});
}

} // namespace belay::device
