//===- MutationSpec.cpp - What --mutate says ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/MutationSpec.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay::launch;
using belay::sim::Mutation;
using belay::sim::Pipe;

static bool readPipe(StringRef Name, Pipe &P) {
  for (unsigned N = 0; N <= static_cast<unsigned>(Pipe::All); ++N)
    if (StringRef(nameOf(static_cast<Pipe>(N))).drop_front(5) == Name) {
      P = static_cast<Pipe>(N);
      return true;
    }
  return false;
}

static bool readHow(StringRef How, Mutation &M) {
  auto [Kind, Value] = How.split(':');
  if (Kind == "drop")
    M.How = Mutation::Kind::Drop;
  else if (Kind == "skip")
    M.How = Mutation::Kind::Skip;
  else if (Kind == "event")
    M.How = Mutation::Kind::Event;
  else if (Kind == "id")
    M.How = Mutation::Kind::Id;
  else if (Kind == "pipe")
    M.How = Mutation::Kind::Pipe;
  else
    return false;
  if (M.How == Mutation::Kind::Event)
    return readPipe(Value.split('_').first, M.On) &&
           readPipe(Value.split('_').second, M.To);
  if (M.How == Mutation::Kind::Id)
    return !Value.getAsInteger(10, M.Id);
  if (M.How == Mutation::Kind::Pipe)
    return readPipe(Value, M.On);
  return Value.empty();
}

Expected<Mutation> belay::launch::parseMutation(StringRef Text) {
  Mutation M = {};
  auto [How, Places] = Text.split('@');
  bool Good = readHow(How, M) && !Places.empty();
  for (StringRef Place : split(Places, ',')) {
    Good &= M.NumSites < sim::MaxMutated;
    Good = Good && !Place.getAsInteger(10, M.Sites[M.NumSites++]);
  }
  if (!Good)
    return createStringError(
        formatv("--mutate takes HOW@PLACE,... as test/campaigns/mutate writes "
                "it, not '{0}'",
                Text));
  return M;
}
