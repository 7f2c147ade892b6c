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

#include "analysis/Passes.h"
#include "emit/AscendC.h"
#include "language/FrontEnd.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Passes.h"
#include "targets/Target.h"
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
static cl::opt<std::string> SocName("soc", cl::init("Ascend910B3"));
static cl::opt<bool> Deny("deny");
enum class Form { Tiles, Core, AscendC };
static cl::opt<Form>
    Emit("emit", cl::init(Form::Tiles),
         cl::values(clEnumValN(Form::Tiles, "ascend-ir", "kernels as tiles"),
                    clEnumValN(Form::Core, "core-ir", "as instructions"),
                    clEnumValN(Form::AscendC, "ascendc", "as C++")));

/// Brings the kernels to the level that is asked for.
static mlir::LogicalResult transform(mlir::ModuleOp Module) {
  mlir::PassManager Passes(Module.getContext());
  Passes.addPass(mlir::createCanonicalizerPass());
  Passes.addPass(mlir::createCSEPass());
  analysis::AscendProveOptions Options;
  Options.Deny = Deny;
  Passes.nest<mlir::func::FuncOp>().addPass(
      analysis::createAscendProve(Options));
  if (Emit != Form::Tiles)
    passes::addCorePipeline(Passes, SocName);
  return Passes.run(Module);
}

static mlir::LogicalResult write(mlir::ModuleOp Module, const targets::Soc &Soc,
                                 raw_ostream &Out) {
  if (Emit == Form::AscendC)
    return emit::emitAscendC(Module, Soc, Out);
  Module.print(Out);
  return mlir::success();
}

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
  Context.printOpOnDiagnostic(false); // the source line is what people know
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
  const targets::Soc *Soc = targets::findSoc(SocName);
  if (!Soc) {
    errs() << "belay: error: there is no SoC '" << SocName << "'\n";
    return 1;
  }
  if (mlir::failed(transform(Module)))
    return 1;

  std::error_code EC;
  ToolOutputFile File(Output, EC, sys::fs::OF_Text);
  if (EC) {
    errs() << "belay: error: " << Output << ": " << EC.message() << "\n";
    return 1;
  }
  if (mlir::failed(write(Module, *Soc, File.os())))
    return 1;
  File.keep();
  return 0;
}
