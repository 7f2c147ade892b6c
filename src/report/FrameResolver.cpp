//===- FrameResolver.cpp - Program counters to source lines ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FrameResolver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay::report;

FrameResolver::FrameResolver(std::string ObjectPath, std::string CubeObjectPath,
                             std::string OwnHeaders)
    : ObjectPath(std::move(ObjectPath)),
      CubeObjectPath(std::move(CubeObjectPath)),
      OwnHeaders(std::move(OwnHeaders)) {
  SmallString<128> Current;
  if (!sys::fs::current_path(Current))
    WorkingDir = Current.str().str();
}

FrameResolver::~FrameResolver() = default;

std::string belay::report::shorten(StringRef Path, StringRef WorkingDir) {
  StringRef Rest = Path;
  if (!WorkingDir.empty() && Rest.consume_front(WorkingDir) &&
      Rest.consume_front("/"))
    return Rest.str();
  return Path.str();
}

std::vector<Frame> FrameResolver::resolve(const sim::Place &Place) {
  if (!Symbolizer) {
    symbolize::LLVMSymbolizer::Options Options;
    Options.Demangle = true;
    Options.FallbackDebugPath.clear();
    Symbolizer = std::make_unique<symbolize::LLVMSymbolizer>(Options);
  }
  std::vector<Frame> Users, Others;
  for (unsigned I = 0; I < Place.NumFrames; ++I) {
    // Return addresses lie one past the call; those of signals are made to.
    uint64_t Address = Place.Frames[I] ? Place.Frames[I] - 1 : 0;
    bool InCube = Address & sim::CubeObjectFrame;
    Address &= ~sim::CubeObjectFrame;
    Expected<DIInliningInfo> Info = Symbolizer->symbolizeInlinedCode(
        InCube ? CubeObjectPath : ObjectPath,
        {Address, object::SectionedAddress::UndefSection});
    if (!Info) {
      consumeError(Info.takeError());
      continue;
    }
    for (unsigned J = 0; J < Info->getNumberOfFrames(); ++J) {
      const DILineInfo &Line = Info->getFrame(J);
      if (Line.FileName == DILineInfo::BadString || Line.Line == 0)
        continue;
      // The wrapper, and the trampoline that calls the kernel.
      bool Own = StringRef(Line.FileName).starts_with(OwnHeaders) ||
                 StringRef(Line.FileName).contains("<stdin>");
      bool Library = StringRef(Line.FileName).starts_with("/usr/");
      Frame F;
      if (Line.FunctionName != DILineInfo::BadString)
        F.Function = Line.FunctionName;
      F.Where = {shorten(Line.FileName, WorkingDir), Line.Line, Line.Column};
      (Own || Library ? Others : Users).push_back(std::move(F));
    }
  }
  if (Users.empty() && !Others.empty())
    Users.push_back(std::move(Others.front()));
  return Users;
}
