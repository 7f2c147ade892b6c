//===- Campaign.cpp - All candidates of a folder --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Campaign.h"
#include "bench/ForeignSet.h"
#include "bench/Identity.h"
#include "bench/ProjectTrial.h"
#include "sandbox/Sandbox.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;

/// Generated sources are a few kilobytes.
static constexpr uint64_t MaxSource = 1 << 20;

/// [MODEL/]TASK/SAMPLE/op_kernel/...
static Error readProjects(StringRef Folder, ArrayRef<Task> Tasks,
                          std::vector<Candidate> &Candidates) {
  std::map<StringRef, const Task *> Known;
  for (const Task &T : Tasks)
    if (T.isForeign())
      Known[T.Id] = &T;
  if (Known.empty())
    return Error::success();
  std::vector<std::string> Paths;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator
           At(Folder, EC, /*follow_symlinks=*/false),
       End;
       At != End && !EC; At.increment(EC))
    if (sys::path::filename(At->path()) == "op_kernel" &&
        At->type() == sys::fs::file_type::directory_file)
      Paths.push_back(sys::path::parent_path(At->path()).str());
  if (EC)
    return createStringError(EC, Folder + ": " + EC.message());
  llvm::sort(Paths);
  for (const std::string &Path : Paths) {
    StringRef Place = sys::path::parent_path(
        StringRef(Path).drop_front(Folder.size()).ltrim('/'));
    // Its end is the task.
    auto At = find_if(Known, [&](const auto &Each) {
      StringRef Model = Place;
      return Model.consume_back(Each.first) &&
             (Model.empty() || Model.ends_with("/"));
    });
    if (At == Known.end())
      continue;
    Expected<ProjectFiles> Files = readProject(Path);
    if (!Files)
      return Files.takeError();
    Candidate &C = Candidates.emplace_back();
    C.Model = Place.drop_back(At->first.size()).rtrim('/').str();
    C.Task = At->first.str();
    C.Sample = sys::path::filename(Path).str();
    C.Path = Path;
    C.Source = packProject(*Files);
  }
  return Error::success();
}

Expected<std::vector<Candidate>>
belay::bench::readCandidates(StringRef Folder, ArrayRef<Task> Tasks) {
  std::vector<Candidate> Candidates;
  std::error_code EC;
  std::vector<std::string> Paths;
  for (sys::fs::recursive_directory_iterator
           At(Folder, EC, /*follow_symlinks=*/false),
       End;
       At != End && !EC; At.increment(EC))
    if (StringRef(At->path()).ends_with(".cpp") &&
        At->type() == sys::fs::file_type::regular_file)
      Paths.push_back(At->path());
  if (EC)
    return createStringError(EC, Folder + ": " + EC.message());
  std::map<StringRef, const Task *> Known;
  for (const Task &T : Tasks)
    Known[T.Id] = &T;
  llvm::sort(Paths);
  for (const std::string &Path : Paths) {
    StringRef Relative = StringRef(Path).drop_front(Folder.size()).ltrim('/');
    SmallVector<StringRef, 8> Parts;
    Relative.split(Parts, '/');
    // level/category/name/variant/sample.cpp
    constexpr size_t Least = 5;
    if (Parts.size() < Least)
      continue;
    std::string Id = join(ArrayRef(Parts).take_back(Least).drop_back(), "/");
    if (!Known.contains(Id))
      continue;
    Expected<std::string> Source = readFile(Path, MaxSource);
    if (!Source)
      return Source.takeError();
    Candidate &C = Candidates.emplace_back();
    C.Model = join(ArrayRef(Parts).drop_back(Least), "/");
    C.Task = Id;
    C.Sample = sys::path::stem(Path).str();
    C.Path = Path;
    C.Source = std::move(*Source);
  }
  if (Error E = readProjects(Folder, Tasks, Candidates))
    return std::move(E);
  // Candidates of one task together, so that its values are read once.
  llvm::stable_sort(Candidates, [](const Candidate &A, const Candidate &B) {
    return A.Task < B.Task;
  });
  return Candidates;
}

