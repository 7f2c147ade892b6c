//===- Pipeline.cpp - All passes from tiles to instructions ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Passes.h"
#include "analysis/sync/VerifySync.h"
#include "dialect/PassTarget.h"
#include "passes/KeepNumbers.h"
#include "passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Transforms/Passes.h"

namespace belay::passes {
#define GEN_PASS_DEF_SETTARGET
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;

namespace {
struct SetTargetPass : passes::impl::SetTargetBase<SetTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    const targets::Soc *Soc = targets::findSoc(soc);
    if (!Soc) {
      getOperation().emitError() << "there is no SoC '" << soc << "'";
      return signalPassFailure();
    }
    ascend::setTarget(getOperation(), *Soc);
  }
};
} // namespace

void passes::addPlanningPipeline(OpPassManager &Manager) {
  OpPassManager &Kernels = Manager.nest<func::FuncOp>();
  Kernels.addPass(analysis::createAscendDecideCores());
  Kernels.addPass(createKeepNumbers());
  Kernels.addPass(createLowerDots());
  Kernels.addPass(createLowerTiles());
  Kernels.addPass(createCanonicalizerPass());
  Kernels.addPass(createCSEPass());
  Kernels.addPass(createSchedule());
  Kernels.addPass(createPlanMemory());
  Kernels.addPass(createInsertSync());
}

void passes::addInstructionPipeline(OpPassManager &Manager) {
  OpPassManager &Kernels = Manager.nest<func::FuncOp>();
  // What was decided of tiles has to hold of the copies that they became.
  Kernels.addPass(analysis::createAscendDecideCores());
  Kernels.addPass(createExpandInstructions());
  Kernels.addPass(analysis::createAscendVerifyMemory());
  Kernels.addPass(analysis::createVerifySync());
  Kernels.addPass(analysis::createVerifyInstructions());
}

void passes::addCorePipeline(OpPassManager &Manager) {
  addPlanningPipeline(Manager);
  addInstructionPipeline(Manager);
}

namespace {
struct CorePipelineOptions : PassPipelineOptions<CorePipelineOptions> {
  Option<std::string> Soc{*this, "soc",
                          llvm::cl::desc("The SoC that the kernel is for"),
                          llvm::cl::init("Ascend910B3")};
};
} // namespace

void passes::registerCorePipeline() {
  PassPipelineRegistration<CorePipelineOptions>(
      "ascend-to-core", "Lower tiles to planned and ordered instructions",
      [](OpPassManager &Manager, const CorePipelineOptions &Options) {
        SetTargetOptions Target;
        Target.soc = Options.Soc;
        Manager.addPass(createSetTarget(Target));
        addCorePipeline(Manager);
      });
}
