//===- ManPages.cpp - The help as manual pages ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Help.h"

#include "llvm/ADT/StringExtras.h"

using namespace belay::tool;
using namespace llvm;

/// Text as roff takes it. A dash is the one that people type.
static std::string escaped(StringRef Text) {
  std::string Result;
  for (char C : Text)
    if (C == '\\')
      Result += "\\e";
    else if (C == '-')
      Result += "\\-";
    else
      Result += C;
  return Result;
}

/// A line of text, which must not be taken for a request.
static void printLine(raw_ostream &OS, StringRef Line) {
  if (Line.starts_with(".") || Line.starts_with("'"))
    OS << "\\&";
  OS << escaped(Line) << '\n';
}

/// Paragraphs are filled; what is indented or follows in columns stays as it
/// is.
static void printParagraphs(raw_ostream &OS, StringRef Text) {
  bool Fixed = false;
  SmallVector<StringRef> Lines;
  Text.trim('\n').split(Lines, '\n');
  for (StringRef Line : Lines) {
    bool AsItIs = Line.starts_with(" ") || Line.contains("   ");
    if (AsItIs != Fixed && !Line.empty())
      OS << (AsItIs ? ".nf\n" : ".fi\n");
    if (!Line.empty())
      Fixed = AsItIs;
    if (Line.empty())
      OS << (Fixed ? "\n" : ".PP\n");
    else
      printLine(OS, Line);
  }
  if (Fixed)
    OS << ".fi\n";
}

static void printHeader(raw_ostream &OS, StringRef Name, StringRef Summary) {
  OS << ".\\\" Written by 'belay help --man'.\n"
     << ".TH \"" << escaped(Name.upper())
     << "\" 1 \"\" \"belay " BELAY_VERSION "\" \"Belay\"\n"
     << ".SH NAME\n"
     << escaped(Name) << " \\- " << escaped(Summary) << '\n'
     << ".SH SYNOPSIS\n";
}

static void printStatuses(raw_ostream &OS) {
  OS << ".SH EXIT STATUS\n";
#define BELAY_STATUS(Name, Number, Meaning)                                    \
  OS << ".TP\n" #Number "\n" << escaped(Meaning) << '\n';
  BELAY_EXIT_STATUSES(BELAY_STATUS)
#undef BELAY_STATUS
}

static void printOptions(raw_ostream &OS, const Command &Cmd) {
  std::vector<OptionEntry> Entries = optionsOf(Cmd);
  if (Entries.empty())
    return;
  OS << ".SH OPTIONS\n";
  StringRef Group;
  for (const OptionEntry &Each : Entries) {
    if (Each.Group != Group)
      OS << ".SS " << escaped(Each.Group) << '\n';
    Group = Each.Group;
    OS << ".TP\n\\fB" << escaped(Each.Name) << "\\fR";
    if (!Each.Value.empty())
      OS << " \\fI" << escaped(Each.Value) << "\\fR";
    OS << '\n';
    SmallVector<StringRef> Lines;
    Each.Help.split(Lines, '\n');
    for (StringRef Line : Lines)
      printLine(OS, Line);
  }
}

static void printCommandPage(raw_ostream &OS, const Command &Cmd) {
  printHeader(OS, ("belay-" + Cmd.Name).str(), Cmd.Summary);
  OS << ".B belay " << Cmd.Name << '\n';
  if (!Cmd.Usage.empty())
    printLine(OS, Cmd.Usage);
  OS << ".SH DESCRIPTION\n";
  printParagraphs(OS, Cmd.Description);
  printOptions(OS, Cmd);
  if (!Cmd.Examples.empty()) {
    OS << ".SH EXAMPLES\n.nf\n";
    SmallVector<StringRef> Lines;
    Cmd.Examples.trim().split(Lines, '\n');
    for (StringRef Line : Lines)
      printLine(OS, Line);
    OS << ".fi\n";
  }
  printStatuses(OS);
  OS << ".SH SEE ALSO\n.BR belay (1)\n";
}

void belay::tool::printManPage(raw_ostream &OS, const Command *Cmd) {
  if (Cmd)
    return printCommandPage(OS, *Cmd);
  printHeader(OS, "belay",
              "safe kernels for Ascend NPUs, on machines with and without one");
  OS << ".B belay\nCOMMAND [ARGUMENTS]\n.br\n.B belay\n\\-\\-version\n"
     << ".SH COMMANDS\n";
  for (const Command *Each : allCommands())
    OS << ".TP\n\\fB" << Each->Name << "\\fR\n"
       << escaped(Each->Summary) << '\n';
  printStatuses(OS);
  OS << ".SH SEE ALSO\n";
  for (const Command *Each : allCommands())
    OS << ".BR belay\\-" << Each->Name << " (1)"
       << (Each == allCommands().back() ? "\n" : ",\n");
}
