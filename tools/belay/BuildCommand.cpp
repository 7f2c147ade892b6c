//===- BuildCommand.cpp - belay build -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "support/Resources.h"
#include "support/Styling.h"
#include "support/Subprocess.h"
#include "targets/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using belay::support::ProcessResult;
using belay::support::ProcessSpec;

static int runBuild(const Command &Self, const Arguments &Args) {
  if (Args.Positional.size() != 1)
    return usageError(Self, "name one file with kernels");
  std::string Source = Args.Positional[0].str();
  if (!sys::fs::exists(Source))
    return usageError(Self, "there is no file '" + Source + "'");
  StringRef Emit = Args.get("emit").value_or("ascend-ir");
  if (!is_contained({"ascend-ir", "core-ir", "ascendc"}, Emit))
    return usageError(Self, "'" + Emit +
                                "' cannot be emitted; ascend-ir, core-ir and "
                                "ascendc can");
  StringRef Soc = Args.get("soc").value_or("Ascend910B3");
  if (!targets::findSoc(Soc))
    return usageError(Self, "there is no SoC '" + Soc + "'");

  ProcessSpec Spec;
  Spec.Args = {belay::support::getLibexecPath("belay-kernelc"),
               "--include-dir=" + belay::support::getSharePath("include"),
               "--emit=" + Emit.str(), "--soc=" + Soc.str()};
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
  if (std::optional<StringRef> Output = Args.get("o"))
    Spec.Args.push_back("-o=" + Output->str());
  // A name that starts with a dash is still a name.
  Spec.Args.push_back("--");
  Spec.Args.push_back(Source);
  Spec.ShowOutput = true;
  ProcessResult Result = belay::support::runProcess(Spec);
  if (Result.How == ProcessResult::Status::Exited)
    return Result.Code == 0 ? ExitSuccess : ExitFailure;
  errs() << "belay build: error: the compiler failed: " << Result.describe()
         << (Result.Error.empty() ? "" : ": " + Result.Error) << "\n";
  return ExitFailure;
}

static constexpr Option BuildOptions[] = {
    {"kernel", "NAME",
     "an instance of a template: softmax<1024>; may be repeated"},
    {"emit", "WHAT",
     "ascend-ir: the kernels as tiles (default); core-ir: as instructions;\n"
     "ascendc: as C++"},
    {"soc", "NAME", "the target; default Ascend910B3 (see 'belay targets')"},
    {"deny", "",
     "refuse what is not proven, instead of checking it on the device"},
    {"o", "FILE", "write there instead of to the standard output"},
    {"D", "NAME[=VALUE]", "define a macro"},
    {"I", "DIR", "search headers here"},
};

namespace belay::tool {
extern const Command BuildCommand;
const Command BuildCommand = {
    "build",
    "compile kernels of the kernel language",
    "KERNELS.cpp [OPTIONS]",
    R"(
Reads C++20 kernels written with belay/kernel.h, refuses what the language does
not have (pointers, goto, indices below 64 bits, tiles used after they were
moved), and shows them in the ascend dialect or as AscendC C++. For the latter,
tiles get buffers, buffers share memory, flags and barriers are placed, and their
order is proven anew by a verifier of its own.

Bounds, overflow, extents, loops and the disjointness of cores are proven for every
launch that the kernel's 'expects' admit. What is not proven gets a warning, with
values for which it fails, and a guard that stops the kernel before it happens;
with --deny it is an error.
)",
    BuildOptions,
    R"(
belay build add.cpp                           # kernels that are no templates
belay build softmax.cpp --kernel 'softmax<1024>' --emit ascendc -o softmax_asc.cpp
)",
    runBuild,
};
} // namespace belay::tool
