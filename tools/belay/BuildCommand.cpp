//===- BuildCommand.cpp - belay build -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "support/Files.h"
#include "support/Resources.h"
#include "support/Styling.h"
#include "support/Subprocess.h"
#include "targets/Target.h"
#include "toolchain/KernelCompiler.h"
#include "toolchain/KernelScan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <unistd.h>

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using belay::support::ProcessResult;
using belay::support::ProcessSpec;

/// Compiling a kernel takes seconds; one that takes these is a mistake or an
/// attack.
static constexpr std::chrono::minutes CompileTimeout{5};
static constexpr uint64_t CompileMemory = uint64_t(16) << 30;
static constexpr uint64_t LargestFile = 256 << 20;

static constexpr StringLiteral Forms[] = {"ascend-ir", "core-ir", "ascendc",
                                          "launcher", "description"};

/// What --kernel names is pasted into C++.
static bool isKernelName(StringRef Name) {
  return !Name.empty() && all_of(Name, [](char C) {
    return isAlnum(C) || StringRef("_:<>,.+-*() ").contains(C);
  });
}

/// Why the command line makes no sense, or "".
static std::string findMistake(const Arguments &Args) {
  if (Args.Positional.size() != 1)
    return "name one file with kernels";
  if (auto Emit = Args.get("emit"); Emit && !is_contained(Forms, *Emit))
    return ("'" + *Emit + "' cannot be emitted; " +
            join(ArrayRef(Forms), ", ") + " can")
        .str();
  if (auto Soc = Args.get("soc"); Soc && !targets::findSoc(*Soc))
    return ("there is no SoC '" + *Soc + "'").str();
  for (StringRef Kernel : Args.getAll("kernel"))
    if (!isKernelName(Kernel))
      return ("'" + Kernel + "' is not the name of a kernel").str();
  auto Output = Args.get("o");
  if (Output && !Args.has("emit") && sys::fs::exists(*Output) &&
      !sys::fs::is_directory(*Output))
    return ("-o takes a folder, which '" + *Output +
            "' is not; with --emit it takes a file")
        .str();
  return "";
}

static ProcessSpec makeCompiler(const Arguments &Args,
                                const SourceText &Source) {
  StringRef Soc = Args.get("soc").value_or("Ascend910B3");
  ProcessSpec Spec;
  Spec.Args = {belay::support::getLibexecPath("belay-kernelc"),
               "--include-dir=" + belay::support::getIncludePath(),
               "--soc=" + Soc.str()};
  if (belay::support::Styling(errs()).isEnabled())
    Spec.Args.push_back("--colors");
  if (Args.has("deny"))
    Spec.Args.push_back("--deny");
  for (StringRef Kernel : Args.getAll("kernel"))
    Spec.Args.push_back("--kernel=" + Kernel.str());
  for (StringRef Define : Args.getAll("D"))
    Spec.Args.push_back("--clang-arg=-D" + Define.str());
  for (StringRef Dir : Args.getAll("I"))
    Spec.Args.push_back("--clang-arg=-I" + Dir.str());
  auto Output = Args.get("o");
  if (auto Emit = Args.get("emit"))
    Spec.Args.push_back("--emit=" + Emit->str());
  if (Output)
    Spec.Args.push_back((Args.has("emit") ? "-o=" : "--out-dir=") +
                        Output->str());
  // A name that starts with a dash is still a name.
  if (Args.Positional[0] == "-")
    Spec.Args.push_back("--from-stdin");
  Spec.Args.push_back("--");
  Spec.Args.push_back(Source.Name);
  Spec.ShowOutput = true;
  Spec.Timeout = CompileTimeout;
  Spec.AddressSpaceBytes = CompileMemory;
  Spec.FileBytes = LargestFile;
  return Spec;
}

/// Whether the compiler has said why it ended with a status.
static bool wasExplained(int Status) {
  return Status == toInt(ExitStatus::BadCase) ||
         Status == toInt(ExitStatus::NotCompiled) ||
         Status == toInt(ExitStatus::Failed);
}

