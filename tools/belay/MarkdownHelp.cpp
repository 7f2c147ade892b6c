//===- MarkdownHelp.cpp - The help as pages of the documents --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Help.h"

#include "llvm/ADT/StringExtras.h"

using namespace belay::tool;
using namespace llvm;

/// Text of a paragraph or of a cell of a table, none of which is markup.
static std::string escaped(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (StringRef("\\`*_<>[]|#$").contains(C))
      Result += '\\';
    Result += C == '\n' ? ' ' : C;
  }
  return Result;
}

/// Code in a cell of a table, where a bar would end the cell.
static std::string code(StringRef Text) {
  std::string Result = "`";
  for (char C : Text)
    Result += C == '|' ? "\\|" : std::string(1, C);
  return Result + "`";
}

/// Paragraphs are text; what is indented or in columns stays as it is.
static void printParagraphs(raw_ostream &OS, StringRef Text) {
  SmallVector<StringRef> Paragraphs;
  Text.trim('\n').split(Paragraphs, "\n\n");
  for (StringRef Each : Paragraphs) {
    Each = Each.trim('\n');
    if (Each.starts_with(" ") || Each.contains("   "))
      OS << "```text\n" << Each << "\n```\n\n";
    else
      OS << escaped(Each) << "\n\n";
  }
}

static void printOptions(raw_ostream &OS, const Command &Cmd) {
  std::vector<OptionEntry> Entries = optionsOf(Cmd);
  if (Entries.empty())
    return;
  OS << "## Options\n";
  std::optional<StringRef> Group;
  for (const OptionEntry &Each : Entries) {
    if (Each.Group != Group) {
      Group = Each.Group;
      if (!Group->empty())
        OS << "\n### " << escaped(*Group) << '\n';
      OS << "\n| option | meaning |\n|---|---|\n";
    }
    std::string Name = Each.Name.str();
    if (!Each.Value.empty())
      Name += " " + Each.Value.str();
    OS << "| " << code(Name) << " | " << escaped(Each.Help) << " |\n";
  }
  OS << '\n';
}

void belay::tool::printMarkdown(raw_ostream &OS, const Command *Cmd) {
  if (Cmd) {
    OS << "# belay " << Cmd->Name << "\n\n"
       << toUpper(Cmd->Summary.front()) << escaped(Cmd->Summary.drop_front())
       << ".\n\n```text\nbelay " << Cmd->Name << ' ' << Cmd->Usage
       << "\n```\n\n";
    printParagraphs(OS, Cmd->Description);
    printOptions(OS, *Cmd);
    if (!Cmd->Examples.empty())
      OS << "## Examples\n\n```text\n" << Cmd->Examples.trim() << "\n```\n";
    return;
  }
  OS << "# Commands\n\n| command | what it does |\n|---|---|\n";
  for (const Command *Each : allCommands())
    OS << "| [" << code(("belay " + Each->Name).str()) << "](" << Each->Name
       << ".md) | " << escaped(Each->Summary) << " |\n";
  OS << "\n| exit status | meaning |\n|---|---|\n";
#define BELAY_STATUS(Name, Number, Meaning)                                    \
  OS << "| " #Number " | " << escaped(Meaning) << " |\n";
  BELAY_EXIT_STATUSES(BELAY_STATUS)
#undef BELAY_STATUS
}
