//===- ByteSet.h - A bit for every byte of a memory -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_BYTESET_H
#define BELAY_SANITIZER_BYTESET_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace belay::sim {

/// A set of byte offsets, with operations on ranges of them. Pages that are all
/// in or all out take no bits: global memory is large, and nearly all of it is
/// one or the other.
class ByteSet {
public:
  ByteSet(uint64_t Bytes, bool Full)
      : Pages((Bytes + PageBytes - 1) / PageBytes) {
    for (Page &P : Pages)
      P.All = Full;
  }

  bool contains(uint64_t At) const { return intersects(At, At + 1); }

  void assign(uint64_t Begin, uint64_t End, bool Value) {
    forEachPage(Begin, End, [&](Page &P, uint64_t First, uint64_t Last) {
      if (Last - First == PageBytes) {
        P = {Value, nullptr};
      } else if (P.Words || P.All != Value) {
        assignWords(wordsOf(P), First, Last, Value);
      }
      return true;
    });
  }

  /// Whether any byte of [Begin, End) is in the set.
  bool intersects(uint64_t Begin, uint64_t End) const {
    bool Any = false;
    const_cast<ByteSet *>(this)->forEachPage(
        Begin, End, [&](const Page &P, uint64_t First, uint64_t Last) {
          Any = P.Words ? anyWord(P.Words.get(), First, Last) : P.All;
          return !Any;
        });
    return Any;
  }

  /// How many bytes of [Begin, End) are in the set.
  uint64_t count(uint64_t Begin, uint64_t End) const {
    uint64_t Sum = 0;
    const_cast<ByteSet *>(this)->forEachPage(
        Begin, End, [&](const Page &P, uint64_t First, uint64_t Last) {
          if (!P.Words)
            Sum += P.All ? Last - First : 0;
          for (uint64_t W = First / WordBits; P.Words && W * WordBits < Last;
               ++W)
            Sum += static_cast<uint64_t>(
                __builtin_popcountll(P.Words[W] & maskOf(W, First, Last)));
          return true;
        });
    return Sum;
  }

  /// Calls Visit(First, Last) for every run of bytes of [0, End) in the set.
  template <typename Fn> void forEachRun(uint64_t End, Fn Visit) const {
    uint64_t First = 0;
    bool Inside = false;
    for (uint64_t At = 0; At < End;) {
      const Page &P = Pages[At / PageBytes];
      bool Same = !P.Words && At % PageBytes == 0;
      bool In = Same ? P.All : contains(At);
      if (In && !Inside)
        First = At;
      if (!In && Inside)
        Visit(First, At);
      Inside = In;
      At += Same ? PageBytes : 1;
    }
    if (Inside)
      Visit(First, End);
  }

private:
  static constexpr uint64_t PageBytes = 4096, WordBits = 64;
  struct Page {
    bool All; // every byte, or none, unless there are Words
    std::unique_ptr<uint64_t[]> Words;
  };

  /// Calls Visit(Page, First, Last), with offsets in the page, until it returns
  /// false.
  template <typename Fn>
  void forEachPage(uint64_t Begin, uint64_t End, Fn Visit) {
    for (uint64_t At = Begin; At < End;) {
      uint64_t First = At % PageBytes;
      uint64_t Last = std::min(PageBytes, First + (End - At));
      if (!Visit(Pages[At / PageBytes], First, Last))
        return;
      At += Last - First;
    }
  }

  static uint64_t *wordsOf(Page &P) {
    if (!P.Words) {
      P.Words = std::make_unique<uint64_t[]>(PageBytes / WordBits);
      std::fill_n(P.Words.get(), PageBytes / WordBits,
                  P.All ? ~uint64_t(0) : 0);
    }
    return P.Words.get();
  }
  /// The bits of [First, Last) that lie in word W.
  static uint64_t maskOf(uint64_t W, uint64_t First, uint64_t Last) {
    uint64_t Mask = ~uint64_t(0);
    if (First > W * WordBits)
      Mask <<= First % WordBits;
    if (Last < (W + 1) * WordBits)
      Mask &= ~(~uint64_t(0) << Last % WordBits);
    return Mask;
  }
  static void assignWords(uint64_t *Words, uint64_t First, uint64_t Last,
                          bool Value) {
    for (uint64_t W = First / WordBits; W * WordBits < Last; ++W) {
      uint64_t Mask = maskOf(W, First, Last);
      Words[W] = Value ? Words[W] | Mask : Words[W] & ~Mask;
    }
  }
  static bool anyWord(const uint64_t *Words, uint64_t First, uint64_t Last) {
    for (uint64_t W = First / WordBits; W * WordBits < Last; ++W)
      if (Words[W] & maskOf(W, First, Last))
        return true;
    return false;
  }

  std::vector<Page> Pages;
};

} // namespace belay::sim

#endif // BELAY_SANITIZER_BYTESET_H
