//===- FlagsCommand.cpp - belay flags
//-----------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "TargetsCommand.h"

#define BELAY_OPTIONS "options/Flags.inc"
#include "OptionTable.h"

#include "targets/Target.h"
#include "toolchain/CompilerFlags.h"
#include "toolchain/KernelScan.h"
#include "toolchain/Tools.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;

static std::vector<std::string> flagsOf(StringRef Text, const targets::Soc &Soc,
                                        const toolchain::Tools &Tools) {
  if (toolchain::usesKernelLanguage(Text))
    return {"-std=c++20", "-I" + Tools.IncludeDir};
  // A host program: AscendCL and belay/host.h.
  if (toolchain::scanKernels(Text).Kernels.empty())
    return {"-std=c++20", "-I" + Tools.IncludeDir,
            "-I" + Tools.IncludeDir + "/belay/compat"};
  std::vector<std::string> Flags = {"-std=c++17"};
  for (const std::string &Macro : toolchain::archMacros(Soc.arch->number))
    Flags.push_back("-D" + Macro);
  if (Soc.split)
    for (const std::string &Macro :
         toolchain::coreMacros(Soc.arch->number, sim::CoreKind::Vector))
      Flags.push_back("-D" + Macro);
  append_range(Flags, Tools.headerFlags());
  Flags.push_back("-I" + Tools.ShareDir + "/forwarding");
  return Flags;
}

static int runFlags(const Command &Self, const Arguments &Args) {
  StringRef SocName = "Ascend910B3";
  for (const Arguments::OptionValue &Each : Args.Options)
    switch (static_cast<Opt>(Each.Id)) {
    case Opt::soc:
      SocName = Each.Value;
      break;
    }
  if (Args.Positional.size() != 1)
    return usageError(Self, "name one source");
  const targets::Soc *Soc = targets::findSoc(SocName);
  if (std::string Mistake = mistakeInSoc(SocName); !Mistake.empty())
    return usageError(Self, Mistake);
  Expected<SourceText> Source = readInput(Args.Positional[0]);
  if (!Source)
    return reportError(Source.takeError());
  Expected<toolchain::Tools> Tools = toolchain::Tools::find();
  if (!Tools)
    return reportError(Tools.takeError());
  outs() << "-xc++\n";
  for (const std::string &Flag : flagsOf(Source->Text, *Soc, *Tools))
    outs() << Flag << '\n';
  return ExitSuccess;
}

namespace belay::tool {
extern const Command FlagsCommand;
const Command FlagsCommand = {
    "flags",
    "what clangd and other compilers need to read a kernel",
    "FILE.cpp|- [OPTIONS]",
    R"(
Prints the options with which Clang reads the source, one on each line, as clangd
takes them from compile_flags.txt: for AscendC the headers that stand in for the
vendor's and what bisheng predefines, for the kernel language and for host programs
Belay's own headers. Nothing is compiled.
)",
    optionTable,
    R"(
belay flags add_custom.cpp > compile_flags.txt
clang++-22 $(belay flags add_custom.cpp) -fsyntax-only add_custom.cpp
)",
    runFlags,
};
} // namespace belay::tool
