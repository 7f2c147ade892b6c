//===- CompletionCommand.cpp - belay completion ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scripts for shells, made of the tables that the help is made of: what is
// completed is what is parsed.
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "support/DiagnosticIds.h"
#include "targets/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;

//===----------------------------------------------------------------------===//
// What can stand at a place
//===----------------------------------------------------------------------===//

static bool isLiteral(StringRef Word) {
  return !Word.empty() &&
         all_of(Word, [](char C) { return isLower(C) || C == '-'; });
}

static void addSocs(std::vector<std::string> &Words) {
  for (const targets::Soc &Each : targets::allSocs())
    Words.emplace_back(Each.name);
}

/// The values of an option, if they are few: "on|off", SoCs.
static std::vector<std::string> valuesOf(const OptionEntry &Option) {
  std::vector<std::string> Words;
  if (Option.Name == "--soc") {
    addSocs(Words);
    return Words;
  }
  SmallVector<StringRef> Parts;
  Option.Value.split(Parts, '|');
  if (Parts.size() > 1 && all_of(Parts, isLiteral))
    Words.assign(Parts.begin(), Parts.end());
  return Words;
}

/// What the usage of a command names: words of its own ("[list|prune]"), or the
/// kind of names that it takes. Nothing: files.
static std::vector<std::string> argumentsOf(const Command &Cmd) {
  std::vector<std::string> Words;
  SmallVector<StringRef> Parts;
  StringRef(Cmd.Usage).split(Parts, '|');
  for (StringRef Part : Parts) {
    StringRef First = Part.trim().split(' ').first.trim("[]");
    if (isLiteral(First))
      Words.push_back(First.str());
    First = First.split('.').first;
    if (First == "SOC")
      addSocs(Words);
    if (First == "ID")
      for (const support::DiagInfo &Info : support::AllDiagnostics)
        Words.emplace_back(Info.Name);
    if (First == "COMMAND")
      for (const Command *Each : allCommands())
        Words.push_back(Each->Name.str());
  }
  return Words;
}

static StringRef firstLine(StringRef Text) { return Text.split('\n').first; }

//===----------------------------------------------------------------------===//
// bash
//===----------------------------------------------------------------------===//

static void printBash(raw_ostream &OS) {
  std::vector<std::string> Names = {"--help", "--version"};
  for (const Command *Cmd : allCommands())
    Names.push_back(Cmd->Name.str());
  OS << "# Completion of belay for bash, written by 'belay completion bash'.\n"
        "_belay() {\n"
        "  local cur=${COMP_WORDS[COMP_CWORD]}\n"
        "  local before=${COMP_WORDS[COMP_CWORD-1]} words=''\n"
        "  # '--soc=Asc' is three words to bash.\n"
        "  if [[ $cur == = ]]; then cur=''\n"
        "  elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; "
        "fi\n"
        "  COMPREPLY=()\n"
        "  if ((COMP_CWORD == 1)); then\n"
        "    COMPREPLY=($(compgen -W '"
     << join(Names, " ")
     << "' -- \"$cur\"))\n"
        "    return\n"
        "  fi\n"
        "  case ${COMP_WORDS[1]}:$before in\n";
  for (const Command *Cmd : allCommands())
    for (const OptionEntry &Option : optionsOf(*Cmd)) {
      if (Option.Value.empty())
        continue;
      OS << "  " << Cmd->Name << ':' << Option.Name << ") ";
      if (std::vector<std::string> Values = valuesOf(Option); !Values.empty())
        OS << "COMPREPLY=($(compgen -W '" << join(Values, " ")
           << "' -- \"$cur\")); ";
      else if (Option.Value == "DIR")
        OS << "COMPREPLY=($(compgen -d -- \"$cur\")); ";
      OS << "return ;;\n";
    }
  OS << "  esac\n"
        "  case ${COMP_WORDS[1]} in\n";
  for (const Command *Cmd : allCommands()) {
    OS << "  " << Cmd->Name << ")\n    if [[ $cur == -* ]]; then words='--help";
    for (const OptionEntry &Option : optionsOf(*Cmd))
      OS << ' ' << Option.Name;
    OS << "'\n    else words='" << join(argumentsOf(*Cmd), " ") << "'; fi ;;\n";
  }
  OS << "  esac\n"
        "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
        "}\n"
        "# What has no words is a file.\n"
        "complete -o default -F _belay belay\n";
}

//===----------------------------------------------------------------------===//
// zsh
//===----------------------------------------------------------------------===//

