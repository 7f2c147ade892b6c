//===- ThreadOrder.h - What threads know of each other ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier orders all threads, an exchange those of a warp that take part in
// it. A fence and an atomic after it order what stands before the fence for
// those that use the same word by an atomic later: locks and tickets. An atomic
// without a fence orders nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_THREADS_THREADORDER_H
#define BELAY_MODEL_THREADS_THREADORDER_H

#include "abi/Threads.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace belay::sim {

class ThreadOrder {
public:
  void begin(uint32_t Threads) {
    Count = Threads;
    All.assign(Count, {});
    Words.clear();
    Clean = true;
  }

  uint32_t timeOf(uint32_t Thread) const { return All[Thread].Time; }

  /// Whether what Before did at a time is over for Now. Barriers are not asked
  /// about here: what was before one is forgotten.
  bool knows(uint32_t Now, uint32_t Before, uint32_t Time) const {
    if (Now == Before)
      return true;
    const Thread &T = All[Now];
    return !T.Known.empty() && T.Known[Before] >= Time;
  }

  void barrier() {
    if (!Clean)
      begin(Count);
  }

  void exchange(uint32_t First, uint32_t Mask) {
    Clean = false;
    std::vector<uint32_t> Joined(Count);
    for (uint32_t L = 0; L < WarpThreads && First + L < Count; ++L)
      if (Mask >> L & 1) {
        join(Joined, All[First + L].Known);
        Joined[First + L] = All[First + L].Time++;
      }
    for (uint32_t L = 0; L < WarpThreads && First + L < Count; ++L)
      if (Mask >> L & 1)
        All[First + L].Known = Joined;
  }

  void fence(uint32_t Now) {
    Clean = false;
    All[Now].Fenced = All[Now].Time++;
  }
  bool hasFenced(uint32_t Now) const { return All[Now].Fenced; }

  void atomic(uint32_t Now, uint64_t Word) {
    Thread &T = All[Now];
    auto It = Words.find(wordOf(Word));
    if (It != Words.end()) {
      if (T.Known.empty())
        T.Known.resize(Count);
      join(T.Known, It->second);
    }
    if (!T.Fenced)
      return;
    if (It == Words.end())
      It = Words.emplace(wordOf(Word), std::vector<uint32_t>(Count)).first;
    join(It->second, T.Known);
    It->second[Now] = std::max(It->second[Now], T.Fenced);
  }

private:
  struct Thread {
    uint32_t Time = 1, Fenced = 0;
    std::vector<uint32_t> Known; // none, or one for each thread
  };
  /// Beyond so many words one stands for several: more is taken for ordered.
  static constexpr uint64_t MostWords = 1024;
  uint64_t wordOf(uint64_t Address) const {
    return Words.size() < MostWords ? Address : Address % MostWords;
  }
  static void join(std::vector<uint32_t> &To,
                   const std::vector<uint32_t> &From) {
    for (size_t N = 0; N < From.size(); ++N)
      To[N] = std::max(To[N], From[N]);
  }

  uint32_t Count = 0;
  bool Clean = true;
  std::vector<Thread> All;
  std::unordered_map<uint64_t, std::vector<uint32_t>> Words;
};

} // namespace belay::sim

#endif // BELAY_MODEL_THREADS_THREADORDER_H
