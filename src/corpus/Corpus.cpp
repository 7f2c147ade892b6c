//===- Corpus.cpp - Unsafe kernels, their safe twins, their labels --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "corpus/Corpus.h"
#include "support/DiagnosticIds.h"
#include "support/Files.h"
#include "support/Json.h"
#include "targets/Target.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;
using namespace belay;
using namespace belay::corpus;
using namespace belay::support;

static constexpr uint64_t MaxFileBytes = 1 << 20;

std::string Pattern::pathOf(StringRef File) const {
  SmallString<128> Path(Directory);
  sys::path::append(Path, File);
  return Path.str().str();
}

namespace {

/// Reads the members of case.json. Everything that it does not know is an
/// error: a misspelt label would otherwise be no label.
class PatternReader {
public:
  explicit PatternReader(Pattern &P) : P(P) {}

  Error read(const json::Object &Object) {
    for (const auto &[Key, Value] : Object)
      if (Error E = readMember(StringRef(Key), Value))
        return createStringError(
            formatv("\"{0}\": {1}", StringRef(Key), toString(std::move(E))));
    return check(Object);
  }

private:
  static Error wanted(const char *What) {
    return createStringError(formatv("expected {0}", What));
  }

  Error readMember(StringRef Key, const json::Value &Value) {
    if (Key == "id")
      return readText(Value, P.Id);
    if (Key == "class")
      return readText(Value, P.Class);
    if (Key == "description")
      return readText(Value, P.Description);
    if (Key == "seed")
      return readSeed(Value);
    if (Key == "archs")
      return readArchs(Value);
    if (Key == "autoSync")
      return readSync(Value);
    if (Key == "run")
      return readObject(Value, P.Run);
    if (Key == "unsafe")
      return readObject(Value, P.UnsafeRun);
    if (Key == "safe")
      return readObject(Value, P.SafeRun);
    if (Key == "expected")
      return readExpected(Value);
    if (Key == "result") // what the safe kernel computes, for NumPy
      return Error::success();
    return createStringError("no such member");
  }

  static Error readText(const json::Value &Value, std::string &Text) {
    std::optional<StringRef> String = Value.getAsString();
    if (!String || String->empty())
      return wanted("a string");
    Text = String->str();
    return Error::success();
  }

  static Error readObject(const json::Value &Value, json::Object &Object) {
    const json::Object *Read = Value.getAsObject();
    if (!Read)
      return wanted("an object");
    Object = *Read;
    return Error::success();
  }

  Error readSeed(const json::Value &Value) {
    const json::Object *Object = Value.getAsObject();
    std::optional<StringRef> Kind = Object ? Object->getString("kind") : "";
    P.Origin.Commit =
        Object ? Object->getString("commit").value_or("").str() : "";
    if (Kind == "real")
      P.Origin.From = Seed::Kind::Real;
    else if (Kind == "doc")
      P.Origin.From = Seed::Kind::Doc;
    else if (Kind == "invented")
      P.Origin.From = Seed::Kind::Invented;
    else
      return wanted("{\"kind\": \"real\", \"doc\" or \"invented\"}");
    if (P.Origin.Commit.empty() == (P.Origin.From == Seed::Kind::Real))
      return wanted("a \"commit\" where the kind is real, and only there");
    return Error::success();
  }

  Error readArchs(const json::Value &Value) {
    const json::Array *Array = Value.getAsArray();
    if (!Array || Array->empty())
      return wanted("a list of architectures");
    for (const json::Value &Element : *Array) {
      auto Number = static_cast<uint32_t>(Element.getAsUINT64().value_or(0));
      const targets::Arch *Arch = targets::findArch(Number);
      if (!Arch || Arch->coverage != targets::Coverage::Simulated)
        return wanted("architectures that are simulated, as 2201");
      P.Archs.push_back(Number);
    }
    return Error::success();
  }

  Error readSync(const json::Value &Value) {
    std::optional<StringRef> Text = Value.getAsString();
    if (Text == "on")
      P.Sync = SyncMode::On;
    else if (Text == "off")
      P.Sync = SyncMode::Off;
    else if (Text == "any")
      P.Sync = SyncMode::Any;
    else
      return wanted("\"on\", \"off\" or \"any\"");
    return Error::success();
  }

  Error readExpected(const json::Value &Value) {
    const json::Object *Object = Value.getAsObject();
    if (!Object || Object->size() != 2 || !Object->get("dynamic") ||
        !Object->get("static"))
      return wanted("{\"dynamic\": ..., \"static\": ...}");
    if (Error E = readVerdict(*Object->get("dynamic"), P.Dynamic))
      return E;
    return readVerdict(*Object->get("static"), P.Static);
  }

