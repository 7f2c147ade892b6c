//===- ThreadShadow.h - Which thread touched a byte last --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_THREADS_THREADSHADOW_H
#define BELAY_MODEL_THREADS_THREADSHADOW_H

#include <cstdint>
#include <unordered_map>

namespace belay::sim {

/// One access of a thread; Time 0 is none.
struct Touch {
  uint32_t Time = 0, Thread = 0, Site = 0;
};

/// Since the last barrier: the last plain store, and of loads and atomics those
/// of the last two threads. Whoever conflicts with one of many conflicts with
/// one of two, unless the two are in order with it and the others are not.
struct Touches {
  Touch Store, Loads[2], Atomics[2];

  static void add(Touch (&To)[2], const Touch &T) {
    if (To[0].Time && To[0].Thread != T.Thread)
      To[1] = To[0];
    To[0] = T;
  }
};

/// By words of four bytes, and by bytes where an access has only a part of one.
class ThreadShadow {
public:
  /// More than a function should touch between two barriers.
  static constexpr size_t MostCells = size_t(1) << 22;

  void clear() {
    Words.clear();
    Bytes.clear();
  }
  bool full() const { return Words.size() + Bytes.size() > MostCells; }

  /// Calls Check(Touches &, New) for all that is kept of [Begin, End): New if
  /// the access is to be noted there.
  template <typename Fn> void visit(uint64_t Begin, uint64_t End, Fn Check) {
    for (uint64_t Word = Begin / 4; Word <= (End - 1) / 4; ++Word) {
      uint64_t First = Word * 4, Last = First + 4;
      bool FullWord = Begin <= First && End >= Last;
      if (FullWord) {
        Cell &W = Words[Word];
        Check(W.Of, true);
        for (uint64_t B = First; W.Split && B < Last; ++B)
          if (auto It = Bytes.find(B); It != Bytes.end())
            Check(It->second, false);
        continue;
      }
      Cell &W = Words[Word];
      W.Split = true;
      Check(W.Of, false);
      for (uint64_t B = First; B < Last; ++B)
        if (B >= Begin && B < End)
          Check(Bytes[B], true);
    }
  }

private:
  struct Cell {
    Touches Of;
    bool Split = false;
  };
  std::unordered_map<uint64_t, Cell> Words;
  std::unordered_map<uint64_t, Touches> Bytes;
};

} // namespace belay::sim

#endif // BELAY_MODEL_THREADS_THREADSHADOW_H
