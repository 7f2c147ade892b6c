//===- OrderProofTest.cpp - The order proof against a plain search --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/sync/OrderProof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using analysis::OrderProof;
using analysis::Refusal;

namespace {

class OrderProofTest : public testing::Test {
protected:
  OrderProofTest() {
    Context.loadDialect<AscendDialect, arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect, scf::SCFDialect>();
  }

  /// Four buffers, of which the last two overlap.
  void read(const std::string &Body) {
    std::string Text = R"mlir(
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @kernel(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                  %n: index, %s: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %b0 = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b1 = ascend.buffer at 256 : memref<1x64xf32, #ub>
  %b2 = ascend.buffer at 512 : memref<1x64xf32, #ub>
  %b3 = ascend.buffer at 640 : memref<1x64xf32, #ub>
)mlir" + Body + "  return\n}\n";
    Module = parseSourceString<ModuleOp>(Text, &Context);
    ASSERT_TRUE(Module) << Text;
    auto Kernel = *Module->getOps<func::FuncOp>().begin();
    Proof.emplace(Kernel, analysis::OrderRules{.Events = 8, .CoreFlags = 9});
    IsProven = succeeded(Proof->run());
  }
  static std::string load(int To, const char *Row = "0") {
    return std::string("  ascend.dma.in %x[") + Row + ", 0] [1, 64] -> %b" +
           std::to_string(To) +
           " : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>\n";
  }
  static std::string exp(int From, int To) {
    return "  ascend.vec.unary <exp> %b" + std::to_string(From) + " -> %b" +
           std::to_string(To) +
           ", %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>\n";
  }
  static std::string set(const char *From, const char *To, int Event) {
    return std::string("  ascend.flag.set <") + From + "> to <" + To +
           "> event " + std::to_string(Event) + "\n";
  }
  static std::string wait(const char *From, const char *To, int Event) {
    return std::string("  ascend.flag.wait <") + From + "> to <" + To +
           "> event " + std::to_string(Event) + "\n";
  }
  static std::string barrier(const char *Pipe) {
    return std::string("  ascend.barrier on <") + Pipe + ">\n";
  }
  Refusal::Kind firstRefusal() {
    EXPECT_FALSE(Proof->refusals().empty());
    return Proof->refusals().empty() ? Refusal::Kind::NotOfOrder
                                     : Proof->refusals()[0].What;
  }

  MLIRContext Context;
  OwningOpRef<ModuleOp> Module;
  std::optional<OrderProof> Proof;
  bool IsProven = false;
};

TEST_F(OrderProofTest, WantsFlagsBetweenPipes) {
  read(load(0) + exp(0, 1));
  EXPECT_FALSE(IsProven);
  ASSERT_EQ(firstRefusal(), Refusal::Kind::Unordered);
  const Refusal &Found = Proof->refusals()[0];
  EXPECT_TRUE(isa<VecUnaryOp>(Found.Op));
  EXPECT_TRUE(isa<DmaInOp>(Found.Other));
  EXPECT_FALSE(Found.CarriedBy);

  std::string Set = set("MTE2", "V", 0), Wait = wait("MTE2", "V", 0);
  read(load(0) + Set + Wait + exp(0, 1));
  EXPECT_TRUE(IsProven);
  EXPECT_GE(Proof->pairs(), 1u);
  // Set too early, waited for too late.
  read(Set + load(0) + Wait + exp(0, 1));
  EXPECT_FALSE(IsProven);
  read(load(0) + Set + exp(0, 1) + Wait);
  EXPECT_FALSE(IsProven);
  // The other way is no order for this one.
  read(load(0) + set("V", "MTE2", 0) + wait("V", "MTE2", 0) + exp(0, 1));
  EXPECT_FALSE(IsProven);
}

TEST_F(OrderProofTest, WantsNothingWhereMemoryIsApart) {
  read(load(0) + exp(1, 2));
  EXPECT_TRUE(IsProven);
  read(load(2) + exp(3, 1));
  EXPECT_FALSE(IsProven);
}

TEST_F(OrderProofTest, WantsBarriersInAPipe) {
  read(exp(0, 1) + exp(1, 2));
  EXPECT_FALSE(IsProven);
  read(exp(0, 1) + barrier("V") + exp(1, 2));
  EXPECT_TRUE(IsProven);
  read(exp(0, 1) + barrier("MTE2") + exp(1, 2));
  EXPECT_FALSE(IsProven);
}

TEST_F(OrderProofTest, RefusesWrongFlags) {
  read(wait("MTE2", "V", 0));
  EXPECT_EQ(firstRefusal(), Refusal::Kind::WrongFlag);
  read(load(0) + set("MTE2", "V", 0));
  EXPECT_EQ(firstRefusal(), Refusal::Kind::WrongFlag);
  read(set("MTE2", "V", 0) + set("MTE2", "V", 0) + wait("MTE2", "V", 0));
  EXPECT_FALSE(IsProven);
  read(set("MTE2", "V", 8) + wait("MTE2", "V", 8));
  EXPECT_FALSE(IsProven);
}

