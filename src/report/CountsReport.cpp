//===- CountsReport.cpp - What a launch executed, in numbers --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/CountsReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay;
using sim::Counts;

namespace {
/// A name and a number; groups of them leave out what is 0.
using Entry = std::pair<std::string, uint64_t>;
using Group = std::vector<Entry>;
} // namespace

static Group pipesOf(const Counts &C) {
  Group Result;
  for (unsigned P = 0; P < Counts::NumPipes; ++P)
    Result.emplace_back(
        StringRef(nameOf(static_cast<sim::Pipe>(P))).drop_front(5).str(),
        C.ByPipe[P]);
  return Result;
}

static Group bytesOf(const Counts &C) {
  Group Result;
  auto Name = [](unsigned S) { return nameOf(static_cast<sim::Space>(S)); };
  for (unsigned S = 0; S < Counts::NumSpaces; ++S)
    for (unsigned D = 0; D < Counts::NumSpaces; ++D)
      Result.emplace_back(formatv("{0}-{1}", Name(S), Name(D)), C.Moved[S][D]);
  return Result;
}

static Group syncOf(const Counts &C) {
  return {{"SetFlag", C.SetFlags},
          {"WaitFlag", C.WaitFlags},
          {"PipeBarrier", C.Barriers},
          {"CrossCoreSetFlag", C.CrossSets},
          {"CrossCoreWaitFlag", C.CrossWaits},
          {"SyncAll", C.SyncAlls},
          {"queue", C.QueueSteps},
          {"lock", C.Locks}};
}

static Group cubeOf(const Counts &C) {
  return {{"Mmad", C.Multiplications},
          {"LoadData", C.Loads},
          {"products", C.Products},
          {"slots", C.Slots}};
}

static void printGroup(raw_ostream &Out, StringRef Title, const Group &Group) {
  SmallVector<std::string> Texts;
  for (const auto &[Name, Number] : Group)
    if (Number)
      Texts.push_back(formatv("{0} {1}", Name, Number));
  Out << "        " << Title << ": "
      << (Texts.empty() ? "none" : join(Texts, ", ")) << '\n';
}

void report::printCounts(raw_ostream &Out, const Counts &C) {
  printGroup(Out, "instructions", pipesOf(C));
  if (C.Multiplications)
    printGroup(Out, "cube", cubeOf(C));
  printGroup(Out, "bytes", bytesOf(C));
  printGroup(Out, "synchronisation", syncOf(C));
}

static json::Object toJson(const Group &Group) {
  json::Object Result;
  for (const auto &[Name, Number] : Group)
    if (Number)
      Result[Name] = Number;
  return Result;
}

json::Object report::countsToJson(const Counts &C) {
  return json::Object{{"instructions", toJson(pipesOf(C))},
                      {"cube", toJson(cubeOf(C))},
                      {"bytes", toJson(bytesOf(C))},
                      {"synchronisation", toJson(syncOf(C))}};
}
