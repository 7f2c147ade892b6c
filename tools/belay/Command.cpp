//===- Command.cpp - Parsing and help of subcommands ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "support/DiagnosticError.h"
#include "support/Diagnostics.h"
#include "support/Files.h"
#include "support/Spelling.h"
#include "support/Styling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using namespace belay::support;

namespace belay::tool {
#define BELAY_COMMAND(Variable) extern const Command Variable;
#include "Commands.def"
} // namespace belay::tool

ArrayRef<const Command *> belay::tool::allCommands() {
  static const Command *const Commands[] = {
#define BELAY_COMMAND(Variable) &Variable,
#include "Commands.def"
  };
  return Commands;
}

const Command *belay::tool::findCommand(StringRef Name) {
  for (const Command *Cmd : allCommands())
    if (Cmd->Name == Name)
      return Cmd;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

std::optional<StringRef> Arguments::get(StringRef Name) const {
  for (const auto &[Each, Value] : reverse(Options))
    if (Each == Name)
      return Value;
  return std::nullopt;
}

std::vector<StringRef> Arguments::getAll(StringRef Name) const {
  std::vector<StringRef> Values;
  for (const auto &[Each, Value] : Options)
    if (Each == Name)
      Values.push_back(Value);
  return Values;
}

std::string belay::tool::didYouMean(StringRef Nearest) {
  return Nearest.empty() ? "" : ("; did you mean '" + Nearest + "'?").str();
}

int belay::tool::usageError(const Command &Cmd, const Twine &Message) {
  Styling Style(errs());
  errs() << Style.paint(Tone::Strong, ("belay " + Cmd.Name + ": ").str())
         << Style.paint(Tone::Bad, "error") << ": " << Message << '\n'
         << "usage: belay " << Cmd.Name << ' ' << Cmd.Usage << '\n'
         << "see 'belay help " << Cmd.Name << "'\n";
  return ExitUsage;
}

int belay::tool::reportError(Error E) {
  Diagnostic Diag = toDiagnostic(std::move(E));
  printDiagnostic(errs(), Diag, Styling(errs()));
  return toInt(exitStatusOf(Diag.Id));
}

/// A source that is larger was not written by anyone.
static constexpr uint64_t MaxSourceBytes = 64 << 20;

Expected<SourceText> belay::tool::readInput(StringRef Name) {
  if (sys::fs::is_directory(Name))
    return createStringError("'" + Name + "' is a folder; name its files");
  if (Name != "-") {
    Expected<std::string> Text = readFile(Name, MaxSourceBytes);
    if (!Text)
      return Text.takeError();
    return SourceText{Name.str(), std::move(*Text)};
  }
  auto Buffer = MemoryBuffer::getSTDIN();
  if (!Buffer)
    return createStringError(Buffer.getError(),
                             "standard input: " + Buffer.getError().message());
  return SourceText{"<stdin>", (*Buffer)->getBuffer().str()};
}

static int unknownOption(const Command &Cmd, StringRef Typed) {
  std::vector<std::string_view> Names;
  for (const Option &Each : Cmd.Options)
    Names.push_back(Each.Name);
  // Of options with one letter, no one is near another.
  StringRef Nearest = Typed.starts_with("--")
                          ? StringRef(nearestName(Typed.ltrim('-'), Names))
                          : StringRef();
  StringRef Dashes = Nearest.size() == 1 ? "-" : "--";
  return usageError(Cmd,
                    "unknown option '" + Typed + "'" +
                        didYouMean(Nearest.empty() ? std::string()
                                                   : (Dashes + Nearest).str()));
}

std::optional<Arguments> belay::tool::parseArguments(const Command &Cmd,
                                                     ArrayRef<StringRef> Args) {
  Arguments Result;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (Arg == "--") {
      append_range(Result.Positional, Args.drop_front(I + 1));
      break;
    }
    // A lone dash is a file name by custom: standard input.
    if (!Arg.starts_with("-") || Arg == "-") {
      Result.Positional.push_back(Arg);
      continue;
    }
    auto [Typed, Value] = Arg.split('=');
    bool HasValue = Typed.size() != Arg.size();
    // One letter, one dash; the value may follow at once, as with compilers:
    // -DX=1.
    if (!Arg.starts_with("--")) {
      Typed = Arg.take_front(2);
      Value = Arg.drop_front(2);
      HasValue = !Value.empty();
    }
    const Option *Opt = find_if(Cmd.Options, [Typed = Typed](const Option &O) {
      return Typed.starts_with("--") ? Typed.drop_front(2) == O.Name
                                     : Typed.drop_front() == O.Name;
    });
    if (Opt == Cmd.Options.end()) {
      unknownOption(Cmd, Typed.starts_with("--") ? Typed : Arg);
      return std::nullopt;
    }
    if (Opt->Value.empty() && HasValue) {
      usageError(Cmd, "'" + Typed + "' takes no value");
      return std::nullopt;
    }
    if (!Opt->Value.empty() && !HasValue) {
      if (++I == Args.size()) {
        usageError(Cmd, "'" + Typed + "' needs a value: " + Opt->Value);
        return std::nullopt;
      }
      Value = Args[I];
    }
    Result.Options.push_back({Opt->Name, Value});
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Help
//===----------------------------------------------------------------------===//

/// Prints name and text in two columns; further lines of the text are indented.
static void printEntry(raw_ostream &OS, const Styling &Style, StringRef Name,
                       StringRef Text, size_t Width) {
  OS << "  " << Style.paint(Tone::Name, Name);
  // A name that fills its column gets a line of its own.
  if (Name.size() + 2 > Width) {
    OS << '\n';
    OS.indent(Width + 2);
  } else {
    OS.indent(Width - Name.size());
  }
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  OS << Lines[0] << '\n';
  for (StringRef Line : ArrayRef(Lines).drop_front()) {
    if (!Line.empty())
      OS.indent(Width + 2) << Line;
    OS << '\n';
  }
}

static std::string spell(const Option &Opt) {
  StringRef Dashes = Opt.Name.size() == 1 ? "-" : "--";
  return (Dashes + Opt.Name + (Opt.Value.empty() ? "" : " ") + Opt.Value).str();
}

void belay::tool::printHelp(raw_ostream &OS, const Command &Cmd) {
  Styling Style(OS);
  auto Heading = [&](StringRef Text) {
    OS << '\n' << Style.paint(Tone::Strong, Text) << '\n';
  };
  OS << Style.paint(Tone::Strong, ("belay " + Cmd.Name).str()) << " - "
     << Cmd.Summary << '\n';
  Heading("Usage");
  OS << "  belay " << Cmd.Name << ' ' << Cmd.Usage << '\n';
  OS << '\n' << Cmd.Description.trim() << '\n';
  if (!Cmd.Options.empty()) {
    Heading("Options");
    size_t Width = 0;
    for (const Option &Opt : Cmd.Options)
      Width = std::max(Width, std::min<size_t>(spell(Opt).size() + 2, 26));
    for (const Option &Opt : Cmd.Options)
      printEntry(OS, Style, spell(Opt), Opt.Help, Width);
  }
  if (!Cmd.Examples.empty()) {
    Heading("Examples");
    SmallVector<StringRef> Lines;
    Cmd.Examples.trim().split(Lines, '\n');
    for (StringRef Line : Lines)
      OS << "  " << Line << '\n';
  }
}
