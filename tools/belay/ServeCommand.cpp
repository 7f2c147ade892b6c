//===- ServeCommand.cpp - belay serve -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "TargetsCommand.h"

#define BELAY_OPTIONS "options/Serve.inc"
#include "OptionTable.h"

#include "support/DiagnosticError.h"
#include "support/Resources.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace belay;
using namespace belay::tool;
using namespace llvm;

/// Becomes belay-serve; returns only if it cannot.
static Error becomeServer(std::vector<std::string> Args) {
  std::string Program = belay::support::getLibexecPath("belay-serve");
  if (!sys::fs::exists(Program))
    return belay::support::makeError(
        belay::support::DiagId::BelayFailed,
        "this build of Belay has no belay-serve",
        {"it is built where cpp-httplib is (Debian: libcpp-httplib-dev); "
         "wheels leave it out"});
  Args.insert(Args.begin(),
              {Program, sys::fs::getMainExecutable("belay", nullptr)});
  std::vector<char *> Words;
  Words.reserve(Args.size() + 1);
  for (std::string &Arg : Args)
    Words.push_back(Arg.data());
  Words.push_back(nullptr);
  ::execv(Program.c_str(), Words.data());
  return errorCodeToError(errnoAsErrorCode());
}

static int runServe(const Command &Self, const Arguments &Args) {
  if (Args.Positional.size() > 1)
    return usageError(Self, "the page starts with one file");
  uint16_t Port = 0;
  StringRef Soc = "Ascend910B3";
  bool Open = true, Sandbox = true;
  for (const Arguments::OptionValue &Each : Args.Options)
    switch (static_cast<Opt>(Each.Id)) {
    case Opt::port:
      if (Each.Value.getAsInteger(10, Port))
        return usageError(Self, "--port takes a number up to 65535");
      break;
    case Opt::soc:
      Soc = Each.Value;
      break;
    case Opt::no_open:
      Open = false;
      break;
    case Opt::no_sandbox:
      Sandbox = false;
      break;
    }
  if (std::string Mistake = mistakeInSoc(Soc); !Mistake.empty())
    return usageError(Self, Mistake);
  std::vector<std::string> Words = {std::to_string(Port), Soc.str(),
                                    Sandbox ? "sandbox" : "no-sandbox",
                                    Open ? "open" : "no-open"};
  for (StringRef File : Args.Positional) {
    if (!sys::fs::is_regular_file(File))
      return usageError(Self, "there is no file '" + File.str() + "'");
    Words.push_back(File.str());
  }
  return reportError(becomeServer(std::move(Words)));
}

namespace belay::tool {
extern const Command ServeCommand;
const Command ServeCommand = {
    "serve",
    "a page to try kernels in: source beside AscendC, IR and timeline",
    "[KERNEL.cpp] [OPTIONS]",
    R"(
Opens a page on this machine: a kernel on the left; on the right, as it is typed,
what the proof or the check finds, its AscendC, Belay's IR, which flags order what,
and the timeline of a launch. Nothing is written to KERNEL.cpp, and nothing is
fetched from elsewhere.

The page is on 127.0.0.1 and counts requests only with the secret in its address,
from its own page. Kernels are compiled and run as by 'belay run --sealed', in a
sandbox and under limits; arguments cannot name files.
)",
    optionTable,
    R"(
belay serve
belay serve softmax.cpp --soc Ascend310P3
belay serve --no-open --port 8000    # and 'ssh -L 8000:127.0.0.1:8000' to it
)",
    runServe,
};
} // namespace belay::tool
