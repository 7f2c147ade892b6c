//===- Disjointness.cpp - Cores do not touch each other's elements --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two accesses, each as some core does it, with the facts of its own place;
// arguments, extents and what follows from them are the same for both. The
// cores differ, and so do all numbers that are congruent to their index modulo
// the number of cores: work that is distributed cyclically does not overlap.
//
// Different arguments do not share elements, since the launcher has compared
// them.
//
//===----------------------------------------------------------------------===//

#include "analysis/Cores.h"
#include "analysis/Names.h"
#include "analysis/Views.h"
#include "dialect/Ascend.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

namespace {
struct Access {
  Operation *Op;
  Value View;
  bool IsWrite;
  /// For atomic writes.
  std::optional<ascend::Combine> Combine;
};
} // namespace

static std::optional<Access> accessOf(Operation *Op) {
  using Result = std::optional<Access>;
  return llvm::TypeSwitch<Operation *, Result>(Op)
      .Case<ascend::LoadOp, ascend::GatherOp>([&](auto Read) -> Result {
        return Access{Op, Read.getView(), false, std::nullopt};
      })
      .Case<ascend::StoreOp, ascend::ScatterOp>([&](auto Write) -> Result {
        return Access{Op, Write.getView(), true, Write.getCombine()};
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Where in its argument an access is; a gather or scatter may be anywhere.
static RootWindow windowOf(const Access &A, Terms &T) {
  SmallVector<OpFoldResult> Offsets, Sizes;
  if (auto Load = dyn_cast<ascend::LoadOp>(A.Op)) {
    Offsets = Load.getMixedOffsets();
    Sizes = Load.getMixedSizes();
  } else if (auto Store = dyn_cast<ascend::StoreOp>(A.Op)) {
    Offsets = Store.getMixedOffsets();
    Sizes = Store.getMixedSizes();
  } else {
    return {rootOf(A.View), std::nullopt};
  }
  SmallVector<Linear> From, Count;
  for (auto [Offset, Size] : llvm::zip_equal(Offsets, Sizes)) {
    From.push_back(T.of(Offset));
    Count.push_back(T.of(Size));
  }
  return T.window(A.View, From, Count);
}

static Conjunction overlap(const RootWindow &A, const RootWindow &B,
                           Solver &S) {
  Conjunction Facts;
  if (!A.Ranges || !B.Ranges)
    return Facts;
  // Windows of at most 32 rows each that begin at multiples of 32 overlap only
  // if they begin at the same one: with the constant instead of the size, that
  // is seen without a search.
  auto BeginsBeforeEnd = [&](const Linear &Begin,
                             const RootWindow::Range &Other) {
    Facts.push_back(less(Begin, Other.Offset + Other.Size));
    if (std::optional<DynamicAPInt> Most = S.mostOf(Other.Size))
      Facts.push_back(less(Begin, Other.Offset + Linear(*Most)));
  };
  for (auto [InA, InB] : llvm::zip_equal(*A.Ranges, *B.Ranges)) {
    Facts.push_back(InA.Size - 1);
    Facts.push_back(InB.Size - 1);
    BeginsBeforeEnd(InA.Offset, InB);
    BeginsBeforeEnd(InB.Offset, InA);
  }
  return Facts;
}

/// Whether both cores compute the same value: it depends on no core, and only
/// on loops that both are in the same iteration of.
static bool isShared(Value Value, const Uniformity &U, const Concurrency &M) {
  if (!U.isUniform(Value))
    return false;
  for (Operation *P = Value.getParentRegion()->getParentOp(); P;
       P = P->getParentOp())
    if (isa<LoopLikeOpInterface>(P) && !llvm::is_contained(M.Together, P))
      return false;
  return true;
}

/// Where a window is in the lane of its core alone: no other core is there.
static llvm::SmallBitVector ownLanes(const RootWindow &W, const Terms &T) {
  llvm::SmallBitVector Own(ascend::MaxViewRank);
  if (W.Ranges)
    for (auto [Dim, Range] : llvm::enumerate(*W.Ranges))
      Own[Dim] = Range.Lane && T.isOwnLane(*Range.Lane);
  return Own;
}

/// Facts under which two cores touch the same element, assumed in T.
static Conjunction assumeOnTwoCores(const Access &A, const Access &B,
                                    const Concurrency &M, const Uniformity &U,
                                    Terms &T) {
  Solver &S = T.solver();
  auto Differ = [&](const Linear &X, const Linear &Y) {
    S.assume(Choice{{less(X, Y)}, {less(Y, X)}});
  };
  T.enterAllAround(A.Op);
  RootWindow OfA = windowOf(A, T);
  llvm::SmallBitVector Lanes = ownLanes(OfA, T);
  Linear Core = T.coreIndex();
  SmallVector<Linear> Congruent(T.congruent());
  T.switchCore([&](Value V) { return isShared(V, U, M); });
  T.enterAllAround(B.Op);
  RootWindow OfB = windowOf(B, T);
  for (const Linear &X : Congruent)
    for (const Linear &Y : T.congruent())
      Differ(X, Y);
  // What is at the same place has the same number.
  S.assumeEqualProducts();
  Conjunction Overlap = overlap(OfA, OfB, S);
  if ((Lanes & ownLanes(OfB, T)).any())
    Overlap.push_back(Linear(-1)); // it is never so
  // So that a counterexample names the cores.
  Overlap.push_back(Core);
  Overlap.push_back(T.coreIndex());
  return Overlap;
}

static void provePair(const Access &A, const Access &B, const Uniformity &U,
                      Verdicts &V) {
  Concurrency M = findConcurrency(A.Op, B.Op);
  Solver S;
  Terms T(S, A.Op);
  Conjunction Overlap;
  auto Answer = Solver::Answer::Contradiction;
  if (M.IsPossible) {
    Overlap = assumeOnTwoCores(A, B, M, U, T);
    Answer = S.check(Overlap);
  }
  bool Holds = Answer == Solver::Answer::Contradiction;
  InFlightDiagnostic Diag =
      V.decide(B.Op, Holds, "race-between-cores",
               "two cores may touch the same element of '" +
                   nameOf(rootOf(B.View)) + "'");
  if (Holds)
    return;
  if (A.Op != B.Op)
    Diag.attachNote(A.Op->getLoc())
        << "the other core " << (A.IsWrite ? "writes" : "reads") << " it here";
  if (Answer == Solver::Answer::Solvable) {
    std::string Values = describeSolution(T, Overlap);
    if (!Values.empty())
      Diag.attachNote() << "it happens for " << Values;
  }
}

void analysis::proveDisjointness(func::FuncOp Kernel, const Uniformity &U,
                                 Verdicts &V) {
  SmallVector<Access> All;
  Kernel.walk([&](Operation *Op) {
    auto Found = accessOf(Op);
    if (!Found)
      return;
    if (rootOf(Found->View))
      All.push_back(*Found);
    else
      V.decide(Op, false, "unknown-operation",
               "it is not known of which argument this view is a part");
  });
  for (size_t I = 0; I < All.size(); ++I)
    for (size_t J = I; J < All.size(); ++J) {
      const Access &A = All[I], &B = All[J];
      bool BothAtomic = A.Combine && A.Combine == B.Combine;
      if (rootOf(A.View) == rootOf(B.View) && (A.IsWrite || B.IsWrite) &&
          !BothAtomic)
        provePair(A, B, U, V);
    }
}
