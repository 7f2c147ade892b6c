//===- ForeignSet.cpp - Tasks of other benchmarks -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/ForeignSet.h"
#include "bench/Digest.h"
#include "bench/Values.h"
#include "cases/CaseFile.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/Resources.h"
#include "support/Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;

static constexpr StringLiteral ResultsMark = "@RESULTS@";
static constexpr uint64_t MaxCaseFile = 64 << 20;
static constexpr uint64_t MaxProjectBytes = 8 << 20;
static constexpr size_t MaxProjectFiles = 500;

//===----------------------------------------------------------------------===//
// The adapter
//===----------------------------------------------------------------------===//

static Expected<std::string> ask(StringRef Set, StringRef Checkout,
                                 std::vector<std::string> Words) {
  const char *Python = std::getenv("BELAY_PYTHON");
  ProcessSpec Spec;
  Spec.Args = {Python ? Python : "/usr/bin/python3",
               getSharePath("tasks") + "/foreign/adapter.py", Set.str(),
               Checkout.str()};
  append_range(Spec.Args, Words);
  Spec.Env = {"PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1"};
  ProcessResult Result = runProcess(Spec);
  if (Result.succeeded())
    return std::move(Result.Out);
  return createStringError(
      formatv("the adapter of {0} failed: {1}\n{2}", Set, Result.describe(),
              StringRef(Result.Err).trim().take_back(2000)));
}

std::optional<ForeignSet> ForeignSet::parse(StringRef Text) {
  auto [Name, Path] = Text.split(':');
  if (Path.empty() || Name.empty() || Name.contains('/') ||
      !sys::fs::exists(getSharePath("tasks") + "/foreign/" + Name.str() +
                       "/tasks.py"))
    return std::nullopt;
  return ForeignSet{Name.str(), Path.str()};
}

static std::vector<std::string> strings(const json::Array *Array) {
  std::vector<std::string> Result;
  if (Array)
    for (const json::Value &Each : *Array)
      Result.push_back(Each.getAsString().value_or("").str());
  return Result;
}

Expected<std::vector<Task>> ForeignSet::tasks() const {
  SmallString<128> Full;
  if (std::error_code EC = sys::fs::real_path(Checkout, Full))
    return createStringError(EC, Checkout + ": " + EC.message());
  Expected<std::string> Said = ask(Name, Full, {"tasks"});
  if (!Said)
    return Said.takeError();
  Expected<json::Value> Parsed = parseJson(*Said);
  if (!Parsed)
    return Parsed.takeError();
  std::vector<Task> Tasks;
  const json::Array *All = Parsed->getAsArray();
  for (const json::Value &Each : All ? *All : json::Array()) {
    const json::Object *Object = Each.getAsObject();
    if (!Object)
      return createStringError("the adapter of " + Name + " says nonsense");
    auto Member = [&](StringRef Key) {
      return Object->getString(Key).value_or("").str();
    };
    Task &T = Tasks.emplace_back();
    T.Set = Name;
    T.Checkout = Full.str().str();
    T.IdInSet = Member("id");
    T.Id = Name + "/" + T.IdInSet;
    T.Level = Object->getInteger("level").value_or(0);
    T.Category = Member("category");
    T.Name = Member("name");
    T.Summary = Member("summary");
    T.Answer = Member("answer");
    T.Instance = Member("kernel");
    T.DefinedBy = Member("digest");
    T.Includes = strings(Object->getArray("includes"));
    T.Defines = strings(Object->getArray("defines"));
    T.TakesFiles = Object->getBoolean("files").value_or(false);
  }
  if (Tasks.empty())
    return createStringError(Checkout + " has no tasks of " + Name);
  llvm::sort(Tasks, [](const Task &A, const Task &B) { return A.Id < B.Id; });
  return Tasks;
}

Expected<std::string> belay::bench::prepareCases(const Task &T,
                                                 uint64_t Largest) {
  Expected<std::string> Root = ValueCache::folder();
  if (!Root)
    return Root.takeError();
  std::string Folder =
      *Root + "/" +
      Digest().add(T.Id).add(T.DefinedBy).add(T.Checkout).add(Largest).str();
  if (sys::fs::exists(Folder + "/cases.json"))
    return Folder;
  if (std::error_code EC = sys::fs::create_directories(
          Folder, /*IgnoreExisting=*/true, sys::fs::perms::owner_all))
    return createStringError(EC, Folder + ": " + EC.message());
  Expected<std::string> Said = ask(
      T.Set, T.Checkout, {"cases", T.IdInSet, Folder, std::to_string(Largest)});
  if (!Said)
    return Said.takeError();
  return Folder;
}

