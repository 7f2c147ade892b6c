//===- OrderLoop.cpp - One kernel in many orders, in one process ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runner/OrderLoop.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>

namespace belay::sim {

bool OrderLoop::parse(const char *Text) {
  char *End;
  Count = static_cast<unsigned>(std::strtoul(Text, &End, 10));
  if (End == Text || *End != ':')
    return false;
  while (*End) {
    const char *Number = End + 1;
    if (!*Number)
      break;
    Outputs.push_back(static_cast<uint32_t>(std::strtoul(Number, &End, 10)));
    if (End == Number || (*End && *End != ','))
      return false;
  }
  return true;
}

void OrderLoop::add(const Arg &A, uint32_t Number, uint8_t *Address) {
  if (A.Writable)
    remember(A,
             std::find(Outputs.begin(), Outputs.end(), Number) != Outputs.end(),
             Address);
}

void OrderLoop::remember(const Arg &A, bool Output, uint8_t *Address) {
  Memory M = {Address, A.Bytes + A.SlackBytes, A.Fd, Output, {}, {}};
  if (Output)
    M.Before.assign(Address, Address + M.Bytes);
  Memories.push_back(std::move(M));
}

void OrderLoop::restore() {
  for (Memory &M : Memories)
    if (M.Output)
      std::copy(M.Before.begin(), M.Before.end(), M.Address);
    else if (M.Bytes &&
             fallocate(M.Fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                       static_cast<off_t>(M.Bytes)) != 0)
      std::memset(M.Address, 0, M.Bytes);
}

bool OrderLoop::differs() const {
  return std::any_of(Memories.begin(), Memories.end(), [](const Memory &M) {
    return M.Output && std::memcmp(M.Address, M.Reference.data(), M.Bytes) != 0;
  });
}

void OrderLoop::run(Plan &Ask, const std::function<void()> &Once) {
  uint64_t First = Ask.OrderSeed;
  Ask.RandomOrder = true;
  Ask.OrderSeed = 0;
  Once();
  for (Memory &M : Memories)
    if (M.Output)
      M.Reference.assign(M.Address, M.Address + M.Bytes);
  for (unsigned N = 0; N < Count; ++N) {
    restore();
    Ask.OrderSeed = First + N;
    Once();
    if (differs())
      return;
  }
}

} // namespace belay::sim
