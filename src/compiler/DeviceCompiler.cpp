//===- DeviceCompiler.cpp - From a source to a device binary --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/DeviceCompiler.h"
#include "cache/Dependencies.h"
#include "cache/Fingerprint.h"
#include "compiler/BuiltRecord.h"
#include "compiler/IncludeScan.h"
#include "compiler/RunPlan.h"
#include "support/DiagnosticError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <set>
#include <sys/stat.h>

using namespace llvm;
using namespace belay;
using namespace belay::compiler;
using namespace belay::support;
using belay::cache::ContentCache;
using belay::cache::Fingerprint;

StringRef belay::compiler::nameOf(Checking Check) {
  switch (Check) {
  case Checking::On:
    return "on";
  case Checking::Required:
    return "required";
  case Checking::Off:
    return "off";
  case Checking::Quick:
    return "quick";
  }
  llvm_unreachable("way of checking outside its enumeration");
}

std::optional<Checking> belay::compiler::checkingNamed(StringRef Name) {
  for (Checking Each :
       {Checking::On, Checking::Required, Checking::Off, Checking::Quick})
    if (nameOf(Each) == Name)
      return Each;
  return std::nullopt;
}

Severity Result::levelOf(const Diagnostic &Diag) const {
  bool Warns = DoubtfulWarn && isFinding(Diag.Id) && !stopsCompilation(Diag.Id);
  return Warns ? Severity::Warning : getInfo(Diag.Id).Level;
}

/// A source that is larger was not written by anyone.
static constexpr uint64_t MaxSourceBytes = 64 << 20;

//===----------------------------------------------------------------------===//
// One compilation
//===----------------------------------------------------------------------===//

namespace {

class Compilation {
public:
  Compilation(const Request &Req, const DeviceCompiler::Options &Opts,
              const ContentCache *Cache)
      : Req(Req), Opts(Opts), Cache(Cache) {}
  ~Compilation() {
    if (!Folder.empty())
      sys::fs::remove_directories(Folder);
  }

  Error compile(Result &Out);
  Error check(Result &Out);

private:
  Error resolveTarget();
  Error readSource();
  Error chooseBackend();
  Error makeFolder();
  Error plan(Result &Out);
  std::string requestKey();
  bool findBuilt(StringRef Key, Result &Out);
  Error build(StringRef Key, Result &Out);
  void keepBuilt(StringRef Key, const RunOutcome &Outcome,
                 const timespec &Start, Result &Out) const;
  bool compilerSync() const;
  Validation askChecker() const;
  Error validate(Result &Out);
  Error acceptVerdict(Result &Out) const;
  std::string sourceDir() const;
  bool nameMatters() const;

  const Request &Req;
  const DeviceCompiler::Options &Opts;
  const ContentCache *Cache;

  const DeviceTarget *Target = nullptr;
  std::string Soc;
  UserOptions Options;
  std::string Content;
  /// What the compiler is given, and what the user calls it.
  std::string Source, Shown;
  std::optional<Cann> With;
  PlanInput Input;
  IncludeScan Scan;
  std::string Folder;
  /// Whether the validation that Out speaks of could read the source, or failed
  /// itself, and what it could not tell.
  bool Read = false, Broken = false;
  std::string Reason;
};

} // namespace

Error Compilation::resolveTarget() {
  Target = Req.Target;
  if (Target)
    Soc = exampleSoc(*Target).name;
  if (!Target) {
    const targets::Soc *Named = targets::findSoc(Req.Soc);
    std::string Note = targets::nameNote(Req.Soc);
    if (!Named) {
      const targets::Soc *Near = targets::suggestSoc(Req.Soc);
      return makeError(
          DiagId::OptionRefused,
          formatv("there is no SoC '{0}'{1}{2}", Req.Soc,
                  Near ? "; did you mean '" + std::string(Near->name) + "'?"
                       : std::string(),
                  Note.empty() ? "" : "; " + Note));
    }
    Soc = Named->name;
    Target = findDeviceTarget(Named->arch->number, Req.Core);
    if (!Target)
      return makeError(
          DiagId::OptionRefused,
          formatv("Belay does not know how to compile for {0} ({1}){2}{3}",
                  Named->name, Named->arch->name,
                  Req.Core.empty() ? "" : " with the cores '" + Req.Core + "'",
                  Note.empty() ? "" : "; " + Note));
  }
  if (!Target->makes(Req.Out)) {
    std::vector<std::string> Others;
    for (Output Each : {Output::Object, Output::Shared, Output::Static})
      if (Target->makes(Each))
        Others.push_back(nameOf(Each).str());
    return makeError(DiagId::OptionRefused,
                     formatv("{0} has no output '{1}'; it has {2}",
                             Target->Name, nameOf(Req.Out),
                             llvm::join(Others, " and ")));
  }
  SmallString<128> Here;
  if (std::error_code EC = sys::fs::current_path(Here))
    return createStringError(EC, "the current folder: " + EC.message());
  Expected<UserOptions> Parsed = parseUserOptions(Req.Options, Here);
  if (!Parsed)
    return Parsed.takeError();
  Options = std::move(*Parsed);
  return Error::success();
}

