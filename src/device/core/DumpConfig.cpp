//===- DumpConfig.cpp - Reading "dump" of a configuration -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/DumpConfig.h"

#include <cstring>
#include <fstream>
#include <map>

namespace belay::device {

namespace {

/// As much of a JSON value as is asked for.
struct Value {
  enum class Kind : uint8_t { Text, Object, List, Other } What = Kind::Other;
  std::string Text;
  std::map<std::string, Value> Members;
  std::vector<Value> Items;
};

class Parser {
public:
  explicit Parser(const std::string &Text)
      : At(Text.data()), End(At + Text.size()) {}

  bool parse(Value &To) {
    return value(To, /*Depth=*/0) && (skip(), At == End);
  }

private:
  void skip() {
    while (At != End && std::strchr(" \t\r\n", *At) && *At)
      ++At;
  }
  bool take(char C) {
    skip();
    if (At == End || *At != C)
      return false;
    ++At;
    return true;
  }
  bool text(std::string &To) {
    if (!take('"'))
      return false;
    for (; At != End && *At != '"'; ++At) {
      if (*At == '\\')
        ++At;
      if (At == End)
        return false;
      To += *At; // paths and names need no more than this
    }
    return take('"');
  }
  bool member(Value &To, unsigned Depth) {
    std::string Name;
    skip();
    return text(Name) && take(':') && value(To.Members[Name], Depth);
  }
  template <typename Each> bool list(char Close, Each &&Next) {
    ++At;
    if (take(Close))
      return true;
    do
      if (!Next())
        return false;
    while (take(','));
    return take(Close);
  }
  bool value(Value &To, unsigned Depth) {
    constexpr unsigned Deepest = 20; // as documented: 10 of each bracket
    skip();
    if (At == End || Depth > Deepest)
      return false;
    switch (*At) {
    case '"':
      To.What = Value::Kind::Text;
      return text(To.Text);
    case '{':
      To.What = Value::Kind::Object;
      return list('}', [&] { return member(To, Depth + 1); });
    case '[':
      To.What = Value::Kind::List;
      return list(']',
                  [&] { return value(To.Items.emplace_back(), Depth + 1); });
    default: // a number, true, false or null
      const char *Begin = At;
      while (At != End && !std::strchr(",]} \t\r\n", *At))
        ++At;
      return At != Begin;
    }
  }

  const char *At, *End;
};

/// The members of "dump", one after another; the first problem stays.
class Reader {
public:
  Reader(const Value &Of, std::string &Problem) : Of(Of), Problem(Problem) {}

  std::string text(const char *Name, const char *Otherwise) {
    auto It = Of.Members.find(Name);
    if (It == Of.Members.end())
      return Otherwise;
    if (It->second.What != Value::Kind::Text)
      refuse(InvalidDumpConfig, std::string(Name) + " is no text");
    return It->second.Text;
  }
  bool flag(const char *Name) {
    std::string Is = text(Name, "off");
    if (Is != "on" && Is != "off")
      refuse(InvalidDumpConfig, std::string(Name) + " is \"" + Is +
                                    "\", and has to be \"on\" or \"off\"");
    return Is == "on";
  }
  bool has(const char *Name) const { return Of.Members.count(Name) != 0; }
  void refuse(int E, const std::string &Why) {
    if (!Error)
      Problem = Why;
    Error = Error ? Error : E;
  }
  int Error = Success;

private:
  const Value &Of;
  std::string &Problem;
};

void readMode(Reader &R, DumpConfig &To) {
  std::string Mode = R.text("dump_mode", "output");
  To.Inputs = Mode == "input" || Mode == "all";
  To.Outputs = Mode == "output" || Mode == "all";
  if (!To.Inputs && !To.Outputs)
    R.refuse(InvalidDumpConfig, "there is no dump_mode \"" + Mode + "\"");
}

void readScene(Reader &R, DumpConfig &To) {
  std::string Scene = R.text("dump_scene", "");
  if (Scene == "watcher")
    R.refuse(Unsupported, "the simulated device has no watcher");
  else if (Scene == "aic_err_norm_dump")
    To.Exceptions = DumpConfig::Normal;
  // The details of a core are not there: as documented for devices that have
  // none, it is the brief dump then.
  else if (Scene == "aic_err_brief_dump" || Scene == "lite_exception" ||
           Scene == "aic_err_detail_dump")
    To.Exceptions = DumpConfig::Brief;
  else if (!Scene.empty())
    R.refuse(InvalidDumpConfig, "there is no dump_scene \"" + Scene + "\"");
}

} // namespace

int readDumpConfig(const char *File, std::optional<DumpConfig> &To,
                   std::string &Problem) {
  std::ifstream In(File);
  if (!In) {
    Problem = std::string("'") + File + "' cannot be read";
    return InvalidFile;
  }
  constexpr size_t Most = 1 << 20;
  std::string Text(Most + 1, '\0');
  In.read(Text.data(), static_cast<std::streamsize>(Text.size()));
  Text.resize(static_cast<size_t>(In.gcount()));
  if (Text.size() > Most) {
    Problem = std::string("'") + File + "' has more than 1 MiB";
    return WrongFileContent;
  }
  Value All;
  if (!Parser(Text).parse(All) || All.What != Value::Kind::Object) {
    Problem = std::string("'") + File + "' is no JSON";
    return WrongFileContent;
  }
  auto It = All.Members.find("dump");
  if (It == All.Members.end())
    return Success;
  DumpConfig C;
  Reader R(It->second, Problem);
  C.Path = R.text("dump_path", "");
  C.Operators = R.flag("dump_op_switch");
  C.Overflows = R.flag("dump_debug");
  readMode(R, C);
  readScene(R, C);
  if (R.text("dump_data", "tensor") != "tensor")
    R.refuse(Unsupported, "the simulated device dumps tensors, no statistics");
  if (R.has("dump_kernel_data"))
    R.refuse(Unsupported, "what kernels print is not dumped: the simulated "
                          "device prints it at once");
  if (C.Operators + C.Overflows + (C.Exceptions != DumpConfig::None) > 1)
    R.refuse(InvalidDumpConfig, "dump_op_switch, dump_debug and dump_scene "
                                "exclude each other");
  if (C.Path.empty() && C.Exceptions == DumpConfig::None)
    R.refuse(InvalidDumpConfig,
             std::string("'") + File + "' names no dump_path");
  if (!R.Error)
    To = C;
  return R.Error;
}

} // namespace belay::device
