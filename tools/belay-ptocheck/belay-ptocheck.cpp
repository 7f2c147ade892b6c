//===- belay-ptocheck.cpp - Reads PTO-MLIR and says what is wrong with it -===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Started by `belay check --pto`, never by hand: its options are no interface.
// The report goes to the standard output as JSON.
//
//===----------------------------------------------------------------------===//

#include "check/pto/CheckPto.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include <cstdlib>
#include <optional>

using namespace belay;
using namespace llvm;

static cl::opt<std::string> Source(cl::Positional, cl::Required);
static cl::opt<std::string> SocName("soc", cl::Required);
/// The file's text comes from there, under the file's name.
static cl::opt<bool> FromStdin("from-stdin");

static int run(int Argc, char **Argv) {
  // LLVM's report of a crash asks people to write to LLVM. It is for those who
  // work on Belay; who started us says that we failed.
  std::optional<InitLLVM> Init;
  if (std::getenv("BELAY_DEBUG"))
    Init.emplace(Argc, Argv);
  cl::ParseCommandLineOptions(Argc, Argv);
  const targets::Soc *Soc = targets::findSoc(SocName.getValue());
  auto Text =
      FromStdin ? MemoryBuffer::getSTDIN() : MemoryBuffer::getFile(Source);
  if (!Soc || !Text) {
    errs() << Source << ": cannot be read\n";
    return 1;
  }
  outs() << check::toJson(check::checkPto((*Text)->getBuffer(), Source, *Soc))
         << '\n';
  return 0;
}

int main(int Argc, char **Argv) {
  // Regions are followed by recursion, and sources may nest thousands of
  // levels.
  std::optional<unsigned> StackBytes = 512u << 20;
  int Status = 0;
  llvm::thread Deep(StackBytes, [&] { Status = run(Argc, Argv); });
  Deep.join();
  return Status;
}
