//===- MemoryPlanTest.cpp - Where buffers lie -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/MemoryPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using passes::MemoryLimits;
using passes::MemoryPlan;
using passes::Packing;
using passes::Tenant;

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

namespace {

/// Up to Most tenants of one to four bytes.
std::vector<Tenant> tenants(std::mt19937 &Random, unsigned Most) {
  std::vector<Tenant> Result;
  for (unsigned I = 0, E = 1 + Random() % Most; I < E; ++I) {
    unsigned Begin = Random() % 6;
    Result.push_back(
        {1 + int64_t(Random() % 4), Begin, Begin + unsigned(Random() % 4)});
  }
  return Result;
}

bool areApart(const std::vector<Tenant> &All, ArrayRef<int64_t> Offsets,
              size_t Count) {
  for (size_t I = 0; I < Count; ++I)
    for (size_t J = 0; J < I; ++J)
      if (All[I].Begin <= All[J].End && All[J].Begin <= All[I].End &&
          Offsets[I] < Offsets[J] + All[J].Bytes &&
          Offsets[J] < Offsets[I] + All[I].Bytes)
        return false;
  return true;
}

/// Whether any placement fits into so many bytes.
bool fits(const std::vector<Tenant> &All, int64_t Bytes,
          SmallVector<int64_t> &Offsets) {
  if (Offsets.size() == All.size())
    return true;
  for (int64_t At = 0; At + All[Offsets.size()].Bytes <= Bytes; ++At) {
    Offsets.push_back(At);
    if (areApart(All, Offsets, Offsets.size()) && fits(All, Bytes, Offsets))
      return true;
    Offsets.pop_back();
  }
  return false;
}

TEST(Packing, KeepsLiveTenantsApart) {
  std::mt19937 Random{1};
  for (unsigned Try = 0; Try < 500; ++Try) {
    std::vector<Tenant> All = tenants(Random, 12);
    Packing Found = passes::pack(All, /*Exact=*/0, /*Enough=*/0);
    ASSERT_EQ(Found.Offsets.size(), All.size());
    EXPECT_TRUE(areApart(All, Found.Offsets, All.size()));
    int64_t End = 0;
    for (auto [T, Offset] : llvm::zip_equal(All, Found.Offsets)) {
      EXPECT_GE(Offset, 0);
      End = std::max(End, Offset + T.Bytes);
    }
    EXPECT_EQ(Found.Bytes, End);
    EXPECT_GE(Found.Bytes, passes::lowerBound(All));
  }
}

TEST(Packing, IsTheSmallestWhereAllOrdersAreTried) {
  std::mt19937 Random{1};
  for (unsigned Try = 0; Try < 200; ++Try) {
    std::vector<Tenant> All = tenants(Random, 6);
    Packing Found = passes::pack(All, /*Exact=*/6, /*Enough=*/0);
    EXPECT_TRUE(areApart(All, Found.Offsets, All.size()));
    SmallVector<int64_t> Offsets;
    EXPECT_FALSE(fits(All, Found.Bytes - 1, Offsets)) << "packing " << Try;
  }
}

TEST(Packing, LowerBoundIsTheMostAtOnePlace) {
  std::mt19937 Random{1};
  for (unsigned Try = 0; Try < 200; ++Try) {
    std::vector<Tenant> All = tenants(Random, 12);
    int64_t Most = 0;
    for (unsigned At = 0; At < 12; ++At) {
      int64_t Sum = 0;
      for (const Tenant &T : All)
        Sum += T.Begin <= At && At <= T.End ? T.Bytes : 0;
      Most = std::max(Most, Sum);
    }
    EXPECT_EQ(passes::lowerBound(All), Most);
  }
}

TEST(Packing, SizesDoNotOverflow) {
  EXPECT_EQ(passes::addBytes(1, 2), 3);
  EXPECT_GT(passes::addBytes(INT64_MAX, 1), int64_t(1) << 60);
  std::vector<Tenant> Huge(3, {INT64_MAX / 2, 0, 1});
  EXPECT_GT(passes::pack(Huge, 10, 1000).Bytes, 1000);
  EXPECT_GT(passes::lowerBound(Huge), 1000);
}

//===----------------------------------------------------------------------===//
// Plans of kernels
//===----------------------------------------------------------------------===//

class MemoryPlanTest : public testing::Test {
protected:
  MemoryPlanTest() {
    Context.loadDialect<AscendDialect, arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect, scf::SCFDialect>();
    Context.getDiagEngine().registerHandler([&](Diagnostic &Diag) {
      Messages.push_back(Diag.str());
      return success();
    });
  }