  static Error readVerdict(const json::Value &Value, Verdict &Result) {
    const json::Object *Object = Value.getAsObject();
    if (!Object)
      return wanted("an object");
    for (const auto &[Key, Member] : *Object) {
      Error E = Error::success();
      consumeError(std::move(E));
      if (Key == "id")
        E = readText(Member, Result.Id);
      else if (Key == "none")
        E = readText(Member, Result.None);
      else if (Key == "site")
        E = readFlag(Member, Result.Site);
      else if (Key == "other")
        E = readFlag(Member, Result.Other);
      else
        E = createStringError(formatv("no member \"{0}\"", StringRef(Key)));
      if (E)
        return E;
    }
    if (Result.Id.empty() == Result.None.empty())
      return wanted("either an \"id\" or the reason for \"none\"");
    return Error::success();
  }

  static Error readFlag(const json::Value &Value, bool &Flag) {
    std::optional<bool> Boolean = Value.getAsBoolean();
    if (!Boolean)
      return wanted("true or false");
    Flag = *Boolean;
    return Error::success();
  }

  /// What holds between the members, and between them and the folders.
  Error check(const json::Object &Object) {
    for (const char *Needed :
         {"id", "class", "description", "seed", "archs", "autoSync", "run"})
      if (!Object.get(Needed))
        return createStringError(formatv("\"{0}\" is missing", Needed));
    StringRef Folder = sys::path::filename(P.Directory);
    StringRef Above = sys::path::filename(sys::path::parent_path(P.Directory));
    if (P.Class != Above)
      return createStringError(
          formatv("class \"{0}\" in the folder of {1}", P.Class, Above));
    std::string Prefix = StringRef(P.Id).lower();
    std::replace(Prefix.begin(), Prefix.end(), '.', '-');
    bool Named = P.isBait() ? Folder == P.Id : Folder.starts_with(Prefix + "-");
    if (!Named)
      return createStringError(
          formatv("id \"{0}\" in the folder {1}", P.Id, Folder));
    if (P.isBait() == bool(Object.get("expected")))
      return createStringError(P.isBait() ? "a bait expects nothing"
                                          : "\"expected\" is missing");
    return Error::success();
  }

  Pattern &P;
};

} // namespace

Expected<Pattern> belay::corpus::parsePattern(StringRef Json,
                                              StringRef Directory) {
  Expected<json::Value> Root = parseJson(Json);
  if (!Root)
    return Root.takeError();
  const json::Object *Object = Root->getAsObject();
  if (!Object)
    return createStringError("a label is one object");
  Pattern Result;
  Result.Directory = Directory.str();
  if (Error E = PatternReader(Result).read(*Object))
    return std::move(E);
  return Result;
}

/// The folders directly below a folder, sorted.
static Expected<std::vector<std::string>> foldersOf(StringRef Path) {
  std::vector<std::string> Folders;
  std::error_code EC;
  for (sys::fs::directory_iterator It(Path, EC), End; It != End && !EC;
       It.increment(EC))
    if (sys::fs::is_directory(It->path()))
      Folders.push_back(It->path());
  if (EC)
    return createStringError(EC, Path + ": " + EC.message());
  sort(Folders);
  return Folders;
}

Expected<std::vector<Pattern>> belay::corpus::readCorpus(StringRef Root) {
  std::vector<Pattern> Patterns;
  std::map<std::string, std::string> Seen;
  Expected<std::vector<std::string>> Classes = foldersOf(Root);
  if (!Classes)
    return Classes.takeError();
  for (const std::string &Class : *Classes) {
    Expected<std::vector<std::string>> Folders = foldersOf(Class);
    if (!Folders)
      return Folders.takeError();
    for (const std::string &Folder : *Folders) {
      SmallString<128> Path(Folder);
      sys::path::append(Path, "case.json");
      Expected<std::string> Json = readFile(Path, MaxFileBytes);
      if (!Json)
        return Json.takeError();
      Expected<Pattern> P = parsePattern(*Json, Folder);
      if (!P)
        return createStringError(
            formatv("{0}: {1}", Path, toString(P.takeError())));
      if (auto [It, New] = Seen.try_emplace(P->Id, Folder); !New)
        return createStringError(formatv("{0}: \"{1}\" is the id of {2} too",
                                         Path, P->Id, It->second));
      Patterns.push_back(std::move(*P));
    }
  }
  if (Patterns.empty())
    return createStringError(formatv("{0} holds no corpus", Root));
  return Patterns;
}

Marks belay::corpus::parseMarks(StringRef Source) {
  Marks Result;
  unsigned Line = 0;
  while (!Source.empty()) {
    auto [Text, Rest] = Source.split('\n');
    ++Line;
    Text = Text.rtrim();
    if (Text.ends_with("// site"))
      Result.Site.insert(Line);
    else if (Text.ends_with("// other"))
      Result.Other.insert(Line);
    Source = Rest;
  }
  return Result;
}
