//===- KernelCompiler.cpp - From AscendC source to a shared object --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/KernelCompiler.h"
#include "cache/Fingerprint.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Resources.h"
#include "support/SourceFiles.h"
#include "support/Subprocess.h"
#include "toolchain/CompilerMessages.h"
#include "toolchain/ToolFailure.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
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
static constexpr std::chrono::minutes CompileTimeout{5};
static constexpr uint64_t CompileMemory = uint64_t(16) << 30;
static constexpr std::chrono::seconds DescribeTimeout{20};
static constexpr uint64_t DescribeMemory = uint64_t(1) << 30;
/// A precompiled header outlives the time stamps of what it was made from.
static constexpr const char *ValidateByContent =
    "-fpch-validate-input-files-content";

Expected<KernelCompiler> KernelCompiler::create(Options Opts) {
  Expected<Tools> Found = Tools::find();
  if (!Found)
    return Found.takeError();
  KernelCompiler Result(std::move(Opts), std::move(*Found));
  if (!Result.Opts.CacheRoot.empty()) {
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

/// Runs a tool; true if it succeeded. Its environment is ours without what
/// would change its meaning behind the cache's back (CPATH, CCC_OVERRIDE_...).
static ProcessResult runTool(std::vector<std::string> Args, int Stdin,
                             bool Verbose) {
  if (Verbose)
    errs() << "belay: " << join(Args, " ") << "\n";
  ProcessSpec Spec;
  Spec.Args = std::move(Args);
  Spec.ClearEnv = true;
  for (const char *Name : {"PATH", "HOME", "TMPDIR", "LANG", "BELAY_DEBUG"})
    if (const char *Value = std::getenv(Name))
      Spec.Env.push_back(std::string(Name) + "=" + Value);
  Spec.Timeout = CompileTimeout;
  Spec.AddressSpaceBytes = CompileMemory;
  Spec.FileBytes = MaxFileBytes;
  if (Stdin >= 0)
    Spec.Fds.push_back({Stdin, 0});
  return runProcess(Spec);
}

ProcessResult KernelCompiler::runCompiler(std::vector<std::string> Args,
                                          int Stdin) const {
  return runTool(std::move(Args), Stdin, Opts.Verbose);
}

Error KernelCompiler::failure(StringRef What, const ProcessResult &Result,
                              std::string Refused) const {
  std::string Why = faultOfMachine(Result, Scratch);
  if (Why.empty())
    return makeError(DiagId::CompileError, std::move(Refused));
  return makeError(DiagId::BelayFailed, formatv("{0}: {1}", What, Why),
                   {"this says nothing about the source"});
}

Error KernelCompiler::explainFailure(const CompileRequest &Request,
                                     const ProcessResult &Result) const {
  if (!faultOfMachine(Result, Scratch).empty())
    return failure("the compiler failed on " + Request.ShownSource, Result, "");
  if (Result.How == ProcessResult::Status::TimedOut)
    return makeError(DiagId::CompileError,
                     formatv("{0} did not compile within {1} minutes",
                             Request.ShownSource, CompileTimeout.count()));
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
  errs() << Messages.Text;
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
  if (!runTool(std::move(Args), /*Stdin=*/-1, Opts.Verbose).succeeded())
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
    return runTool(std::move(Args), Input->fd(), Opts.Verbose);
  };
  if (Request.Check)
    append_range(Args, castFlags());
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
  std::string Readable = toStandardCpp(Request.Content);
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
  Result = runTool({TheTools.Linker, "-shared", "-z", "undefs",
                    "--build-id=none", "-o", Base + ".so", Base + ".o"},
                   /*Stdin=*/-1, Opts.Verbose);
  if (!Result.succeeded())
    return failure("the linker failed on " + Request.ShownSource, Result,
                   Request.ShownSource +
                       " does not link: " + StringRef(Result.Err).trim().str());

  Expected<std::string> Makefile = readFile(Base + ".d", MaxFileBytes);
  if (!Makefile)
    return Makefile.takeError();
  Expected<std::string> Json = describeObject(Base + ".so");
  if (!Json)
    return Json.takeError();
  return Built{Base + ".so", std::move(*Json), parseDependencies(*Makefile)};
}

Expected<std::string> KernelCompiler::describeObject(StringRef ObjectPath) {
  ProcessSpec Spec;
  Spec.Args = {TheTools.Runner, "--describe", ObjectPath.str()};
  Spec.ClearEnv = true;
  Spec.Timeout = DescribeTimeout;
  Spec.DataBytes = DescribeMemory;
  Spec.FileBytes = 1;
  auto Result = runProcess(Spec);
  if (Result.succeeded())
    return std::move(Result.Out);
  // "...: undefined symbol: _Z3foov"
  auto [_, Symbol] = StringRef(Result.Err).split("undefined symbol: ");
  if (!Symbol.empty()) {
    Symbol = Symbol.take_until([](char C) { return isSpace(C); });
    return makeError(
        DiagId::CompileError,
        formatv("the kernel calls '{0}', which is declared but not defined "
                "anywhere",
                demangle(Symbol)));
  }
  return makeError(DiagId::CompileError,
                   formatv("the compiled kernel cannot be loaded ({0}): {1}",
                           Result.describe(), StringRef(Result.Err).trim()));
}

//===----------------------------------------------------------------------===//
// Compiling through the cache
//===----------------------------------------------------------------------===//

std::string KernelCompiler::keyOf(const CompileRequest &Request) const {
  Fingerprint Key;
  Key.add("kernel 1").add(Identity).add(Request.wrapper()).add(Request.Content);
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

Expected<KernelCompiler::Built>
KernelCompiler::findOrBuild(const CompileRequest &Request, bool &FromCache) {
  allowSources(Request.Source);
  Expected<Built> Made = findOrMake(keyOf(Request), "so", FromCache,
                                    [&] { return build(Request); });
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
    Result.CubeObjectPath = std::move(ForCube->ObjectPath);
    Result.FromCache &= CubeFromCache;
  }
  Result.ObjectPath = std::move(Made->ObjectPath);
  Expected<Description> Entry = Description::parse(Made->Json);
  if (!Entry)
    return Entry.takeError();
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
    ProcessResult Result = runTool(std::move(Args), /*Stdin=*/-1, Opts.Verbose);
    if (!Result.succeeded()) {
      errs() << Result.Err;
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
  ProcessResult Result = runTool(std::move(Link), /*Stdin=*/-1, Opts.Verbose);
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
  Fingerprint.add("op host 1").add(Identity);
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
