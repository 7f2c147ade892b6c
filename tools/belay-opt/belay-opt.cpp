//===- belay-opt.cpp - Passes on the ascend dialect -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Passes.h"
#include "analysis/sync/VerifySync.h"
#include "dialect/Ascend.h"
#include "emit/pto/Pto.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "passes/KeepNumbers.h"
#include "passes/Passes.h"

int main(int Argc, char **Argv) {
  mlir::DialectRegistry Registry;
  Registry.insert<belay::ascend::AscendDialect, belay::pto::PtoDialect,
                  mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  mlir::registerTransformsPasses();
  belay::passes::registerBelayCorePasses();
  belay::passes::registerBelayNumbersPasses();
  belay::passes::registerCorePipeline();
  belay::analysis::registerBelaySyncPasses();
  belay::analysis::registerAnalysisPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      Argc, Argv, "passes on the ascend dialect\n", Registry));
}
