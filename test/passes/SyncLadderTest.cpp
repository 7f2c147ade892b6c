//===- SyncLadderTest.cpp - Order proven in another form ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions may become several before they are proven: then the proof speaks
// of operations that the plan does not know.
//
//===----------------------------------------------------------------------===//

#include "passes/SyncLadder.h"
#include "analysis/sync/OrderProof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;

namespace {

constexpr const char *Kernel = R"mlir(
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @kernel(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                  %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>},
                  %n: index, %s: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xf32, #ub>
  %scratch = ascend.buffer at 512 : memref<1x64xf32, #ub>
  scf.for %i = %c0 to %n step %c1 {
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.dma.out %b -> %y[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
    ascend.dma.in %x[%i, 0] [1, 64] -> %scratch : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  }
  return
}
)mlir";

class SyncLadderTest : public testing::Test {
protected:
  SyncLadderTest() {
    Context.loadDialect<AscendDialect, arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect, scf::SCFDialect>();
    Module = parseSourceString<ModuleOp>(Kernel, &Context);
    Context.getDiagEngine().registerHandler([&](Diagnostic &Diag) {
      Remarks.push_back(Diag.str());
      return success();
    });
  }

  func::FuncOp kernel() { return *Module->getOps<func::FuncOp>().begin(); }

  /// Lets each vec.unary fill the third buffer first, in a loop that orders
  /// itself.
  static LogicalResult expand(func::FuncOp Kernel) {
    auto Scratch = *std::next(Kernel.getOps<BufferOp>().begin(), 2);
    Kernel.walk([&](VecUnaryOp Op) {
      OpBuilder Builder(Op);
      Value Zero = arith::ConstantIndexOp::create(Builder, Op.getLoc(), 0);
      Value One = arith::ConstantIndexOp::create(Builder, Op.getLoc(), 1);
      auto Loop = scf::ForOp::create(Builder, Op.getLoc(), Zero, One, One);
      if (Attribute Origin = Op->getAttr(AscendDialect::OriginAttrName))
        Loop->setAttr(AscendDialect::OriginAttrName, Origin);
      Builder.setInsertionPointToStart(Loop.getBody());
      BarrierOp::create(Builder, Op.getLoc(),
                        PipeAttr::get(Op.getContext(), Pipe::V));
      VecFillOp::create(Builder, Op.getLoc(), Kernel.getArgument(3),
                        Scratch.getBuffer(), Op.getCount());
    });
    return success();
  }

  static analysis::OrderRules rules() {
    return analysis::OrderRules::of(*targets::findSoc("Ascend910B3")->arch);
  }

  bool isProven() {
    return succeeded(analysis::OrderProof(kernel(), rules()).run());
  }

  passes::LadderResult order(bool Expand, unsigned FirstRung = 0) {
    passes::LadderOptions Options;
    Options.FirstRung = FirstRung;
    if (Expand)
      Options.PrepareClone = expand;
    auto Result = passes::orderInstructions(kernel(), rules(), Options);
    EXPECT_TRUE(succeeded(Result));
    return *Result;
  }

  MLIRContext Context;
  OwningOpRef<ModuleOp> Module;
  std::vector<std::string> Remarks;
};

TEST_F(SyncLadderTest, ProvesWhatIsThere) {
  EXPECT_EQ(order(/*Expand=*/false).Rung, 0u);
  EXPECT_TRUE(isProven());
  EXPECT_TRUE(Remarks.empty());
  (void)expand(kernel());
  EXPECT_FALSE(isProven());
}

TEST_F(SyncLadderTest, OrdersWhatInstructionsBecome) {
  EXPECT_EQ(order(/*Expand=*/true).Rung, 1u);
  (void)expand(kernel());
  EXPECT_TRUE(isProven());
  ASSERT_FALSE(Remarks.empty());
  EXPECT_NE(Remarks[0].find("'ascend.vec.fill'"), std::string::npos)
      << Remarks[0];
}

TEST_F(SyncLadderTest, AllPipesWaitForWhatInstructionsBecome) {
  passes::LadderResult Result = order(/*Expand=*/true, /*FirstRung=*/3);
  EXPECT_EQ(Result.Rung, 3u);
  (void)expand(kernel());
  EXPECT_TRUE(isProven());
}

/// Nothing of the clone is left in the kernel.
TEST_F(SyncLadderTest, LeavesNoOrigins) {
  order(/*Expand=*/true);
  kernel().walk([](Operation *Op) {
    EXPECT_FALSE(Op->hasAttr(AscendDialect::OriginAttrName));
  });
}

} // namespace
