//===- BenchTasks.cpp - belay bench tasks, show, lint, answers ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BenchRequest.h"

#include "bench/ForeignSet.h"
#include "bench/Lint.h"
#include "support/Files.h"
#include "support/Resources.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::bench;
using namespace belay::support;
using namespace belay::tool;
using namespace llvm;

Expected<std::vector<Task>> belay::tool::tasksOf(const BenchRequest &Wanted) {
  std::string Root =
      Wanted.TaskFolder.empty() ? getSharePath("tasks") : Wanted.TaskFolder;
  std::vector<std::string> Patterns;
  std::vector<Task> Foreign;
  for (const std::string &Pattern : Wanted.Patterns) {
    std::optional<ForeignSet> Set = ForeignSet::parse(Pattern);
    if (!Set) {
      Patterns.push_back(Pattern);
      continue;
    }
    Expected<std::vector<Task>> Tasks = Set->tasks();
    if (!Tasks)
      return Tasks.takeError();
    append_range(Foreign, *Tasks);
  }
  if (!Foreign.empty())
    return chooseTasks(std::move(Foreign), Patterns);
  Expected<std::vector<Task>> All = readTasks(Root);
  if (!All)
    return All.takeError();
  return chooseTasks(std::move(*All), Patterns);
}

int belay::tool::listTasks(const BenchRequest &Wanted) {
  Expected<std::vector<Task>> Tasks = tasksOf(Wanted);
  if (!Tasks)
    return reportError(Tasks.takeError());
  for (const Task &T : *Tasks)
    outs() << formatv("{0,-52} {1}\n", T.Id, T.Summary);
  return ExitSuccess;
}

int belay::tool::showTasks(const BenchRequest &Wanted) {
  Expected<std::vector<Task>> Tasks = tasksOf(Wanted);
  if (!Tasks)
    return reportError(Tasks.takeError());
  Evaluator By(Wanted.Evaluate);
  for (const Task &T : *Tasks) {
    if (T.isForeign()) {
      outs() << T.Id << "\n  " << T.Summary << "\n  ";
      if (T.TakesFiles)
        outs() << "a file that the set's own tools take: docs/bench.md\n";
      else
        outs() << "an operator project: op_host/*.cpp, op_kernel/" << T.Instance
               << ".cpp\n";
      continue;
    }
    Expected<const launch::LanguageKernel *> Answer = By.answer(T);
    if (!Answer)
      return reportError(Answer.takeError());
    StringRef Code = (*Answer)->Code;
    size_t At = Code.find("extern \"C\" __global__");
    StringRef Entry = Code.substr(At, Code.find(')', At) + 1 - At);
    outs() << T.Id << "\n  " << T.Summary
           << "\n  arguments: " << join(T.Arguments, ", ")
           << "\n  in the kernel language: " << T.Signature << ", as "
           << T.Instance << "\n  in AscendC: " << Entry << "\n";
  }
  return ExitSuccess;
}

int belay::tool::lintTasks(const Command &Self, const BenchRequest &Wanted) {
  Expected<std::vector<Task>> Tasks = tasksOf(Wanted);
  if (!Tasks)
    return reportError(Tasks.takeError());
  if (any_of(*Tasks, [](const Task &T) { return T.isForeign(); }))
    return usageError(Self, "'lint' knows Belay's own tasks only");
  // Only what everyone can know is looked at: no secret is needed.
  Expected<ValueCache> Values = ValueCache::create("");
  if (!Values)
    return reportError(Values.takeError());
  if (Error E = Values->prepare(*Tasks, {Audience::Public}))
    return reportError(std::move(E));
  Expected<std::vector<Objection>> Objections = lint(*Tasks, *Values);
  if (!Objections)
    return reportError(Objections.takeError());
  for (const Objection &Each : *Objections)
    outs() << Each.Task << ": " << Each.Why << "\n";
  outs() << Tasks->size() - Objections->size() << " of " << Tasks->size()
         << " tasks pass\n";
  return Objections->empty() ? ExitSuccess : ExitFailure;
}

/// The code names lines of the kernel's source, which lies elsewhere on other
/// machines: its path is that in the library then.
static std::string withoutMachine(StringRef Code, const Task &T) {
  SmallString<128> Root(T.Root);
  sys::path::remove_filename(Root); // kernels/ is beside tasks/
  std::string Text;
  while (true) {
    auto [Before, After] = Code.split(Root);
    Text += Before;
    if (Before.size() == Code.size())
      return Text;
    Code = After.ltrim('/');
  }
}

int belay::tool::writeAnswers(const Command &Self, const BenchRequest &Wanted) {
  if (Wanted.Out.empty())
    return usageError(Self, "'answers' needs -o DIR");
  Expected<std::vector<Task>> Tasks = tasksOf(Wanted);
  if (!Tasks)
    return reportError(Tasks.takeError());
  Evaluator By(Wanted.Evaluate);
  unsigned Written = 0;
  for (const Task &T : *Tasks) {
    if (!T.runsOn(Wanted.Evaluate.Soc))
      continue;
    std::string Text;
    if (T.TakesFiles) // such sets have none
      continue;
    if (T.isForeign()) {
      Expected<ProjectFiles> Files = readProject(T.Answer);
      if (!Files)
        return reportError(Files.takeError());
      if (Error E = writeProject(*Files, Wanted.Out + "/" + T.Id + "/answer"))
        return reportError(std::move(E));
      ++Written;
      continue;
    }
    if (Wanted.Format == "language") {
      Expected<std::string> Source = readFile(T.Answer, 1 << 20);
      if (!Source)
        return reportError(Source.takeError());
      Text = std::move(*Source);
    } else {
      Expected<const launch::LanguageKernel *> Answer = By.answer(T);
      if (!Answer)
        return reportError(Answer.takeError());
      Text = withoutMachine((*Answer)->Code, T);
    }
    std::string Folder = Wanted.Out + "/" + T.Id;
    if (std::error_code EC = sys::fs::create_directories(Folder))
      return reportError(createStringError(EC, Folder + ": " + EC.message()));
    if (Error E = writeFile(Folder + "/answer.cpp", toBytes(Text)))
      return reportError(std::move(E));
    ++Written;
  }
  outs() << Written << " answers\n";
  return ExitSuccess;
}
