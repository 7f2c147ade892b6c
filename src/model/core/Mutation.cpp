//===- Mutation.cpp - A stream with one defect put in ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Mutation.h"

#include "model/core/Failure.h"

#include <algorithm>

namespace belay::sim {

static bool concerns(const Mutation &M, const void *PC) {
  const uint64_t *End = M.Sites + M.NumSites;
  return std::find(M.Sites, End, kernelOffset(PC)) != End;
}

bool skips(const Mutation &M, const void *PC) {
  return M.How == Mutation::Kind::Skip && concerns(M, PC);
}

bool applyMutation(const Mutation &M, InstructionRecord &I) {
  if (!concerns(M, I.PC))
    return true;
  switch (M.How) {
  case Mutation::Kind::None:
    break;
  case Mutation::Kind::Drop:
  case Mutation::Kind::Skip:
    return false;
  case Mutation::Kind::Event:
    I.On = M.On;
    I.To = M.To;
    break;
  case Mutation::Kind::Id:
    I.Id = M.Id;
    break;
  case Mutation::Kind::Pipe:
    I.On = M.On;
    break;
  }
  return true;
}

} // namespace belay::sim
