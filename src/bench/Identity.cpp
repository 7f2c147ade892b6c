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