TEST_F(OrderProofTest, WantsOrderFromOneIterationToTheNext) {
  std::string Set = set("MTE2", "V", 0), Wait = wait("MTE2", "V", 0);
  std::string Forward = load(0, "%i") + Set + Wait + exp(0, 1) + barrier("V");
  auto Loop = [](const std::string &Body) {
    return "  scf.for %i = %c0 to %n step %c1 {\n" + Body + "  }\n";
  };
  read(Loop(Forward));
  EXPECT_FALSE(IsProven);
  EXPECT_TRUE(llvm::any_of(Proof->refusals(), [](const Refusal &R) {
    return isa<DmaInOp>(R.Op) && R.Other && isa<VecUnaryOp>(R.Other) &&
           R.CarriedBy;
  }));
  std::string Back = set("V", "MTE2", 0), Free = wait("V", "MTE2", 0);
  read(Back + Loop(Free + Forward + Back) + Free);
  EXPECT_TRUE(IsProven);
  // Without the first set, the first iteration waits for ever.
  read(Loop(Free + Forward + Back));
  EXPECT_FALSE(IsProven);
}

/// Instructions of two pipes in a row, some flags and barriers, against the
/// closure of what they order.
TEST_F(OrderProofTest, AgreesWithASearch) {
  struct Step {
    enum Kind { Load, Exp, Set, Wait, Barrier } What;
    bool OnV = false; // of a flag: from V
    int A = 0, B = 0; // of a flag: A is the event
  };
  std::mt19937 Random{1};
  unsigned NumProven = 0, NumRefused = 0;
  for (unsigned Try = 0; Try < 300; ++Try) {
    std::vector<Step> Steps;
    for (unsigned I = 0, E = 2 + Random() % 4; I < E; ++I) {
      if (Random() % 2)
        Steps.push_back({Step::Load, false, int(Random() % 4), 0});
      else
        Steps.push_back(
            {Step::Exp, true, int(Random() % 2), 2 * int(Random() % 2)});
    }
    for (unsigned I = 0, E = Random() % 4; I < E; ++I)
      Steps.insert(Steps.begin() + long(Random() % (Steps.size() + 1)),
                   {Step::Barrier, bool(Random() % 2)});
    for (int I = 0, E = int(Random() % 5); I < E; ++I) {
      size_t First = Random() % (Steps.size() + 1);
      size_t Second = First + 1 + Random() % (Steps.size() + 1 - First);
      bool FromV = Random() % 2;
      Steps.insert(Steps.begin() + long(First), {Step::Set, FromV, I});
      Steps.insert(Steps.begin() + long(Second), {Step::Wait, FromV, I});
    }

    // Before[i][j]: step i is complete when step j starts.
    size_t N = Steps.size();
    std::vector<std::vector<bool>> Before(N, std::vector<bool>(N));
    for (size_t J = 0; J < N; ++J) {
      auto After = [&](size_t I) { // I is complete when J starts
        Before[I][J] = true;
        for (size_t K = 0; K < I; ++K)
          if (Before[K][I])
            Before[K][J] = true;
      };
      const Step &Now = Steps[J];
      // The pipe that a step runs in. A wait runs in the one that waits.
      auto Pipe = [](const Step &S) {
        return S.What == Step::Wait ? !S.OnV : S.OnV;
      };
      for (size_t I = 0; I < J; ++I) {
        const Step &Old = Steps[I];
        bool SamePipe = Pipe(Old) == Pipe(Now);
        // What an earlier step of the pipe knew when it started. A set does
        // not hold up what follows it.
        if (SamePipe && Old.What != Step::Set)
          for (size_t K = 0; K < I; ++K)
            if (Before[K][I])
              Before[K][J] = true;
        bool IsPoint = Old.What == Step::Wait || Old.What == Step::Barrier;
        bool Collects = Now.What == Step::Set || Now.What == Step::Barrier;
        bool Answers = Now.What == Step::Wait && Old.What == Step::Set &&
                       Old.OnV == Now.OnV && Old.A == Now.A;
        if ((SamePipe && (IsPoint || Collects)) || Answers)
          After(I);
      }
    }
    auto Overlap = [](int A, int B) { return A == B || (A >= 2 && B >= 2); };
    auto Conflict = [&](const Step &A, const Step &B) {
      if (A.What > Step::Exp || B.What > Step::Exp)
        return false;
      int WriteA = A.What == Step::Load ? A.A : A.B,
          WriteB = B.What == Step::Load ? B.A : B.B;
      return Overlap(WriteA, WriteB) ||
             (B.What == Step::Exp && Overlap(WriteA, B.A)) ||
             (A.What == Step::Exp && Overlap(A.A, WriteB));
    };
    bool IsOrdered = true;
    for (size_t J = 0; J < N; ++J)
      for (size_t I = 0; I < J; ++I)
        IsOrdered &= !Conflict(Steps[I], Steps[J]) || Before[I][J];

    std::string Body;
    for (const Step &S : Steps) {
      const char *From = S.OnV ? "V" : "MTE2", *To = S.OnV ? "MTE2" : "V";
      Body += S.What == Step::Load   ? load(S.A)
              : S.What == Step::Exp  ? exp(S.A, S.B)
              : S.What == Step::Set  ? set(From, To, S.A)
              : S.What == Step::Wait ? wait(From, To, S.A)
                                     : barrier(From);
    }
    read(Body);
    EXPECT_EQ(IsProven, IsOrdered) << "program " << Try << ":\n" << Body;
    ++(IsOrdered ? NumProven : NumRefused);
  }
  EXPECT_GT(NumProven, 40u);
  EXPECT_GT(NumRefused, 40u);
}

} // namespace
