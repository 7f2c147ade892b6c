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
#include "llvm/Support/raw_ostream.h"
#include <tuple>

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;

/// Generated sources are a few kilobytes.
static constexpr uint64_t MaxSource = 1 << 20;

/// A candidate's folder for a task of a foreign set is [MODEL/]TASK; nothing if
/// \p Place is none.
static std::optional<Candidate>
placeOfForeign(StringRef Place,
               const std::map<StringRef, const Task *> &Known) {
  // Its end is the task.
  auto At = find_if(Known, [&](const auto &Each) {
    StringRef Model = Place;
    return Model.consume_back(Each.first) &&
           (Model.empty() || Model.ends_with("/"));
  });
  if (At == Known.end())
    return std::nullopt;
  Candidate C;
  C.Model = Place.drop_back(At->first.size()).rtrim('/').str();
  C.Task = At->first.str();
  return C;
}

/// [MODEL/]TASK/SAMPLE.txt, .json or .py, as the set's own tools write them.
static Error readForeignFiles(StringRef Folder, ArrayRef<Task> Tasks,
                              std::vector<Candidate> &Candidates) {
  std::map<StringRef, const Task *> Known;
  for (const Task &T : Tasks)
    if (T.TakesFiles)
      Known[T.Id] = &T;
  std::vector<std::string> Paths;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator
           At(Folder, EC, /*follow_symlinks=*/false),
       End;
       At != End && !EC && !Known.empty(); At.increment(EC))
    if (At->type() == sys::fs::file_type::regular_file &&
        is_contained({".txt", ".json", ".py"},
                     sys::path::extension(At->path())))
      Paths.push_back(At->path());
  if (EC)
    return createStringError(EC, Folder + ": " + EC.message());
  llvm::sort(Paths);
  for (const std::string &Path : Paths) {
    std::optional<Candidate> C = placeOfForeign(
        sys::path::parent_path(
            StringRef(Path).drop_front(Folder.size()).ltrim('/')),
        Known);
    if (!C)
      continue;
    if (Error E = readFile(Path, MaxSource).moveInto(C->Source))
      return E;
    C->Sample = sys::path::filename(Path).str();
    C->Path = Path;
    Candidates.push_back(std::move(*C));
  }
  return Error::success();
}

