//===- main.cpp - The belay command ---------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Commit.h"
#include "Help.h"

#include "support/Spelling.h"
#include "support/Styling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using belay::support::Styling;
using belay::support::Tone;

static int unknownCommand(StringRef Name) {
  std::vector<std::string_view> Names;
  for (const Command *Cmd : allCommands())
    Names.push_back(Cmd->Name);
  Styling Style(errs());
  errs() << Style.paint(Tone::Strong, "belay: ")
         << Style.paint(Tone::Bad, "error") << ": there is no command '" << Name
         << "'" << didYouMean(belay::support::nearestName(Name, Names))
         << "\nsee 'belay help'\n";
  return ExitUsage;
}

int main(int Argc, char **Argv) {
  ArrayRef<const char *> Args(Argv + 1, Argv + Argc);
  if (Args.empty()) {
    printOverview(errs());
    return ExitUsage;
  }
  StringRef Name = Args.front();
  if (Name == "--version" || Name == "-V" || Name == "version") {
    outs() << "belay " BELAY_VERSION " (" << BelayCommit
           << "LLVM " LLVM_VERSION_STRING ")\n";
    return ExitSuccess;
  }
  if (Name == "--help" || Name == "-h")
    Name = "help";
  const Command *Cmd = findCommand(Name);
  if (!Cmd)
    return unknownCommand(Name);

  ArrayRef<const char *> Rest = Args.drop_front();
  // What follows -- is not ours to read.
  auto IsHelp = [](StringRef A) { return A == "--help" || A == "-h"; };
  if (any_of(Rest.take_until([](StringRef A) { return A == "--"; }), IsHelp)) {
    printHelp(outs(), *Cmd);
    return ExitSuccess;
  }
  std::optional<Arguments> Parsed = parseArguments(*Cmd, Rest);
  return Parsed ? Cmd->Run(*Cmd, *Parsed) : ExitUsage;
}
