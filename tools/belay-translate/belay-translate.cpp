//===- belay-translate.cpp - From IR to AscendC ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PassTarget.h"
#include "emit/AscendC.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace belay;

static llvm::cl::opt<std::string>
    SocName("soc", llvm::cl::desc("The SoC that kernels are for, where the "
                                  "module has no ascend.target"));
static llvm::cl::opt<bool> NoLines("no-lines",
                                   llvm::cl::desc("Leave out #line"));
static llvm::cl::opt<bool>
    FromCore("from-core",
             llvm::cl::desc("The input is at the level of instructions, "
                            "planned and ordered already"));

static LogicalResult translate(Operation *Op, raw_ostream &Out) {
  auto Module = dyn_cast<ModuleOp>(Op);
  if (!Module)
    return Op->emitError("kernels are in a module");
  const targets::Soc *Soc = ascend::socFor(Module, SocName);
  if (!Soc)
    return failure();
  if (!FromCore) {
    ascend::setTarget(Module, *Soc);
    PassManager Manager(Op->getContext());
    passes::addCorePipeline(Manager);
    if (failed(Manager.run(Module)))
      return failure();
  }
  emit::Options Options;
  Options.Lines = !NoLines;
  return emit::emitAscendC(Module, *Soc, Out, Options);
}

int main(int Argc, char **Argv) {
  TranslateFromMLIRRegistration ToAscendC(
      "ascend-to-ascendc", "write kernels as AscendC C++", translate,
      [](DialectRegistry &Registry) {
        Registry
            .insert<ascend::AscendDialect, arith::ArithDialect,
                    func::FuncDialect, math::MathDialect, memref::MemRefDialect,
                    scf::SCFDialect, tensor::TensorDialect>();
      });
  return failed(mlirTranslateMain(Argc, Argv, "from IR to AscendC\n"));
}
