//===- LanguageCompiler.cpp - From the kernel language to AscendC ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler is a program of its own, belay-kernelc, since it reads
// untrusted input and links Clang and MLIR. What it makes is kept like any
// other result: by the content of all files that it read.
//
//===----------------------------------------------------------------------===//

#include "cache/Dependencies.h"
#include "cache/Fingerprint.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/Resources.h"
#include "support/SourceFiles.h"
#include "toolchain/CompilerMessages.h"
#include "toolchain/Confinement.h"
#include "toolchain/KernelCompiler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;
using namespace belay;
using namespace belay::cache;
using namespace belay::cases;
using namespace belay::support;
using namespace belay::toolchain;

static constexpr uint64_t MaxFileBytes = 256 << 20;

/// The files of each kernel, as one text.
static Expected<std::string> collect(StringRef Directory, StringRef Messages) {
  std::set<std::string> Descriptions;
  std::error_code EC;
  for (sys::fs::directory_iterator It(Directory, EC), End; It != End && !EC;
       It.increment(EC))
    if (sys::path::extension(It->path()) == ".json")
      Descriptions.insert(It->path());
  json::Array Kernels;
  for (const std::string &Path : Descriptions) {
    SmallString<128> CodePath(Path);
    sys::path::replace_extension(CodePath, ".cpp");
    Expected<std::string> Text = readFile(Path, MaxFileBytes);
    if (!Text)
      return Text.takeError();
    Expected<std::string> Code = readFile(CodePath, MaxFileBytes);
    if (!Code)
      return Code.takeError();
    Expected<json::Value> Description = parseJson(*Text);
    if (!Description)
      return Description.takeError();
    Kernels.push_back(json::Object{{"description", std::move(*Description)},
                                   {"code", json::fixUTF8(*Code)}});
  }
  return formatv("{0}", json::Value(json::Object{
                            {"kernels", std::move(Kernels)},
                            {"messages", json::fixUTF8(Messages)}}))
      .str();
}

static std::string messagesIn(StringRef Json, StringRef Source,
                              StringRef Shown) {
  Expected<json::Value> Root = parseJson(Json);
  if (!Root) {
    consumeError(Root.takeError());
    return "";
  }
  const json::Object *Object = Root->getAsObject();
  if (!Object)
    return "";
  return readCompilerMessages(Object->getString("messages").value_or(""),
                              Source, Shown)
      .Text;
}

Error belay::toolchain::explainLanguageFailure(const ProcessResult &Result,
                                               StringRef Shown) {
  if (Result.Starved)
    return makeError(DiagId::BelayFailed,
                     formatv("{0} was not compiled: the machine did not give "
                             "the compiler the CPU time that it may have",
                             Shown));
  if (Result.How == ProcessResult::Status::TimedOut)
    return makeError(
        DiagId::CompileError,
        formatv("{0} was not compiled within its time limit", Shown));
  if (Result.How == ProcessResult::Status::Exited &&
      Result.Code == static_cast<int>(ExitStatus::NotCompiled))
    return makeError(DiagId::CompileError,
                     formatv("{0} was not accepted", Shown));
  std::string Why = Result.Error.empty() ? Result.describe() : Result.Error;
  if (Result.How == ProcessResult::Status::NotConfined)
    return makeError(DiagId::NoSandbox, Why);
  return makeError(DiagId::BelayFailed,
                   formatv("Belay's compiler failed on {0}: {1}", Shown, Why),
                   {"this is a defect of Belay, not of the kernel"});
}

