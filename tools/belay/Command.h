//===- Command.h - One subcommand of belay ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A subcommand is one file that defines one Command, and a table of options
// (options/*.td): its help is data, so that `belay help X`, `belay X --help`,
// the list of commands and the parser cannot disagree. Register it in
// Commands.def.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_COMMAND_H
#define BELAY_TOOLS_BELAY_COMMAND_H

#include "support/ExitStatus.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm::opt {
class OptTable;
} // namespace llvm::opt

namespace belay::tool {

using support::ExitStatus;

inline int toInt(ExitStatus Status) { return static_cast<int>(Status); }
/// As subcommands return them.
inline constexpr int ExitSuccess = static_cast<int>(ExitStatus::Passed);
inline constexpr int ExitFailure = static_cast<int>(ExitStatus::Found);
inline constexpr int ExitUsage = static_cast<int>(ExitStatus::BadCase);

/// A parsed command line.
struct Arguments {
  struct OptionValue {
    unsigned Id;           ///< One of the subcommand's enumeration Opt.
    llvm::StringRef Name;  ///< As the table spells it: "--soc".
    llvm::StringRef Value; ///< "" for a switch.
  };
  /// What is not an option, in order.
  std::vector<llvm::StringRef> Positional;
  /// In order: run's --in and --out bind by it.
  std::vector<OptionValue> Options;
};

struct Command {
  llvm::StringLiteral Name;
  llvm::StringLiteral Summary;     ///< One line, for the list of commands.
  llvm::StringLiteral Usage;       ///< After "belay NAME".
  llvm::StringLiteral Description; ///< Paragraphs, wrapped at 79.
  /// What TableGen made of its options (OptionTable.h); null for none.
  const llvm::opt::OptTable &(*Options)();
  llvm::StringLiteral Examples; ///< Lines of "command   # what it does".
  int (*Run)(const Command &Self, const Arguments &Args);
};

/// All registered commands, in the order of the help.
llvm::ArrayRef<const Command *> allCommands();

/// Null if there is none of this name.
const Command *findCommand(llvm::StringRef Name);

/// Parses \p Args (after the name of the command). On an error, prints it and
/// returns nothing.
std::optional<Arguments> parseArguments(const Command &Cmd,
                                        llvm::ArrayRef<const char *> Args);

void printHelp(llvm::raw_ostream &OS, const Command &Cmd);

/// One option as its table describes it, for the help and whatever else is made
/// of the tables: manual pages, completions.
struct OptionEntry {
  llvm::StringRef Name;  ///< "--soc"
  llvm::StringRef Value; ///< "NAME"; "" for a switch.
  llvm::StringRef Help;  ///< Lines.
  llvm::StringRef Group; ///< The heading that it stands under; "" for none.
};

/// All that has a help text, in the order of the help: those of a group follow
/// each other, and those of none come first.
std::vector<OptionEntry> optionsOf(const Command &Cmd);

/// Prints "belay NAME: error: ..." and where help is; returns ExitUsage.
int usageError(const Command &Cmd, const llvm::Twine &Message);

/// Prints what an error says and returns the status that belongs to its id.
int reportError(llvm::Error E);

/// The source that a command names: a file, or standard input if it is "-".
struct SourceText {
  std::string Name; ///< As messages show it.
  std::string Text;
};

/// Reads a source. A folder is refused as such.
llvm::Expected<SourceText> readInput(llvm::StringRef Name);

/// "; did you mean 'x'?", or nothing if \p Nearest is empty.
std::string didYouMean(llvm::StringRef Nearest);

/// Spaces after Text that fill a column of Width; one if it is too narrow.
inline unsigned gapAfter(llvm::StringRef Text, size_t Width) {
  return Text.size() < Width ? static_cast<unsigned>(Width - Text.size()) : 1;
}

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_COMMAND_H
