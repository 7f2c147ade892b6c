//===- Identity.cpp - Names of results ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Identity.h"
#include "bench/Digest.h"
#include "support/Files.h"
#include "support/Resources.h"
#include "targets/Target.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;

static Error addFiles(Digest &To, StringRef Path) {
  std::vector<std::string> Files;
  SmallString<128> Real;
  if (sys::fs::real_path(Path, Real))
    return createStringError(Path + " is missing");
  if (!sys::fs::is_directory(Real)) {
    Files.push_back(Real.str().str());
  } else {
    std::error_code EC;
    for (sys::fs::recursive_directory_iterator At(Real, EC), End;
         At != End && !EC; At.increment(EC))
      if (sys::fs::is_regular_file(At->path()))
        Files.push_back(At->path());
  }
  llvm::sort(Files);
  for (const std::string &File : Files) {
    auto Text = MemoryBuffer::getFile(File, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
    if (!Text)
      return createStringError(Text.getError(), File);
    To.add(sys::path::filename(File)).add((*Text)->getBuffer());
  }
  return Error::success();
}

Expected<std::string>
belay::bench::harnessIdentity(const Evaluator::Options &Opts) {
  Digest All;
  All.add("harness 1").add(Opts.Soc).add(Opts.Schedules).add(Opts.Most.str());
  All.add(Opts.Largest);
  All.add(Opts.Sandbox ? "sandbox" : "no sandbox");
  Expected<toolchain::Tools> Tools = toolchain::Tools::find();
  if (!Tools)
    return Tools.takeError();
  All.add(Tools->identity(nullptr));
  for (const std::string &Path :
       {getPrefix() + "/bin/belay", getLibexecPath("belay-runner"),
        getLibexecPath("belay-issuer"), getLibexecPath("belay-sandbox"),
        getLibexecPath("belay-checker"), getLibexecPath("belay-kernelc"),
        getLibexecPath("belay-ophost"), getSharePath("ophost"),
        getLibPath("libBelayRuntime.so"), getSharePath("ascendc"),
        getSharePath("abi"), getSharePath("timing"), getIncludePath()})
    if (Error E = addFiles(All, Path))
      return E;
  return All.str();
}

std::string belay::bench::specOf(const Evaluator::Options &Opts) {
  json::Object Spec{
      {"schema", 1},
      {"soc", Opts.Soc},
      {"schedules", Opts.Schedules},
      {"sandbox", Opts.Sandbox},
      {"largest", Opts.Largest},
      {"compileSeconds", Opts.Most.CompileSeconds},
      {"compileBytes", Opts.Most.CompileBytes},
      {"launchSeconds", Opts.Most.LaunchSeconds},
      {"launchBytes", Opts.Most.LaunchBytes},
      {"totalSeconds", Opts.Most.TotalSeconds},
      {"checkSeconds", Opts.Most.CheckSeconds},
  };
  return formatv("{0}", json::Value(std::move(Spec))).str();
}

Expected<Evaluator::Options> belay::bench::optionsOf(StringRef Spec) {
  Expected<json::Value> Read = json::parse(Spec);
  if (!Read)
    return Read.takeError();
  json::Path::Root Root("spec");
  json::ObjectMapper From(*Read, Root);
  Evaluator::Options Opts;
  int64_t Schema = 0;
  bool Good =
      From && From.map("schema", Schema) && Schema == 1 &&
      From.map("soc", Opts.Soc) && From.map("schedules", Opts.Schedules) &&
      From.map("sandbox", Opts.Sandbox) && From.map("largest", Opts.Largest) &&
      From.map("compileSeconds", Opts.Most.CompileSeconds) &&
      From.map("compileBytes", Opts.Most.CompileBytes) &&
      From.map("launchSeconds", Opts.Most.LaunchSeconds) &&
      From.map("launchBytes", Opts.Most.LaunchBytes) &&
      From.map("totalSeconds", Opts.Most.TotalSeconds) &&
      From.map("checkSeconds", Opts.Most.CheckSeconds);
  if (!Good || !targets::findSoc(Opts.Soc))
    return createStringError("its options are of another version of Belay");
  return Opts;
}

Expected<std::string> belay::bench::taskIdentity(StringRef Harness,
                                                 const Task &T,
                                                 const TaskValues *Public,
                                                 const TaskValues *Hidden) {
  if (T.isForeign())
    return Digest()
        .add("foreign")
        .add(Harness)
        .add(T.Id)
        .add(T.DefinedBy)
        .str();
  constexpr uint64_t MaxAnswer = 1 << 20;
  Expected<std::string> Answer = readFile(T.Answer, MaxAnswer);
  if (!Answer)
    return Answer.takeError();
  return Digest()
      .add(Harness)
      .add(T.Id)
      .add(T.DefinedBy)
      .add(Public->digest())
      .add(Hidden->digest())
      .add(*Answer)
      .str();
}

std::string belay::bench::keyOf(StringRef TaskIdentity, StringRef Source) {
  return Digest().add(TaskIdentity).add(Source).str();
}
