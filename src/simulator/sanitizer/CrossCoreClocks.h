//===- CrossCoreClocks.h - What cores know of each other -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_SANITIZER_CROSSCORECLOCKS_H
#define BELAY_SIMULATOR_SANITIZER_CROSSCORECLOCKS_H

#include "core/Core.h"
#include "sanitizer/PipeClocks.h"

#include <map>
#include <mutex>
#include <vector>

namespace belay::sim {

/// For each core, the clock of every other core as far as SyncAll and
/// cross-core flags have carried it.
class CrossCoreClocks {
public:
  using Knowledge = std::map<const Core *, Clock>;

  void add(const Core &C) {
    std::lock_guard<std::mutex> Lock(M);
    Known[&C];
  }

  /// C announces that all up to Own is complete: the N-th time on channel Key
  /// (a flag id, or one of the two SyncAll channels).
  void announce(const Core &C, int Key, const Clock &Own);
  /// C has waited for the N-th time on channel Key: it learns what each core of
  /// From announced as its N-th.
  template <typename Fn> void learn(const Core &C, int Key, Fn From);

  /// Whether C knows that Before, of another core, is complete.
  bool ordered(const Core &Other, Epoch Before, const Core &C);

private:
  struct Channel {
    std::vector<Knowledge> Announced;
    size_t Learnt = 0;
  };

  std::mutex M;
  std::map<const Core *, Knowledge> Known;
  std::map<std::pair<const Core *, int>, Channel> Channels;
};

inline void CrossCoreClocks::announce(const Core &C, int Key,
                                      const Clock &Own) {
  std::lock_guard<std::mutex> Lock(M);
  Knowledge K = Known[&C];
  K[&C].join(Own);
  Channels[{&C, Key}].Announced.push_back(std::move(K));
}

template <typename Fn>
void CrossCoreClocks::learn(const Core &C, int Key, Fn From) {
  std::lock_guard<std::mutex> Lock(M);
  size_t N = Channels[{&C, Key}].Learnt++;
  for (auto &[Who, Channel] : Channels) {
    if (Who.second != Key || Who.first == &C || !From(*Who.first) ||
        Channel.Announced.size() <= N)
      continue;
    for (const auto &[Core, Clock] : Channel.Announced[N])
      Known[&C][Core].join(Clock);
  }
}

inline bool CrossCoreClocks::ordered(const Core &Other, Epoch Before,
                                     const Core &C) {
  std::lock_guard<std::mutex> Lock(M);
  return Known[&C][&Other][Before.On] >= Before.Time;
}

} // namespace belay::sim

#endif // BELAY_SIMULATOR_SANITIZER_CROSSCORECLOCKS_H
