//===- profiling.h - Profiling sessions -------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Profiler opens the files, its sessions measure. Sessions own the profiler,
// so that begin and end nest, however they are dropped:
//
//   Profiler profiler("measured");
//   auto session = profiler.start(device, profile::task_time);
//   ...
//   std::move(session).stop();
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_PROFILING_H
#define BELAY_HOST_PROFILING_H

#include "belay/host/runtime.h"

namespace belay::host {

namespace abi {
/// The functions of libmsprofiler.so; null where the library has not got one.
struct profiling_functions {
#define BELAY_ACL_PROF(Result, Name, Params) Result(*Name) Params = nullptr;
#include "belay/host/acl.def"
};
} // namespace abi

/// What is measured; several can be added with |.
enum class profile : uint64_t {
  acl_calls = 0x1,
  task_time = 0x2,
  core_metrics = 0x4,
  l2_cache = 0x10,
  hccl = 0x20,
  marks = 0x80,
  runtime_calls = 0x100,
  memory = 0x1000,
};
constexpr profile operator|(profile a, profile b) {
  return static_cast<profile>(static_cast<uint64_t>(a) |
                              static_cast<uint64_t>(b));
}

/// Which of a core's counters core_metrics reads; it has few at a time.
enum class core_metrics : int {
  arithmetic_utilization = 0,
  pipe_utilization = 1,
  memory_bandwidth = 2,
  l0_and_ub_bandwidth = 3,
  resource_conflicts = 4,
  none = 0xff
};

namespace detail {

/// Loaded at the first use, for good.
inline const abi::profiling_functions &profiling() {
  static const auto &only = *[] {
    auto *f = new abi::profiling_functions;
    if (void *library = open_beside("libmsprofiler.so")) {
#define BELAY_ACL_PROF(Result, Name, Params)                                   \
  f->Name = reinterpret_cast<decltype(f->Name)>(dlsym(library, #Name));
#include "belay/host/acl.def"
    }
    return f;
  }();
  return only;
}

#define BELAY_PROFILING_CALL(Name, ...)                                        \
  ::belay::host::detail::check(                                                \
      ::belay::host::detail::require(::belay::host::detail::profiling().Name,  \
                                     #Name)(__VA_ARGS__),                      \
      #Name)

/// aclprofInit to aclprofFinalize. A process has one at a time.
struct profiler_state {
  profiler_state(std::shared_ptr<acl_state> parent, const std::string &folder)
      : up(std::move(parent)) {
    if (is_open().exchange(true))
      refuse("Profiler", "another profiler of this process, or a session of "
                         "it, still lives");
    try {
      BELAY_PROFILING_CALL(aclprofInit, folder.c_str(), folder.size());
    } catch (...) {
      is_open() = false;
      throw;
    }
  }
  ~profiler_state() {
    note(profiling().aclprofFinalize());
    is_open() = false;
  }
  profiler_state(const profiler_state &) = delete;
  profiler_state &operator=(const profiler_state &) = delete;

  static std::atomic<bool> &is_open() {
    static std::atomic<bool> open{false};
    return open;
  }

  const std::shared_ptr<acl_state> up;
};

/// aclprofStart to aclprofStop, and the configuration of both.
struct session_state {
  session_state(std::shared_ptr<profiler_state> parent,
                const std::vector<Device> &measured, profile what,
                core_metrics metrics)
      : up(std::move(parent)) {
    if (measured.empty())
      refuse("Profiler::start", "no device is named");
    std::vector<uint32_t> ids;
    for (const Device &device : measured) {
      devices.push_back(access::state(device));
      ids.push_back(static_cast<uint32_t>(devices.back()->id));
    }
    config = require(profiling().aclprofCreateConfig, "aclprofCreateConfig")(
        ids.data(), static_cast<uint32_t>(ids.size()),
        static_cast<int>(metrics), nullptr, static_cast<uint64_t>(what));
    if (!config)
      refuse("aclprofCreateConfig", "no configuration was made");
    if (int code = profiling().aclprofStart(config)) {
      note(profiling().aclprofDestroyConfig(config));
      check(code, "aclprofStart");
    }
  }
  ~session_state() {
    if (running)
      note(profiling().aclprofStop(config));
    note(profiling().aclprofDestroyConfig(config));
  }
  session_state(const session_state &) = delete;
  session_state &operator=(const session_state &) = delete;

  const std::shared_ptr<profiler_state> up;
  std::vector<std::shared_ptr<device_state>> devices;
  abi::aclprofConfig *config = nullptr;
  bool running = true;
};

} // namespace detail

/// Something is measured, from its making to stop() or its end.
class [[nodiscard(
    "nothing is measured once the session has ended")]] BELAY_CONSUMABLE
    ProfilingSession {
public:
  BELAY_FRESH ProfilingSession(ProfilingSession &&) = default;
  ProfilingSession &operator=(ProfilingSession &&) = default;
  ProfilingSession(const ProfilingSession &) = delete;
  ProfilingSession &operator=(const ProfilingSession &) = delete;

  /// Ends it here, and throws if that fails.
  BELAY_LIVE BELAY_CONSUMES void stop() && {
    auto state = detail::access::state(*this);
    state_ = nullptr;
    state->running = false;
    BELAY_PROFILING_CALL(aclprofStop, state->config);
  }

private:
  friend detail::access;
  friend class Profiler;
  static constexpr const char *type_name = "ProfilingSession";
  BELAY_FRESH explicit ProfilingSession(
      std::shared_ptr<detail::session_state> state)
      : state_(std::move(state)) {}
  std::shared_ptr<detail::session_state> state_;
};

/// Where measurements go. There is one at a time; it ends with the last of its
/// sessions.
class Profiler {
public:
  explicit Profiler(const std::string &folder) : Profiler(Acl(), folder) {}
  Profiler(const Acl &acl, const std::string &folder)
      : state_(std::make_shared<detail::profiler_state>(
            detail::access::state(acl), folder)) {}
  Profiler(Profiler &&) = default;
  Profiler &operator=(Profiler &&) = default;
  Profiler(const Profiler &) = delete;
  Profiler &operator=(const Profiler &) = delete;

  ProfilingSession start(const std::vector<Device> &devices, profile what,
                         core_metrics metrics = core_metrics::none) const {
    return ProfilingSession(std::make_shared<detail::session_state>(
        detail::access::state(*this), devices, what, metrics));
  }
  ProfilingSession start(const Device &device, profile what,
                         core_metrics metrics = core_metrics::none) const {
    return start(std::vector<Device>{device}, what, metrics);
  }

private:
  friend detail::access;
  static constexpr const char *type_name = "Profiler";
  std::shared_ptr<detail::profiler_state> state_;
};

} // namespace belay::host

#endif // BELAY_HOST_PROFILING_H
