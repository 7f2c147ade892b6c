//===- Caches.cpp - What the scalar unit's cache may hide -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalar unit reads and writes global memory through a cache of lines,
// which nobody else sees and which sees nobody else. What goes past it, by
// another pipe or in another core, is shown where both places are constants
// (KernelState::compareCaches); where it is only not excluded, it is a doubt.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Pipe;

static constexpr int64_t LineBytes = 64;

/// With all bytes that may lie in the same lines. Arguments begin with one.
Operand Runtime::withLines(Operand O) {
  O.TensorBytes.reset(); // lines go past its end
  O.Pitch.reset();
  std::optional<int64_t> Off = O.Begin.remainder(LineBytes);
  if (Off && O.Span.isConstant()) {
    O.Begin = O.Begin - Number(*Off);
    O.Span = Number((*Off + O.Span.constant() + LineBytes - 1) / LineBytes *
                    LineBytes);
    return O;
  }
  O.Begin = O.Begin - Number(LineBytes - 1);
  O.Span = O.Span + Number(2 * (LineBytes - 1));
  return O;
}

/// An access to global memory, on its way into the cache or past it.
void Runtime::noteCache(const Event &E, const Operand &O) {
  Operand Lines = withLines(O);
  auto Any = [&](ArrayRef<CachedLine> List) {
    return any_of(
        List, [&](const CachedLine &L) { return !disjoint(Lines, L.Bytes); });
  };
  auto Doubt = [&](const Twine &Why) {
    Kernel.unknown(Topic::Cores, E.At, Why + " is not known");
  };
  unsigned Argument = find(Arguments, O.In) - Arguments.begin();
  unsigned &Last = Kernel.LastRead[Argument];
  if (!O.Write)
    Last = std::max(Last, Phase);
  if (E.On != Pipe::S) {
    if (Any(Dirty))
      Doubt("whether what the scalar unit stored in " + bufferOf(O) +
            " has left its cache");
    if (O.Write && Any(Cached))
      Old.push_back({O, Phase});
    return;
  }
  if (!O.Write && Any(Old))
    Doubt("whether the scalar unit has an older value of " + bufferOf(O) +
          " in its cache");
  if (!O.Write && any_of(Cached, [&](const CachedLine &L) {
        return L.Phase < Phase && !disjoint(Lines, L.Bytes);
      }))
    Kernel.ReadAgain.emplace(Argument, E.At);
  Cached.push_back({O, Phase});
  if (O.Write)
    Dirty.push_back({O, Phase});
}

/// DataCacheCleanAndInvalid, of all lines or of the one at an address.
void Runtime::cleanCache(const Value &Address, bool Entire) {
  auto Cleaned = [&](const CachedLine &L) {
    return Entire || (Address.isAddress() && Address.Id == L.Bytes.In &&
                      Address.N == L.Bytes.Begin);
  };
  for (auto *List : {&Dirty, &Cached, &Old})
    llvm::erase_if(*List, Cleaned);
}

/// At a barrier of all cores, what is still in the cache is hidden from others.
void Runtime::hideDirty() {
  for (const CachedLine &L : Dirty) {
    unsigned Argument = find(Arguments, L.Bytes.In) - Arguments.begin();
    auto [At, _] = Kernel.Hidden.try_emplace(Argument, L.Phase);
    At->second = std::min(At->second, L.Phase);
  }
}

std::string Runtime::cacheState(const LoopHead &Head) const {
  std::set<std::string> Each;
  for (const auto &[Name, List] :
       {std::pair('d', &Dirty), std::pair('c', &Cached), std::pair('o', &Old)})
    for (const CachedLine &L : *List)
      Each.insert(Name + std::to_string(L.Bytes.In) + ":" +
                  accessName(L.Bytes.Begin, Head));
  std::string Text;
  for (const std::string &Line : Each)
    Text += Line + ";";
  return Text;
}

/// What all paths say together: blocks take different ones.
void KernelState::compareLines() {
  for (const auto &[Argument, Written] : Hidden)
    if (auto Read = LastRead.find(Argument);
        Read != LastRead.end() && Read->second > Written)
      unknown(Topic::Cores, {},
              "whether what the scalar unit stored has left its cache when "
              "other cores read it is not known");
  for (const auto &[Argument, At] : ReadAgain)
    if (GlobalWrites.count(Argument))
      unknown(Topic::Cores, At,
              "whether the scalar unit has an older value in its cache is not "
              "known");
}