/// "kernel.cpp" for a source without a file, whatever the caller calls it: the
/// name must not lead out of the folder.
static std::string safeFileName(StringRef Shown) {
  StringRef Name = sys::path::filename(Shown);
  bool Plain = !Name.empty() && Name.size() < 100 && isAlpha(Name[0]) &&
               all_of(
                   Name,
                   [](char C) {
                     return isAlnum(C) || C == '_' || C == '-' || C == '.';
                   });
  StringRef Ending = sys::path::extension(Name);
  bool Known =
      is_contained({".cpp", ".cc", ".cxx", ".asc", ".cce", ".c", ".h"}, Ending);
  return Plain && Known ? Name.str() : "kernel.cpp";
}

Error Compilation::readSource() {
  Shown = Req.Path;
  if (StringRef(Shown).contains('\0'))
    return makeError(DiagId::OptionRefused, "a path holds a NUL byte");
  if (Req.Text) {
    if (Shown.empty())
      Shown = "kernel.cpp";
    if (Req.Text->size() > MaxSourceBytes)
      return makeError(DiagId::OptionRefused,
                       formatv("the source has {0} bytes; at most {1} are read",
                               Req.Text->size(), MaxSourceBytes));
    Content = *Req.Text;
    return Error::success();
  }
  SmallString<128> Full(Shown);
  if (std::error_code EC = sys::fs::make_absolute(Full))
    return createStringError(EC, Shown + ": " + EC.message());
  sys::path::remove_dots(Full, /*remove_dot_dot=*/false);
  Source = Full.str().str();
  Expected<std::string> Text = readFile(Source, MaxSourceBytes);
  if (!Text)
    return makeError(DiagId::OptionRefused, toString(Text.takeError()));
  Content = std::move(*Text);
  return Error::success();
}

std::string Compilation::sourceDir() const {
  return Req.Text ? "" : sys::path::parent_path(Source).str();
}

Error Compilation::chooseBackend() {
  Expected<Cann> Found = requireCann(Opts.CannRoot, Opts.NotFrom);
  if (!Found && Req.PlanOnly && Opts.CannRoot.empty()) {
    consumeError(Found.takeError());
    Found = anyCann();
  }
  if (!Found)
    return Found.takeError();
  With = std::move(*Found);
  Input.With = &*With;
  Input.Target = Target;
  Input.Out = Req.Out;
  Input.Options = &Options;
  Input.ForeignFlags = Req.ForeignFlags;
  bool LibraryCan = !With->Rtc.empty() && Target->Lang == Language::Asc &&
                    Req.Out == Output::Object && !Req.ForeignFlags;
  Input.By = Req.By;
  if (Input.By == Backend::Auto)
    Input.By = With->Bisheng.empty() && LibraryCan ? Backend::Aclrtc
                                                   : Backend::Bisheng;
  if (Input.By == Backend::Bisheng && With->Bisheng.empty())
    return makeError(DiagId::CannNotFound,
                     formatv("{0} has no bisheng", With->Root));
  if (Input.By == Backend::Bisheng && Target->linksObjects() &&
      Req.Out == Output::Object && !Req.ForeignFlags && With->Linker.empty())
    return makeError(DiagId::CannNotFound,
                     formatv("{0} has no ld.lld beside bisheng, which links "
                             "objects for {1}",
                             With->Root, Target->Name));
  if (Input.By == Backend::Aclrtc && !LibraryCan)
    return makeError(
        With->Rtc.empty() ? DiagId::CannNotFound : DiagId::OptionRefused,
        With->Rtc.empty()
            ? formatv("{0} has no libacl_rtc.so", With->Root).str()
            : formatv("the runtime compile library makes objects for whole "
                      "chips only, not '{0}' for {1}",
                      nameOf(Req.Out), Target->Name)
                  .str());
  return Error::success();
}

