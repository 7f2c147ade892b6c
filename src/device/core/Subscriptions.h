//===- Subscriptions.h - Who wants to know of models' times -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_SUBSCRIPTIONS_H
#define BELAY_DEVICE_CORE_SUBSCRIPTIONS_H

#include "device/core/Errors.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace belay::device {

/// One operator of a model that has run, as it goes through the pipe of
/// aclprofModelSubscribe. Programs read it with aclprofGetOp*. Not more than
/// PIPE_BUF, so that it is written in one piece.
struct RunRecord {
  uint32_t Model = 0;
  uint64_t Start = 0, End = 0; // microseconds
  char Type[256] = {}, Name[256] = {};
};

class BELAY_DEVICE_API Subscription {
public:
  Subscription(int Pipe, bool Times) : Times(Times), Pipe(Pipe) {}
  const bool Times; // whether runs are told
  void write(const RunRecord &R);
  /// Closes the program's end of the pipe, as documented. What is still to be
  /// written is lost if nobody reads.
  void end();

private:
  std::mutex Mutex;
  std::atomic<bool> Ending{false};
  int Pipe;
};

class BELAY_DEVICE_API Subscriptions {
public:
  /// MsprofSetDeviceIdByGeModelIdx: a model that others have loaded.
  void announce(uint32_t Model);
  bool isAnnounced(uint32_t Model);
  /// False if there is one for the model.
  bool add(uint32_t Model, int Pipe, bool Times);
  /// False if there is none.
  bool remove(uint32_t Model);
  /// Null if there is none, or it does not ask for times.
  std::shared_ptr<Subscription> of(uint32_t Model);
  bool any();

private:
  std::mutex Mutex;
  std::set<uint32_t> Announced;
  std::map<uint32_t, std::shared_ptr<Subscription>> ByModel;
};

BELAY_DEVICE_API Subscriptions &subscriptions();
/// Microseconds, from a start that stays the same.
BELAY_DEVICE_API uint64_t profilingTime();

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_SUBSCRIPTIONS_H
