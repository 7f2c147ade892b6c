//===- memory.h - Buffers, and copies from and to them ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_MEMORY_H
#define BELAY_HOST_MEMORY_H

#include "belay/elements.h"
#include "belay/host/runtime.h"

#include <cstring>
#include <span>
#include <type_traits>

namespace belay::host {

/// Half precision as it lies in memory.
struct half {
  uint16_t bits;
};
struct bfloat16 {
  uint16_t bits;
};

} // namespace belay::host

namespace belay::element_types {
template <> inline constexpr id element_of<host::half> = id::F16;
template <> inline constexpr id element_of<host::bfloat16> = id::BF16;
} // namespace belay::element_types

namespace belay::host {

/// Types whose bytes mean the same on the device. Numbers are; a structure of
/// one's own is once `template <> inline constexpr bool sendable<S> = true;`
/// says so (a trivially copyable structure may still hold a host pointer).
template <typename T> inline constexpr bool sendable = std::is_arithmetic_v<T>;
template <> inline constexpr bool sendable<half> = true;
template <> inline constexpr bool sendable<bfloat16> = true;

template <typename T>
concept device_sendable = sendable<T> && std::is_trivially_copyable_v<T> &&
                          !std::is_pointer_v<T> && !std::is_const_v<T>;

/// Which pages device memory is made of.
enum class pages : int { huge_first = 0, huge_only = 1, normal_only = 2 };

namespace detail {

/// Device memory, and the last uses of it in each stream.
struct block {
  block(std::shared_ptr<context_state> parent, std::size_t size, pages policy)
      : up(std::move(parent)), bytes(size), give_back(acl().aclrtFree) {
    up->bind();
    BELAY_ACL_CALL(aclrtMalloc, &address, bytes, static_cast<int>(policy));
  }
  /// Memory of another allocator, which has to get it back.
  block(std::shared_ptr<context_state> parent, std::size_t size,
        int (*allocate)(void **, std::size_t), const char *function,
        int (*give_back)(void *))
      : up(std::move(parent)), bytes(size), give_back(give_back) {
    up->bind();
    check(require(allocate, function)(&address, bytes), function);
  }
  ~block() {
    up->bind_quietly();
    note(give_back(address));
  }
  block(const block &) = delete;
  block &operator=(const block &) = delete;

  struct use {
    std::weak_ptr<stream_state> in;
    uint64_t task;
    bool writes;
  };

  /// Orders a use in \p stream after those in other streams that it conflicts
  /// with. The mutex is held, until used() has been called.
  void order(stream_state &stream, bool writes) {
    for (const use &each : uses) {
      if (!writes && !each.writes)
        continue;
      auto other = each.in.lock(); // a stream that has ended has done its work
      if (other && other.get() != &stream && !other->has_passed(each.task))
        stream.wait_for(*other);
    }
  }
  void used(const std::shared_ptr<stream_state> &stream, uint64_t task,
            bool writes) {
    std::erase_if(uses, [&](const use &each) {
      auto other = each.in.lock();
      return !other || (other == stream && (writes || !each.writes)) ||
             other->has_passed(each.task);
    });
    uses.push_back({stream, task, writes});
  }

  const std::shared_ptr<context_state> up;
  void *address = nullptr;
  const std::size_t bytes;
  int (*const give_back)(void *);
  std::mutex mutex;
  std::vector<use> uses;
};

/// Pinned host memory: copies from and to it run in the background.
struct pinned_block {
  pinned_block(std::shared_ptr<context_state> parent, std::size_t bytes)
      : up(std::move(parent)) {
    up->bind();
    BELAY_ACL_CALL(aclrtMallocHost, &address, std::max<std::size_t>(bytes, 1));
  }
  ~pinned_block() {
    up->bind_quietly();
    note(acl().aclrtFreeHost(address));
  }
  pinned_block(const pinned_block &) = delete;
  pinned_block &operator=(const pinned_block &) = delete;

  const std::shared_ptr<context_state> up;
  void *address = nullptr;
};

enum class direction : int { to_device = 1, to_host = 2, on_device = 3 };

inline void must_share_device(const stream_state &stream, const block &memory,
                              const char *where) {
  if (stream.up->up->id != memory.up->up->id)
    refuse(where,
           "the stream belongs to device " + std::to_string(stream.up->up->id) +
               ", the memory to device " + std::to_string(memory.up->up->id));
}

/// Memory as one task uses it.
struct memory_use {
  const std::shared_ptr<block> *memory;
  bool writes;
  const char *begin, *end;

