//===- Views.cpp - What is made of a source, to look at -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "serve/Views.h"
#include "launch/TemplateArguments.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/Subprocess.h"
#include "targets/Target.h"
#include "toolchain/KernelScan.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <sys/random.h>
#include <tuple>

using namespace llvm;
using namespace belay;
using namespace belay::cases;
using namespace belay::serve;
using namespace belay::support;

/// What a page may ask for, and get.
static constexpr size_t MaxSourceBytes = 256 << 10, MaxArgs = 16,
                        MaxTimelines = 8, MaxWaiting = 8;
static constexpr uint32_t MaxBlocks = 64;
static constexpr uint64_t MaxTensorBytes = 64 << 20;
static constexpr size_t MaxAnswerBytes = 4 << 20;
static constexpr uint64_t MaxTimelineBytes = 32 << 20;
static constexpr StringLiteral SourceFile = "kernel.cpp",
                               TimelineFile = "timeline.html";

std::string belay::serve::makeSecret() {
  uint8_t Bytes[16];
  size_t Done = 0;
  while (Done < sizeof(Bytes)) {
    ssize_t Got = ::getrandom(Bytes + Done, sizeof(Bytes) - Done, 0);
    if (Got > 0)
      Done += static_cast<size_t>(Got);
    else if (errno != EINTR)
      report_fatal_error("the system has no random numbers");
  }
  return toHex(Bytes, /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static std::optional<View> parseView(StringRef Name) {
  return StringSwitch<std::optional<View>>(Name)
      .Case("findings", View::Findings)
      .Case("ascendc", View::AscendC)
      .Case("tiles", View::Tiles)
      .Case("core", View::Core)
      .Case("plan", View::Plan)
      .Case("run", View::Run)
      .Default(std::nullopt);
}

/// Whether values are computed, and not those of a file.
static bool isGenerator(StringRef Values) {
  static constexpr StringLiteral Names[] = {
      "zeros", "ones", "value", "normal", "uniform", "randint", "range"};
  auto [Name, Numbers] = Values.split(':');
  return is_contained(Names, Name) && all_of(Numbers, [](char C) {
           return isDigit(C) || StringRef("+-.:e").contains(C);
         });
}

static Expected<ArgSpec> readArg(const json::Object &Object) {
  static constexpr std::pair<StringLiteral, ArgSpec::Role> Roles[] = {
      {"in", ArgSpec::Role::In},
      {"out", ArgSpec::Role::Out},
      {"inout", ArgSpec::Role::InOut},
      {"scalar", ArgSpec::Role::Scalar}};
  for (const auto &[Name, Role] : Roles) {
    std::optional<StringRef> Text = Object.getString(Name);
    if (!Text || Object.size() != 1)
      continue;
    Expected<ArgSpec> Arg = parseArg(Role, *Text);
    if (!Arg)
      return Arg.takeError();
    bool Files = !Arg->Output.empty() || Arg->IsList || !Arg->Tensor ||
                 (Arg->reads() && !isGenerator(Arg->Source));
    if (Files)
      return createStringError("--" + Name + " " + *Text +
                               ": a page names no files and no lists; write "
                               "f32:8=normal:1 for an input and f32:8 for an "
                               "output");
    if (Arg->Tensor->bytes() > MaxTensorBytes)
      return createStringError("--" + Name + " " + *Text +
                               ": more than 64 MiB");
    return Arg;
  }
  return createStringError("an argument is {\"in\": ...}, {\"out\": ...}, "
                           "{\"inout\": ...} or {\"scalar\": ...}");
}

static Error readArgs(const json::Object &From, Case &To) {
  const json::Array *Args = From.getArray("args");
  if (!Args)
    return Error::success();
  if (Args->size() > MaxArgs)
    return createStringError("more than 16 arguments");
  for (const json::Value &Each : *Args) {
    const json::Object *Object = Each.getAsObject();
    Expected<ArgSpec> Arg = readArg(Object ? *Object : json::Object());
    if (!Arg)
      return Arg.takeError();
    To.Args.push_back(std::move(*Arg));
  }
  return Error::success();
}

/// What --kernel names is pasted into C++.
static bool isKernelName(StringRef Name) {
  return Name.size() < 200 &&
         all_of(
             Name,
             [](char C) {
               return isAlnum(C) || StringRef("_:<>,.+-*() ").contains(C);
             });
}

Expected<ViewRequest> belay::serve::parseViewRequest(StringRef Json) {
  Expected<json::Value> Parsed = parseJson(Json);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Object = Parsed->getAsObject();
  std::optional<StringRef> Source, Name;
  if (Object) {
    Source = Object->getString("source");
    Name = Object->getString("view");
  }
  std::optional<View> What = Name ? parseView(*Name) : std::nullopt;
  if (!Source || !What)
    return createStringError("a request has a \"view\" and a \"source\"");
  if (Source->size() > MaxSourceBytes)
    return createStringError("the source has more than 256 KiB");
  ViewRequest Request;
  Request.What = *What;
  Request.Launch.Source = SourceFile.str();
  Request.Launch.Text = Source->str();
  Request.Launch.Kernel = Object->getString("kernel").value_or("").trim().str();
  Request.Launch.Soc = Object->getString("soc").value_or("").str();
  Request.Deny = Object->getBoolean("deny").value_or(false);
  int64_t Blocks = Object->getInteger("blocks").value_or(1);
  if (Blocks < 1 || Blocks > MaxBlocks)
    return createStringError("blocks are 1 to 64");
  Request.Launch.Blocks = static_cast<uint32_t>(Blocks);
  if (!isKernelName(Request.Launch.Kernel))
    return createStringError("that is not the name of a kernel");
  if (!Request.Launch.Soc.empty() && !targets::findSoc(Request.Launch.Soc))
    return createStringError("there is no such SoC; see 'belay targets'");
  if (Error E = readArgs(*Object, Request.Launch))
    return std::move(E);
  return Request;
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// The command that makes a view of the source in its folder.
static std::vector<std::string> commandFor(const ViewRequest &Request,
                                           const ViewSettings &Settings,
                                           bool IsLanguage) {
  const Case &Launch = Request.Launch;
  std::vector<std::string> Args = {Settings.Belay};
  auto Add = [&](std::initializer_list<StringRef> Words) {
    for (StringRef Word : Words)
      Args.push_back(Word.str());
  };
  bool Runs = Request.What == View::Run;
  if (Runs)
    Add({"run", SourceFile, "--sealed", "--check", "--time", "--timeline",
         TimelineFile, "--format", "json", "--time-limit", "10",
         "--compile-time-limit", "30", "--memory-limit", "1G", "--jobs", "2",
         "--blocks", std::to_string(Launch.Blocks)});
  else if (IsLanguage)
    Add({"build", SourceFile, "--time-limit", "30"});
  else
    Add({"check", SourceFile, "--time-limit", "10"});
  if (!Runs && !Settings.NoSandbox)
    Add({"--sandbox"});
  if (Runs && Settings.NoSandbox)
    Add({"--no-sandbox"});
  if (Request.Deny && (Runs || IsLanguage))
    Add({"--deny"});
  if (Request.What == View::Findings)
    Add({"--format", "json"});
  for (auto [What, Form] :
       {std::pair(View::AscendC, "ascendc"),
        std::pair(View::Tiles, "ascend-ir"), std::pair(View::Core, "core-ir"),
        std::pair(View::Plan, "plan")})
    if (Request.What == What)
      Add({"--emit", Form});
  Add({"--soc", Launch.Soc.empty() ? Settings.DefaultSoc : Launch.Soc});
  if (!Launch.Kernel.empty() && (Runs || IsLanguage))
    Add({"--kernel=" + Launch.Kernel});
  if (Runs)
    for (const ArgSpec &Arg : Launch.Args)
      Add({("--" + nameOf(Arg.What) + "=" + Arg.Text).str()});
  return Args;
}

static ProcessResult runIn(StringRef Folder, std::vector<std::string> Args) {
  ProcessSpec Spec;
  Spec.Args = std::move(Args);
  Spec.Env = {"NO_COLOR=1"};
  Spec.WorkingDir = Folder.str();
  Spec.Timeout = std::chrono::seconds(120);
  Spec.CpuTime = std::chrono::seconds(60);
  Spec.MaxCapturedBytes = MaxAnswerBytes;
  return runProcess(std::move(Spec));
}

/// A view that a source does not have.
static StringRef whyNot(View What, bool IsLanguage) {
  if (IsLanguage || What == View::Findings || What == View::Run)
    return "";
  return "This is AscendC already: Belay builds kernels of the kernel language "
         "(belay/kernel.h).";
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

Views::~Views() {
  if (!Folder.empty())
    std::ignore = sys::fs::remove_directories(Folder); // nothing is left to do
}

/// One folder for all, as one name for all: what was made of a text is found
/// again in the cache.
Error Views::writeSource(StringRef Text) {
  if (Folder.empty())
    if (std::error_code EC =
            sys::fs::createUniqueDirectory("belay-serve", Folder))
      return createStringError(EC, "no temporary folder: " + EC.message());
  SmallString<128> Path(Folder);
  sys::path::append(Path, SourceFile);
  return writeFile(Path, toBytes(Text));
}

bool Views::isBusy() const {
  std::lock_guard Guard(Lock);
  return NumRequests >= MaxWaiting;
}

std::string Views::keepTimeline(std::string Page) {
  std::lock_guard Guard(Lock);
  std::string Id = makeSecret();
  Timelines.emplace_back(Id, std::move(Page));
  if (Timelines.size() > MaxTimelines)
    Timelines.pop_front();
  return Id;
}

std::optional<std::string> Views::timeline(StringRef Id) {
  std::lock_guard Guard(Lock);
  for (const auto &[Name, Page] : Timelines)
    if (Name == Id)
      return Page;
  return std::nullopt;
}

Expected<std::string> Views::make(const ViewRequest &Req) {
  ViewRequest Request = Req;
  bool IsLanguage = toolchain::usesKernelLanguage(*Request.Launch.Text);
  json::Object Answer;
  if (StringRef Why = whyNot(Request.What, IsLanguage); !Why.empty()) {
    Answer["out"] = Why;
    Answer["status"] = 0;
    return formatv("{0}", json::Value(std::move(Answer))).str();
  }
  // Without arguments nothing follows; the compiler says what is missing.
  if (IsLanguage && !Request.Launch.Args.empty()) {
    Expected<std::string> Kernel = launch::deduceKernel(Request.Launch);
    if (!Kernel)
      return Kernel.takeError();
    Request.Launch.Kernel = std::move(*Kernel);
  }
  std::lock_guard Guard(AtWork);
  if (Error E = writeSource(*Request.Launch.Text))
    return std::move(E);
  ProcessResult Result =
      runIn(Folder, commandFor(Request, Settings, IsLanguage));
  if (Result.How != ProcessResult::Status::Exited)
    return createStringError("belay " + Result.describe());
  Answer["status"] = Result.Code;
  Answer["seconds"] = Result.WallSeconds;
  Answer["kernel"] = json::fixUTF8(Request.Launch.Kernel);
  Answer["err"] = json::fixUTF8(Result.Err);
  Expected<json::Value> Report = parseJson(Result.Out);
  bool HasReport = Request.What == View::Findings || Request.What == View::Run;
  if (Report && HasReport)
    Answer["report"] = std::move(*Report);
  else
    Answer["out"] = json::fixUTF8(Result.Out);
  if (!Report)
    consumeError(Report.takeError());
  if (Request.What == View::Run) {
    SmallString<128> Path(Folder);
    sys::path::append(Path, TimelineFile);
    if (Expected<std::string> Page = readFile(Path, MaxTimelineBytes))
      Answer["timeline"] = keepTimeline(std::move(*Page));
    else // a launch that failed has none
      consumeError(Page.takeError());
    std::ignore = sys::fs::remove(Path); // there may be none
  }
  return formatv("{0}", json::Value(std::move(Answer))).str();
}

std::string Views::answer(StringRef Json) {
  {
    std::lock_guard Guard(Lock);
    ++NumRequests;
  }
  llvm::scope_exit Done([this] {
    std::lock_guard Guard(Lock);
    --NumRequests;
  });
  Expected<ViewRequest> Request = parseViewRequest(Json);
  Expected<std::string> Made =
      Request ? make(*Request) : Expected<std::string>(Request.takeError());
  if (Made)
    return std::move(*Made);
  return formatv("{0}",
                 json::Value(json::Object{
                     {"problem", json::fixUTF8(toString(Made.takeError()))}}))
      .str();
}
