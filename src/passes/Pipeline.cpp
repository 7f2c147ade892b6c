//===- Pipeline.cpp - All passes from tiles to instructions ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Passes.h"
#include "analysis/sync/VerifySync.h"
#include "passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace belay;

void passes::addCorePipeline(OpPassManager &Manager, StringRef Soc) {
  OpPassManager &Kernels = Manager.nest<func::FuncOp>();
  LowerTilesOptions Lower;
  Lower.soc = Soc.str();
  Kernels.addPass(createLowerTiles(Lower));
  Kernels.addPass(createCanonicalizerPass());
  Kernels.addPass(createCSEPass());
  ScheduleOptions Place;
  Place.soc = Soc.str();
  Kernels.addPass(createSchedule(Place));
  PlanMemoryOptions Plan;
  Plan.soc = Soc.str();
  Kernels.addPass(createPlanMemory(Plan));
  InsertSyncOptions Order;
  Order.soc = Soc.str();
  Kernels.addPass(createInsertSync(Order));
  ExpandInstructionsOptions Expand;
  Expand.soc = Soc.str();
  Kernels.addPass(createExpandInstructions(Expand));
  analysis::VerifySyncOptions Verify;
  Verify.soc = Soc.str();
  Kernels.addPass(analysis::createVerifySync(Verify));
  analysis::VerifyInstructionsOptions Check;
  Check.soc = Soc.str();
  Kernels.addPass(analysis::createVerifyInstructions(Check));
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
      "ascend-to-core", "Turn tiles into planned and ordered instructions",
      [](OpPassManager &Manager, const CorePipelineOptions &Options) {
        addCorePipeline(Manager, Options.Soc);
      });
}
