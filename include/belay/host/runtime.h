//===- runtime.h - Devices, contexts, streams, events -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_RUNTIME_H
#define BELAY_HOST_RUNTIME_H

#include "belay/host/states.h"

#include <chrono>
#include <functional>
#include <optional>

namespace belay::host {

class Stream;

namespace detail {
/// The only door to what handles hold; for this library, not for users. A
/// handle that was moved from holds nothing; where the compiler does not see
/// it, this does.
struct access {
  template <typename Handle> static const auto &state(const Handle &handle) {
    if (!handle.state_) [[unlikely]]
      refuse(Handle::type_name, "it was moved from");
    return handle.state_;
  }
};
} // namespace detail

/// ACL itself. One per process, however many there are of these.
class Acl {
public:
  Acl() : state_(shared()) {}

  unsigned device_count() const {
    uint32_t count = 0;
    BELAY_ACL_CALL(aclrtGetDeviceCount, &count);
    return count;
  }
  std::string soc_name() const {
    return detail::require(detail::acl().aclrtGetSocName, "aclrtGetSocName")();
  }

private:
  friend detail::access;
  static constexpr const char *type_name = "Acl";
  static std::shared_ptr<detail::acl_state> shared() {
    static auto &mutex = *new std::mutex;
    static auto &known = *new std::weak_ptr<detail::acl_state>;
    std::lock_guard lock(mutex);
    auto state = known.lock();
    if (!state)
      known = state = std::make_shared<detail::acl_state>();
    return state;
  }
  std::shared_ptr<detail::acl_state> state_;
};

/// One NPU. Reset when the last object that lives on it has gone.
class Device {
public:
  explicit Device(int id = 0) : Device(Acl(), id) {}
  Device(const Acl &acl, int id)
      : state_(std::make_shared<detail::device_state>(
            detail::access::state(acl), id)) {}

  int id() const { return detail::access::state(*this)->id; }

private:
  friend detail::access;
  static constexpr const char *type_name = "Device";
  std::shared_ptr<detail::device_state> state_;
};

/// A context of a device: its default one (made from the device implicitly), or
/// one of its own.
class Context {
public:
  Context(const Device &device) // NOLINT: a device stands for its default
      : Context(device, false) {}
  static Context create(const Device &device) { return {device, true}; }

private:
  friend detail::access;
  static constexpr const char *type_name = "Context";
  Context(const Device &device, bool own)
      : state_(std::make_shared<detail::context_state>(
            detail::access::state(device), own)) {}
  std::shared_ptr<detail::context_state> state_;
};

/// A point in a stream that other streams, and the host, wait for. It keeps no
/// time: that is a TimingEvent.
class BELAY_CONSUMABLE Event {
public:
  BELAY_FRESH explicit Event(const Context &context)
      : state_(std::make_shared<detail::event_state>(
            detail::access::state(context), false)) {}
  BELAY_FRESH Event(Event &&) = default;
  Event &operator=(Event &&) = default;

  BELAY_LIVE void record(const Stream &stream);
  /// Waits for what was recorded last.
  BELAY_LIVE void synchronize() const {
    const auto &state = detail::access::state(*this);
    state->up->bind();
    BELAY_ACL_CALL(aclrtSynchronizeEvent, state->handle);
  }

private:
  friend detail::access;
  static constexpr const char *type_name = "Event";
  std::shared_ptr<detail::event_state> state_;
};

/// A point in a stream whose time is kept.
class BELAY_CONSUMABLE TimingEvent {
public:
  using milliseconds = std::chrono::duration<float, std::milli>;

  BELAY_FRESH explicit TimingEvent(const Context &context)
      : state_(std::make_shared<detail::event_state>(
            detail::access::state(context), true)) {}
  BELAY_FRESH TimingEvent(TimingEvent &&) = default;
  TimingEvent &operator=(TimingEvent &&) = default;

  BELAY_LIVE void record(const Stream &stream);
  BELAY_LIVE void synchronize() const {
    const auto &state = detail::access::state(*this);
    state->up->bind();
    BELAY_ACL_CALL(aclrtSynchronizeEvent, state->handle);
  }

  /// The time from \p start to \p end, both of one stream; waits for the end.
  friend milliseconds operator-(const TimingEvent &end,
                                const TimingEvent &start) {
    if (start.in_.expired() || start.in_.lock() != end.in_.lock())
      detail::refuse("TimingEvent",
                     "time passes between two events of the same stream");
    end.synchronize();
    float result = 0;
    BELAY_ACL_CALL(aclrtEventElapsedTime, &result, start.state_->handle,
                   end.state_->handle);
    return milliseconds(result);
  }

private:
  friend detail::access;
  static constexpr const char *type_name = "TimingEvent";
  std::shared_ptr<detail::event_state> state_;
  std::weak_ptr<detail::stream_state> in_;
};

/// Work that the device does in order, while the host goes on.
class BELAY_CONSUMABLE Stream {
public:
  BELAY_FRESH explicit Stream(const Context &context)
      : state_(std::make_shared<detail::stream_state>(
            detail::access::state(context))) {}
  BELAY_FRESH Stream(Stream &&) = default;
  Stream &operator=(Stream &&) = default;
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  /// Waits for all work, and throws what the first failure in it was.
  BELAY_LIVE void synchronize() const {
    detail::access::state(*this)->synchronize();
  }

  /// What is enqueued from now on waits for the event's last record.
  BELAY_LIVE void wait(const Event &event) const {
    const auto &state = detail::access::state(*this);
    const auto &recorded = detail::access::state(event);
    state->submit(
        [&] {
          BELAY_ACL_CALL(aclrtStreamWaitEvent, state->handle, recorded->handle);
        },
        [&](auto keep) { keep(recorded); });
  }

  /// Calls a function of the host in the course of the stream. It must not use
  /// this library; what it captures ends in a thread that may.
  template <typename Function> BELAY_LIVE void call(Function function) const {
    static_assert(std::is_nothrow_invocable_v<Function> ||
                      std::is_invocable_v<Function>,
                  "the function takes no arguments");
    const auto &state = detail::access::state(*this);
    auto kept = std::make_shared<Function>(std::move(function));
    state->submit(
        [&] {
          BELAY_ACL_CALL(
              aclrtLaunchHostFunc, state->handle,
              [](void *data) { (*static_cast<Function *>(data))(); },
              kept.get());
        },
        [&](auto keep) { keep(kept); });
  }

#if defined(__cpp_lib_expected)
  expected<void> try_synchronize() const {
    return attempt([&] { synchronize(); });
  }
#endif

private:
  friend detail::access;
  static constexpr const char *type_name = "Stream";
  std::shared_ptr<detail::stream_state> state_;
};

inline void Event::record(const Stream &stream) {
  const auto &in = detail::access::state(stream);
  const auto &state = detail::access::state(*this);
  if (in->up->up->id != state->up->up->id)
    detail::refuse("Event", "the stream belongs to another device");
  in->submit(
      [&] { BELAY_ACL_CALL(aclrtRecordEvent, state->handle, in->handle); },
      [&](auto keep) { keep(state); });
}

inline void TimingEvent::record(const Stream &stream) {
  const auto &in = detail::access::state(stream);
  const auto &state = detail::access::state(*this);
  if (in->up->up->id != state->up->up->id)
    detail::refuse("TimingEvent", "the stream belongs to another device");
  in->submit(
      [&] { BELAY_ACL_CALL(aclrtRecordEvent, state->handle, in->handle); },
      [&](auto keep) { keep(state); });
  in_ = in;
}

} // namespace belay::host

#endif // BELAY_HOST_RUNTIME_H