static int runBuild(const Command &Self, const Arguments &Args) {
  if (std::string Mistake = findMistake(Args); !Mistake.empty())
    return usageError(Self, Mistake);
  Expected<SourceText> Source = readInput(Args.Positional[0]);
  if (!Source)
    return reportError(Source.takeError());
  if (!toolchain::usesKernelLanguage(Source->Text) &&
      !toolchain::scanKernels(Source->Text).Kernels.empty())
    return usageError(Self, "'" + Source->Name +
                                "' is AscendC; 'belay check' and 'belay run' "
                                "take it");
  ProcessSpec Compiler = makeCompiler(Args, *Source);
  Expected<belay::support::MemoryFile> Input =
      belay::support::MemoryFile::create("source", Source->Text.size());
  if (!Input)
    return reportError(Input.takeError());
  copy(belay::support::toBytes(Source->Text), Input->bytes().begin());
  Compiler.Fds.push_back({Input->fd(), STDIN_FILENO});
  ProcessResult Result = belay::support::runProcess(Compiler);
  bool Exited = Result.How == ProcessResult::Status::Exited;
  if (Exited && (Result.Code == ExitSuccess || wasExplained(Result.Code)))
    return Result.Code;
  // Nobody reads on, as in 'belay build ... | head'.
  if (Result.How == ProcessResult::Status::Signaled && Result.Code == SIGPIPE)
    return ExitFailure;
  return reportError(toolchain::explainLanguageFailure(Result, Source->Name));
}

static constexpr Option BuildOptions[] = {
    {"kernel", "NAME",
     "only this kernel, or this instance of a template:\n"
     "softmax<1024>; may be repeated"},
    {"soc", "NAME", "the target; default Ascend910B3 (see 'belay targets')"},
    {"o", "DIR",
     "write for every kernel its AscendC (.cpp), its launcher (.h)\n"
     "and its description (.json); with --emit, a file"},
    {"deny", "",
     "refuse what is not proven, instead of checking it on the device"},
    {"emit", "WHAT",
     "only show one form of the kernels: ascendc; launcher;\n"
     "description; of Belay's own: ascend-ir, tiles; core-ir,\n"
     "instructions"},
    {"D", "NAME[=VALUE]", "define a macro"},
    {"I", "DIR", "search headers here"},
};

namespace belay::tool {
extern const Command BuildCommand;
const Command BuildCommand = {
    "build",
    "compile kernels of the kernel language",
    "KERNELS.cpp|- [OPTIONS]",
    R"(
Reads C++20 kernels written with belay/kernel.h, refuses what the language does
not have (pointers, goto, indices below 64 bits, tiles used after they were
moved), and turns them into AscendC C++: tiles get buffers, buffers share memory,
flags and barriers are placed, and their order is proven anew by a verifier of its
own.

Bounds, overflow, extents, loops and the disjointness of cores are proven for every
launch that the kernel's 'expects' admit. What is not proven gets a warning, with
values for which it fails, and a guard that stops the kernel before it happens;
with --deny it is an error.

Each kernel gets one line: proven or guarded, how many properties, how many guards
and at which lines. With -o DIR, each kernel gets three files, named after its entry point:
softmax<1024> becomes softmax_1024.cpp (AscendC), softmax_1024.h (a typed C++
launcher, which refuses launches that the kernel does not admit) and
softmax_1024.json (the same for other languages). 'belay run' takes the source
itself.
)",
    BuildOptions,
    R"(
belay build softmax.cpp --kernel 'softmax<1024>'       # proven, or guarded where
belay build softmax.cpp --kernel 'softmax<1024>' --deny -o out
belay build add.cpp --soc Ascend310P3 -o out  # kernels that are no templates
belay build add.cpp --emit ascendc            # only show it, without #line
)",
    runBuild,
};
} // namespace belay::tool