Expected<std::string> KernelCompiler::buildLanguage(
    std::vector<std::string> Args, const std::optional<std::string> &Text,
    StringRef Source, StringRef Shown, std::vector<std::string> &Headers) {
  Expected<std::string> Base = scratchPath("-kernels");
  if (!Base)
    return Base.takeError();
  Args.insert(Args.begin() + 1, {"--quiet", "--out-dir=" + *Base,
                                 "--dependencies=" + *Base + ".d"});
  MemoryFile Input;
  if (Text) {
    Expected<MemoryFile> Made = MemoryFile::create("source", Text->size());
    if (!Made)
      return Made.takeError();
    llvm::copy(toBytes(*Text), Made->bytes().begin());
    Input = std::move(*Made);
  }
  ProcessResult Result =
      runCompiler(std::move(Args), Text ? Input.fd() : /*Stdin=*/-1);
  if (!Result.succeeded()) {
    std::string Messages = readCompilerMessages(Result.Err, Source, Shown).Text;
    StringRef Reason = StringRef(Messages).split(" error: ").second;
    if (Opts.Quiet && !Reason.empty())
      return makeError(DiagId::CompileError, Reason.split('\n').first.str());
    showMessages(Messages);
    return explainLanguageFailure(Result, Shown);
  }
  Expected<std::string> Makefile = readFile(*Base + ".d", MaxFileBytes);
  if (!Makefile)
    return Makefile.takeError();
  Headers = parseDependencies(*Makefile);
  return collect(*Base, Result.Err);
}

Expected<std::string> KernelCompiler::compileLanguage(const Case &Case) {
  SmallString<128> Source(Case.Source);
  if (std::error_code EC = sys::fs::make_absolute(Source))
    return createStringError(EC, Case.Source + ": " + EC.message());
  allowSources(Source.str().str());
  Expected<std::string> Content = readSourceOf(Case);
  if (!Content)
    return Content.takeError();
  std::string Compiler = belay::support::getLibexecPath("belay-kernelc");
  std::vector<std::string> Args = {
      Compiler, "--include-dir=" + belay::support::getIncludePath(),
      "--soc=" + Case.Soc};
  if (!Case.Kernel.empty())
    Args.push_back("--kernel=" + Case.Kernel);
  if (Case.Deny)
    Args.push_back("--deny");
  if (Opts.Colors)
    Args.push_back("--colors");
  for (const std::string &Define : Case.Defines)
    Args.push_back("--clang-arg=-D" + Define);
  for (const std::string &Dir : Case.IncludeDirs)
    Args.push_back("--clang-arg=-I" + Dir);
  if (Case.Text)
    Args.push_back("--from-stdin");
  Args.insert(Args.end(), {"--", Source.str().str()});

  allowToRead(Source.str().str(), foldersOf(Case.IncludeDirs));
  Fingerprint Inputs;
  Inputs.add("language 1").add(stamp(Compiler)).add(*Content);
  Inputs.add(policyKey());
  for (const std::string &Arg : Args)
    Inputs.add(Arg);
  std::string Key = Inputs.str();
  auto Find = [&]() -> std::optional<std::string> {
    std::optional<std::string> List = Cache->read(Key, "headers");
    if (!List)
      return std::nullopt;
    SmallVector<StringRef, 64> Headers;
    StringRef(*List).split(Headers, '\0', -1, /*KeepEmpty=*/false);
    std::vector<std::string> Names(Headers.begin(), Headers.end());
    auto Result = resultKey(Key, Names);
    allowSources(Names);
    return Result ? Cache->read(*Result, "json") : std::nullopt;
  };
  std::optional<std::string> Known = Cache ? Find() : std::nullopt;
  if (Known) {
    // Warnings are as true as they were the first time.
    showMessages(messagesIn(*Known, Source, Case.Source));
    return std::move(*Known);
  }
  timespec Start;
  ::clock_gettime(CLOCK_REALTIME, &Start);
  std::vector<std::string> Headers;
  Expected<std::string> Made =
      buildLanguage(std::move(Args), Case.Text, Source, Case.Source, Headers);
  if (!Made)
    return Made.takeError();
  allowSources(Headers);
  showMessages(messagesIn(*Made, Source, Case.Source));
  if (auto Result = Cache ? resultKey(Key, Headers, Start) : std::nullopt) {
    Expected<std::string> Kept = Cache->store(*Result, "json", *Made);
    if (Kept) // last, since a reader starts from here
      Kept =
          Cache->store(Key, "headers", llvm::join(Headers, StringRef("\0", 1)));
    if (!Kept)
      logAllUnhandledErrors(Kept.takeError(), errs(), "belay: warning: ");
  }
  return Made;
}
