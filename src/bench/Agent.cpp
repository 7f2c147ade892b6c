//===- Agent.cpp - One machine that works for a queue ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Agent.h"
#include "bench/Identity.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace belay;
using namespace belay::bench;

Expected<Campaign *> Agent::serve(const std::string &Harness, StringRef Spec) {
  if (auto At = ByHarness.find(Harness); At != ByHarness.end())
    return At->second.get();
  std::unique_ptr<Campaign> &Kept = ByHarness[Harness];
  auto Refuse = [&](const Twine &Why) {
    errs() << "belay: warning: jobs of build "
           << StringRef(Harness).take_front(12)
           << " are left to others: " << Why << "\n";
    return nullptr;
  };
  Expected<Evaluator::Options> Wanted = optionsOf(Spec);
  if (!Wanted)
    return Refuse(toString(Wanted.takeError()));
  if (!Wanted->Sandbox && Opts.Sandbox)
    return Refuse("they are to run without a sandbox, which only "
                  "--no-sandbox allows here");
  Campaign::Options For;
  For.Evaluate = *Wanted;
  For.Jobs = Opts.Jobs;
  For.LeaseSeconds = Opts.LeaseSeconds;
  For.OnProgress = Opts.OnProgress;
  For.Stop = Opts.Stop;
  Expected<std::unique_ptr<Campaign>> Made =
      Campaign::create(From, Tasks, std::move(For));
  if (!Made)
    return Made.takeError();
  // Their results would be kept under the name of another build.
  if ((*Made)->harness() != Harness)
    return Refuse("Belay or the compilers are others here");
  Kept = std::move(*Made);
  return Kept.get();
}

/// How many jobs are left that can be judged here.
Expected<uint64_t> Agent::helpAll() {
  Expected<std::map<std::string, std::string>> Specs = From.waitingSpecs();
  if (!Specs)
    return Specs.takeError();
  uint64_t Left = 0;
  for (const auto &[Harness, Spec] : *Specs) {
    Expected<Campaign *> With = serve(Harness, Spec);
    if (!With)
      return With.takeError();
    if (!*With)
      continue;
    if (Error E = (*With)->help())
      return E;
    Expected<uint64_t> Waiting = (*With)->waiting();
    if (!Waiting)
      return Waiting.takeError();
    Left += *Waiting;
  }
  return Left;
}

Error Agent::run() {
  using namespace std::chrono_literals;
  while (!(Opts.Stop && *Opts.Stop)) {
    Expected<uint64_t> Left = helpAll();
    if (!Left)
      return Left.takeError();
    if (*Left == 0 && Opts.UntilEmpty)
      return Error::success();
    for (int I = 0; I < 10 && !(Opts.Stop && *Opts.Stop); ++I)
      std::this_thread::sleep_for(100ms);
  }
  return Error::success();
}
