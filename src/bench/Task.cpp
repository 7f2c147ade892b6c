//===- Task.cpp - What candidates have to compute -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Task.h"
#include "bench/Digest.h"
#include "support/Files.h"
#include "support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;

static constexpr uint64_t MaxTaskBytes = 4 << 20;
static constexpr int64_t TaskSchema = 1;

bool Task::runsOn(StringRef Soc) const {
  return isForeign() || is_contained(Socs, Soc);
}

static std::vector<std::string> strings(const json::Array *Array) {
  std::vector<std::string> Result;
  if (Array)
    for (const json::Value &Each : *Array)
      Result.push_back(Each.getAsString().value_or("").str());
  return Result;
}

static Error readTask(StringRef Root, StringRef Path,
                      std::vector<Task> &Tasks) {
  auto Bad = [&](const Twine &Why) {
    return createStringError(Path + ": " + Why);
  };
  Expected<std::string> Text = readFile(Path, MaxTaskBytes);
  if (!Text)
    return Text.takeError();
  Expected<json::Value> Root_ = parseJson(*Text);
  if (!Root_)
    return Bad(toString(Root_.takeError()));
  const json::Object *Object = Root_->getAsObject();
  if (!Object || Object->getInteger("schema") != TaskSchema)
    return Bad("not a task of schema " + Twine(TaskSchema));
  StringRef Folder = sys::path::parent_path(Path);
  Digest Definition;
  Definition.add(*Text);
  SmallString<128> Own(Folder);
  sys::path::append(Own, "reference.py");
  if (sys::fs::exists(Own)) {
    Expected<std::string> Reference = readFile(Own, MaxTaskBytes);
    if (!Reference)
      return Reference.takeError();
    Definition.add(*Reference);
  }
  std::string DefinedBy = Definition.str();
  StringRef Relative = Folder.drop_front(Root.size()).ltrim('/');
  auto Member = [&](StringRef Key) {
    return Object->getString(Key).value_or("").str();
  };
  const json::Object *Variants = Object->getObject("variants");
  if (!Variants || Variants->empty())
    return Bad("it has no variants");
  for (const auto &[Name, Value] : *Variants) {
    const json::Object *Variant = Value.getAsObject();
    Task &T = Tasks.emplace_back();
    T.Id = (Relative + "/" + Name.str()).str();
    T.Level = Object->getInteger("level").value_or(0);
    T.Category = Member("category");
    T.Name = sys::path::filename(Folder).str();
    T.Variant = Name.str();
    T.Summary = Member("summary");
    T.Signature = Member("signature");
    T.Root = Root.str();
    T.DefinedBy = DefinedBy;
    if (!Variant || T.Level == 0)
      return Bad("variant '" + T.Variant + "' cannot be read");
    T.Instance = Variant->getString("instance").value_or("").str();
    T.Arguments = strings(Variant->getArray("arguments"));
    T.Socs = strings(Variant->getArray("socs"));
    // The library lies beside the tasks, in a checkout as in an installation.
    SmallString<128> Answer(sys::path::parent_path(Root));
    sys::path::append(Answer, Member("answer"));
    T.Answer = Answer.str().str();
  }
  return Error::success();
}

Expected<std::vector<Task>> belay::bench::readTasks(StringRef Wanted) {
  SmallString<128> Root;
  if (std::error_code EC = sys::fs::real_path(Wanted, Root))
    return createStringError(EC, Wanted + ": " + EC.message());
  std::vector<Task> Tasks;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator At(Root, EC), End;
       At != End && !EC; At.increment(EC))
    if (sys::path::filename(At->path()) == "task.json")
      if (Error E = readTask(Root, At->path(), Tasks))
        return std::move(E);
  if (EC)
    return createStringError(EC, Root + ": " + EC.message());
  if (Tasks.empty())
    return createStringError(Root + ": there is no task.json below it");
  llvm::sort(Tasks, [](const Task &A, const Task &B) { return A.Id < B.Id; });
  return Tasks;
}

Expected<std::vector<Task>>
belay::bench::chooseTasks(std::vector<Task> All,
                          ArrayRef<std::string> Patterns) {
  if (Patterns.empty())
    return All;
  std::vector<bool> Chosen(All.size());
  for (StringRef Text : Patterns) {
    Expected<GlobPattern> Glob = GlobPattern::create(Text.rtrim('/'));
    if (!Glob)
      return Glob.takeError();
    bool Any = false;
    for (const auto &[Index, T] : enumerate(All)) {
      StringRef WithLevel = T.Id, Without = WithLevel.split('/').second;
      bool Named = false;
      for (StringRef Id : {WithLevel, Without})
        for (StringRef Part = Id; !Part.empty() && !Named;
             Part = Part.contains('/') ? Part.rsplit('/').first : "")
          Named = Glob->match(Part);
      if (Named)
        Chosen[Index] = Any = true;
    }
    if (!Any)
      return createStringError("no task is named '" + Text +
                               "'; 'belay bench tasks' lists them");
  }
  std::vector<Task> Result;
  for (const auto &[Index, T] : enumerate(All))
    if (Chosen[Index])
      Result.push_back(std::move(T));
  return Result;
}
