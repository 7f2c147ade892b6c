//===- BenchGenerate.cpp - belay bench generate ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BenchGenerate.h"

#include "support/Files.h"
#include "support/Resources.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::bench;
using namespace belay::generate;
using namespace belay::support;
using namespace belay::tool;
using namespace llvm;

/// What the request lacks, or "".
static std::string mistakeIn(const GenerateRequest &Wanted,
                             ArrayRef<Task> Tasks) {
  if (Wanted.Ask.Model.empty() || Wanted.Ask.Endpoint.empty())
    return "'generate' needs --model NAME and --endpoint URL";
  if (Wanted.How.Out.empty())
    return "'generate' needs -o DIR";
  if (!Wanted.Evaluate.Sandbox)
    return "'generate' has no --no-sandbox: nobody has read what a model "
           "writes";
  if (any_of(Tasks, [](const Task &T) { return T.isForeign(); }))
    return "'generate' knows Belay's own tasks only";
  return "";
}

int belay::tool::generateCandidates(const Command &Self, GenerateRequest Wanted,
                                    std::vector<Task> Tasks) {
  if (std::string Mistake = mistakeIn(Wanted, Tasks); !Mistake.empty())
    return usageError(Self, Mistake);
  erase_if(Tasks,
           [&](const Task &T) { return !T.runsOn(Wanted.Evaluate.Soc); });
  Expected<std::unique_ptr<ChatServer>> Model =
      ChatServer::create(std::move(Wanted.Ask));
  if (!Model)
    return reportError(Model.takeError());
  if (Wanted.How.Template == "language") {
    constexpr uint64_t MaxGuide = 1 << 20;
    if (Error E = readFile(getSharePath("guide") + "/language.md", MaxGuide)
                      .moveInto(Wanted.How.Guide))
      return reportError(std::move(E));
  }
  // Corrections need somebody who says what is wrong: sealed, in the sandbox.
  std::unique_ptr<Store> From;
  std::unique_ptr<Campaign> Judge;
  if (Wanted.How.Repairs > 0) {
    if (Error E = Store::open(Wanted.Store).moveInto(From))
      return reportError(std::move(E));
    Campaign::Options Opts;
    Opts.Evaluate = Wanted.Evaluate;
    if (Error E = Campaign::create(*From, Tasks, Opts).moveInto(Judge))
      return reportError(std::move(E));
    std::vector<std::string> Ids;
    for (const Task &T : Tasks)
      Ids.push_back(T.Id);
    if (Error E = Judge->prepare(Ids))
      return reportError(std::move(E));
  }
  std::atomic<bool> *Stop = Wanted.How.Stop;
  Expected<Generator::Counts> Made =
      Generator(**Model, Prompts(getSharePath("tasks") + "/prompts"),
                Judge.get(), Wanted.Evaluate, std::move(Wanted.How))
          .run(Tasks);
  if (!Made)
    return reportError(Made.takeError());
  outs() << formatv("{0} samples: {1} were there, {2} have a source, {3} of "
                    "them with nothing left to correct, {4} got no answer\n",
                    Made->Samples, Made->Known, Made->Sources, Made->Clean,
                    Made->Failed);
  if (Stop && *Stop) {
    errs() << "belay: stopped; the same command goes on where it stopped\n";
    return toInt(ExitStatus::Stopped);
  }
  return Made->Failed ? ExitFailure : ExitSuccess;
}
