//===- TwoCoresTest.cpp - The order of two cores against a search ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of a cube core and a vector core. The search knows when
// instructions are issued, start and end, as a graph, and looks for a way from
// the end of one to the start of another; it shares nothing with the proof.
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

namespace {

struct Step {
  enum Kind {
    Out,       ///< FIX stores sums to a row of the workspace.
    CubeIn,    ///< AIC_MTE2 loads a row into L1.
    In,        ///< MTE2 loads a row into a buffer.
    VectorOut, ///< MTE3 stores a buffer to a row.
    Exp,       ///< V computes one buffer from the other.
    Set,
    Wait,
    Barrier, ///< Of one pipe.
    BarrierOfAll,
  } What;
  Pipe On = Pipe::S; ///< Of a set and a wait: the pipe that sets.
  Pipe To = Pipe::S; ///< Of these: the pipe that waits.
  int Row = 0, Buffer = 0, Event = 0;
};

bool isInstruction(const Step &S) { return S.What <= Step::Exp; }

/// What is ordered, by reachability.
class Graph {
public:
  explicit Graph(const std::vector<Step> &Steps) {
    for (size_t J = 0; J < Steps.size(); ++J)
      add(Steps, J);
  }
  bool isOrdered(size_t First, size_t Second) const {
    return reaches(end(First), start(Second));
  }

private:
  // Each step is issued, starts and ends; a flag is raised when it ends.
  static size_t issue(size_t I) { return 3 * I; }
  static size_t start(size_t I) { return 3 * I + 1; }
  static size_t end(size_t I) { return 3 * I + 2; }

  void edge(size_t From, size_t To) {
    if (Next.size() <= std::max(From, To))
      Next.resize(std::max(From, To) + 1);
    Next[From].push_back(To);
  }

  static bool isOn(const Step &S, Core Core) {
    return S.What == Step::BarrierOfAll ||
           coreOf(S.What == Step::Wait ? S.To : S.On) == Core;
  }

  void add(const std::vector<Step> &Steps, size_t J) {
    const Step &Now = Steps[J];
    edge(issue(J), start(J));
    edge(start(J), end(J));
    for (size_t I = 0; I < J; ++I) {
      const Step &Old = Steps[I];
      for (Core Core : {Core::Cube, Core::Vector})
        if (isOn(Old, Core) && isOn(Now, Core))
          edge(issue(I), issue(J));
      bool StopsIssue =
          Old.What == Step::BarrierOfAll ||
          (Old.What == Step::Wait && Old.To == scalarPipeOf(coreOf(Old.To)));
      bool SameCore =
          Old.What == Step::BarrierOfAll || Now.What == Step::BarrierOfAll ||
          isOn(Now, coreOf(Old.What == Step::Wait ? Old.To : Old.On));
      if (StopsIssue && SameCore)
        edge(end(I), issue(J));
      if (Now.What == Step::BarrierOfAll && isInstruction(Old))
        edge(end(I), start(J));
      if (Now.What == Step::Wait && Old.What == Step::Set &&
          Old.Event == Now.Event && Old.On == Now.On && Old.To == Now.To)
        edge(end(I), end(J));
      // In one pipe, what follows starts no earlier; sets and barriers come
      // after all that was there, barriers and waits before all that follows.
      auto InPipe = [](const Step &S) {
        return S.What == Step::Wait ? S.To : S.On;
      };
      if (InPipe(Old) != InPipe(Now) || Old.What == Step::BarrierOfAll ||
          Now.What == Step::BarrierOfAll)
        continue;
      if (isInstruction(Old) && isInstruction(Now))
        edge(start(I), start(J));
      if (Old.What == Step::Wait || Old.What == Step::Barrier)
        edge(end(I), start(J));
      if (isInstruction(Old) &&
          (Now.What == Step::Set || Now.What == Step::Barrier))
        edge(end(I), end(J));
    }
  }

  bool reaches(size_t From, size_t To) const {
    std::vector<bool> Seen(Next.size());
    std::vector<size_t> Left{From};
    while (!Left.empty()) {
      size_t Now = Left.back();
      Left.pop_back();
      if (Now == To)
        return true;
      if (Now >= Next.size() || Seen[Now])
        continue;
      Seen[Now] = true;
      Left.insert(Left.end(), Next[Now].begin(), Next[Now].end());
    }
    return false;
  }