/// The inputs that are asked for, and all outputs.
static json::Array choose(const json::Array &Args, ArrayRef<uint64_t> Inputs) {
  json::Array Chosen;
  std::vector<const json::Value *> In;
  for (const json::Value &Each : Args)
    if (const json::Object *Object = Each.getAsObject();
        Object && Object->get("in"))
      In.push_back(&Each);
  for (uint64_t Index : Inputs)
    if (Index < In.size())
      Chosen.push_back(*In[Index]);
  for (const json::Value &Each : Args)
    if (!is_contained(In, &Each))
      Chosen.push_back(Each);
  return Chosen;
}

/// Case files as a project wants to be called.
static Expected<std::string> adapted(std::string Text,
                                     const ForeignProject &How) {
  if (How.Op.empty())
    return std::move(Text);
  Expected<json::Value> Parsed = parseJson(Text);
  if (!Parsed)
    return Parsed.takeError();
  json::Object *File = Parsed->getAsObject();
  json::Array *All = File ? File->getArray("cases") : nullptr;
  if (!All)
    return createStringError("the adapter's cases are none");
  (*File)["op"] = How.Op;
  for (json::Value &Each : *All)
    if (json::Object *Case = Each.getAsObject())
      if (const json::Array *Args = Case->getArray("args")) {
        (*Case)["args"] = choose(*Args, How.Inputs);
        (*Case)["attrs"] = json::Object(How.Attrs);
      }
  return formatv("{0}", *Parsed).str();
}

Expected<std::vector<cases::Case>>
belay::bench::readCases(StringRef Folder, StringRef Results,
                        const ForeignProject &How) {
  Expected<std::string> Text =
      readFile((Folder + "/cases.json").str(), MaxCaseFile);
  if (!Text)
    return Text.takeError();
  if (Error E = adapted(std::move(*Text), How).moveInto(Text))
    return E;
  std::string Filled;
  for (StringRef Rest = *Text; !Rest.empty();) {
    auto [Before, After] = Rest.split(ResultsMark);
    Filled += Before;
    if (Before.size() != Rest.size())
      Filled += Results;
    Rest = After;
  }
  return cases::parseCases(Filled, Folder);
}

Expected<std::vector<ForeignVerdict>>
belay::bench::judgeForeign(const Task &T, StringRef Cases, StringRef Results,
                           uint64_t Largest) {
  Expected<std::string> Said = ask(T.Set, T.Checkout,
                                   {"judge", T.IdInSet, Cases.str(),
                                    std::to_string(Largest), Results.str()});
  if (!Said)
    return Said.takeError();
  Expected<json::Value> Parsed = parseJson(*Said);
  if (!Parsed)
    return Parsed.takeError();
  std::vector<ForeignVerdict> Verdicts;
  const json::Array *All = Parsed->getAsArray();
  for (const json::Value &Each : All ? *All : json::Array()) {
    const json::Object *Object = Each.getAsObject();
    if (!Object)
      return createStringError("the adapter of " + T.Set + " says nonsense");
    Verdicts.push_back({Object->getBoolean("right").value_or(false),
                        Object->getString("why").value_or("").str()});
  }
  return Verdicts;
}

//===----------------------------------------------------------------------===//
// Operator projects
//===----------------------------------------------------------------------===//

/// A path that stays in the folder that it is taken from.
static bool isInside(StringRef Path) {
  SmallVector<StringRef, 8> Parts;
  Path.split(Parts, '/');
  return none_of(Parts, [](StringRef Part) {
    return Part.empty() || Part == "." || Part == ".." || Part.contains('\0');
  });
}

