//===- Bounded.h - A list with a limit, that threads wait for ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What channels and queues share: who puts waits for room, who takes waits for
// something to take, for as long as the program says.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_API_BOUNDED_H
#define BELAY_DEVICE_API_BOUNDED_H

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace belay::device {

/// Waits until the predicate holds; false if it does not within the
/// milliseconds. Below 0: for ever; 0: not at all.
template <typename Predicate>
bool waitMilliseconds(std::condition_variable &Changed,
                      std::unique_lock<std::mutex> &Lock, int32_t Milliseconds,
                      Predicate Holds) {
  if (Milliseconds < 0) {
    Changed.wait(Lock, Holds);
    return true;
  }
  return Changed.wait_for(Lock, std::chrono::milliseconds(Milliseconds), Holds);
}

template <typename T> class Bounded {
public:
  explicit Bounded(size_t Most) : Most(Most) {}

  enum class End : uint8_t { Done, TimeUp, Stopped };

  End put(T What, int32_t Milliseconds) {
    std::unique_lock<std::mutex> Lock(Mutex);
    auto HasRoom = [&] { return Stopped || Held.size() < Most; };
    if (!waitMilliseconds(Changed, Lock, Milliseconds, HasRoom))
      return End::TimeUp;
    if (Stopped)
      return End::Stopped;
    Held.push_back(std::move(What));
    Changed.notify_all();
    return End::Done;
  }

  End take(T &To, int32_t Milliseconds) {
    std::unique_lock<std::mutex> Lock(Mutex);
    auto HasSome = [&] { return Stopped || !Held.empty(); };
    if (!waitMilliseconds(Changed, Lock, Milliseconds, HasSome))
      return End::TimeUp;
    if (Held.empty())
      return End::Stopped;
    To = std::move(Held.front());
    Held.pop_front();
    Changed.notify_all();
    return End::Done;
  }

  size_t size() {
    std::lock_guard<std::mutex> Lock(Mutex);
    return Held.size();
  }
  void clear() {
    std::lock_guard<std::mutex> Lock(Mutex);
    Held.clear();
    Changed.notify_all();
  }
  /// Who waits goes on; what is held can still be taken.
  void stop() {
    std::lock_guard<std::mutex> Lock(Mutex);
    Stopped = true;
    Changed.notify_all();
  }

private:
  const size_t Most;
  std::mutex Mutex;
  std::condition_variable Changed;
  std::deque<T> Held;
  bool Stopped = false;
};

} // namespace belay::device

#endif // BELAY_DEVICE_API_BOUNDED_H