  std::vector<std::vector<size_t>> Next;
};

/// What a step reads and writes: rows of the workspace, buffers of UB, L1, L0C.
struct Touches {
  int ReadRow = -1, WrittenRow = -1, ReadBuffer = -1, WrittenBuffer = -1;
  bool WritesL1 = false;
};

Touches touchesOf(const Step &S) {
  switch (S.What) {
  case Step::Out:
    return {.WrittenRow = S.Row};
  case Step::CubeIn:
    return {.ReadRow = S.Row, .WritesL1 = true};
  case Step::In:
    return {.ReadRow = S.Row, .WrittenBuffer = S.Buffer};
  case Step::VectorOut:
    return {.WrittenRow = S.Row, .ReadBuffer = S.Buffer};
  case Step::Exp:
    return {.ReadBuffer = S.Buffer, .WrittenBuffer = 1 - S.Buffer};
  default:
    return {};
  }
}

bool conflict(const Step &A, const Step &B) {
  if (!isInstruction(A) || !isInstruction(B))
    return false;
  Touches X = touchesOf(A), Y = touchesOf(B);
  auto Meet = [](int P, int Q) { return P >= 0 && P == Q; };
  return Meet(X.WrittenRow, Y.WrittenRow) || Meet(X.WrittenRow, Y.ReadRow) ||
         Meet(X.ReadRow, Y.WrittenRow) ||
         Meet(X.WrittenBuffer, Y.WrittenBuffer) ||
         Meet(X.WrittenBuffer, Y.ReadBuffer) ||
         Meet(X.ReadBuffer, Y.WrittenBuffer) || (X.WritesL1 && Y.WritesL1);
}

std::string textOf(const Step &S) {
  std::string Row = std::to_string(S.Row), Buffer = std::to_string(S.Buffer);
  std::string Window = "%w[" + Row + ", 0, 0] [1, 16, 16]";
  std::string Flag = ("<" + stringifyPipe(S.On) + "> to <" +
                      stringifyPipe(S.To) + "> event " + Twine(S.Event) + "\n")
                         .str();
  switch (S.What) {
  case Step::Out:
    return "  ascend.cube.out %s pitch %c16 -> " + Window +
           " : !sums -> !work\n";
  case Step::CubeIn:
    return "  ascend.cube.in " + Window + " -> %l : !work -> !l1\n";
  case Step::In:
    return "  ascend.dma.in " + Window + " -> %b" + Buffer +
           " : !work -> !tile\n";
  case Step::VectorOut:
    return "  ascend.dma.out %b" + Buffer + " -> " + Window +
           " : !tile -> !work\n";
  case Step::Exp:
    return "  ascend.vec.unary <exp> %b" + Buffer + " -> %b" +
           std::to_string(1 - S.Buffer) + ", %c256 : !tile, !tile\n";
  case Step::Set:
    return "  ascend.flag.set " + Flag;
  case Step::Wait:
    return "  ascend.flag.wait " + Flag;
  case Step::Barrier:
    return ("  ascend.barrier on <" + stringifyPipe(S.On) + ">\n").str();
  case Step::BarrierOfAll:
    return "  ascend.barrier\n";
  }
  return "";
}

class Programs {
public:
  std::vector<Step> make() {
    std::vector<Step> Steps;
    constexpr Pipe Pipes[] = {Pipe::FIX, Pipe::CubeMTE2, Pipe::MTE2, Pipe::MTE3,
                              Pipe::V};
    for (unsigned I = 0, E = 2 + below(5); I < E; ++I) {
      auto What = static_cast<Step::Kind>(below(5));
      Steps.push_back(
          {What, Pipes[What], Pipe::S, int(below(2)), int(below(2))});
    }
    for (unsigned I = 0, E = below(3); I < E; ++I)
      insert(Steps, below(Steps.size() + 1), {Step::Barrier, Pipes[below(5)]});
    if (below(4) == 0)
      insert(Steps, below(Steps.size() + 1), {Step::BarrierOfAll});
    // Each flag once, between pipes of one core or from core to core.
    for (int Event = 0, E = int(below(6)); Event < E; ++Event) {
      Pipe From = Pipes[below(5)], To = Pipes[below(5)];
      if (isBetweenCores(From, To))
        To = scalarPipeOf(coreOf(To));
      if (From == To)
        continue;
      size_t First = below(Steps.size() + 1);
      size_t Second = First + 1 + below(Steps.size() + 1 - First);
      insert(Steps, First, {Step::Set, From, To, 0, 0, Event});
      insert(Steps, Second, {Step::Wait, From, To, 0, 0, Event});
    }
    return Steps;
  }

private:
  size_t below(size_t Limit) { return Random() % Limit; }
  static void insert(std::vector<Step> &Steps, size_t At, Step New) {
    Steps.insert(Steps.begin() + long(At), New);
  }

  std::mt19937 Random{1};
};

TEST(TwoCoresTest, AgreesWithASearch) {
  MLIRContext Context;
  Context.loadDialect<AscendDialect, arith::ArithDialect, func::FuncDialect,
                      memref::MemRefDialect, scf::SCFDialect>();
  Programs Random;
  unsigned NumProven = 0, NumRefused = 0;
  for (unsigned Try = 0; Try < 2000; ++Try) {
    std::vector<Step> Steps = Random.make();
    Graph Order(Steps);
    bool IsOrdered = true;
    for (size_t J = 0; J < Steps.size(); ++J)
      for (size_t I = 0; I < J; ++I)
        IsOrdered &= !conflict(Steps[I], Steps[J]) || Order.isOrdered(I, J);
    std::string Text = R"mlir(
#gm = #ascend.space<gm>
!work = memref<?x16x16xf32, #gm>
!sums = memref<1x16x16xf32, #ascend.space<l0c>>
!l1 = memref<2x16x8xf32, #ascend.space<l1>>
!tile = memref<16x16xf32, #ascend.space<ub>>
func.func @kernel(%w: !work {ascend.role = #ascend.role<percore>})
    attributes {ascend.kernel} {
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %s = ascend.buffer at 0 : !sums
  %l = ascend.buffer at 0 : !l1
  %b0 = ascend.buffer at 0 : !tile
  %b1 = ascend.buffer at 1024 : !tile
)mlir";
    for (const Step &S : Steps)
      Text += textOf(S);
    auto Module = parseSourceString<ModuleOp>(Text + "  return\n}\n", &Context);
    ASSERT_TRUE(Module) << Text;
    analysis::OrderProof Proof(*Module->getOps<func::FuncOp>().begin(),
                               {.Events = 8, .CoreFlags = 9});
    bool IsProven = succeeded(Proof.run());
    EXPECT_EQ(IsProven, IsOrdered) << "program " << Try << ":\n" << Text;
    ++(IsOrdered ? NumProven : NumRefused);
  }
  EXPECT_GT(NumProven, 200u);
  EXPECT_GT(NumRefused, 200u);
}

} // namespace
