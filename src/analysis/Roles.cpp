//===- Roles.cpp - Arguments are used as they were declared ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Cores.h"
#include "analysis/Names.h"
#include "analysis/Views.h"
#include "dialect/Ascend.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

namespace {
/// What an operation does to a view.
struct Use {
  Value View;
  bool Reads = false, Writes = false;
};
} // namespace

static std::optional<Use> useOf(Operation *Op) {
  if (auto Load = dyn_cast<ascend::LoadOp>(Op))
    return Use{Load.getView(), true, false};
  if (auto Gather = dyn_cast<ascend::GatherOp>(Op))
    return Use{Gather.getView(), true, false};
  // To combine is to read first.
  if (auto Store = dyn_cast<ascend::StoreOp>(Op))
    return Use{Store.getView(), Store.getCombine().has_value(), true};
  if (auto Scatter = dyn_cast<ascend::ScatterOp>(Op))
    return Use{Scatter.getView(), Scatter.getCombine().has_value(), true};
  return std::nullopt;
}

/// The plain stores to the same argument that have been executed whenever Op
/// is.
static SmallVector<ascend::StoreOp> storesBefore(Operation *Op, Value Root) {
  SmallVector<ascend::StoreOp> Result;
  for (Operation *P = Op; !isa<func::FuncOp>(P); P = P->getParentOp())
    for (Operation &Before : *P->getBlock()) {
      if (&Before == P)
        break;
      auto Store = dyn_cast<ascend::StoreOp>(Before);
      if (Store && !Store.getCombine() && rootOf(Store.getView()) == Root)
        Result.push_back(Store);
    }
  return Result;
}

template <class WindowOp> static RootWindow windowOf(WindowOp Op, Terms &T) {
  SmallVector<Linear> Offsets, Sizes;
  for (OpFoldResult Offset : Op.getMixedOffsets())
    Offsets.push_back(T.of(Offset));
  for (OpFoldResult Size : Op.getMixedSizes())
    Sizes.push_back(T.of(Size));
  return T.window(Op.getView(), Offsets, Sizes);
}

static bool isInside(const RootWindow &Inner, const RootWindow &Outer,
                     Solver &S) {
  if (!Inner.Ranges || !Outer.Ranges)
    return false;
  for (auto [In, Out] : llvm::zip_equal(*Inner.Ranges, *Outer.Ranges))
    if (!S.implies(In.Offset - Out.Offset) ||
        !S.implies(Out.Offset + Out.Size - In.Offset - In.Size))
      return false;
  return true;
}

/// What is read of an `out` has been written by this core before.
static bool isWrittenBefore(Operation *Op, Value Root, Terms &T) {
  auto Load = dyn_cast<ascend::LoadOp>(Op);
  if (!Load)
    return false;
  RootWindow Read = windowOf(Load, T);
  return llvm::any_of(storesBefore(Op, Root), [&](ascend::StoreOp Store) {
    // A view with gaps is larger than what was written.
    return rootOf(Store.getView()) == Store.getView() &&
           isInside(Read, windowOf(Store, T), T.solver());
  });
}

/// Every core has written its own element, and a barrier has followed; or only
/// the core's own element is read.
static bool isCollected(Operation *Op, Value Root, const Uniformity &U,
                        Terms &T) {
  auto Load = dyn_cast<ascend::LoadOp>(Op);
  for (ascend::StoreOp Store : storesBefore(Op, Root)) {
    if (Load && isInside(windowOf(Load, T), windowOf(Store, T), T.solver()))
      return true;
    if (!U.divergenceAround(Store) && !findConcurrency(Store, Op).IsPossible)
      return true;
  }
  return false;
}

static void proveOwnElement(Operation *Op, Terms &T, Verdicts &V) {
  StringRef Text = "a core writes just its own element of a per-core argument";
  auto Store = dyn_cast<ascend::StoreOp>(Op);
  if (!Store || rootOf(Store.getView()) != Store.getView()) {
    V.decide(Op, false, "argument-role", Text);
    return;
  }
  Linear Offset = T.of(Store.getMixedOffsets()[0]);
  Linear Size = T.of(Store.getMixedSizes()[0]);
  V.prove(Op,
          {"argument-role",
           textOf(Store.getMixedOffsets()[0]) + " == core_index()",
           {{less(Offset, T.coreIndex())}, {less(T.coreIndex(), Offset)}},
           {}},
          T);
  V.prove(Op,
          {"argument-role",
           textOf(Store.getMixedSizes()[0]) + " <= 1",
           {{less(1, Size)}},
           {}},
          T);
}

void analysis::proveRole(Operation *Op, const Uniformity &U, Terms &T,
                         Verdicts &V) {
  auto Found = useOf(Op);
  Value Root = Found ? rootOf(Found->View) : Value();
  auto Role = Root ? roleOf(Root) : std::nullopt;
  if (!Role)
    return;
  std::string Name = nameOf(Root);
  switch (*Role) {
  case ascend::Role::In:
    V.decide(Op, !Found->Writes, "argument-role",
             "'" + Name + "' is an input and cannot be written");
    break;
  case ascend::Role::Out:
    if (Found->Reads)
      V.decide(Op, isWrittenBefore(Op, Root, T), "uninitialised-read",
               "'" + Name +
                   "' is an output, and this part of it has not been written "
                   "before; make it an InOut if it has a value at the start");
    break;
  case ascend::Role::PerCore:
    if (Found->Writes)
      proveOwnElement(Op, T, V);
    if (Found->Reads)
      V.decide(Op, isCollected(Op, Root, U, T), "uninitialised-read",
               "not every core has written its element of '" + Name +
                   "' here; write it on all cores, then call sync_cores()");
    break;
  case ascend::Role::InOut:
    break;
  }
}
