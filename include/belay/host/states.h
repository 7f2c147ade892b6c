//===- states.h - What handles share ----------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each state owns the one it hangs on, so that nothing can end too early, in
// whatever order handles are dropped. Users see the handles (runtime.h).
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_STATES_H
#define BELAY_HOST_STATES_H

#include "belay/host/error.h"

#include <algorithm>
#include <memory>
#include <mutex>

namespace belay::host::detail {

/// A queue that keeps its memory: launches allocate nothing once it has grown.
template <typename T> class ring {
public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  T &front() { return items_[first_]; }
  void push(T item) {
    if (count_ == items_.size())
      grow();
    items_[(first_ + count_++) % items_.size()] = std::move(item);
  }
  T pop() {
    T item = std::exchange(items_[first_], T());
    first_ = (first_ + 1) % items_.size();
    --count_;
    return item;
  }

private:
  void grow() {
    std::vector<T> larger(std::max<std::size_t>(16, 2 * items_.size()));
    for (std::size_t n = 0; n < count_; ++n)
      larger[n] = std::move(items_[(first_ + n) % items_.size()]);
    items_ = std::move(larger);
    first_ = 0;
  }
  std::vector<T> items_;
  std::size_t first_ = 0, count_ = 0;
};

struct acl_state {
  acl_state() {
    constexpr int repeated = 100002; // someone else has called it, too
    int code = require(acl().aclInit, "aclInit")(nullptr);
    if (code != repeated)
      check(code, "aclInit");
  }
  ~acl_state() {
    // Counts, where aclFinalize ends it for everybody.
    uint64_t left = 0;
    if (acl().aclFinalizeReference)
      note(acl().aclFinalizeReference(&left));
    else if (acl().aclFinalize)
      note(acl().aclFinalize());
  }
  acl_state(const acl_state &) = delete;
  acl_state &operator=(const acl_state &) = delete;
};

struct device_state {
  device_state(std::shared_ptr<acl_state> parent, int id)
      : up(std::move(parent)), id(id) {
    BELAY_ACL_CALL(aclrtSetDevice, id);
    BELAY_ACL_CALL(aclrtGetCurrentContext, &default_context);
  }
  ~device_state() { note(acl().aclrtResetDevice(id)); }
  device_state(const device_state &) = delete;
  device_state &operator=(const device_state &) = delete;

  std::shared_ptr<acl_state> up;
  int id;
  void *default_context = nullptr;
};

struct context_state {
  context_state(std::shared_ptr<device_state> parent, bool own)
      : up(std::move(parent)), own(own) {
    if (own)
      BELAY_ACL_CALL(aclrtCreateContext, &handle, up->id);
    else
      handle = up->default_context;
  }
  ~context_state() {
    if (own)
      note(acl().aclrtDestroyContext(handle));
  }
  context_state(const context_state &) = delete;
  context_state &operator=(const context_state &) = delete;

  /// Every call acts in the context of its thread; so every call sets it.
  void bind() const { BELAY_ACL_CALL(aclrtSetCurrentContext, handle); }
  void bind_quietly() const noexcept {
    note(acl().aclrtSetCurrentContext(handle));
  }

  std::shared_ptr<device_state> up;
  void *handle = nullptr;
  bool own;
};

struct event_state {
  event_state(std::shared_ptr<context_state> parent, bool timing)
      : up(std::move(parent)) {
    constexpr uint32_t sync = 1;
    up->bind();
    if (timing)
      BELAY_ACL_CALL(aclrtCreateEvent, &handle);
    else
      BELAY_ACL_CALL(aclrtCreateEventExWithFlag, &handle, sync);
  }
  ~event_state() {
    up->bind_quietly();
    note(acl().aclrtDestroyEvent(handle));
  }
  event_state(const event_state &) = delete;
  event_state &operator=(const event_state &) = delete;

  std::shared_ptr<context_state> up;
  void *handle = nullptr;
};

/// A stream, and what its tasks still need. Tasks are counted; now and then a
/// marker tells how far the device has come, and what lies before it is
/// released.
class stream_state {
public:
  explicit stream_state(std::shared_ptr<context_state> parent)
      : up(std::move(parent)) {
    up->bind();
    BELAY_ACL_CALL(aclrtCreateStream, &handle);
  }
  ~stream_state() {
    up->bind_quietly();
    note(acl().aclrtSynchronizeStream(handle));
    note(acl().aclrtDestroyStream(handle));
    for (ring<marker> *marks : {&markers_, &waited_})
      while (!marks->empty())
        note(acl().aclrtDestroyEvent(marks->pop().event));
    for (void *event : spare_)
      note(acl().aclrtDestroyEvent(event));
  }
  stream_state(const stream_state &) = delete;
  stream_state &operator=(const stream_state &) = delete;

  bool has_passed(uint64_t task) {
    std::lock_guard lock(mutex_);
    return passed_ >= task;
  }

