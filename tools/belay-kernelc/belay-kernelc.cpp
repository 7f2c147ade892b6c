//===- belay-kernelc.cpp - The compiler of the kernel language ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Started by `belay build` and `belay run`, never by hand: its options are no
// interface.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "Outputs.h"

#include "analysis/Passes.h"
#include "dialect/PassTarget.h"
#include "language/FrontEnd.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Passes.h"
#include "support/ExitStatus.h"
#include "targets/Target.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/thread.h"
#include <cstdlib>
#include <optional>

using namespace belay;
using namespace belay::kernelc;
using namespace llvm;
using belay::support::ExitStatus;

static cl::opt<std::string> Source(cl::Positional, cl::Required);
static cl::opt<std::string> IncludeDir("include-dir", cl::Required);
static cl::list<std::string> Kernels("kernel");
static cl::list<std::string> ClangArgs("clang-arg");
static cl::opt<std::string> Output("o", cl::init("-"));
static cl::opt<std::string> OutputDir("out-dir");
static cl::opt<std::string> DependencyFile("dependencies");
static cl::opt<bool> Color("colors");
static cl::opt<bool> Quiet("quiet");
/// The source's text comes from there, under the name that is given.
static cl::opt<bool> FromStdin("from-stdin");
static cl::opt<std::string> SocName("soc", cl::init("Ascend910B3"));
static cl::opt<bool> Deny("deny");
static cl::opt<Form> Emit(
    "emit", cl::init(Form::Tiles),
    cl::values(clEnumValN(Form::Tiles, "ascend-ir", "kernels as tiles"),
               clEnumValN(Form::Core, "core-ir", "as instructions"),
               clEnumValN(Form::Plan, "plan", "what went where"),
               clEnumValN(Form::PlanJson, "plan-json", "the same in JSON"),
               clEnumValN(Form::AscendC, "ascendc", "as C++"),
               clEnumValN(Form::Pto, "pto", "as PTO-MLIR"),
               clEnumValN(Form::Launcher, "launcher", "their C++ launchers"),
               clEnumValN(Form::Description, "description", "in JSON")));

static cl::opt<pto::Sync>
    Sync("sync", cl::init(pto::Sync::Ours),
         cl::values(clEnumValN(pto::Sync::Ours, "ours", "flags and addresses"),
                    clEnumValN(pto::Sync::Ptoas, "ptoas", "neither")));

static mlir::LogicalResult simplify(mlir::ModuleOp Module) {
  mlir::PassManager Passes(Module.getContext());
  Passes.nest<mlir::func::FuncOp>().addPass(passes::createSimplifyTiles());
  Passes.addPass(mlir::createCSEPass());
  return Passes.run(Module);
}

static mlir::LogicalResult placeOnCores(mlir::ModuleOp Module) {
  mlir::PassManager Passes(Module.getContext());
  mlir::OpPassManager &Kernels = Passes.nest<mlir::func::FuncOp>();
  Kernels.addPass(passes::createPlaceUnits());
  Kernels.addPass(analysis::createAscendDecideCores());
  return Passes.run(Module);
}

static mlir::LogicalResult lower(mlir::ModuleOp Module, Outputs &Made) {
  mlir::PassManager Planning(Module.getContext()),
      Instructions(Module.getContext());
  passes::addPlanningPipeline(Planning);
  if (mlir::failed(Planning.run(Module)))
    return mlir::failure();
  if (Emit == Form::Plan || Emit == Form::PlanJson)
    Made.readPlans();
  if (Emit == Form::Pto && mlir::failed(Made.readPto(Sync)))
    return mlir::failure();
  // A plan is shown only if what becomes of it passes all checks.
  passes::addInstructionPipeline(Instructions);
  return Instructions.run(Module);
}

static mlir::LogicalResult compile(mlir::ModuleOp Module,
                                   const targets::Soc &Soc) {
  // Contracts are read while they are as their author wrote them; what no
  // launcher can check, nothing has to be proven of.
  Outputs Made(Module, Soc, {BELAY_VERSION, hashOfFile(Source)});
  if (mlir::failed(simplify(Module)) || mlir::failed(placeOnCores(Module)) ||
      mlir::failed(Made.describe()) || mlir::failed(Made.prove(Deny)))
    return mlir::failure();
  // Without a form to show, all is proven that there is to prove.
  bool Shows = Emit.getNumOccurrences() != 0;
  bool Instructions = !Shows || Emit == Form::Core || Emit == Form::AscendC ||
                      Emit == Form::Pto || Emit == Form::Plan ||
                      Emit == Form::PlanJson;
  if (Instructions && mlir::failed(lower(Module, Made)))
    return mlir::failure();
  if (Shows)
    return Made.write(Emit, Output);
  if (!OutputDir.empty() && mlir::failed(Made.writeAll(OutputDir)))
    return mlir::failure();
  if (!Quiet)
    Made.summarise(OutputDir);
  return mlir::success();
}

static int run(int Argc, char **Argv) {
  // LLVM's report of a crash asks people to write to LLVM. It is for those who
  // work on Belay; who started us says that we failed.
  bool Debug = std::getenv("BELAY_DEBUG") != nullptr;
  std::optional<InitLLVM> Init;
  if (Debug)
    Init.emplace(Argc, Argv);
  cl::ParseCommandLineOptions(Argc, Argv);

  language::FrontEndOptions Options;
  Options.Source = Source;
  Options.IncludeDir = IncludeDir;
  Options.Instances.assign(Kernels.begin(), Kernels.end());
  Options.ClangArgs.assign(ClangArgs.begin(), ClangArgs.end());
  Options.DependencyFile = DependencyFile;
  Options.Colors = Color;
  Options.FromStdin = FromStdin;

  mlir::MLIRContext Context(mlir::MLIRContext::Threading::DISABLED);
  Context.printOpOnDiagnostic(false); // the source line is what people know
  auto Parsed = language::KernelSource::parse(Options, Context);
  constexpr int Refused = static_cast<int>(ExitStatus::NotCompiled);
  if (!Parsed)
    return Refused;
  Messages Said(Debug);
  mlir::ScopedDiagnosticHandler Handler(&Context, [&](mlir::Diagnostic &Diag) {
    Parsed->show(Diag, [&](mlir::Diagnostic &D) { return Said.reword(D); });
  });
  auto Status = [&] {
    return Said.belayFailed() ? static_cast<int>(ExitStatus::Failed) : Refused;
  };
  mlir::ModuleOp Module = Parsed->getModule();
  if (mlir::failed(mlir::verify(Module)))
    return Status();
  if (Module.getBody()->empty()) {
    errs() << "belay: error: " << Source
           << (Parsed->marksKernels()
                   ? " has no kernel that is no template; name an instance, as "
                     "in --kernel 'softmax<1024>'\n"
                   : " has no kernel; a kernel is a function with "
                     "[[belay::kernel]] before it\n");
    return Refused;
  }
  const targets::Soc *Soc = targets::findSoc(SocName);
  if (!Soc) {
    errs() << "belay: error: there is no SoC '" << SocName << "'\n";
    return static_cast<int>(ExitStatus::BadCase);
  }
  ascend::setTarget(Module, *Soc);
  return mlir::failed(compile(Module, *Soc)) ? Status() : 0;
}

int main(int Argc, char **Argv) {
  // Trees are followed by recursion, and sources may nest thousands of levels.
  std::optional<unsigned> StackBytes = 512u << 20;
  int Status = 0;
  llvm::thread Deep(StackBytes, [&] { Status = run(Argc, Argv); });
  Deep.join();
  return Status;
}