/// Inside of single quotes, with a backslash before each of Special.
static std::string quotedFor(StringRef Text, StringRef Special) {
  std::string Result;
  for (char C : Text) {
    if (C == '\'') {
      Result += "'\\''";
      continue;
    }
    if (Special.contains(C) || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result;
}

static void printZshOption(raw_ostream &OS, const OptionEntry &Option) {
  bool Letter = !Option.Name.starts_with("--");
  OS << " \\\n      '*" << Option.Name;
  if (!Option.Value.empty())
    OS << (Letter ? "+" : "=");
  OS << '[' << quotedFor(firstLine(Option.Help), "[]:") << ']';
  if (!Option.Value.empty()) {
    OS << ':' << quotedFor(Option.Value, "[]:") << ':';
    std::vector<std::string> Values = valuesOf(Option);
    if (Option.Name == "--soc")
      OS << "_belay_socs";
    else if (!Values.empty())
      OS << '(' << join(Values, " ") << ')';
    else
      OS << (Option.Value == "DIR" ? "_directories" : "_files");
  }
  OS << '\'';
}

static void printZsh(raw_ostream &OS) {
  std::vector<std::string> Socs;
  addSocs(Socs);
  OS << "#compdef belay\n"
        "# Completion of belay for zsh, written by 'belay completion zsh'.\n"
        "_belay_socs() { compadd -- "
     << join(Socs, " ")
     << "; }\n"
        "_belay() {\n"
        "  local -a commands=(\n";
  for (const Command *Cmd : allCommands())
    OS << "    '" << Cmd->Name << ':' << quotedFor(Cmd->Summary, ":") << "'\n";
  OS << "  )\n"
        "  if ((CURRENT == 2)); then\n"
        "    _describe command commands\n"
        "    return\n"
        "  fi\n"
        "  local command=$words[2]\n"
        "  shift words\n"
        "  ((CURRENT--))\n"
        "  case $command in\n";
  for (const Command *Cmd : allCommands()) {
    OS << "  " << Cmd->Name << ")\n    _arguments";
    for (const OptionEntry &Option : optionsOf(*Cmd))
      printZshOption(OS, Option);
    std::vector<std::string> Arguments = argumentsOf(*Cmd);
    OS << " \\\n      '*:argument:";
    if (Arguments.empty())
      OS << "_files";
    else
      OS << '(' << join(Arguments, " ") << ')';
    OS << "' ;;\n";
  }
  OS << "  esac\n"
        "}\n"
        "_belay \"$@\"\n";
}

//===----------------------------------------------------------------------===//
// fish
//===----------------------------------------------------------------------===//

/// In fish a quote is escaped by a backslash.
static std::string quotedForFish(StringRef Text) {
  std::string Result = "'";
  for (char C : Text) {
    if (C == '\'' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result + "'";
}

static void printFish(raw_ostream &OS) {
  OS << "# Completion of belay for fish, written by 'belay completion fish'.\n"
        "complete -c belay -n __fish_use_subcommand -f -l version -d 'version "
        "and commit'\n";
  for (const Command *Cmd : allCommands()) {
    OS << "complete -c belay -n __fish_use_subcommand -f -a " << Cmd->Name
       << " -d " << quotedForFish(Cmd->Summary) << '\n';
    std::string Here =
        ("complete -c belay -n '__fish_seen_subcommand_from " + Cmd->Name + "'")
            .str();
    if (std::vector<std::string> Words = argumentsOf(*Cmd); !Words.empty())
      OS << Here << " -f -a '" << join(Words, " ") << "'\n";
    for (const OptionEntry &Option : optionsOf(*Cmd)) {
      StringRef Name = Option.Name;
      OS << Here << (Name.consume_front("--") ? " -l " : " -s ")
         << Name.ltrim('-');
      std::vector<std::string> Values = valuesOf(Option);
      if (!Values.empty())
        OS << " -x -a '" << join(Values, " ") << '\'';
      else if (Option.Value == "DIR")
        OS << " -x -a '(__fish_complete_directories)'";
      else if (!Option.Value.empty())
        OS << " -r";
      OS << " -d " << quotedForFish(firstLine(Option.Help)) << '\n';
    }
  }
}

//===----------------------------------------------------------------------===//

static int runCompletion(const Command &Self, const Arguments &Args) {
  if (Args.Positional.size() != 1)
    return usageError(Self, "name one shell");
  StringRef Shell = Args.Positional[0];
  if (Shell == "bash")
    printBash(outs());
  else if (Shell == "zsh")
    printZsh(outs());
  else if (Shell == "fish")
    printFish(outs());
  else
    return usageError(Self, "there is no completion for '" + Shell + "'");
  return ExitSuccess;
}

namespace belay::tool {
extern const Command CompletionCommand;
const Command CompletionCommand = {
    "completion",
    "a script that completes belay's command lines in a shell",
    "bash|zsh|fish",
    R"(
Prints a script for the shell, made of the same tables as this help. Packages
install all three; in a tree of your own, load one by hand.
)",
    nullptr,
    R"(
source <(belay completion bash)
belay completion zsh > ~/.zfunc/_belay        # a folder of fpath
belay completion fish > ~/.config/fish/completions/belay.fish
)",
    runCompletion,
};
} // namespace belay::tool
