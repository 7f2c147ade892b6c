//===- CompileCommands.cpp - What a build says about its files
//----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/CompileCommands.h"
#include "support/Files.h"
#include "support/Json.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace belay::toolchain;
using namespace llvm;

static constexpr uint64_t MaxBytes = 256 << 20;

static std::string absolute(StringRef Path, StringRef Folder) {
  SmallString<256> Full(Path);
  sys::path::make_absolute(Folder, Full);
  sys::path::remove_dots(Full, /*remove_dot_dot=*/false);
  return Full.str().str();
}

/// Takes what says which headers and macros the source sees.
static void takeOptions(ArrayRef<std::string> Words, StringRef Folder,
                        CompileCommand &To) {
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    // The value is the rest of the word, or the next one.
    auto Value = [&](StringRef Option) -> std::optional<StringRef> {
      if (!Word.starts_with(Option))
        return std::nullopt;
      if (Word.size() > Option.size())
        return Word.drop_front(Option.size());
      if (I + 1 == Words.size())
        return std::nullopt;
      return StringRef(Words[++I]);
    };
    bool Taken = false;
    for (StringRef Option : {"-isystem", "-iquote", "-include"})
      if (auto Path = Value(Option)) {
        To.Others.push_back(Option.str());
        To.Others.push_back(absolute(*Path, Folder));
        Taken = true;
        break;
      }
    if (Taken)
      continue;
    if (auto Path = Value("-I"))
      To.IncludeDirs.push_back(absolute(*Path, Folder));
    else if (auto Define = Value("-D"))
      To.Defines.push_back(Define->str());
    else if (auto Name = Value("-U"))
      To.Others.push_back(("-U" + *Name).str());
  }
}

static std::vector<std::string> wordsOf(const json::Object &Entry) {
  std::vector<std::string> Words;
  if (const json::Array *Array = Entry.getArray("arguments")) {
    for (const json::Value &Each : *Array)
      Words.push_back(Each.getAsString().value_or("").str());
    return Words;
  }
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *> Parts;
  cl::TokenizeGNUCommandLine(Entry.getString("command").value_or(""), Saver,
                             Parts);
  Words.assign(Parts.begin(), Parts.end());
  return Words;
}

Expected<CompileCommands> CompileCommands::read(StringRef Path) {
  CompileCommands Result;
  SmallString<256> File(Path);
  if (sys::fs::is_directory(Path))
    sys::path::append(File, "compile_commands.json");
  Result.Path = File.str().str();
  Expected<std::string> Text = support::readFile(File, MaxBytes);
  if (!Text)
    return Text.takeError();
  Expected<json::Value> Parsed = support::parseJson(*Text);
  if (!Parsed)
    return createStringError(File + ": " + toString(Parsed.takeError()));
  const json::Array *Entries = Parsed->getAsArray();
  if (!Entries)
    return createStringError(File + ": is no list of commands");
  for (const json::Value &Each : *Entries) {
    const json::Object *Entry = Each.getAsObject();
    std::optional<StringRef> Name =
        Entry ? Entry->getString("file") : std::nullopt;
    if (!Name)
      return createStringError(File + ": a command names no file");
    StringRef Folder = Entry->getString("directory").value_or("");
    CompileCommand &Command = Result.Commands.emplace_back();
    Command.File = absolute(*Name, Folder);
    takeOptions(wordsOf(*Entry), Folder, Command);
  }
  return Result;
}

const CompileCommand *CompileCommands::find(StringRef File) const {
  for (const CompileCommand &Each : Commands)
    if (Each.File == File || sys::fs::equivalent(Each.File, File))
      return &Each;
  return nullptr;
}
