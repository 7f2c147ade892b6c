//===- DeviceMessages.cpp - What the device's compiler said ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/DeviceMessages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <set>

using namespace llvm;
using namespace belay::compiler;
using namespace belay::support;

/// Nobody reads further.
static constexpr size_t MaxErrors = 50;
static constexpr size_t MaxMessageBytes = 2000;

namespace {

/// "kernel.cpp:12:5: error: no such thing".
struct Message {
  SourcePlace Where;
  StringRef Level, Text;
};

} // namespace

/// Reads "FILE:LINE:COLUMN" or "FILE:LINE".
static std::optional<SourcePlace> readPlace(StringRef Text) {
  unsigned Numbers[2] = {0, 0};
  unsigned Count = 0;
  while (Count < 2) {
    auto [Front, Back] = Text.rsplit(':');
    unsigned Number;
    if (Front.size() == Text.size() || Back.getAsInteger(10, Number))
      break;
    Numbers[Count++] = Number;
    Text = Front;
  }
  if (Count == 0 || Text.empty())
    return std::nullopt;
  return SourcePlace{Text.str(), Count == 2 ? Numbers[1] : Numbers[0],
                     Count == 2 ? Numbers[0] : 0};
}

static std::optional<Message> readMessage(StringRef Line) {
  for (StringRef Level : {"fatal error", "error", "warning", "note"}) {
    size_t At = Line.find((": " + Level + ": ").str());
    if (At != StringRef::npos) {
      std::optional<SourcePlace> Where = readPlace(Line.take_front(At));
      StringRef Text = Line.drop_front(At + Level.size() + 4);
      // "bisheng: error: no such file" has no place.
      return Message{Where.value_or(SourcePlace()), Level,
                     Text.take_front(MaxMessageBytes)};
    }
    if (Line.starts_with((Level + ": ").str()))
      return Message{{}, Level, Line.drop_front(Level.size() + 2)};
  }
  // Linkers say "ld.lld: error: ..." and are read above.
  return std::nullopt;
}

std::string belay::compiler::readableLog(StringRef Log, StringRef Compiled,
                                         StringRef Shown) {
  std::string Text;
  while (!Log.empty()) {
    if (!Compiled.empty() && Log.consume_front(Compiled)) {
      Text += Shown;
      continue;
    }
    // Colours, and whatever else would speak to a terminal.
    if (Log.front() == '\x1b') {
      Log = Log.drop_front();
      if (Log.consume_front("["))
        Log = Log.drop_while([](char C) { return !isAlpha(C); }).drop_front(1);
      continue;
    }
    char C = Log.front();
    Log = Log.drop_front();
    unsigned char Byte = static_cast<unsigned char>(C);
    if (C == '\n' || C == '\t' || (Byte >= 0x20 && Byte != 0x7f))
      Text += C;
  }
  return json::fixUTF8(Text);
}

namespace {

/// Collects errors with the lines that belong to them.
class Reader {
public:
  explicit Reader(StringRef Shown) : Shown(Shown) {}

  void read(StringRef Line) {
    StringRef Stack = Line;
    if (Stack.consume_front("In file included from ")) {
      if (std::optional<SourcePlace> Where =
              readPlace(Stack.rtrim().rtrim(":,")))
        IncludedFrom.push_back(*Where);
      return;
    }
    std::optional<Message> Read = readMessage(Line);
    if (!Read)
      return;
    if (Read->Level == "note") {
      if (Current)
        Current->Notes.push_back({Read->Where, Read->Text.str()});
      return;
    }
    finish();
    if (Read->Level != "warning") {
      Current.emplace(Diagnostic{
          DiagId::DeviceCompileError, Read->Where, Read->Text.str(), {}});
      Stacks = std::move(IncludedFrom);
    }
    IncludedFrom.clear();
  }

  std::vector<Diagnostic> take() {
    finish();
    return std::move(Errors);
  }

private:
  bool isUsers(const SourcePlace &Where) const { return Where.File == Shown; }

  /// Moves an error of a header to the line of the user's that led to it.
  void blameUser(Diagnostic &Diag) const {
    if (Diag.Where.File.empty() || isUsers(Diag.Where))
      return;
    SourcePlace Users;
    for (const DiagNote &Note : Diag.Notes)
      if (isUsers(Note.Where))
        Users = Note.Where;
    for (const SourcePlace &Where : Stacks)
      if (Users.File.empty() && isUsers(Where))
        Users = Where;
    if (Users.File.empty())
      return;
    Diag.Notes.insert(Diag.Notes.begin(), {Diag.Where, "found here"});
    Diag.Where = Users;
  }

  void finish() {
    if (!Current)
      return;
    blameUser(*Current);
    auto Key = std::tuple(Current->Where.File, Current->Where.Line,
                          Current->Where.Column, Current->Message);
    if (Seen.insert(std::move(Key)).second && Errors.size() < MaxErrors)
      Errors.push_back(std::move(*Current));
    Current.reset();
  }

  StringRef Shown;
  std::vector<Diagnostic> Errors;
  std::optional<Diagnostic> Current;
  std::vector<SourcePlace> IncludedFrom, Stacks;
  std::set<std::tuple<std::string, unsigned, unsigned, std::string>> Seen;
};

} // namespace

std::vector<Diagnostic> belay::compiler::readDeviceErrors(StringRef Log,
                                                          StringRef Compiled,
                                                          StringRef Shown) {
  std::string Text = readableLog(Log, Compiled, Shown);
  Reader Lines(Shown);
  StringRef Rest = Text;
  while (!Rest.empty()) {
    auto [Line, Next] = Rest.split('\n');
    Rest = Next;
    Lines.read(Line);
  }
  return Lines.take();
}