  bool overlaps(const memory_use &other) const {
    return begin < other.end && other.begin < end;
  }
};

/// Submits a task that uses several blocks. Locks them, each once and in the
/// same order everywhere, so that the order of uses is that of the tasks,
/// whatever threads do. There are as many locks as uses.
template <typename Enqueue, typename Needs>
void submit_ordered(const std::shared_ptr<stream_state> &in,
                    std::span<memory_use> uses,
                    std::span<std::unique_lock<std::mutex>> locks,
                    Enqueue &&enqueue, Needs &&needs) {
  std::sort(uses.begin(), uses.end(),
            [](const memory_use &a, const memory_use &b) {
              return a.memory->get() < b.memory->get();
            });
  for (std::size_t n = 0; n < uses.size(); ++n) {
    block &memory = **uses[n].memory;
    if (n == 0 || uses[n - 1].memory->get() != &memory)
      locks[n] = std::unique_lock(memory.mutex);
    memory.order(*in, uses[n].writes);
  }
  uint64_t task = in->submit(enqueue, [&](auto keep) {
    needs(keep);
    for (const memory_use &use : uses)
      keep(*use.memory);
  });
  for (const memory_use &use : uses)
    (*use.memory)->used(in, task, use.writes);
}

} // namespace detail

template <device_sendable T> class DeviceBuffer;
class Picture;

/// \name Arguments of kernels: a stretch of device memory, and what the kernel
/// does with it. Made from a buffer where a kernel is launched.
/// @{
template <device_sendable T, bool Reads, bool Writes> class Argument {
public:
  using element = T;
  static constexpr bool reads = Reads, writes = Writes;

  Argument(const DeviceBuffer<T> &buffer) // NOLINT: spelled at the launch
    requires(!Writes)
      : Argument(buffer, 0, buffer.size()) {}
  Argument(DeviceBuffer<T> &buffer) // NOLINT
    requires(Writes)
      : Argument(buffer, 0, buffer.size()) {}

  std::size_t size() const { return count_; }

private:
  friend detail::access;
  friend DeviceBuffer<T>;
  Argument(const DeviceBuffer<T> &buffer, std::size_t first, std::size_t count)
      : state_(detail::access::state(buffer)), first_(first), count_(count) {
    if (first > buffer.size() || count > buffer.size() - first)
      detail::refuse("DeviceBuffer",
                     "elements " + std::to_string(first) + " to " +
                         std::to_string(first + count) + " of " +
                         std::to_string(buffer.size()));
  }

public: // for Kernel
  void *address() const { return static_cast<T *>(state_->address) + first_; }
  const std::shared_ptr<detail::block> &memory() const { return state_; }
  bool overlaps(const void *from, const void *to) const {
    auto *begin = static_cast<const char *>(address());
    return begin < to && from < begin + count_ * sizeof(T);
  }

private:
  std::shared_ptr<detail::block> state_;
  std::size_t first_, count_;
};
template <device_sendable T> using In = Argument<T, true, false>;
template <device_sendable T> using Out = Argument<T, false, true>;
template <device_sendable T> using InOut = Argument<T, true, true>;
/// @}

/// A result that is on its way. wait() gives it out, once; nobody else can
/// touch the memory before.
template <typename T>
class [[nodiscard("the result is not there before wait()")]] BELAY_CONSUMABLE
    Pending {
public:
  BELAY_FRESH Pending(Pending &&) = default;
  Pending &operator=(Pending &&) = delete;

  /// Waits for the stream, and throws what failed in it.
  BELAY_LIVE BELAY_CONSUMES std::vector<T> wait() && {
    auto stream = std::exchange(stream_, nullptr);
    if (!stream)
      detail::refuse("Pending", "the result has been given out");
    stream->synchronize();
    std::vector<T> result(count_);
    if (count_)
      std::memcpy(result.data(), memory_->address, count_ * sizeof(T));
    return result;
  }
#if defined(__cpp_lib_expected)
  BELAY_LIVE BELAY_CONSUMES expected<std::vector<T>> try_wait() && {
    return attempt([&] { return std::move(*this).wait(); });
  }
#endif

private:
  friend DeviceBuffer<T>;
  friend Picture;
  BELAY_FRESH Pending(std::shared_ptr<detail::stream_state> stream,
                      std::shared_ptr<detail::pinned_block> memory,
                      std::size_t count)
      : stream_(std::move(stream)), memory_(std::move(memory)), count_(count) {}

  std::shared_ptr<detail::stream_state> stream_;
  std::shared_ptr<detail::pinned_block> memory_;
  std::size_t count_;
};

/// Elements in device memory. Uses in several streams are ordered by the
/// library; the memory is freed when the buffer and all tasks are done with it.
template <device_sendable T> class BELAY_CONSUMABLE DeviceBuffer {
public:
  /// What it holds is not said: the first use has to write it.
  BELAY_FRESH static DeviceBuffer
  uninitialised(const Context &context, std::size_t count,
                pages policy = pages::huge_first) {
    return DeviceBuffer(context, count, policy);
  }
  BELAY_FRESH static DeviceBuffer zeroed(const Stream &stream,
                                         std::size_t count,
                                         pages policy = pages::huge_first) {
    DeviceBuffer result(detail::access::state(stream)->up, count, policy);
    result.fill_bytes(stream, 0);
    return result;
  }
  /// Uploads the elements.
  BELAY_FRESH static DeviceBuffer from(const Stream &stream,
                                       std::vector<T> elements,
                                       pages policy = pages::huge_first) {
    DeviceBuffer result(detail::access::state(stream)->up, elements.size(),
                        policy);
    result.upload(stream, std::move(elements));
    return result;
  }

  BELAY_FRESH DeviceBuffer(DeviceBuffer &&) = default;
  DeviceBuffer &operator=(DeviceBuffer &&) = default;
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;

  BELAY_LIVE std::size_t size() const { return count_; }

  /// \name Parts of the buffer as arguments.
  /// @{
  BELAY_LIVE In<T> in(std::size_t first, std::size_t count) const {
    return {*this, first, count};
  }
  BELAY_LIVE Out<T> out(std::size_t first, std::size_t count) {
    return {*this, first, count};
  }
  BELAY_LIVE InOut<T> inout(std::size_t first, std::size_t count) {
    return {*this, first, count};
  }
  /// @}

  /// Copies the elements to the device, in the course of the stream. They are
  /// the stream's from here on: there is no source that could go too early.
  BELAY_LIVE void upload(const Stream &stream, std::vector<T> elements) {
    if (elements.size() != count_)
      detail::refuse("DeviceBuffer::upload", std::to_string(elements.size()) +
                                                 " elements for " +
                                                 std::to_string(count_));
    const auto &in = detail::access::state(stream);
    if (count_ == 0)
      return;
    auto source = std::make_shared<detail::pinned_block>(in->up, bytes());
    std::memcpy(source->address, elements.data(), bytes());
    use(
        in, "DeviceBuffer::upload", true,
        [&] {
          BELAY_ACL_CALL(aclrtMemcpyAsync, state_->address, bytes(),
                         source->address, bytes(),
                         static_cast<int>(detail::direction::to_device),
                         in->handle);
        },
        source);
  }
  /// A borrowed source may end, or change, before the copy has run.
  void upload(const Stream &, const T *, std::size_t) = delete;

  /// Copies the elements to the host; wait() gives them out.
  BELAY_LIVE Pending<T> download(const Stream &stream) const {
    const auto &in = detail::access::state(stream);
    auto target = std::make_shared<detail::pinned_block>(in->up, bytes());
    if (count_)
      use(
          in, "DeviceBuffer::download", false,
          [&] {
            BELAY_ACL_CALL(aclrtMemcpyAsync, target->address, bytes(),
                           state_->address, bytes(),
                           static_cast<int>(detail::direction::to_host),
                           in->handle);
          },
          target);
    return {in, std::move(target), count_};
  }

  BELAY_LIVE void fill_bytes(const Stream &stream, unsigned char value) {
    const auto &in = detail::access::state(stream);
    if (count_)
      use(
          in, "DeviceBuffer::fill_bytes", true,
          [&] {
            BELAY_ACL_CALL(aclrtMemsetAsync, state_->address, bytes(), value,
                           bytes(), in->handle);
          },
          nullptr);
  }

#if defined(__cpp_lib_expected)
  static expected<DeviceBuffer>
  try_uninitialised(const Context &context, std::size_t count,
                    pages policy = pages::huge_first) {
    return attempt([&] { return uninitialised(context, count, policy); });
  }
  static expected<DeviceBuffer> try_from(const Stream &stream,
                                         std::vector<T> elements) {
    return attempt([&] { return from(stream, std::move(elements)); });
  }
#endif

private:
  friend detail::access;
  static constexpr const char *type_name = "DeviceBuffer";
  BELAY_FRESH DeviceBuffer(const Context &context, std::size_t count,
                           pages policy)
      : DeviceBuffer(detail::access::state(context), count, policy) {}
  BELAY_FRESH DeviceBuffer(std::shared_ptr<detail::context_state> context,
                           std::size_t count, pages policy)
      : count_(count) {
    if (count > SIZE_MAX / sizeof(T))
      detail::refuse("DeviceBuffer",
                     std::to_string(count) + " elements have no size");
    // ACL refuses 0 bytes; an empty buffer is a buffer all the same.
    state_ = std::make_shared<detail::block>(
        std::move(context), std::max(count, std::size_t(1)) * sizeof(T),
        policy);
  }

  std::size_t bytes() const { return count_ * sizeof(T); }

  template <typename Enqueue>
  void use(const std::shared_ptr<detail::stream_state> &in, const char *where,
           bool writes, Enqueue &&enqueue, std::shared_ptr<void> extra) const {
    detail::must_share_device(*in, *detail::access::state(*this), where);
    std::lock_guard lock(state_->mutex);
    state_->order(*in, writes);
    uint64_t task = in->submit(std::forward<Enqueue>(enqueue), [&](auto keep) {
      keep(state_);
      if (extra)
        keep(extra);
    });
    state_->used(in, task, writes);
  }

  std::shared_ptr<detail::block> state_;
  std::size_t count_ = 0;
};

} // namespace belay::host

#endif // BELAY_HOST_MEMORY_H
