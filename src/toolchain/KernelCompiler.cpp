//===- KernelCompiler.cpp - From AscendC source to a shared object --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/KernelCompiler.h"
#include "cache/Fingerprint.h"
#include "sandbox/Sandbox.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Numbers.h"
#include "support/Resources.h"
#include "support/SourceFiles.h"
#include "support/Subprocess.h"
#include "toolchain/CompilerMessages.h"
#include "toolchain/Confinement.h"
#include "toolchain/ToolFailure.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>
#include <cstdlib>
#include <sys/stat.h>
#include <time.h>

using namespace llvm;
using namespace belay;
using namespace belay::cache;
using namespace belay::cases;
using namespace belay::support;
using namespace belay::toolchain;

static constexpr uint64_t MaxFileBytes = 256 << 20;
/// A precompiled header outlives the time stamps of what it was made from.
static constexpr const char *ValidateByContent =
    "-fpch-validate-input-files-content";

Expected<KernelCompiler> KernelCompiler::create(Options Opts) {
  Expected<Tools> Found = Tools::find();
  if (!Found)
    return Found.takeError();
  KernelCompiler Result(std::move(Opts), std::move(*Found));
  if (std::string &Root = Result.Opts.CacheRoot; !Root.empty()) {
    SmallString<128> Full(Root);
    if (!sys::fs::make_absolute(Full))
      Root = Full.str().str(); // it is hidden from sources by this name
    // A run without a cache is slow, not wrong.
    Expected<ContentCache> Cache = ContentCache::open(Result.Opts.CacheRoot);
    if (Cache)
      Result.Cache = std::move(*Cache);
    else
      logAllUnhandledErrors(Cache.takeError(), errs(), "belay: warning: ");
  }
  if (Result.Cache)
    Result.Identity = Result.TheTools.identity(&*Result.Cache);
  return Result;
}

