//===- belay-checker.cpp - Reads AscendC and says what is wrong with it ---===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Started by `belay check`, never by hand: its options are no interface. The
// report goes to the standard output as JSON.
//
//===----------------------------------------------------------------------===//

#include "check/FrontEnd.h"
#include "toolchain/KernelScan.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include <cstdlib>
#include <optional>
#include <unistd.h>

using namespace belay;
using namespace llvm;

static cl::opt<std::string> Source(cl::Positional, cl::Required);
static cl::opt<std::string> SocName("soc", cl::Required);
static cl::list<std::string> ClangArgs("clang-arg");
static cl::opt<bool> Quick("quick");
static cl::opt<bool> IgnoreAssumptions("ignore-assumptions");
static cl::opt<unsigned> Effort("effort", cl::init(1));
static cl::opt<bool> NoAutoSync("no-auto-sync");
/// The file's text comes from there, under the file's name.
static cl::opt<bool> FromStdin("from-stdin");

static int run(int Argc, char **Argv) {
  // LLVM's report of a crash asks people to write to LLVM. It is for those who
  // work on Belay; who started us says that we failed.
  std::optional<InitLLVM> Init;
  if (std::getenv("BELAY_DEBUG"))
    Init.emplace(Argc, Argv);
  cl::ParseCommandLineOptions(Argc, Argv);
  check::FrontEndOptions Options;
  Options.Source = Source;
  Options.Soc = SocName;
  Options.ClangArgs.assign(ClangArgs.begin(), ClangArgs.end());
  Options.Quick = Quick;
  Options.IgnoreAssumptions = IgnoreAssumptions;
  Options.Effort = Effort;
  Options.CompilerSync = !NoAutoSync;
  if (auto Text = FromStdin ? MemoryBuffer::getSTDIN()
                            : MemoryBuffer::getFile(Options.Source)) {
    std::string Readable = toolchain::declareUbVariables(
        toolchain::toStandardCpp((*Text)->getBuffer()));
    if (FromStdin || Readable != (*Text)->getBuffer())
      Options.Content = std::move(Readable);
  }
  outs() << check::toJson(check::checkFile(Options)) << '\n';
  outs().flush();
  // The AST need not be taken apart.
  _exit(0);
}

int main(int Argc, char **Argv) {
  // Trees are followed by recursion, and sources may nest thousands of levels.
  std::optional<unsigned> StackBytes = 512u << 20;
  int Status = 0;
  llvm::thread Deep(StackBytes, [&] { Status = run(Argc, Argv); });
  Deep.join();
  return Status;
}