Error Compilation::makeFolder() {
  SmallString<128> Path;
  if (std::error_code EC =
          sys::fs::createUniqueDirectory("belay-compile", Path))
    return createStringError(EC, "temporary folder: " + EC.message());
  // Commands name files in it, and some tools resolve links.
  SmallString<128> Real;
  Folder = sys::fs::real_path(Path, Real) ? Path.str().str() : Real.str().str();
  if (!Req.Text)
    return Error::success();
  std::string Dir = Folder + "/source";
  if (std::error_code EC = sys::fs::create_directory(Dir))
    return createStringError(EC, Dir + ": " + EC.message());
  Source = Dir + "/" + safeFileName(Shown);
  return writeFile(Source, toBytes(Content));
}

/// Whether the source's name can get into the binary: generators write each
/// source under a new name, and should still find what was made of it before.
bool Compilation::nameMatters() const {
  auto Asks = [](StringRef Text) {
    return Text.contains("__FILE__") || Text.contains("__BASE_FILE__") ||
           Text.contains("__builtin_FILE") ||
           Text.contains("source_location") ||
           Text.contains_insensitive("assert");
  };
  return Options.HasDebugInfo || Asks(Content) ||
         any_of(Scan.Files,
                [&](const auto &File) { return Asks(File.second); });
}