/// [MODEL/]TASK/SAMPLE/op_kernel/...
static Error readProjects(StringRef Folder, ArrayRef<Task> Tasks,
                          std::vector<Candidate> &Candidates) {
  std::map<StringRef, const Task *> Known;
  for (const Task &T : Tasks)
    if (T.isForeign() && !T.TakesFiles)
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
    std::optional<Candidate> C = placeOfForeign(
        sys::path::parent_path(
            StringRef(Path).drop_front(Folder.size()).ltrim('/')),
        Known);
    if (!C)
      continue;
    Expected<ProjectFiles> Files = readProject(Path);
    if (!Files)
      return Files.takeError();
    C->Sample = sys::path::filename(Path).str();
    C->Path = Path;
    C->Source = packProject(*Files);
    Candidates.push_back(std::move(*C));
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
  if (Error E = readForeignFiles(Folder, Tasks, Candidates))
    return std::move(E);
  // Candidates of one task together, so that its values are read once.
  llvm::sort(Candidates, [](const Candidate &A, const Candidate &B) {
    return std::tie(A.Task, A.Path) < std::tie(B.Task, B.Path);
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

Campaign::Campaign(Store &To, Options Wanted, ValueCache Values,
                   std::string Harness)
    : To(To), Opts(std::move(Wanted)), Values(std::move(Values)),
      Harness(std::move(Harness)) {
  Opts.Jobs = std::max(1U, Opts.Jobs);
  Helped.Harness = this->Harness;
  for (unsigned I = 0; I < Opts.Jobs; ++I)
    Evaluators.push_back(std::make_unique<Evaluator>(Opts.Evaluate));
}

Expected<std::unique_ptr<Campaign>>
Campaign::create(Store &To, std::vector<Task> All, Options Opts) {
  if (Opts.Evaluate.Sandbox)
    if (Error E = refuseUnconfined())
      return E;
  Expected<std::string> Secret = To.secret();
  if (!Secret)
    return Secret.takeError();
  Expected<ValueCache> Values = ValueCache::create(*Secret);
  if (!Values)
    return Values.takeError();
  Expected<std::string> Harness = harnessIdentity(Opts.Evaluate);
  if (!Harness)
    return Harness.takeError();
  std::unique_ptr<Campaign> Result(
      new Campaign(To, std::move(Opts), std::move(*Values), *Harness));
  for (Task &T : All)
    if (T.runsOn(Result->Opts.Evaluate.Soc))
      Result->Tasks[T.Id] = std::move(T);
  return Result;
}

Error Campaign::nameTask(const Task &T) {
  std::shared_ptr<const TaskValues> Public, Hidden;
  if (!T.isForeign()) {
    if (Error E = Values.get(T, Audience::Public).moveInto(Public))
      return E;
    if (Error E = Values.get(T, Audience::Hidden).moveInto(Hidden))
      return E;
    if (Public->cases().empty() || Hidden->cases().empty())
      return createStringError(T.Id + " has no cases");
  }
  Expected<std::string> Name =
      taskIdentity(Harness, T, Public.get(), Hidden.get());
  if (!Name)
    return Name.takeError();
  std::lock_guard<std::mutex> Lock(Guard);
  Identities[T.Id] = std::move(*Name);
  return Error::success();
}

Error Campaign::prepare(ArrayRef<std::string> TaskIds) {
  std::vector<Task> Ours;
  std::set<std::string> Fresh;
  for (const std::string &Id : TaskIds) {
    Expected<const Task *> T = taskNamed(Id);
    if (!T)
      return T.takeError();
    std::lock_guard<std::mutex> Lock(Guard);
    if (Identities.count(Id) || !Fresh.insert(Id).second)
      continue;
    if (!(*T)->isForeign())
      Ours.push_back(**T);
  }
  if (Error E = Values.prepare(Ours, {Audience::Public, Audience::Hidden}))
    return E;
  for (const std::string &Id : Fresh)
    if (Error E = nameTask(Tasks.at(Id)))
      return E;
  return Error::success();
}

Expected<const Task *> Campaign::taskNamed(StringRef Id) const {
  auto At = Tasks.find(Id.str());
  if (At == Tasks.end())
    return createStringError("there is no task '" + Id + "' for " +
                             Opts.Evaluate.Soc);
  return &At->second;
}

Expected<std::string> Campaign::identityOf(StringRef TaskId) const {
  std::lock_guard<std::mutex> Lock(Guard);
  auto At = Identities.find(TaskId.str());
  if (At == Identities.end())
    return createStringError("there is no task '" + TaskId + "' for " +
                             Opts.Evaluate.Soc);
  return At->second;
}

Expected<std::string> Campaign::keyOf(StringRef TaskId,
                                      StringRef Source) const {
  Expected<std::string> Identity = identityOf(TaskId);
  if (!Identity)
    return Identity.takeError();
  return bench::keyOf(*Identity, Source);
}

Expected<Baseline> Campaign::baselineOf(Evaluator &By, const Task &T) {
  Expected<std::string> Key = identityOf(T.Id);
  if (!Key)
    return Key.takeError();
  Expected<std::optional<Baseline>> Known = To.baseline(*Key);
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
  if (Error E = To.keepBaseline(*Key, *Made))
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
  if (Error E = prepare(TaskId.str()))
    return E;
  Evaluator By(Opts.Evaluate);
  Job J;
  J.Task = TaskId.str();
  J.Source = Source.str();
  return evaluate(By, J);
}

Expected<std::string> Campaign::recordFor(unsigned Thread, StringRef TaskId,
                                          StringRef Source) {
  Job J;
  J.Task = TaskId.str();
  J.Source = Source.str();
  if (Error E = keyOf(TaskId, Source).moveInto(J.Key))
    return E;
  Expected<std::string> Known = To.record(J.Key);
  if (!Known || !Known->empty())
    return Known;
  Expected<Result> R = evaluate(*Evaluators[Thread], J);
  if (!R)
    return R.takeError();
  // What was not judged says nothing, and may be asked for again.
  if (R->verdict() != Verdict::Unjudged)
    if (Error E = To.finish(Finished{J.Key, *R}, "service").takeError())
      return E;
  return recordOf(*R);
}

Workers::Options Campaign::workersFor(Progress &Shared) {
  Workers::Options By;
  By.Threads = Opts.Jobs;
  By.LeaseSeconds = Opts.LeaseSeconds;
  By.Stop = Opts.Stop;
  By.Judge = [this](unsigned Thread, const Job &J) {
    return evaluate(*Evaluators[Thread], J);
  };
  auto Start = std::chrono::steady_clock::now();
  By.OnResults = [this, &Shared, Start](ArrayRef<Finished> Results) {
    Shared.Done += Results.size();
    for (const Finished &Each : Results)
      ++Shared.ByVerdict[nameOf(Each.What.verdict()).str()];
    Shared.Seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
            .count();
    if (Opts.OnProgress)
      Opts.OnProgress(Shared);
  };
  return By;
}

Error Campaign::submit(ArrayRef<Candidate> Candidates) {
  std::vector<std::string> Keys;
  for (const Candidate &C : Candidates)
    Keys.push_back(C.Task);
  if (Error E = prepare(Keys))
    return E;
  for (const auto &[C, Key] : zip_equal(Candidates, Keys))
    if (Error E = keyOf(C.Task, C.Source).moveInto(Key))
      return E;
  if (Error E = To.releaseDead())
    return E;
  if (Error E = To.keepSpec(Harness, specOf(Opts.Evaluate)))
    return E;
  return To.enqueue(Opts.Experiment, Harness, Candidates, Keys);
}

Error Campaign::run(ArrayRef<Candidate> Candidates) {
  if (Error E = submit(Candidates))
    return E;
  Choice Ours{Harness, Opts.Experiment, {}};
  Progress Shared;
  if (Error E = To.waiting(Ours).moveInto(Shared.Total))
    return E;
  Workers By(To, workersFor(Shared));
  while (true) {
    if (Error E = By.drain(Ours, [](ArrayRef<Job> Jobs) {
          return std::vector<bool>(Jobs.size(), true);
        }))
      return E;
    uint64_t Left = 0;
    if (To.isShared())
      if (Error E = To.waiting(Ours).moveInto(Left))
        return E;
    if (Left == 0 || (Opts.Stop && *Opts.Stop))
      return Error::success();
    // Others have them. If they die, their leases end.
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

Expected<std::vector<bool>> Campaign::admit(ArrayRef<Job> Jobs) {
  std::vector<std::string> Ids;
  for (const Job &J : Jobs)
    if (Tasks.count(J.Task))
      Ids.push_back(J.Task);
  if (Error E = prepare(Ids))
    return E;
  std::vector<bool> Admitted;
  for (const Job &J : Jobs) {
    Expected<std::string> Key = keyOf(J.Task, J.Source);
    bool IsSame = Key && *Key == J.Key;
    if (!Key)
      consumeError(Key.takeError());
    Admitted.push_back(IsSame);
    if (IsSame || is_contained(Helped.Except, J.Task))
      continue;
    // A result of other values under this key would be a wrong one.
    errs() << "belay: warning: jobs of " << J.Task
           << " are left to others: this machine does not have the task, or "
              "computes other values for it\n";
    Helped.Except.push_back(J.Task);
  }
  return Admitted;
}

Error Campaign::help() {
  Workers By(To, workersFor(HelpedSoFar));
  return By.drain(Helped, [&](ArrayRef<Job> Jobs) { return admit(Jobs); });
}
