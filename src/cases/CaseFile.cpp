//===- CaseFile.cpp - Cases in a JSON file --------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/CaseFile.h"
#include "cases/Generators.h"
#include "support/ControlCharacters.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/Spelling.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;
using namespace belay::cases;
using namespace belay::support;

static constexpr uint64_t MaxCaseFileBytes = 64 << 20;

namespace {

/// Reads the members of one object into a case.
class CaseReader {
public:
  CaseReader(Case &Result, StringRef Directory)
      : Result(Result), Directory(Directory) {}

  Error read(const json::Object &Object) {
    // A file that is read in another order than it is written would be a
    // surprise only in which of several errors comes first.
    for (const auto &[Key, Value] : Object)
      if (Error E = readMember(StringRef(Key), Value))
        return createStringError(
            formatv("\"{0}\": {1}", StringRef(Key), toString(std::move(E))));
    return Error::success();
  }

private:
  static Error wanted(const char *What) {
    return createStringError(formatv("expected {0}", What));
  }

  /// A path, from the file's folder.
  std::string resolve(StringRef Path) const {
    if (Path.empty() || sys::path::is_absolute(Path) || Directory.empty())
      return Path.str();
    SmallString<128> Full(Directory);
    sys::path::append(Full, Path);
    return Full.str().str();
  }

  Error readText(const json::Value &Value, std::string &Text) {
    std::optional<StringRef> String = Value.getAsString();
    if (!String)
      return wanted("a string");
    // It reaches the terminal.
    if (hasControl(*String))
      return wanted("a string without control characters");
    Text = String->str();
    return Error::success();
  }

  Error readFlag(const json::Value &Value, bool &Flag) {
    std::optional<bool> Boolean = Value.getAsBoolean();
    if (!Boolean)
      return wanted("true or false");
    Flag = *Boolean;
    return Error::success();
  }

  Error readPath(const json::Value &Value, std::string &Path) {
    if (Error E = readText(Value, Path))
      return E;
    Path = resolve(Path);
    return Error::success();
  }

  template <class T>
  Error readWhole(const json::Value &Value, T &Number, uint64_t Max) {
    std::optional<uint64_t> Integer = Value.getAsUINT64();
    if (!Integer || *Integer > Max)
      return wanted("a whole number that is not negative");
    Number = static_cast<T>(*Integer);
    return Error::success();
  }

  Error readBytes(const json::Value &Value, uint64_t &Bytes) {
    std::optional<uint64_t> Parsed;
    if (auto Text = Value.getAsString())
      Parsed = parseBytes(*Text);
    else
      Parsed = Value.getAsUINT64();
    if (!Parsed || *Parsed > MaxBufferBytes)
      return wanted("a number of bytes, as 4096 or \"16M\"");
    Bytes = *Parsed;
    return Error::success();
  }

  Error readTexts(const json::Value &Value, std::vector<std::string> &Texts,
                  bool Paths) {
    const json::Array *Array = Value.getAsArray();
    if (!Array)
      return wanted("a list of strings");
    Texts.clear();
    for (const json::Value &Element : *Array) {
      std::string Text;
      if (Error E = Paths ? readPath(Element, Text) : readText(Element, Text))
        return E;
      Texts.push_back(std::move(Text));
    }
    return Error::success();
  }

  Error readTiling(const json::Value &Value) {
    std::optional<StringRef> Text = Value.getAsString();
    if (!Text)
      return Result.Tiling.parseObject(Value);
    bool IsFile = Text->ends_with(".bin") || Text->ends_with(".json");
    return Result.Tiling.parse(IsFile ? resolve(*Text) : Text->str());
  }

  Error readArgs(const json::Value &Value) {
    const json::Array *Array = Value.getAsArray();
    if (!Array)
      return wanted("a list of arguments");
    Result.Args.clear();
    for (const auto &[Index, Element] : enumerate(*Array)) {
      const json::Object *Object = Element.getAsObject();
      Error E = Object ? readArg(*Object) : wanted("an object");
      if (E)
        return createStringError(
            formatv("argument {0}: {1}", Index, toString(std::move(E))));
    }
    return Error::success();
  }