Expected<ProjectFiles> belay::bench::readProject(StringRef Folder) {
  ProjectFiles Files;
  uint64_t Bytes = 0;
  for (StringRef Part : {"op_host", "op_kernel"}) {
    SmallString<128> Root(Folder);
    sys::path::append(Root, Part);
    std::error_code EC;
    for (sys::fs::recursive_directory_iterator
             At(Root, EC, /*follow_symlinks=*/false),
         End;
         At != End && !EC; At.increment(EC)) {
      if (At->type() != sys::fs::file_type::regular_file)
        continue;
      Expected<std::string> Text = readFile(At->path(), MaxProjectBytes);
      if (!Text)
        return Text.takeError();
      Bytes += Text->size();
      if (Bytes > MaxProjectBytes || Files.size() == MaxProjectFiles)
        return createStringError(Folder + " is too large for an operator");
      StringRef Name = StringRef(At->path()).drop_front(Folder.size());
      Files[Name.ltrim('/').str()] = std::move(*Text);
    }
    if (EC)
      return createStringError(EC, Root + ": " + EC.message());
  }
  return Files;
}

std::string belay::bench::packProject(const ProjectFiles &Files) {
  json::Object All;
  for (const auto &[Path, Text] : Files)
    All[json::fixUTF8(Path)] = json::fixUTF8(Text);
  return formatv("{0}", json::Value(json::Object{{"project", 1},
                                                 {"files", std::move(All)}}))
      .str();
}

Expected<ProjectFiles> belay::bench::unpackProject(StringRef Packed) {
  Expected<json::Value> Parsed = parseJson(Packed);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Object = Parsed->getAsObject();
  const json::Object *All = Object ? Object->getObject("files") : nullptr;
  if (!All)
    return createStringError("not an operator project");
  ProjectFiles Files;
  for (const auto &[Path, Text] : *All) {
    if (!isInside(Path))
      return createStringError("'" + Path.str() + "' is outside of a project");
    Files[Path.str()] = Text.getAsString().value_or("").str();
  }
  return Files;
}

static Expected<ForeignProject> parseProject(StringRef Said) {
  Expected<json::Value> Parsed = parseJson(Said);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Object = Parsed->getAsObject();
  if (!Object)
    return createStringError("the adapter says nonsense");
  ForeignProject Result;
  Result.Refused = Object->getString("refused").value_or("").str();
  if (!Result.Refused.empty())
    return Result;
  Result.Kernel = Object->getString("kernel").value_or("").str();
  Result.Op = Object->getString("op").value_or("").str();
  if (const json::Object *Attrs = Object->getObject("attrs"))
    Result.Attrs = *Attrs;
  for (const json::Value &Each :
       Object->getArray("inputs") ? *Object->getArray("inputs") : json::Array())
    Result.Inputs.push_back(Each.getAsUINT64().value_or(0));
  Result.Includes = strings(Object->getArray("includes"));
  const json::Object *Files = Object->getObject("files");
  for (const auto &[Path, Text] : Files ? *Files : json::Object()) {
    if (!isInside(Path))
      return createStringError("'" + Path.str() + "' is outside of a project");
    Result.Files[Path.str()] = Text.getAsString().value_or("").str();
  }
  return Result;
}

Expected<ForeignProject>
belay::bench::readCandidate(const Task &T, StringRef Source, StringRef Cases,
                            StringRef Scratch, uint64_t Largest) {
  if (!T.TakesFiles) {
    ForeignProject Result;
    Result.Kernel = T.Instance;
    if (Error E = unpackProject(Source).moveInto(Result.Files))
      return E;
    return Result;
  }
  std::string Path = (Scratch + "/candidate").str();
  if (Error E = writeFile(Path, toBytes(Source)))
    return E;
  Expected<std::string> Said =
      ask(T.Set, T.Checkout,
          {"project", T.IdInSet, Cases.str(), std::to_string(Largest), Path});
  if (!Said)
    return Said.takeError();
  return parseProject(*Said);
}

Error belay::bench::writeProject(const ProjectFiles &Files, StringRef Folder) {
  for (const auto &[Path, Text] : Files) {
    SmallString<128> Full(Folder);
    sys::path::append(Full, Path);
    if (std::error_code EC =
            sys::fs::create_directories(sys::path::parent_path(Full)))
      return createStringError(EC, Full + ": " + EC.message());
    if (Error E = writeFile(Full.str().str(), toBytes(Text)))
      return E;
  }
  return Error::success();
}
