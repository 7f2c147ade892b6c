//===- CrossCoreClocks.h - What cores know of each other --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_CROSSCORECLOCKS_H
#define BELAY_SANITIZER_CROSSCORECLOCKS_H

#include "model/core/Core.h"
#include "order/PipeClocks.h"

#include <array>
#include <map>
#include <mutex>
#include <vector>

namespace belay::sim {

/// What cores know of each other's instructions, as far as SyncAll and
/// cross-core flags have carried it. A core learns in the pipe that waits; its
/// other pipes know when they come after that wait.
class CrossCoreClocks {
public:
  using Knowledge = std::map<const Core *, Clock>;

  void add(const Core &C) {
    std::lock_guard<std::mutex> Lock(M);
    Cores[&C];
  }

  /// C announces, by an instruction of P, all that P knows to be complete: the
  /// N-th time on channel Key.
  void announce(const Core &C, int Key, const PipeClocks &Clocks, Pipe P);
  /// C has waited on channel Key, by the instruction At: it learns what each
  /// core of From announced with this ordinal. Returns what they know of C
  /// itself: what they waited for is complete.
  template <typename Fn>
  Clock learn(const Core &C, int Key, Epoch At, uint64_t Ordinal, Fn From);
  /// The same for a wait that all of C came to.
  template <typename Fn>
  void learnDrained(const Core &C, int Key, Epoch At, uint64_t Ordinal,
                    Fn From);

  /// The same through a word of memory, which does not count: whoever sees it
  /// learns all that was announced before.
  void post(const Core &C, int Key, const PipeClocks &Clocks, Pipe P);
  Clock read(const Core &C, int Key, Epoch At);

  /// Whether Before, of another core, is complete when the newest instruction
  /// of P starts.
  bool ordered(const Core &Other, Epoch Before, const Core &C,
               const PipeClocks &Clocks, Pipe P);

private:
  /// All that a pipe has learnt when its instruction Time is over.
  struct Lesson {
    uint32_t Time;
    Knowledge Total;
  };
  /// A pipe that is delayed for longer forgets the oldest.
  static constexpr size_t MaxLessons = 64;
  struct Learner {
    std::array<std::vector<Lesson>, NumPipes> Lessons;
  };
  /// Calls Visit(Knowledge) for what P knows through each pipe.
  template <typename Fn>
  void visitKnown(const Core &C, const PipeClocks &Clocks, Pipe P, Fn Visit);
  Knowledge allKnown(const Core &C, const PipeClocks &Clocks, Pipe P);
  void remember(const Core &C, Epoch At, const Knowledge &New);
  static void join(Knowledge &To, const Knowledge &From) {
    for (const auto &[Core, Clock] : From)
      To[Core].join(Clock);
  }

  std::mutex M;
  std::map<const Core *, Learner> Cores;
  std::map<std::pair<const Core *, int>, std::vector<Knowledge>> Channels;
  std::map<int, Knowledge> Words;
};

template <typename Fn>
void CrossCoreClocks::visitKnown(const Core &C, const PipeClocks &Clocks,
                                 Pipe P, Fn Visit) {
  auto &Lessons = Cores[&C].Lessons;
  for (unsigned Q = 0; Q < NumPipes; ++Q) {
    auto &List = Lessons[Q];
    for (auto It = List.rbegin(); It != List.rend(); ++It)
      if (static_cast<Pipe>(Q) == P ||
          Clocks.ordered({It->Time, static_cast<Pipe>(Q)}, P)) {
        Visit(It->Total);
        break;
      }
  }
}

/// What P knows of all cores, its own included.
inline CrossCoreClocks::Knowledge
CrossCoreClocks::allKnown(const Core &C, const PipeClocks &Clocks, Pipe P) {
  Knowledge K;
  visitKnown(C, Clocks, P, [&](const Knowledge &Known) { join(K, Known); });
  K[&C].join(Clocks.publish(P));
  return K;
}

/// A pipe has learnt something by its instruction At.
inline void CrossCoreClocks::remember(const Core &C, Epoch At,
                                      const Knowledge &New) {
  auto &List = Cores[&C].Lessons[static_cast<unsigned>(At.On)];
  Knowledge Total = New;
  if (!List.empty())
    join(Total, List.back().Total);
  if (List.size() == MaxLessons)
    List.erase(List.begin());
  List.push_back({At.Time, std::move(Total)});
}

inline void CrossCoreClocks::announce(const Core &C, int Key,
                                      const PipeClocks &Clocks, Pipe P) {
  std::lock_guard<std::mutex> Lock(M);
  Channels[{&C, Key}].push_back(allKnown(C, Clocks, P));
}

template <typename Fn>
Clock CrossCoreClocks::learn(const Core &C, int Key, Epoch At, uint64_t Ordinal,
                             Fn From) {
  std::lock_guard<std::mutex> Lock(M);
  Knowledge K;
  for (const auto &[Who, Announced] : Channels)
    if (Who.second == Key && Who.first != &C && From(*Who.first) &&
        Announced.size() > Ordinal)
      join(K, Announced[Ordinal]);
  remember(C, At, K);
  return K[&C];
}

template <typename Fn>
void CrossCoreClocks::learnDrained(const Core &C, int Key, Epoch At,
                                   uint64_t Ordinal, Fn From) {
  {
    std::lock_guard<std::mutex> Lock(M);
    Knowledge All;
    for (auto &List : Cores[&C].Lessons) {
      if (!List.empty())
        join(All, List.back().Total);
      List.clear();
    }
    remember(C, At, All);
  }
  learn(C, Key, At, Ordinal, From);
}

inline void CrossCoreClocks::post(const Core &C, int Key,
                                  const PipeClocks &Clocks, Pipe P) {
  std::lock_guard<std::mutex> Lock(M);
  join(Words[Key], allKnown(C, Clocks, P));
}

inline Clock CrossCoreClocks::read(const Core &C, int Key, Epoch At) {
  std::lock_guard<std::mutex> Lock(M);
  remember(C, At, Words[Key]);
  return Words[Key][&C];
}

inline bool CrossCoreClocks::ordered(const Core &Other, Epoch Before,
                                     const Core &C, const PipeClocks &Clocks,
                                     Pipe P) {
  std::lock_guard<std::mutex> Lock(M);
  bool Found = false;
  visitKnown(C, Clocks, P, [&](const Knowledge &Known) {
    auto It = Known.find(&Other);
    Found |= It != Known.end() && It->second[Before.On] >= Before.Time;
  });
  return Found;
}

} // namespace belay::sim

#endif // BELAY_SANITIZER_CROSSCORECLOCKS_H