  void resolvePaths(ArgSpec &Arg) const {
    Arg.Output = resolve(Arg.Output);
    if (Arg.reads() && !Generator::names(Arg.Source))
      Arg.Source = resolve(Arg.Source);
  }

  /// {"relu": true, "dims": [1, 2]}
  Error readAttrs(const json::Value &Value) {
    const json::Object *Object = Value.getAsObject();
    if (!Object)
      return wanted("an object of attributes");
    Result.OpHost.Attrs.clear();
    for (const auto &[Key, Member] : *Object) {
      std::string Text;
      const json::Array *Array = Member.getAsArray();
      if (Array) {
        for (const json::Value &Element : *Array)
          Text += (Text.empty() ? "" : ",") + attrText(Element);
      } else {
        Text = attrText(Member);
      }
      Result.OpHost.Attrs.emplace_back(StringRef(Key).str(), std::move(Text));
    }
    return Error::success();
  }

  static std::string attrText(const json::Value &Value) {
    if (auto Text = Value.getAsString())
      return Text->str();
    return formatv("{0}", Value);
  }

  /// {"in": "..."} and so on; an output may have "expect", "rtol", "atol".
  Error readArg(const json::Object &Object) {
    std::optional<ArgSpec> Arg;
    for (ArgSpec::Role Role : {ArgSpec::Role::In, ArgSpec::Role::Out,
                               ArgSpec::Role::InOut, ArgSpec::Role::Scalar}) {
      const json::Value *Member = Object.get(nameOf(Role));
      if (!Member)
        continue;
      std::string Text;
      if (Arg)
        return wanted("only one of in, out, inout and scalar");
      if (Error E = readText(*Member, Text))
        return E;
      Expected<ArgSpec> Parsed = parseArg(Role, Text);
      if (!Parsed)
        return Parsed.takeError();
      Arg = std::move(*Parsed);
    }
    if (!Arg)
      return wanted("one of in, out, inout and scalar");
    resolvePaths(*Arg);
    for (ArgSpec &Element : Arg->List)
      resolvePaths(Element);

    for (const auto &[Key, Value] : Object) {
      StringRef Name(Key);
      if (Name == "in" || Name == "out" || Name == "inout" || Name == "scalar")
        continue;
      if (Name != "expect" && Name != "rtol" && Name != "atol")
        return createStringError(formatv("unknown member \"{0}\"", Name));
      if (!Arg->writes())
        return createStringError(formatv("only outputs have \"{0}\"", Name));
      if (!Object.get("expect"))
        return createStringError(formatv("\"{0}\" without \"expect\"", Name));
      if (!Arg->Expect)
        Arg->Expect.emplace();
      if (Name == "expect") {
        if (Error E = readPath(Value, Arg->Expect->Path))
          return E;
        continue;
      }
      std::optional<double> Number = Value.getAsNumber();
      if (!Number || *Number < 0)
        return wanted("a tolerance that is not negative");
      (Name == "rtol" ? Arg->Expect->Rtol : Arg->Expect->Atol) = *Number;
    }
    Result.Args.push_back(std::move(*Arg));
    return Error::success();
  }

