//===- CompilerMessages.cpp - What Clang said, as the user sees it --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/CompilerMessages.h"
#include "support/WrapperName.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace belay::toolchain;

static std::string withoutColors(StringRef Line) {
  std::string Plain;
  while (!Line.empty()) {
    size_t Escape = Line.find('\x1b');
    Plain += Line.take_front(Escape);
    Line = Line.drop_front(std::min(Escape, Line.size()));
    // A sequence may lack its end: sources can have a say in messages.
    Line = Line.drop_until([](char C) { return isAlpha(C); });
    Line = Line.drop_front(Line.empty() ? 0 : 1);
  }
  return Plain;
}

/// Whether the line begins a message of its own; notes belong to the one
/// before.
static bool beginsMessage(StringRef Plain) {
  return Plain.contains(": error: ") || Plain.contains(": fatal error: ") ||
         Plain.contains(": warning: ") || Plain.starts_with("error: ") ||
         Plain.starts_with("fatal error: ");
}

static std::string replaceAll(StringRef Text, StringRef From, StringRef To) {
  if (From.empty() || From == To)
    return Text.str();
  std::string Result;
  for (size_t At; (At = Text.find(From)) != StringRef::npos;) {
    Result += Text.take_front(At);
    Result += To;
    Text = Text.drop_front(At + From.size());
  }
  return Result + Text.str();
}

CompilerMessages belay::toolchain::readCompilerMessages(StringRef Stderr,
                                                        StringRef Source,
                                                        StringRef Shown) {
  // One message: the include stack before it, its first line, and what follows
  // up to the next.
  struct Block {
    std::string Text;
    std::string First;
    bool MentionsWrapper = false;
  };
  const std::string Wrapper = (belay::support::WrapperName + ":").str();
  std::vector<Block> Blocks;
  bool StackOpen = false;
  SmallVector<StringRef, 32> Lines;
  Stderr.split(Lines, '\n');
  if (!Lines.empty() && Lines.back().empty())
    Lines.pop_back();
  for (StringRef Line : Lines) {
    std::string Plain = withoutColors(Line);
    if (StringRef(Plain).ends_with(" generated.") && isDigit(Plain[0]))
      continue;
    bool IsStack = StringRef(Plain).starts_with("In file included from ");
    bool Begins = beginsMessage(Plain);
    if (Blocks.empty() || (IsStack && !StackOpen) || (Begins && !StackOpen))
      Blocks.emplace_back();
    StackOpen = IsStack;
    Block &Current = Blocks.back();
    if (IsStack && StringRef(Plain).contains("from " + Wrapper))
      continue;
    if (Begins && Current.First.empty())
      Current.First = Plain;
    Current.MentionsWrapper |= StringRef(Plain).starts_with(Wrapper);
    Current.Text += replaceAll(Line, Source, Shown) + "\n";
  }

  CompilerMessages Result;
  for (const Block &Each : Blocks) {
    if (!Each.MentionsWrapper) {
      Result.Text += Each.Text;
      continue;
    }
    StringRef Message = StringRef(Each.First);
    Message = Message.substr(Message.find("error: "));
    Message.consume_front("error: ");
    Result.AboutWrapper.push_back(Message.str());
  }
  return Result;
}

static thread_local MessageListener *Listening = nullptr;

MessageListener::MessageListener(size_t MaxBytes)
    : MaxBytes(MaxBytes), Before(Listening) {
  Listening = this;
}

MessageListener::~MessageListener() { Listening = Before; }

void belay::toolchain::showMessages(StringRef Text) {
  if (!Listening) {
    errs() << Text;
    return;
  }
  std::string &Heard = Listening->Heard;
  Heard += Text.take_front(Listening->MaxBytes - Heard.size());
}