std::string Compilation::requestKey() {
  Fingerprint Key;
  Key.add("device 1").add(With->identity(const_cast<ContentCache *>(Cache)));
  CompilePlan Neutral = makePlan(Input, "<source>", "<folder>");
  for (const std::vector<std::string> &Command : Neutral.Commands) {
    Key.add("command");
    for (const std::string &Arg : Command)
      Key.add(Arg);
  }
  Key.add(Content).add(nameMatters() ? StringRef(Source)
                                     : sys::path::extension(Source));
  for (const auto &[Path, Text] : Scan.Files)
    Key.add(Path).add(Text);
  if (Req.Out == Output::Shared)
    Key.add("host linker")
        .add(With->hostLinkerIdentity(const_cast<ContentCache *>(Cache)));
  Key.add(nameOf(Req.Check));
  if (Req.Check != Checking::Off)
    Key.add(checkerIdentity()).add(Target->Name).add(Soc);
  return Key.str();
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

/// Whether the device's compiler inserts flags of its own: it does unless it is
/// told not to, and the last word counts.
bool Compilation::compilerSync() const {
  bool Sync = true;
  auto Read = [&](ArrayRef<std::string> Args) {
    for (StringRef Arg : Args)
      if (Arg.ltrim('-').starts_with("cce-auto-sync"))
        Sync = !Arg.ends_with("=off");
  };
  if (Req.ForeignFlags)
    Read(*Req.ForeignFlags);
  Read(Options.Args);
  return Sync;
}

Validation Compilation::askChecker() const {
  SourceToCheck What;
  What.Content = Content;
  What.Shown = Shown;
  What.Path = Req.Text ? "" : StringRef(Source);
  What.Soc = Soc;
  What.Target = Target;
  What.Options = &Options;
  What.CompilerSync = compilerSync();
  What.Quick = Req.Check == Checking::Quick;
  What.Timeout = Req.Timeout;
  What.CacheRoot = Opts.CacheRoot;
  return validateSource(What);
}

Error Compilation::validate(Result &Out) {
  if (Req.Check == Checking::Off)
    return Error::success();
  Validation Found = askChecker();
  Out.Checked = Found.What;
  Read = Found.Read;
  Broken = Found.Broken;
  Reason = Found.Reason;
  llvm::append_range(Out.Diags, Found.Diags);
  return acceptVerdict(Out);
}

Error Compilation::acceptVerdict(Result &Out) const {
  if (Req.Check == Checking::Off)
    return Error::success();
  if (any_of(Out.Diags, [&](const Diagnostic &Diag) {
        return isFinding(Diag.Id) && Out.levelOf(Diag) == Severity::Error;
      }))
    return make_error<DiagnosticError>(
        Diagnostic{DiagId::ValidationRequired, {}, "", {}});
  if (Read)
    return Error::success();
  std::string Message = Shown + " was not validated: " + Reason;
  if (Req.Check == Checking::Required)
    return makeError(DiagId::ValidationRequired, Message);
  Out.Diags.push_back({DiagId::NotValidated, {}, Message, {}});
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

bool Compilation::findBuilt(StringRef Key, Result &Out) {
  if (!Cache)
    return false;
  std::optional<std::string> List = Cache->read(Key, "headers");
  if (!List)
    return false;
  SmallVector<StringRef, 64> Names;
  StringRef(*List).split(Names, '\0', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Headers(Names.begin(), Names.end());
  std::optional<std::string> Found = cache::resultKey(Key, Headers);
  if (!Found)
    return false;
  std::optional<std::string> About = Cache->read(*Found, "json");
  std::optional<std::string> Object = Cache->read(*Found, "bin");
  if (!About || !Object)
    return false;
  std::optional<BuiltRecord> Record = parseBuiltRecord(*About);
  if (!Record)
    return false;
  Out.Log = std::move(Record->Log);
  Out.Checked = Record->Checked;
  Read = Record->Read;
  Reason = std::move(Record->Reason);
  for (Diagnostic &Diag : Record->Findings) {
    // Generators write each source under a new name.
    renameFile(Diag, Record->Source, Shown);
    Out.Diags.push_back(std::move(Diag));
  }
  Out.Object = std::move(*Object);
  Out.CachedPath = Cache->pathOf(*Found, "bin");
  Out.FromCache = true;
  llvm::append_range(Out.Inputs, Headers);
  return true;
}

void Compilation::keepBuilt(StringRef Key, const RunOutcome &Outcome,
                            const timespec &Start, Result &Out) const {
  // Only the compiler could tell what was included, and it did not.
  if (!Outcome.Headers && Scan.Open)
    return;
  std::vector<std::string> Headers =
      Outcome.Headers.value_or(std::vector<std::string>());
  // A header that changed while it was read could have been read either way.
  std::optional<std::string> Result = cache::resultKey(Key, Headers, Start);
  if (!Result)
    return;
  BuiltRecord Record{Shown,         Target->Name.str(), nameOf(Req.Out).str(),
                     With->Version, Out.Checked,        Read,
                     Reason,        Outcome.Log,        {}};
  llvm::copy_if(Out.Diags, std::back_inserter(Record.Findings),
                [](const Diagnostic &Diag) { return isFinding(Diag.Id); });
  ContentCache &Store = const_cast<ContentCache &>(*Cache);
  auto Keep = [&](StringRef Name, StringRef Kind, StringRef Text) {
    // A list or a fact that a power failure cut short is not found, which is
    // cheaper than waiting for the disk three times.
    Expected<std::string> Path =
        Store.store(Name, Kind, Text, /*Durable=*/Kind == "bin");
    if (Path)
      return std::move(*Path);
    // A full disk is no reason not to compile.
    consumeError(Path.takeError());
    return std::string();
  };
  std::string Path = Keep(*Result, "bin", Outcome.Object);
  // The list last, since a reader starts from it.
  if (Path.empty() || Keep(*Result, "json", toText(Record)).empty() ||
      Keep(Key, "headers", llvm::join(Headers, StringRef("\0", 1))).empty())
    return;
  Out.CachedPath = Path;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

Error Compilation::plan(Result &Out) {
  if (Error E = resolveTarget())
    return E;
  Out.Target = Target;
  if (Error E = readSource())
    return E;
  if (Error E = chooseBackend())
    return E;
  Out.By = Input.By;
  Out.CannRoot = With->Root;
  Out.CannVersion = With->Version;
  if (Req.PlanOnly)
    Out.Commands =
        makePlan(Input, Req.Text ? safeFileName(Shown) : Source, "<scratch>")
            .Commands;
  return Error::success();
}

Error Compilation::build(StringRef Key, Result &Out) {
  if (Error E = validate(Out))
    return E;
  if (Error E = makeFolder())
    return E;
  CompilePlan Plan = makePlan(Input, Source, Folder);
  Out.Commands = Plan.Commands;
  timespec Start;
  ::clock_gettime(CLOCK_REALTIME, &Start);
  RunOutcome Outcome = runPlan(Plan, *With, Folder, Source, Shown, Req.Timeout);
  Out.Log = Outcome.Log;
  if (!Outcome.Problems.empty()) {
    Error All = Error::success();
    for (Diagnostic &Each : Outcome.Problems)
      All = joinErrors(std::move(All),
                       make_error<DiagnosticError>(std::move(Each)));
    return All;
  }
  // What was validated has to be what was compiled.
  Expected<std::string> Again = readFile(Source, MaxSourceBytes);
  if (!Again || *Again != Content) {
    consumeError(Again.takeError());
    return makeError(DiagId::DeviceCompilerFailed,
                     Shown + " changed while it was compiled; compile again");
  }
  if (Outcome.Headers)
    llvm::append_range(Out.Inputs, *Outcome.Headers);
  if (Cache)
    keepBuilt(Key, Outcome, Start, Out);
  Out.Object = std::move(Outcome.Object);
  return Error::success();
}

Error Compilation::compile(Result &Out) {
  if (Error E = plan(Out))
    return E;
  if (Req.PlanOnly)
    return Error::success();
  Scan = scanIncludes(Content, sourceDir(), Options.QuoteDirs,
                      Options.IncludeDirs, Options.Includes, With->Root);
  if (!Req.Text)
    Out.Inputs.push_back(Source);
  for (const auto &[Path, Text] : Scan.Files)
    Out.Inputs.push_back(Path);

  std::string Key = requestKey();
  if (findBuilt(Key, Out))
    return acceptVerdict(Out);
  // Whoever waited here finds what the other one made.
  std::optional<ContentCache::Lock> Alone;
  if (Cache)
    Alone.emplace(Cache->lock(Key));
  if (findBuilt(Key, Out))
    return acceptVerdict(Out);
  return build(Key, Out);
}

Error Compilation::check(Result &Out) {
  if (Error E = resolveTarget())
    return E;
  Out.Target = Target;
  if (Error E = readSource())
    return E;
  if (Error E = validate(Out))
    return E;
  // A compilation can do without it; here nothing else was asked for.
  return Broken ? makeError(DiagId::BelayFailed, Reason) : Error::success();
}

//===----------------------------------------------------------------------===//

DeviceCompiler::DeviceCompiler(Options Chosen) : Opts(std::move(Chosen)) {
  if (Opts.CacheRoot.empty())
    return;
  Expected<ContentCache> Opened =
      ContentCache::open(Opts.CacheRoot, Opts.CacheBytes);
  // Without a cache it is slow, not wrong.
  if (Opened)
    Cache = std::move(*Opened);
  else
    CacheError = toString(Opened.takeError());
}

static void finish(Error E, Result &Out) {
  std::set<std::string> Inputs(Out.Inputs.begin(), Out.Inputs.end());
  Out.Inputs.assign(Inputs.begin(), Inputs.end());
  if (!E) {
    Out.Succeeded = true;
    return;
  }
  handleAllErrors(
      std::move(E),
      [&](const DiagnosticError &Own) {
        // Findings have said what is wrong already.
        if (!Own.diagnostic().Message.empty() || Out.Diags.empty())
          Out.Diags.push_back(Own.diagnostic());
      },
      [&](const ErrorInfoBase &Other) {
        Out.Diags.push_back(
            {DiagId::DeviceCompilerFailed, {}, Other.message(), {}});
      });
  Out.Object.clear();
  Out.CachedPath.clear();
  for (Diagnostic &Diag : Out.Diags)
    Diag.Message = json::fixUTF8(Diag.Message);
}

Result DeviceCompiler::compile(const Request &Req) const {
  auto Start = std::chrono::steady_clock::now();
  Result Out;
  Out.DoubtfulWarn = Req.Check != Checking::Required;
  finish(Compilation(Req, Opts, Cache ? &*Cache : nullptr).compile(Out), Out);
  if (!CacheError.empty())
    Out.Log += "belay: warning: there is no cache: " + CacheError + "\n";
  Out.Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();
  return Out;
}

Result DeviceCompiler::check(const Request &Req) const {
  Result Out;
  finish(Compilation(Req, Opts, nullptr).check(Out), Out);
  return Out;
}
