//===- Help.h - What is made of the tables of commands ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_HELP_H
#define BELAY_TOOLS_BELAY_HELP_H

#include "Command.h"

#include "llvm/Support/raw_ostream.h"

namespace belay::tool {

/// The list of commands.
void printOverview(llvm::raw_ostream &OS);

/// The manual page of a command, or of belay if it is null: roff for man(1).
void printManPage(llvm::raw_ostream &OS, const Command *Cmd);

/// The same as a page of the site, in Markdown.
void printMarkdown(llvm::raw_ostream &OS, const Command *Cmd);

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_HELP_H
