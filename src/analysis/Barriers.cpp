//===- Barriers.cpp - Barriers of all cores, and what they separate -------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All cores pass the same barriers in the same order. So two operations on two
// cores can only overlap if both cores have passed equally many. Where control
// flow forces a barrier between two operations on one core, they never overlap.
//
//===----------------------------------------------------------------------===//

#include "analysis/Cores.h"

#include "dialect/Ascend.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

void analysis::proveBarriers(func::FuncOp Kernel, const Uniformity &U,
                             Verdicts &V) {
  // A core that works alone waits for nobody.
  if (ascend::worksAlone(Kernel))
    return;
  Kernel.walk([&](ascend::SyncCoresOp Sync) {
    Operation *Around = U.divergenceAround(Sync);
    InFlightDiagnostic Diag =
        V.decide(Sync, !Around, "sync-needs-all-cores",
                 "not all cores reach this barrier equally often");
    if (Around)
      Diag.attachNote(Around->getLoc())
          << "how often depends on the core or on data here";
  });
}

/// Whether a barrier is in Block itself, after From and before To; null is the
/// begin or the end of the block.
static bool barrierBetween(Block *Block, Operation *From, Operation *To) {
  auto It = From ? std::next(From->getIterator()) : Block->begin();
  auto End = To ? To->getIterator() : Block->end();
  for (; It != End; ++It)
    if (isa<ascend::SyncCoresOp>(*It))
      return true;
  return false;
}

/// Whether a core that goes on from Op to the end of Outermost, or has come
/// from its begin to Op, has passed a barrier on the way.
static bool barrierOnWay(Operation *Op, Block *Outermost, bool IsAfter,
                         bool IncludeOutermost) {
  for (;; Op = Op->getParentOp()) {
    Block *Here = Op->getBlock();
    if (Here == Outermost && !IncludeOutermost)
      return false;
    if (IsAfter ? barrierBetween(Here, Op, nullptr)
                : barrierBetween(Here, nullptr, Op))
      return true;
    if (Here == Outermost)
      return false;
  }
}

/// The innermost block that contains both, in whatever depth.
static Block *commonBlock(Operation *A, Operation *B) {
  for (Operation *P = A; P; P = P->getParentOp())
    if (P->getBlock()->findAncestorOpInBlock(*B))
      return P->getBlock();
  return nullptr;
}

/// First comes before Second in the same iteration of all loops around Common.
static bool separatedWithin(Operation *First, Operation *Second,
                            Block *Common) {
  return barrierBetween(Common, Common->findAncestorOpInBlock(*First),
                        Common->findAncestorOpInBlock(*Second)) ||
         barrierOnWay(First, Common, /*IsAfter=*/true,
                      /*IncludeOutermost=*/false) ||
         barrierOnWay(Second, Common, /*IsAfter=*/false,
                      /*IncludeOutermost=*/false);
}

/// First is in an earlier iteration of the loop with that body than Second.
static bool separatedAcross(Operation *First, Operation *Second, Block *Body) {
  return barrierOnWay(First, Body, /*IsAfter=*/true,
                      /*IncludeOutermost=*/true) ||
         barrierOnWay(Second, Body, /*IsAfter=*/false,
                      /*IncludeOutermost=*/true);
}

Concurrency analysis::findConcurrency(Operation *A, Operation *B) {
  Concurrency Result;
  Block *Common = commonBlock(A, B);
  SmallVector<Block *> Bodies;
  for (Block *Here = Common; !isa<func::FuncOp>(Here->getParentOp());
       Here = Here->getParentOp()->getBlock())
    if (isa<LoopLikeOpInterface>(Here->getParentOp()))
      Bodies.push_back(Here);
  for (Block *Body : llvm::reverse(Bodies)) {
    // Iterations of inner loops mean nothing if those of outer ones differ.
    if (!separatedAcross(A, B, Body) || !separatedAcross(B, A, Body))
      return Result;
    Result.Together.push_back(Body->getParentOp());
  }
  Operation *InA = Common->findAncestorOpInBlock(*A);
  Operation *InB = Common->findAncestorOpInBlock(*B);
  if (InA == InB)
    return Result;
  Result.IsPossible = InA->isBeforeInBlock(InB)
                          ? !separatedWithin(A, B, Common)
                          : !separatedWithin(B, A, Common);
  return Result;
}