KernelCompiler::~KernelCompiler() {
  if (!Scratch.empty())
    sys::fs::remove_directories(Scratch);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

void KernelCompiler::allowToRead(ArrayRef<std::string> Sources,
                                 ArrayRef<std::string> Folders) {
  Readable = Folders.vec();
  for (const std::string &Source : Sources)
    Readable.push_back(folderOf(Source));
}

/// For the next program; at least a moment, since none is no limit.
std::chrono::milliseconds KernelCompiler::timeLeft() const {
  using namespace std::chrono;
  if (Deadline == steady_clock::time_point::max())
    return Opts.TimeLimit;
  return std::clamp(ceil<milliseconds>(Deadline - steady_clock::now()),
                    milliseconds(1), Opts.TimeLimit);
}

std::chrono::milliseconds
KernelCompiler::cpuTimeLeft(std::chrono::milliseconds Wanted) const {
  using namespace std::chrono;
  if (cpuLeft() == std::numeric_limits<double>::infinity())
    return Wanted;
  auto Left = ceil<milliseconds>(duration<double>(cpuLeft()));
  return std::max(milliseconds(1),
                  Wanted.count() ? std::min(Left, Wanted) : Left);
}

sandbox::Policy KernelCompiler::policy() const {
  sandbox::Policy P = policyOfReader(TheTools);
  append_range(P.Read, Readable);
  P.Write.push_back(Scratch);
  P.Hide = Opts.Hidden;
  P.Hide.push_back(Opts.CacheRoot);
  return P;
}

std::string KernelCompiler::policyKey() const {
  if (!Opts.Sandbox)
    return "anything";
  Fingerprint Key;
  Key.add("sandbox 1");
  for (const std::vector<std::string> *Paths : {&Readable, &Opts.Hidden}) {
    Key.add("paths");
    for (const std::string &Path : *Paths)
      Key.add(Path);
  }
  return Key.str();
}

/// The environment is ours without what would change the meaning of a tool
/// unnoticed by the cache (CPATH, CCC_OVERRIDE_...).
ProcessResult KernelCompiler::runCompiler(std::vector<std::string> Args,
                                          int Stdin) {
  if (Opts.Verbose)
    errs() << "belay: " << join(Args, " ") << "\n";
  ProcessSpec Spec;
  Spec.Args = std::move(Args);
  Spec.ClearEnv = true;
  for (const char *Name : {"PATH", "HOME", "TMPDIR", "LANG", "BELAY_DEBUG"})
    if (const char *Value = std::getenv(Name))
      Spec.Env.push_back(std::string(Name) + "=" + Value);
  Spec.Timeout = timeLeft();
  Spec.CpuTime = cpuTimeLeft(Opts.CpuLimit);
  Spec.AddressSpaceBytes = Opts.MemoryLimitBytes;
  Spec.FileBytes = MaxFileBytes;
  if (Stdin >= 0)
    Spec.Fds.push_back({Stdin, 0});
  return runReader(std::move(Spec));
}

ProcessResult KernelCompiler::runReader(ProcessSpec Spec) {
  auto Count = [&](ProcessResult Result) {
    CpuUsed += Result.CpuSeconds;
    return Result;
  };
  if (!Opts.Sandbox)
    return Count(runProcess(Spec));
  sandbox::Policy P = policy();
  // A precompiled header is in the cache, of which nothing else is shown.
  for (const std::string &Arg : Spec.Args)
    if (size_t At = Arg.find(Opts.CacheRoot + "/");
        !Opts.CacheRoot.empty() && At != std::string::npos)
      P.Read.push_back(Arg.substr(At));
  return Count(sandbox::run(P, std::move(Spec)));
}

Error KernelCompiler::failure(StringRef What, const ProcessResult &Result,
                              std::string Refused) const {
  std::string Why = faultOfMachine(Result, Scratch);
  if (Why.empty())
    return makeError(DiagId::CompileError, std::move(Refused));
  if (Result.How == ProcessResult::Status::NotConfined)
    return makeError(DiagId::NoSandbox, Why);
  return makeError(DiagId::BelayFailed, formatv("{0}: {1}", What, Why),
                   {"this says nothing about the source"});
}

Error KernelCompiler::explainFailure(const CompileRequest &Request,
                                     const ProcessResult &Result) const {
  if (!faultOfMachine(Result, Scratch).empty())
    return failure("the compiler failed on " + Request.ShownSource, Result, "");
  if (Result.How == ProcessResult::Status::TimedOut)
    return makeError(DiagId::CompileError,
                     formatv("{0} did not compile within its time limit",
                             Request.ShownSource));
  if (Result.How == ProcessResult::Status::Signaled)
    return makeError(DiagId::CompileError,
                     formatv("the compiler of {0} ended with {1}{2}",
                             Request.ShownSource, Result.describe(),
                             Result.Code == SIGXFSZ
                                 ? formatv(": the compiled kernel is larger "
                                           "than {0} MiB",
                                           MaxFileBytes >> 20)
                                       .str()
                                 : ""));
  CompilerMessages Messages =
      readCompilerMessages(Result.Err, Request.Source, Request.ShownSource);
  if (Messages.Text.empty() && !Messages.AboutWrapper.empty())
    return Request.explain(Messages.AboutWrapper);
  showMessages(Messages.Text);
  return makeError(DiagId::CompileError,
                   formatv("{0} does not compile", Request.ShownSource));
}

Expected<std::string> KernelCompiler::scratchPath(StringRef Name) {
  if (Scratch.empty()) {
    SmallString<128> Directory;
    if (std::error_code EC = sys::fs::createUniqueDirectory("belay", Directory))
      return createStringError(EC, "temporary folder: " + EC.message());
    Scratch = Directory.str().str();
  }
  return formatv("{0}/{1}{2}", Scratch, NumBuilt++, Name).str();
}

std::optional<std::string>
KernelCompiler::precompiledApi(std::vector<std::string> Flags) {
  if (!Cache)
    return std::nullopt;
  std::vector<std::string> Args = {TheTools.Clang};
  append_range(Args, Flags);
  Args.push_back(ValidateByContent);
  Fingerprint Inputs;
  Inputs.add("kernel_operator.h 1").add(Identity);
  for (const std::string &Arg : Args)
    Inputs.add(Arg);
  std::string Key = Inputs.str();
  if (std::optional<Built> Known = findBuilt(Key, "pch"))
    return std::move(Known->ObjectPath);

  Expected<std::string> Base = scratchPath("");
  if (!Base) {
    consumeError(Base.takeError());
    return std::nullopt;
  }
  append_range(Args, std::vector<std::string>{
                         "-fpch-instantiate-templates", "-MD", "-MF",
                         *Base + ".d", "-x", "c++-header", "-o", *Base + ".pch",
                         TheTools.HeaderDir + "/kernel_operator.h"});
  timespec Start;
  ::clock_gettime(CLOCK_REALTIME, &Start);
  if (!runCompiler(std::move(Args)).succeeded())
    return std::nullopt;
  Expected<std::string> Makefile = readFile(*Base + ".d", MaxFileBytes);
  if (!Makefile) {
    consumeError(Makefile.takeError());
    return std::nullopt;
  }
  Built Made{*Base + ".pch", "{}", parseDependencies(*Makefile), "pch"};
  if (Error E = keepBuilt(Key, Made, Start)) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  return std::move(Made.ObjectPath);
}

ArrayRef<std::string> KernelCompiler::castFlags() {
  if (!CastFlags) {
    CastFlags = TheTools.castFlags(Cache ? &*Cache : nullptr);
    if (CastFlags->empty())
      errs() << "belay: warning: casts that cut lengths are not looked for: "
             << TheTools.Clang << " cannot load " << TheTools.Casts << "\n";
  }
  return *CastFlags;
}

ProcessResult KernelCompiler::compileObject(const CompileRequest &Request,
                                            std::vector<std::string> Args) {
  std::string Wrapper = Request.wrapper();
  auto Run = [&](std::vector<std::string> Args) {
    Expected<MemoryFile> Input = MemoryFile::create("wrapper", Wrapper.size());
    if (!Input) {
      ProcessResult NotRun;
      NotRun.Error = toString(Input.takeError());
      return NotRun;
    }
    llvm::copy(toBytes(Wrapper), Input->bytes().begin());
    return runCompiler(std::move(Args), Input->fd());
  };
  if (Request.Check)
    append_range(Args, castFlags());
  if (Opts.Debug) {
    Args.insert(Args.end(), {"-O0", "-g"}); // the last one counts
    // Findings know a place by one return address, which has to be the user's.
    if (!Request.Check)
      Args.push_back("-DBELAY_DEBUGGED");
    return Run(std::move(Args));
  }
  std::optional<std::string> Api;
  if (Request.startsWithApi())
    Api = precompiledApi(Request.apiFlags(TheTools));
  if (Api) {
    std::vector<std::string> Faster = Args;
    Faster.insert(Faster.begin() + 1,
                  {"-include-pch", *Api, ValidateByContent});
    ProcessResult Result = Run(std::move(Faster));
    if (Result.succeeded())
      return Result;
    // What the user reads should not depend on what was precompiled.
  }
  return Run(std::move(Args));
}

Expected<KernelCompiler::Built>
KernelCompiler::build(const CompileRequest &Request) {
  Expected<std::string> Path = scratchPath("");
  if (!Path)
    return Path.takeError();
  const std::string &Base = *Path;
  // Two steps, because a single job runs inside Clang's own process, while a
  // compile-and-link starts Clang twice.
  std::vector<std::string> Args = {TheTools.Clang};
  append_range(Args, Request.flags(TheTools));
  std::string Readable = declareUbVariables(toStandardCpp(Request.Content));
  if (!Request.IsGenerated &&
      (Request.HasNoFile || Readable != Request.Content)) {
    // Clang reads this instead, under the source's own name.
    if (Error E = writeFile(Base + ".cpp", toBytes(Readable)))
      return std::move(E);
    append_range(
        Args, std::vector<std::string>{"-Xclang", "-remap-file", "-Xclang",
                                       Request.Source + ";" + Base + ".cpp"});
  }
  append_range(
      Args, std::vector<std::string>{Opts.Colors ? "-fdiagnostics-color=always"
                                                 : "-fdiagnostics-color=never",
                                     "-MD", "-MF", Base + ".d", "-x", "c++",
                                     "-c", "-o", Base + ".o", "-"});
  ProcessResult Result = compileObject(Request, std::move(Args));
  if (!Result.succeeded())
    return explainFailure(Request, Result);

  // The runtime's functions are found in the runner that loads the kernel.
  Result = runCompiler({TheTools.Linker, "-shared", "-z", "undefs",
                        "--build-id=none", "-o", Base + ".so", Base + ".o"});
  if (!Result.succeeded())
    return failure("the linker failed on " + Request.ShownSource, Result,
                   Request.ShownSource +
                       " does not link: " + StringRef(Result.Err).trim().str());

  Expected<std::string> Makefile = readFile(Base + ".d", MaxFileBytes);
  if (!Makefile) {
    // Clang 22 succeeds for an #embed of a file that is not there.
    consumeError(Makefile.takeError());
    return makeError(DiagId::CompileError,
                     formatv("{0} does not compile: the compiler did not say "
                             "what it has read; is an embedded file missing?",
                             Request.ShownSource));
  }
  Expected<std::string> Json = describeObject(Base + ".so");
  if (!Json)
    return Json.takeError();
  return Built{Base + ".so", std::move(*Json), parseDependencies(*Makefile)};
}

//===----------------------------------------------------------------------===//
// Compiling through the cache
//===----------------------------------------------------------------------===//

std::string KernelCompiler::keyOf(const CompileRequest &Request) const {
  Fingerprint Key;
  Key.add("kernel 1").add(Identity).add(Request.wrapper()).add(Request.Content);
  Key.add(policyKey()).add(Opts.Debug ? "debug" : "");
  for (const std::string &Flag : Request.flags(TheTools))
    Key.add(Flag);
  return Key.str();
}

std::optional<KernelCompiler::Built>
KernelCompiler::findBuilt(StringRef Key, const char *Kind) const {
  std::optional<std::string> List = Cache->read(Key, "headers");
  if (!List)
    return std::nullopt;
  SmallVector<StringRef, 64> Headers;
  StringRef(*List).split(Headers, '\0', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Names(Headers.begin(), Headers.end());
  auto Result = resultKey(Key, Names);
  auto Object = Result ? Cache->find(*Result, Kind) : std::nullopt;
  auto Json = Object ? Cache->read(*Result, "json") : std::nullopt;
  if (!Json)
    return std::nullopt;
  return Built{std::move(*Object), std::move(*Json), std::move(Names), Kind};
}

Error KernelCompiler::keepBuilt(StringRef Key, Built &Made,
                                const timespec &Start) {
  // A header that changed while it was read could have been read either way.
  std::optional<std::string> Result = resultKey(Key, Made.Headers, Start);
  if (!Result)
    return Error::success();
  Expected<std::string> Object = readFile(Made.ObjectPath, MaxFileBytes);
  if (!Object)
    return Object.takeError();
  Expected<std::string> Path = Cache->store(*Result, Made.Kind, *Object);
  if (!Path)
    return Path.takeError();
  Expected<std::string> Json = Cache->store(*Result, "json", Made.Json);
  if (!Json)
    return Json.takeError();
  // Last, since a reader starts from here.
  Expected<std::string> List = Cache->store(
      Key, "headers", llvm::join(Made.Headers, StringRef("\0", 1)));
  if (!List)
    return List.takeError();
  Made.ObjectPath = std::move(*Path);
  return Error::success();
}

Expected<KernelCompiler::Built>
KernelCompiler::findOrMake(StringRef Key, const char *Kind, bool &FromCache,
                           function_ref<Expected<Built>()> Make) {
  if (Cache)
    if (std::optional<Built> Known = findBuilt(Key, Kind)) {
      FromCache = true;
      return std::move(*Known);
    }
  FromCache = false;
  timespec Start;
  ::clock_gettime(CLOCK_REALTIME, &Start);
  Expected<Built> Made = Make();
  // A full disk is no reason not to run.
  if (Made && Cache)
    if (Error E = keepBuilt(Key, *Made, Start))
      logAllUnhandledErrors(std::move(E), errs(), "belay: warning: ");
  return Made;
}

Error KernelCompiler::refuseJudgeQuestions(const CompileRequest &Request,
                                           ArrayRef<std::string> Files) const {
  auto Refuse = [](StringRef File) {
    return makeError(DiagId::CompileError,
                     formatv("{0} asks whether it is simulated; the device may "
                             "get another kernel",
                             File));
  };
  if (Request.IsGenerated)
    return Error::success();
  if (asksForJudge(Request.Content))
    return Refuse(Request.ShownSource);
  for (const std::string &File : Files) {
    if (isOwnHeader(File))
      continue;
    Expected<std::string> Content = readFile(File, MaxFileBytes);
    if (!Content)
      consumeError(Content.takeError());
    else if (asksForJudge(*Content))
      return Refuse(File);
  }
  return Error::success();
}

Expected<KernelCompiler::Built>
KernelCompiler::findOrBuild(const CompileRequest &Request, bool &FromCache) {
  allowSources(Request.Source);
  auto Make = [&]() -> Expected<Built> {
    Expected<Built> Made = build(Request);
    if (Made && Opts.Sandbox)
      if (Error E = refuseJudgeQuestions(Request, Made->Headers))
        return std::move(E);
    return Made;
  };
  Expected<Built> Made = findOrMake(keyOf(Request), "so", FromCache, Make);
  if (Made)
    allowSources(Made->Headers);
  return Made;
}

bool KernelCompiler::anyAsksForCore(ArrayRef<std::string> Files) const {
  return any_of(Files, [&](StringRef File) {
    if (isOwnHeader(File))
      return false;
    Expected<std::string> Content = readFile(File, MaxFileBytes);
    if (Content)
      return asksForCore(*Content);
    consumeError(Content.takeError());
    return false;
  });
}

Expected<CompiledKernel>
KernelCompiler::compile(const Case &Case,
                        std::vector<std::string> TilingFields) {
  Expected<CompileRequest> Request =
      CompileRequest::make(Case, std::move(TilingFields));
  if (!Request)
    return Request.takeError();
  std::vector<std::string> Sources = {Request->Source};
  if (!Request->TilingHeader.empty())
    Sources.push_back(Request->TilingHeader);
  allowToRead(Sources, Request->IncludeDirs);
  CompiledKernel Result;
  Expected<Built> Made = findOrBuild(*Request, Result.FromCache);
  if (!Made)
    return Made.takeError();
  if (Request->For == sim::CoreKind::Vector && anyAsksForCore(Made->Headers)) {
    Request->For = sim::CoreKind::Cube;
    bool CubeFromCache;
    Expected<Built> ForCube = findOrBuild(*Request, CubeFromCache);
    if (!ForCube)
      return ForCube.takeError();
    Result.FromCache &= CubeFromCache;
    Expected<bool> OnlyCubes = needsOnlyCubes(*Made, *ForCube, Case.Task);
    if (!OnlyCubes)
      return OnlyCubes.takeError();
    if (*OnlyCubes)
      Made = std::move(ForCube);
    else if (Error E = refuseMissing(ForCube->Json))
      return E;
    else
      Result.CubeObjectPath = std::move(ForCube->ObjectPath);
  }
  if (Error E = refuseMissing(Made->Json))
    return E;
  Result.ObjectPath = std::move(Made->ObjectPath);
  Expected<Description> Entry = Description::parse(Made->Json);
  if (!Entry) // written by code of the source that ran when it was loaded
    return makeError(DiagId::CompileError, toString(Entry.takeError()));
  Result.Entry = std::move(*Entry);
  Result.Scanned = std::move(Request->Kernel);
  return Result;
}

//===----------------------------------------------------------------------===//
// Host code of operators
//===----------------------------------------------------------------------===//

Expected<KernelCompiler::Built>
KernelCompiler::buildOpHost(ArrayRef<std::string> Sources,
                            ArrayRef<std::string> Flags) {
  std::vector<std::string> Link = {
      TheTools.Linker, "-shared", "-z", "undefs",
      // Operator projects build definition and tiling as separate libraries,
      // and define functions in headers that both include.
      "-z", "muldefs", "--build-id=none"};
  std::vector<std::string> Headers;
  for (const std::string &Source : Sources) {
    Expected<std::string> Base = scratchPath("");
    if (!Base)
      return Base.takeError();
    std::vector<std::string> Args = {TheTools.Clang};
    append_range(Args, Flags);
    append_range(Args, std::vector<std::string>{
                           Opts.Colors ? "-fdiagnostics-color=always"
                                       : "-fdiagnostics-color=never",
                           "-MD", "-MF", *Base + ".d", "-x", "c++", "-c", "-o",
                           *Base + ".o", Source});
    ProcessResult Result = runCompiler(std::move(Args));
    if (!Result.succeeded()) {
      showMessages(Result.Err);
      return failure("the compiler failed on " + Source, Result,
                     "the host code " + Source + " does not compile");
    }
    Expected<std::string> Makefile = readFile(*Base + ".d", MaxFileBytes);
    if (!Makefile)
      return Makefile.takeError();
    append_range(Headers, parseDependencies(*Makefile));
    Link.push_back(*Base + ".o");
  }
  Expected<std::string> Object = scratchPath(".so");
  if (!Object)
    return Object.takeError();
  append_range(Link, std::vector<std::string>{"-o", *Object});
  ProcessResult Result = runCompiler(std::move(Link));
  if (!Result.succeeded())
    return failure("the linker failed on the host code", Result,
                   "the host code does not link: " +
                       StringRef(Result.Err).trim().str());
  return Built{std::move(*Object), "{}", std::move(Headers)};
}

Expected<std::string> KernelCompiler::compileOpHost(const Case &Case) {
  std::vector<std::string> Flags = {"-std=c++17",
                                    "-O1",
                                    "-fPIC",
                                    "-w",
                                    "-I" + TheTools.OpHostDir,
                                    "-I" + TheTools.ShareDir,
                                    "-I" + TheTools.IncludeDir};
  for (const std::string &Define : Case.Defines)
    Flags.push_back("-D" + Define);
  for (const std::string &Dir : Case.IncludeDirs)
    Flags.push_back("-I" + Dir);
  Fingerprint Fingerprint;
  allowToRead(Case.OpHost.Sources, foldersOf(Case.IncludeDirs));
  Fingerprint.add("op host 1").add(Identity).add(policyKey());
  for (const std::string &Flag : Flags)
    Fingerprint.add(Flag);
  for (const std::string &Source : Case.OpHost.Sources) {
    Expected<std::string> Content = readFile(Source, MaxFileBytes);
    if (!Content)
      return Content.takeError();
    Fingerprint.add(Source).add(*Content);
  }
  bool FromCache;
  Expected<Built> Made = findOrMake(Fingerprint.str(), "so", FromCache, [&] {
    return buildOpHost(Case.OpHost.Sources, Flags);
  });
  if (!Made)
    return Made.takeError();
  return std::move(Made->ObjectPath);
}