static Error refuseUnconfined() {
  sandbox::Ability Can = sandbox::examineMachine();
  if (Can.WhyNot.empty())
    return Error::success();
  return makeError(
      DiagId::NoSandbox,
      "this machine cannot confine candidates: " + Can.WhyNot,
      {"nothing was compiled or run; 'belay bench doctor' says what is missing",
       "--no-sandbox gives candidates all your rights: only for sources that "
       "you have written"});
}

Expected<Campaign> Campaign::create(Store &To, std::vector<Task> All,
                                    Options Opts) {
  if (Opts.Evaluate.Sandbox)
    if (Error E = refuseUnconfined())
      return E;
  llvm::erase_if(All,
                 [&](const Task &T) { return !T.runsOn(Opts.Evaluate.Soc); });
  Expected<std::string> Secret = To.secret();
  if (!Secret)
    return Secret.takeError();
  Expected<ValueCache> Values = ValueCache::create(*Secret);
  if (!Values)
    return Values.takeError();
  std::vector<Task> Ours;
  copy_if(All, std::back_inserter(Ours),
          [](const Task &T) { return !T.isForeign(); });
  if (Error E = Values->prepare(Ours, {Audience::Public, Audience::Hidden}))
    return E;
  Expected<std::string> Harness = harnessIdentity(Opts.Evaluate);
  if (!Harness)
    return Harness.takeError();
  Campaign Result(To, std::move(Opts), std::move(*Values));
  for (Task &T : All) {
    if (T.isForeign()) {
      Expected<std::string> Name = taskIdentity(*Harness, T, nullptr, nullptr);
      if (!Name)
        return Name.takeError();
      Result.Identities[T.Id] = std::move(*Name);
      Result.Tasks[T.Id] = std::move(T);
      continue;
    }
    auto Public = Result.Values.get(T, Audience::Public);
    auto Hidden = Result.Values.get(T, Audience::Hidden);
    if (!Public)
      return Public.takeError();
    if (!Hidden)
      return Hidden.takeError();
    if ((*Public)->cases().empty() || (*Hidden)->cases().empty())
      return createStringError(T.Id + " has no cases");
    Expected<std::string> Name =
        taskIdentity(*Harness, T, Public->get(), Hidden->get());
    if (!Name)
      return Name.takeError();
    Result.Identities[T.Id] = std::move(*Name);
    Result.Tasks[T.Id] = std::move(T);
  }
  return Result;
}

Expected<const Task *> Campaign::taskNamed(StringRef Id) const {
  auto At = Tasks.find(Id.str());
  if (At == Tasks.end())
    return createStringError("there is no task '" + Id + "' for " +
                             Opts.Evaluate.Soc);
  return &At->second;
}

Expected<std::string> Campaign::keyOf(StringRef TaskId,
                                      StringRef Source) const {
  auto At = Identities.find(TaskId.str());
  if (At == Identities.end())
    return createStringError("there is no task '" + TaskId + "'");
  return bench::keyOf(At->second, Source);
}

Expected<Baseline> Campaign::baselineOf(Evaluator &By, const Task &T) {
  const std::string &Key = Identities[T.Id];
  Expected<std::optional<Baseline>> Known = To.baseline(Key);
  if (!Known)
    return Known.takeError();
  if (*Known)
    return **Known;
  auto Public = Values.get(T, Audience::Public);
  if (!Public)
    return Public.takeError();
  Expected<Baseline> Made = By.baseline(T, **Public);
  if (!Made)
    return Made.takeError();
  if (Error E = To.keepBaseline(Key, *Made))
    return E;
  return Made;
}

