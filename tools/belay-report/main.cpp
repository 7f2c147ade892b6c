//===- main.cpp - What became of a kernel, in words -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// belay-report OBJECT [CUBE-OBJECT]: descriptor 3 holds a sim::Report
//
// The simulated device starts it when a kernel has failed: it links no LLVM
// itself, and debug information is read only when something is wrong.
//
//===----------------------------------------------------------------------===//

#include "report/FailureReport.h"
#include "support/Diagnostics.h"
#include "support/SourceFiles.h"
#include "support/Styling.h"

#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <unistd.h>

using namespace belay;
using namespace belay::cases;
using namespace belay::report;

static constexpr int ReportFd = 3;

int main(int Argc, char **Argv) {
  if (Argc < 2 || Argc > 3)
    return 2;
  auto Report = std::make_unique<sim::Report>();
  if (pread(ReportFd, Report.get(), sizeof *Report, 0) !=
      static_cast<ssize_t>(sizeof *Report))
    return 2;
  cleanReport(*Report);
  // The program that has started it is the user's own, as its sources are.
  support::allowAllSources();
  // The runner of a device does not end by itself.
  support::ProcessResult Process;
  Process.How = support::ProcessResult::Status::Exited;
  FrameResolver Resolver(Argv[1], Argc == 3 ? Argv[2] : "");
  std::vector<support::Diagnostic> Problems =
      explainFindings(*Report, Resolver);
  Case Launch;
  Launch.Source = "";
  if (auto Problem = explainOutcome(Process, *Report, Launch, Resolver))
    Problems.push_back(std::move(*Problem));
  support::Styling Plain(/*Enabled=*/false);
  for (const support::Diagnostic &Problem : Problems)
    printDiagnostic(llvm::outs(), Problem, Plain);
  printExplainHint(llvm::outs(), Problems, Plain);
  return 0;
}