  /// Runs \p enqueue, which gives one task to the device, and keeps what
  /// \p needs names, as needs(keep) with keep(shared_ptr), until the device has
  /// passed it. Returns the task's number. Threads may share a stream.
  template <typename Enqueue, typename Needs>
  uint64_t submit(Enqueue &&enqueue, Needs &&needs) {
    uint64_t task;
    bool marked = false;
    {
      std::lock_guard in_order(order_);
      up->bind();
      enqueue();
      {
        std::lock_guard lock(mutex_);
        task = ++submitted_;
        needs([&](std::shared_ptr<void> what) {
          held_.push({task, std::move(what)});
        });
        marked = task - last_mark_ >= tasks_per_mark;
        if (marked)
          last_mark_ = task;
      }
      if (marked)
        record_marker(task);
    }
    if (marked)
      reclaim();
    return task;
  }
  template <typename Enqueue> uint64_t submit(Enqueue &&enqueue) {
    return submit(std::forward<Enqueue>(enqueue), [](auto) {});
  }

  /// Waits for all tasks; throws the error of the first that failed.
  void synchronize() {
    uint64_t task;
    {
      std::lock_guard lock(mutex_);
      task = submitted_;
    }
    up->bind();
    int code = acl().aclrtSynchronizeStream(handle);
    // Whatever became of them, they have ended. The text belongs to this
    // thread, and to the last call.
    std::string text;
    if (code)
      if (const char *recent = acl().aclGetRecentErrMsg())
        text = recent;
    release(task);
    if (code)
      throw error(code, "aclrtSynchronizeStream", text);
  }

  /// Makes what is enqueued here from now on wait for the other's tasks.
  void wait_for(stream_state &other) {
    void *event = take_event();
    other.submit(
        [&] { BELAY_ACL_CALL(aclrtRecordEvent, event, other.handle); });
    uint64_t task =
        submit([&] { BELAY_ACL_CALL(aclrtStreamWaitEvent, handle, event); });
    // Not recorded again before this stream has waited.
    std::lock_guard lock(mutex_);
    waited_.push({task, event});
  }

  const std::shared_ptr<context_state> up;
  void *handle = nullptr;

private:
  static constexpr uint64_t tasks_per_mark = 64;
  static constexpr std::size_t max_marks = 64;
  struct held {
    uint64_t task = 0;
    std::shared_ptr<void> what;
  };
  struct marker {
    uint64_t task = 0;
    void *event = nullptr;
  };

  void *take_event() {
    {
      std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        void *event = spare_.back();
        spare_.pop_back();
        return event;
      }
    }
    constexpr uint32_t sync = 1;
    void *event = nullptr;
    up->bind();
    BELAY_ACL_CALL(aclrtCreateEventExWithFlag, &event, sync);
    return event;
  }

  void record_marker(uint64_t task) {
    void *event = take_event();
    BELAY_ACL_CALL(aclrtRecordEvent, event, handle);
    std::lock_guard lock(mutex_);
    markers_.push({task, event});
  }

  /// Lets go what the device has passed. A host that runs far ahead waits here,
  /// so that what is kept stays bounded.
  void reclaim() {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (markers_.empty())
        return;
      marker oldest = markers_.front();
      bool full = markers_.size() > max_marks;
      if (reclaiming_)
        return; // another thread is at it
      reclaiming_ = true;
      lock.unlock();
      constexpr int complete = 1;
      int status = 0;
      int code = full ? acl().aclrtSynchronizeEvent(oldest.event)
                      : acl().aclrtQueryEventStatus(oldest.event, &status);
      lock.lock();
      reclaiming_ = false;
      lock.unlock();
      check(code, "aclrtQueryEventStatus");
      if (!full && status != complete)
        return;
      release(oldest.task);
    }
  }

  /// Lets go what tasks up to this one needed. Outside of the lock, since
  /// destructors may do anything.
  void release(uint64_t task) {
    std::unique_lock lock(mutex_);
    passed_ = std::max(passed_, task);
    // A thread that looks at a marker's event has to find it recorded.
    if (!reclaiming_)
      while (!markers_.empty() && markers_.front().task <= task)
        spare_.push_back(markers_.pop().event);
    while (!waited_.empty() && waited_.front().task <= task)
      spare_.push_back(waited_.pop().event);
    while (!held_.empty() && held_.front().task <= task) {
      std::shared_ptr<void> what = held_.pop().what;
      lock.unlock();
      what.reset();
      lock.lock();
    }
  }

  std::mutex order_; // held while a task is given to the device
  std::mutex mutex_; // of what follows
  uint64_t submitted_ = 0, passed_ = 0, last_mark_ = 0;
  bool reclaiming_ = false;
  ring<held> held_;
  ring<marker> markers_, waited_;
  std::vector<void *> spare_;
};

} // namespace belay::host::detail

#endif // BELAY_HOST_STATES_H