Expected<Result> Campaign::evaluate(Evaluator &By, const Job &J) {
  Expected<const Task *> T = taskNamed(J.Task);
  if (!T)
    return T.takeError();
  if ((*T)->isForeign())
    return evaluateProject(Opts.Evaluate, **T, J.Source);
  auto Public = Values.get(**T, Audience::Public);
  auto Hidden = Values.get(**T, Audience::Hidden);
  if (!Public)
    return Public.takeError();
  if (!Hidden)
    return Hidden.takeError();
  Expected<Baseline> Against = baselineOf(By, **T);
  if (!Against) {
    // The next run may have more luck; the others are judged now.
    Result R;
    R.Task = J.Task;
    R.Soc = Opts.Evaluate.Soc;
    R.Judged = false;
    R.Problems.push_back(
        {Stage::Time, "",
         toDiagnostic(
             makeError(DiagId::BelayFailed, toString(Against.takeError())))});
    return R;
  }
  Candidate C;
  C.Task = J.Task;
  C.Source = J.Source;
  return By.evaluate(**T, C, **Public, **Hidden, *Against);
}

Expected<Result> Campaign::judge(StringRef TaskId, StringRef Source) {
  Evaluator By(Opts.Evaluate);
  Job J;
  J.Task = TaskId.str();
  J.Source = Source.str();
  return evaluate(By, J);
}

Error Campaign::work(unsigned Worker, Progress &Shared, std::mutex &Reporting) {
  Evaluator By(Opts.Evaluate);
  std::string Name = formatv("{0}.{1}", ::getpid(), Worker).str();
  constexpr unsigned Batch = 8;
  double Lease = Batch * (Opts.Evaluate.Most.TotalSeconds * 2 + 60);
  auto Start = std::chrono::steady_clock::now();
  while (true) {
    Expected<std::vector<Job>> Jobs =
        To.claim(Opts.Experiment, Name, Batch, Lease);
    if (!Jobs)
      return Jobs.takeError();
    if (Jobs->empty())
      return Error::success();
    for (size_t I = 0; I < Jobs->size(); ++I) {
      if (Opts.Stop && *Opts.Stop)
        return To.release(ArrayRef(*Jobs).drop_front(I));
      const Job &J = (*Jobs)[I];
      Expected<Result> R = evaluate(By, J);
      if (!R)
        return R.takeError();
      if (Error E = To.finish(J.Key, *R, Name))
        return E;
      std::lock_guard<std::mutex> Lock(Reporting);
      ++Shared.Done;
      ++Shared.ByVerdict[nameOf(R->verdict()).str()];
      Shared.Seconds = std::chrono::duration<double>(
                           std::chrono::steady_clock::now() - Start)
                           .count();
      if (Opts.OnProgress)
        Opts.OnProgress(Shared);
    }
  }
}

Error Campaign::run(ArrayRef<Candidate> Candidates) {
  std::vector<std::string> Keys;
  for (const Candidate &C : Candidates) {
    Expected<std::string> Key = keyOf(C.Task, C.Source);
    if (!Key)
      return Key.takeError();
    Keys.push_back(std::move(*Key));
  }
  if (Error E = To.releaseDead())
    return E;
  if (Error E = To.enqueue(Opts.Experiment, Candidates, Keys))
    return E;
  Expected<Store::Counts> Before = To.counts(Opts.Experiment);
  if (!Before)
    return Before.takeError();
  Progress Shared;
  Shared.Total = Before->Waiting;
  std::mutex Reporting;
  std::vector<std::thread> Threads;
  std::vector<std::string> Failures;
  for (unsigned I = 0; I < std::max(1u, Opts.Jobs); ++I)
    Threads.emplace_back([&, I] {
      if (Error E = work(I, Shared, Reporting)) {
        std::lock_guard<std::mutex> Lock(Reporting);
        Failures.push_back(toString(std::move(E)));
      }
    });
  for (std::thread &Each : Threads)
    Each.join();
  if (!Failures.empty())
    return createStringError(Failures.front());
  return Error::success();
}
