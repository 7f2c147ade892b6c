//===- Flags.h - The flags between two pipes of a core ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_FLAGS_H
#define BELAY_SANITIZER_FLAGS_H

#include "order/PipeClocks.h"

#include <array>
#include <optional>

namespace belay::sim {

/// One flag: a bit that its producer pipe sets and its consumer pipe clears.
struct Flag {
  std::optional<Clock> Raised; // what the set told, while nobody has waited
  Epoch LastWait;              // the wait that cleared it last
  const void *SetPC = nullptr;
  const void *WaitPC = nullptr;
  uint32_t Sets = 0, Waits = 0;
};

/// All flags between two pipes. A wait for the wrong id shows twice: it stands
/// before its set in the program, and some other id is set while its last wait
/// may not have run. One alone is harmless, or common and known to work.
struct FlagPair {
  const void *EarlyWait = nullptr; // the first that came before its set
  int32_t EarlyId = 0;
  const void *AheadSet = nullptr; // the first that may run before a wait
  int32_t AheadId = 0;
  bool Reported = false;
};

class FlagTable {
public:
  static constexpr unsigned NumIds = 16;

  FlagPair &between(Pipe From, Pipe To) {
    return Pairs[index(From)][index(To)];
  }

  Flag &at(Pipe From, Pipe To, int32_t Id) {
    return Table[index(From)][index(To)][static_cast<unsigned>(Id) % NumIds];
  }
  template <typename Fn> void forEach(Fn Visit) {
    for (unsigned From = 0; From < NumPipes; ++From)
      for (unsigned To = 0; To < NumPipes; ++To)
        for (unsigned Id = 0; Id < NumIds; ++Id)
          Visit(static_cast<Pipe>(From), static_cast<Pipe>(To),
                static_cast<int32_t>(Id), Table[From][To][Id]);
  }

private:
  static unsigned index(Pipe P) { return static_cast<unsigned>(P); }
  std::array<std::array<std::array<Flag, NumIds>, NumPipes>, NumPipes> Table;
  std::array<std::array<FlagPair, NumPipes>, NumPipes> Pairs;
};

} // namespace belay::sim

#endif // BELAY_SANITIZER_FLAGS_H