  /// exp(exp(x)) for each row, with a buffer of 256 bytes for each step.
  func::FuncOp kernel(bool InLoop) {
    std::string Body = R"mlir(
    %a = ascend.buffer : memref<1x64xf32, #ub>
    %b = ascend.buffer : memref<1x64xf32, #ub>
    %c = ascend.buffer : memref<1x64xf32, #ub>
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %b -> %c, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.dma.out %c -> %y[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
)mlir";
    Module = parseSourceString<ModuleOp>(
        R"mlir(
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @kernel(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                  %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>},
                  %n: index) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
)mlir" +
            std::string(InLoop ? "  scf.for %i = %c0 to %n step %c1 {"
                               : "  %i = arith.constant 0 : index") +
            Body + (InLoop ? "  }\n" : "") + "  return\n}\n",
        &Context);
    EXPECT_TRUE(Module);
    return *Module->getOps<func::FuncOp>().begin();
  }

  static MemoryLimits limits(int64_t Capacity, bool DoubleBuffer = true) {
    return {ascend::MemorySpace::UB, Capacity, /*Exact=*/10, DoubleBuffer,
            /*Barriers=*/true};
  }

  MLIRContext Context;
  OwningOpRef<ModuleOp> Module;
  std::vector<std::string> Messages;
};

TEST_F(MemoryPlanTest, DoublesWhatIsCopiedInLoops) {
  MemoryPlan Plan = passes::planMemory(kernel(/*InLoop=*/true), limits(65536));
  EXPECT_TRUE(Plan.fits());
  EXPECT_GE(Plan.Doubled, 2u);
  EXPECT_GE(Plan.Result.Bytes, 4 * 256);

  Plan = passes::planMemory(kernel(/*InLoop=*/true), limits(65536, false));
  EXPECT_EQ(Plan.Doubled, 0u);
  Plan = passes::planMemory(kernel(/*InLoop=*/false), limits(65536));
  EXPECT_EQ(Plan.Doubled, 0u);
}

/// A plan that fits stays inside of its memory, and none is better than that
/// with enough of it.
TEST_F(MemoryPlanTest, SpendsWhatThereIs) {
  unsigned Least =
      passes::planMemory(kernel(/*InLoop=*/true), limits(65536)).cost();
  unsigned NumFit = 0;
  for (int64_t Capacity = 32; Capacity <= 2048; Capacity += 32) {
    MemoryPlan Plan =
        passes::planMemory(kernel(/*InLoop=*/true), limits(Capacity));
    EXPECT_EQ(Plan.fits(), Plan.Result.Bytes <= Capacity);
    EXPECT_GE(Plan.cost(), Least) << Capacity;
    // One buffer is computed in place.
    EXPECT_EQ(Plan.fits(), Capacity >= 256) << Capacity;
    NumFit += Plan.fits();
  }
  EXPECT_GT(NumFit, 0u);
}

TEST_F(MemoryPlanTest, SaysWhatDoesNotFit) {
  MemoryPlan Plan = passes::planMemory(kernel(/*InLoop=*/false), limits(128));
  EXPECT_FALSE(Plan.fits());
  EXPECT_TRUE(failed(Plan.complain()));
  ASSERT_FALSE(Messages.empty());
  EXPECT_NE(Messages[0].find("[local-capacity]"), std::string::npos);
  EXPECT_NE(Messages[0].find("128 are there"), std::string::npos);
}

TEST_F(MemoryPlanTest, WritesPlacesThatDoNotOverlap) {
  func::FuncOp Kernel = kernel(/*InLoop=*/true);
  MemoryPlan Plan = passes::planMemory(Kernel, limits(65536));
  passes::SlotCounters Counters;
  Plan.apply(Counters);
  unsigned NumBuffers = 0;
  Kernel.walk([&](BufferOp Buffer) {
    ++NumBuffers;
    ASSERT_TRUE(Buffer.getOffset().has_value());
    EXPECT_EQ(*Buffer.getOffset() % 32, 0u);
    EXPECT_LT(int64_t(*Buffer.getOffset()), Plan.Result.Bytes);
  });
  EXPECT_EQ(NumBuffers, 3u);
  EXPECT_TRUE(Messages.empty());
}

} // namespace
