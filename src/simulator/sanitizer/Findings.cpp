//===- Findings.cpp - What the sanitizer has to say -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/Findings.h"

#include "core/Core.h"
#include "core/Failure.h"

#include <cstdio>

namespace belay::sim {

template <size_t N> static void put(char (&To)[N], const std::string &Text) {
  std::snprintf(To, N, "%s", Text.c_str());
}

void Findings::add(const char *Id, const Side &Here, const Side &Other,
                   const std::string &Message, const std::string &Hint) {
  std::lock_guard<std::mutex> Lock(M);
  auto [It, New] = Known.try_emplace({Id, Here.PC, Other.PC}, Out.NumFindings);
  if (!New) {
    if (It->second < MaxFindings)
      ++Out.Findings[It->second].Count;
    return;
  }
  if (Out.NumFindings == MaxFindings) {
    ++Out.FindingsLost;
    return;
  }
  Finding &F = Out.Findings[Out.NumFindings];
  F.Count = 1;
  put(F.Id, Id);
  put(F.Message, Message);
  put(F.Hint, Hint);
  put(F.HereRole, Here.Role);
  put(F.OtherRole, Other.Role);
  describePlace(F.Here, Here.Where, Here.PC, __builtin_frame_address(0));
  describePlace(F.Other, Other.Where, Other.PC, nullptr);
  F.Here.Block = Here.Block.value_or(F.Here.Block);
  F.Other.Block = Other.Block.value_or(F.Other.Block);
  ++Out.NumFindings; // last, so that a reader never sees half a finding
}

} // namespace belay::sim
