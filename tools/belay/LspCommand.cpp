//===- LspCommand.cpp - belay lsp -----------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "TargetsCommand.h"

#define BELAY_OPTIONS "options/Lsp.inc"
#include "OptionTable.h"

#include "lsp/Server.h"
#include "targets/Target.h"

#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;

/// Applies one option; says what is wrong with it, or "".
static std::string apply(const Arguments::OptionValue &Each,
                         belay::lsp::Settings &To) {
  switch (static_cast<Opt>(Each.Id)) {
  case Opt::soc:
    To.Soc = Each.Value.str();
    break;
  case Opt::D:
    To.Defines.push_back(Each.Value.str());
    break;
  case Opt::I:
    To.IncludeDirs.push_back(Each.Value.str());
    break;
  case Opt::time_limit: {
    unsigned Seconds = 0;
    if (Each.Value.getAsInteger(10, Seconds) || !Seconds)
      return "--time-limit takes whole seconds";
    To.TimeLimit = std::chrono::seconds(Seconds);
    break;
  }
  }
  return "";
}

static int runLsp(const Command &Self, const Arguments &Args) {
  if (!Args.Positional.empty())
    return usageError(Self, "an editor names the files, not the command line");
  belay::lsp::Settings Options;
  for (const Arguments::OptionValue &Each : Args.Options)
    if (std::string Mistake = apply(Each, Options); !Mistake.empty())
      return usageError(Self, Mistake);
  if (std::string Mistake = mistakeInSoc(Options.Soc); !Mistake.empty())
    return usageError(Self, Mistake);
  Expected<bool> SaidGoodbye =
      belay::lsp::serve(Options, stdin, outs(), BELAY_VERSION);
  if (!SaidGoodbye)
    return reportError(SaidGoodbye.takeError());
  return *SaidGoodbye ? ExitSuccess : ExitFailure;
}

namespace belay::tool {
extern const Command LspCommand;
const Command LspCommand = {
    "lsp",       "a language server: findings while a kernel is written",
    "[OPTIONS]",
    R"(
Speaks the Language Server Protocol on standard input and output; editors start
it (docs/editors.md has recipes for VS Code, Neovim and Emacs). With each change of
an AscendC file comes what 'belay check --quick' says, when it is opened or saved
what the full check says, with topics that stay unknown. Kernels of the kernel
language are compiled and proven with each change. Fixes are code actions, and the
page of 'belay explain' is shown for what the cursor is on.

The texts are read by child processes under limits, as in 'belay check'.
)",         optionTable,
    R"(
belay lsp --soc Ascend310P3 -I include
)",         runLsp,
};
} // namespace belay::tool
