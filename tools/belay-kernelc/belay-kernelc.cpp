//===- belay-kernelc.cpp - The compiler of the kernel language ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Started by `belay build`, never by hand: its options are no interface.
//
//===----------------------------------------------------------------------===//

#include "language/FrontEnd.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace belay;
using namespace llvm;

static cl::opt<std::string> Source(cl::Positional, cl::Required);
static cl::opt<std::string> IncludeDir("include-dir", cl::Required);
static cl::list<std::string> Kernels("kernel");
static cl::list<std::string> ClangArgs("clang-arg");
static cl::opt<std::string> Output("o", cl::init("-"));
static cl::opt<bool> Color("colors");
/// The IR as the front end made it.
static cl::opt<bool> Raw("raw");

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  cl::ParseCommandLineOptions(Argc, Argv);

  language::FrontEndOptions Options;
  Options.Source = Source;
  Options.IncludeDir = IncludeDir;
  Options.Instances.assign(Kernels.begin(), Kernels.end());
  Options.ClangArgs.assign(ClangArgs.begin(), ClangArgs.end());
  Options.Colors = Color;

  mlir::MLIRContext Context(mlir::MLIRContext::Threading::DISABLED);
  auto Parsed = language::KernelSource::parse(Options, Context);
  if (!Parsed)
    return 1;
  mlir::ScopedDiagnosticHandler Handler(
      &Context, [&](mlir::Diagnostic &Diag) { Parsed->show(Diag); });
  mlir::ModuleOp Module = Parsed->getModule();
  if (mlir::failed(mlir::verify(Module)))
    return 1;
  if (Module.getBody()->empty()) {
    errs() << "belay: error: " << Source
           << " has no kernel that is no template; name an instance, as in "
              "--kernel 'softmax<1024>'\n";
    return 1;
  }
  if (!Raw) {
    mlir::PassManager Passes(&Context);
    Passes.addPass(mlir::createCanonicalizerPass());
    Passes.addPass(mlir::createCSEPass());
    if (mlir::failed(Passes.run(Module)))
      return 1;
  }

  std::error_code EC;
  ToolOutputFile File(Output, EC, sys::fs::OF_Text);
  if (EC) {
    errs() << "belay: error: " << Output << ": " << EC.message() << "\n";
    return 1;
  }
  mlir::OpPrintingFlags Flags;
  Module.print(File.os(), Flags.enableDebugInfo(false));
  File.keep();
  return 0;
}
