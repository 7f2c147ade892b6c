//===- Subscriptions.cpp - Who wants to know of models' times -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Subscriptions.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

namespace belay::device {

static_assert(sizeof(RunRecord) <= PIPE_BUF);

void Subscription::write(const RunRecord &R) {
  constexpr int OftenMilliseconds = 20;
  std::lock_guard<std::mutex> Lock(Mutex);
  // Who has closed the other end does not want the program to end.
  sigset_t Broken;
  sigemptyset(&Broken);
  sigaddset(&Broken, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &Broken, nullptr);
  while (Pipe >= 0) {
    pollfd Poll = {Pipe, POLLOUT, 0};
    if (poll(&Poll, 1, OftenMilliseconds) > 0) {
      if (::write(Pipe, &R, sizeof(R)) >= 0 || errno != EINTR)
        return;
    } else if (Ending) {
      return;
    }
  }
}

void Subscription::end() {
  Ending = true;
  std::lock_guard<std::mutex> Lock(Mutex);
  if (Pipe >= 0)
    close(Pipe);
  Pipe = -1;
}

void Subscriptions::announce(uint32_t Model) {
  std::lock_guard<std::mutex> Lock(Mutex);
  Announced.insert(Model);
}

bool Subscriptions::isAnnounced(uint32_t Model) {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Announced.count(Model) != 0;
}

bool Subscriptions::add(uint32_t Model, int Pipe, bool Times) {
  std::lock_guard<std::mutex> Lock(Mutex);
  return ByModel.insert({Model, std::make_shared<Subscription>(Pipe, Times)})
      .second;
}

bool Subscriptions::remove(uint32_t Model) {
  std::shared_ptr<Subscription> S;
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    auto It = ByModel.find(Model);
    if (It == ByModel.end())
      return false;
    S = It->second;
    ByModel.erase(It);
  }
  S->end();
  return true;
}

std::shared_ptr<Subscription> Subscriptions::of(uint32_t Model) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto It = ByModel.find(Model);
  return It == ByModel.end() || !It->second->Times ? nullptr : It->second;
}

bool Subscriptions::any() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return !ByModel.empty();
}

Subscriptions &subscriptions() {
  static auto &Only = *new Subscriptions;
  return Only;
}

uint64_t profilingTime() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(
          std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

} // namespace belay::device
