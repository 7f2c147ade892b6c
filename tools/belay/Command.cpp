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
#include "support/Styling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
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

/// What a table says of one option.
static const opt::OptTable &tableOf(const Command &Cmd) {
  return Cmd.Options();
}

/// An option with this spelling, or 0.
static unsigned findOption(const opt::OptTable &Table, StringRef Spelling) {
  for (unsigned Id = 1; Id <= Table.getNumOptions(); ++Id)
    if (Table.getOptionPrefixedName(Id) == Spelling)
      return Id;
  return 0;
}

static int unknownOption(const Command &Cmd, StringRef Typed) {
  StringRef Name = Typed.split('=').first;
  std::string Nearest;
  if (Cmd.Options && Typed.starts_with("--")) {
    const opt::OptTable &Table = tableOf(Cmd);
    if (Name != Typed && findOption(Table, Name))
      return usageError(Cmd, "'" + Name + "' takes no value");
    // As far away as names are that someone may have meant.
    if (Table.findNearest(Name, Nearest) > std::max<size_t>(1, Name.size() / 4))
      Nearest.clear();
  }
  return usageError(Cmd, "unknown option '" +
                             (Typed.starts_with("--") ? Name : Typed) + "'" +
                             didYouMean(StringRef(Nearest).rtrim('=')));
}

static int missingValue(const Command &Cmd, StringRef Typed) {
  const opt::OptTable &Table = tableOf(Cmd);
  unsigned Id = findOption(Table, Typed);
  const char *Value = Id ? Table.getOptionMetaVar(Id) : nullptr;
  return usageError(Cmd, "'" + Typed + "' needs a value: " +
                             (Value ? Value : "there is none"));
}

/// Without a table, everything that looks like an option is unknown.
static std::optional<Arguments> parsePlain(const Command &Cmd,
                                           ArrayRef<const char *> Args) {
  Arguments Result;
  bool Names = false;
  for (StringRef Arg : Args) {
    if (!Names && Arg == "--") {
      Names = true;
      continue;
    }
    if (!Names && Arg.starts_with("-") && Arg != "-") {
      unknownOption(Cmd, Arg);
      return std::nullopt;
    }
    Result.Positional.push_back(Arg);
  }
  return Result;
}

std::optional<Arguments>
belay::tool::parseArguments(const Command &Cmd, ArrayRef<const char *> Args) {
  if (!Cmd.Options)
    return parsePlain(Cmd, Args);
  const opt::OptTable &Table = tableOf(Cmd);
  unsigned MissingIndex = 0, MissingCount = 0;
  opt::InputArgList Parsed = Table.ParseArgs(Args, MissingIndex, MissingCount);
  if (MissingCount) {
    missingValue(Cmd, Args[MissingIndex]);
    return std::nullopt;
  }
  Arguments Result;
  for (const opt::Arg *Each : Parsed) {
    const opt::Option &Option = Each->getOption();
    switch (Option.getKind()) {
    case opt::Option::InputClass:
      // What starts with a dash that no option of the table has.
      if (StringRef Name = Each->getValue();
          Name.starts_with("-") && Name != "-") {
        unknownOption(Cmd, Name);
        return std::nullopt;
      }
      [[fallthrough]];
    case opt::Option::RemainingArgsClass:
      for (const char *Name : Each->getValues())
        Result.Positional.push_back(Name);
      break;
    case opt::Option::UnknownClass:
      unknownOption(Cmd, Each->getSpelling());
      return std::nullopt;
    default:
      Result.Options.push_back(
          {Option.getID(), Option.getPrefixedName(),
           Each->getNumValues() ? Each->getValue() : StringRef()});
    }
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

std::vector<OptionEntry> belay::tool::optionsOf(const Command &Cmd) {
  std::vector<OptionEntry> Entries;
  if (!Cmd.Options)
    return Entries;
  const opt::OptTable &Table = Cmd.Options();
  auto Add = [&](StringRef Title, unsigned Group) {
    for (unsigned Id = 1; Id <= Table.getNumOptions(); ++Id) {
      const char *Help = Table.getOptionHelpText(Id);
      if (!Help || Table.getOptionGroupID(Id) != Group ||
          Table.getOptionKind(Id) == opt::Option::GroupClass)
        continue;
      const char *Value = Table.getOptionMetaVar(Id);
      Entries.push_back({Table.getOptionPrefixedName(Id),
                         Value ? StringRef(Value) : "", Help, Title});
    }
  };
  Add("", 0);
  for (unsigned Id = 1; Id <= Table.getNumOptions(); ++Id)
    if (Table.getOptionKind(Id) == opt::Option::GroupClass)
      Add(Table.getOptionHelpText(Id), Id);
  return Entries;
}

/// "--soc NAME"
static std::string spell(const OptionEntry &Entry) {
  return (Entry.Name + (Entry.Value.empty() ? "" : " ") + Entry.Value).str();
}

static void printOptions(raw_ostream &OS, ArrayRef<OptionEntry> Entries) {
  Styling Style(OS);
  size_t Width = 0;
  for (const OptionEntry &Each : Entries)
    Width = std::max(Width, std::min<size_t>(spell(Each).size() + 2, 26));
  std::optional<StringRef> Group;
  for (const OptionEntry &Each : Entries) {
    if (Group != Each.Group)
      OS << '\n'
         << Style.paint(Tone::Strong,
                        Each.Group.empty() ? "Options" : Each.Group)
         << '\n';
    Group = Each.Group;
    printEntry(OS, Style, spell(Each), Each.Help, Width);
  }
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
  printOptions(OS, optionsOf(Cmd));
  if (!Cmd.Examples.empty()) {
    Heading("Examples");
    SmallVector<StringRef> Lines;
    Cmd.Examples.trim().split(Lines, '\n');
    for (StringRef Line : Lines)
      OS << "  " << Line << '\n';
  }
}