  Error readMember(StringRef Key, const json::Value &Value) {
    if (Key == "cases" || Key == "comment")
      return Error::success();
    if (Key == "name")
      return readText(Value, Result.Name);
    if (Key == "source")
      return readPath(Value, Result.Source);
    if (Key == "kernel")
      return readText(Value, Result.Kernel);
    if (Key == "soc")
      return readText(Value, Result.Soc);
    if (Key == "blocks")
      return readWhole(Value, Result.Blocks, UINT32_MAX);
    if (Key == "args")
      return readArgs(Value);
    if (Key == "tiling")
      return readTiling(Value);
    if (Key == "tilingStruct")
      return readText(Value, Result.Tiling.Struct);
    if (Key == "tilingHeader")
      return readPath(Value, Result.Tiling.Header);
    if (Key == "tilingKey")
      return readWhole(Value, Result.TilingKey, UINT64_MAX);
    if (Key == "workspace") {
      Result.WorkspaceBytes = 0;
      return readBytes(Value, *Result.WorkspaceBytes);
    }
    if (Key == "opHost")
      return readTexts(Value, Result.OpHost.Sources, /*Paths=*/true);
    if (Key == "op")
      return readText(Value, Result.OpHost.Op);
    if (Key == "attrs")
      return readAttrs(Value);
    if (Key == "defines")
      return readTexts(Value, Result.Defines, /*Paths=*/false);
    if (Key == "includes")
      return readTexts(Value, Result.IncludeDirs, /*Paths=*/true);
    if (Key == "memoryLimit")
      return readBytes(Value, Result.MemoryLimitBytes);
    if (Key == "timeLimit") {
      std::optional<double> Seconds = Value.getAsNumber();
      if (!Seconds)
        return wanted("a number of seconds");
      Result.TimeLimitSeconds = *Seconds;
      return Error::success();
    }
    if (Key == "check")
      return readFlag(Value, Result.Check);
    if (Key == "allowUnwritten")
      return readTexts(Value, Result.AllowUnwritten, /*Paths=*/false);
    if (Key == "deny")
      return readFlag(Value, Result.Deny);
    if (Key == "autoSync")
      return readFlag(Value, Result.CompilerSync);
    if (Key == "optimise")
      return readFlag(Value, Result.Optimise);
    if (Key == "task") {
      auto Kind = parseTaskKind(Value.getAsString().value_or(""));
      if (!Kind)
        return wanted("vector, cube, mix11 or mix12");
      Result.Task = *Kind;
      return Error::success();
    }
    static constexpr std::string_view Known[] = {
        "cases",         "comment",     "name",      "source",  "kernel",
        "soc",           "blocks",      "args",      "tiling",  "tilingStruct",
        "tilingHeader",  "tilingKey",   "workspace", "defines", "includes",
        "task",          "memoryLimit", "timeLimit", "check",   "autoSync",
        "opHost",        "op",          "attrs",     "deny",    "optimise",
        "allowUnwritten"};
    std::string_view Near = belay::support::nearestName(Key, Known);
    if (Near.empty())
      return createStringError("no such member");
    return createStringError(
        formatv("no such member; did you mean \"{0}\"?", StringRef(Near)));
  }

  Case &Result;
  StringRef Directory;
};

} // namespace

Expected<std::vector<Case>> belay::cases::parseCases(StringRef Json,
                                                     StringRef Directory) {
  Expected<json::Value> Root = parseJson(Json);
  if (!Root)
    return Root.takeError();
  const json::Object *Object = Root->getAsObject();
  if (!Object)
    return createStringError("a case file holds one object");

  Case Defaults;
  if (Error E = CaseReader(Defaults, Directory).read(*Object))
    return E;
  const json::Value *Member = Object->get("cases");
  if (!Member)
    return std::vector<Case>{std::move(Defaults)};
  const json::Array *Array = Member->getAsArray();
  if (!Array || Array->empty())
    return createStringError("\"cases\" is not a list of cases");

  std::vector<Case> Cases;
  std::set<std::string> Names;
  for (const auto &[Index, Element] : enumerate(*Array)) {
    const json::Object *One = Element.getAsObject();
    if (!One || One->get("cases"))
      return createStringError(formatv("case {0} is not a case", Index));
    Case Result = Defaults;
    Result.Name = formatv("{0}", Index);
    if (Error E = CaseReader(Result, Directory).read(*One))
      return createStringError(
          formatv("case \"{0}\": {1}", Result.Name, toString(std::move(E))));
    if (!Names.insert(Result.Name).second)
      return createStringError(
          formatv("two cases are named \"{0}\"", Result.Name));
    Cases.push_back(std::move(Result));
  }
  return Cases;
}

Expected<std::vector<Case>> belay::cases::readCaseFile(StringRef Path) {
  Expected<std::string> Text = readFile(Path, MaxCaseFileBytes);
  if (!Text)
    return Text.takeError();
  Expected<std::vector<Case>> Cases =
      parseCases(*Text, sys::path::parent_path(Path));
  if (!Cases)
    return createStringError(Path + ": " + toString(Cases.takeError()));
  return Cases;
}
