//===- belay-symbols.cpp - The lines of program counters ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// belay-symbols OBJECT ADDRESS...: a JSON array for each address, with its
// frames from the innermost on.
// belay-symbols --describe OBJECT: what it says of its kernel, as JSON.
//
// A process of its own, because an object and its debug information are what
// its author or the kernel itself made of it: LLVM aborts on some of it.
//
//===----------------------------------------------------------------------===//

#include "ElfDescription.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static json::Array framesOf(const DIInliningInfo &Info) {
  json::Array Frames;
  for (unsigned I = 0; I < Info.getNumberOfFrames(); ++I) {
    const DILineInfo &Line = Info.getFrame(I);
    if (Line.FileName == DILineInfo::BadString || Line.Line == 0)
      continue;
    bool Named = Line.FunctionName != DILineInfo::BadString;
    Frames.push_back(json::Object{
        {"file", json::fixUTF8(Line.FileName)},
        {"line", Line.Line},
        {"column", Line.Column},
        {"function", Named ? json::fixUTF8(Line.FunctionName) : ""}});
  }
  return Frames;
}

static int describe(const char *Path) {
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!File) {
    errs() << Path << ": " << File.getError().message() << '\n';
    return 1;
  }
  Expected<json::Object> Said = describeElf((*File)->getMemBufferRef());
  if (!Said) {
    errs() << toString(Said.takeError()) << '\n';
    return 1;
  }
  outs() << json::Value(std::move(*Said)) << '\n';
  return 0;
}

int main(int Argc, char **Argv) {
  if (Argc < 2)
    return 2;
  if (Argc == 3 && StringRef(Argv[1]) == "--describe")
    return describe(Argv[2]);
  symbolize::LLVMSymbolizer::Options Options;
  Options.Demangle = true;
  Options.FallbackDebugPath.clear();
  symbolize::LLVMSymbolizer Symbolizer(Options);
  json::Array Result;
  for (const char *Text : ArrayRef(Argv, Argc).drop_front(2)) {
    uint64_t Address;
    if (StringRef(Text).getAsInteger(0, Address))
      return 2;
    Expected<DIInliningInfo> Info = Symbolizer.symbolizeInlinedCode(
        Argv[1], {Address, object::SectionedAddress::UndefSection});
    Result.push_back(Info ? framesOf(*Info) : json::Array());
    if (!Info)
      consumeError(Info.takeError());
  }
  outs() << json::Value(std::move(Result)) << '\n';
  return 0;
}
