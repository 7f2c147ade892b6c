//===- HelpCommand.cpp - belay help ---------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Help.h"

#define BELAY_OPTIONS "options/Help.inc"
#include "OptionTable.h"

#include "support/Styling.h"

#include "llvm/Support/raw_ostream.h"

using namespace belay::tool;
using namespace llvm;
using belay::support::Styling;
using belay::support::Tone;

void belay::tool::printOverview(raw_ostream &OS) {
  Styling Style(OS);
  OS << Style.paint(Tone::Strong, "belay")
     << " - safe kernels for Ascend NPUs, on machines with and without one\n\n"
     << Style.paint(Tone::Strong, "Usage") << "\n  belay COMMAND [ARGUMENTS]\n"
     << "  belay --version\n\n"
     << Style.paint(Tone::Strong, "Commands") << '\n';
  for (const Command *Cmd : allCommands()) {
    OS << "  " << Style.paint(Tone::Name, Cmd->Name);
    OS.indent(gapAfter(Cmd->Name, 12)) << Cmd->Summary << '\n';
  }
  OS << "\n'belay help COMMAND' tells all about one of them.\n"
     << "\n"
     << Style.paint(Tone::Strong, "Exit status") << '\n';
#define BELAY_STATUS(Name, Number, Meaning)                                    \
  OS << "  " #Number "  " Meaning "\n";
  BELAY_EXIT_STATUSES(BELAY_STATUS)
#undef BELAY_STATUS
}

static int runHelp(const Command &Self, const Arguments &Args) {
  auto *Print = +[](raw_ostream &OS, const Command *Cmd) {
    Cmd ? printHelp(OS, *Cmd) : printOverview(OS);
  };
  for (const Arguments::OptionValue &Each : Args.Options)
    switch (static_cast<Opt>(Each.Id)) {
    case Opt::man:
      Print = printManPage;
      break;
    case Opt::markdown:
      Print = printMarkdown;
      break;
    }
  if (Args.Positional.empty()) {
    Print(outs(), nullptr);
    return ExitSuccess;
  }
  for (StringRef Name : Args.Positional) {
    const Command *Cmd = findCommand(Name);
    if (!Cmd)
      return usageError(Self, "there is no command '" + Name + "'");
    Print(outs(), Cmd);
  }
  return ExitSuccess;
}

namespace belay::tool {
extern const Command HelpCommand;
const Command HelpCommand = {
    "help",
    "show this list, or all about one command",
    "[COMMAND...] [OPTIONS]",
    "Without a command, lists all of them.",
    optionTable,
    R"(
belay help targets
belay help --man run | man -l -    # what 'man belay-run' shows once installed
)",
    runHelp,
};
} // namespace belay::tool
