//===- Hints.cpp - Names for what the source does not name ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Ascend.h"
#include "emit/Names.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::emit;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The parameter that a view is a part of; nothing for one without a name.
static std::optional<StringRef> tensorOf(Value View) {
  while (Operation *Op = View.getDefiningOp()) {
    if (!isa<ViewLikeOpInterface, memref::TransposeOp>(Op))
      return std::nullopt;
    View = Op->getOperand(0);
  }
  return sourceNameOf(View.getLoc());
}

/// What the elements of a result are; functions are called as they are.
static StringRef resultOf(Binary Kind) {
  switch (Kind) {
  case Binary::Add:
    return "sum";
  case Binary::Sub:
    return "difference";
  case Binary::Mul:
    return "product";
  case Binary::Div:
    return "quotient";
  case Binary::Max:
    return "larger";
  case Binary::Min:
    return "smaller";
  case Binary::And:
    return "both";
  case Binary::Or:
    return "either";
  case Binary::Power:
    return "power";
  case Binary::Shl:
  case Binary::Shr:
    return "shifted";
  }
  return "tile";
}

static std::string along(Axis Axis, StringRef What) {
  if (Axis == Axis::All)
    return What.str();
  std::string Name = stringifyAxis(Axis).str() + What.str();
  Name[3] = llvm::toUpper(Name[3]);
  return Name;
}

/// What an instruction leaves in its destination.
static std::string resultOf(Operation *Writer) {
  using Text = std::string;
  return TypeSwitch<Operation *, Text>(Writer)
      .Case<VecBinaryOp, VecScalarOp, RepBinaryOp, RepScalarOp>(
          [](auto Op) { return resultOf(Op.getKind()).str(); })
      .Case<VecUnaryOp>([](VecUnaryOp Op) {
        return Op.getKind() == Unary::Not ? Text("inverted")
                                          : stringifyUnary(Op.getKind()).str();
      })
      .Case<RepReduceOp>([](RepReduceOp Op) {
        return Op.getPlaces()
                   ? Text("extremes")
                   : along(Axis::Row, stringifyCombine(Op.getCombine()));
      })
      .Case<RepBlockReduceOp>([](RepBlockReduceOp Op) {
        return "block" + along(Axis::Row, stringifyCombine(Op.getCombine()));
      })
      .Case<LibReduceOp>([](LibReduceOp Op) {
        return stringifyCombine(Op.getCombine()).str();
      })
      .Case<RepEveryOtherOp>(
          [](RepEveryOtherOp Op) { return Op.getOdd() ? "places" : "taken"; })
      .Case<VecCastOp>([](auto) { return "converted"; })
      .Case<VecCompareOp>([](auto) { return "mask"; })
      .Case<VecSelectOp>([](auto) { return "chosen"; })
      .Case<VecFillOp>([](auto) { return "filled"; })
      .Case<RepBrcbOp, RepCopyOp>([](auto) { return "spread"; })
      .Case<RepTransposeOp>([](auto) { return "transposed"; })
      .Case<VecIotaOp>([](auto) { return "numbers"; })
      .Case<CubeLoadOp, CubeLoadFractalsOp, CubeFillOp>(
          [](auto) { return "fractals"; })
      .Case<CubeMmadOp>([](auto) { return "sums"; })
      .Default([](auto) { return "tile"; });
}

static bool writes(Operation *Op, Value Buffer) {
  auto Effects = dyn_cast<MemoryEffectOpInterface>(Op);
  if (!Effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> Found;
  Effects.getEffectsOnValue(Buffer, Found);
  return llvm::any_of(Found, [](const auto &Effect) {
    return isa<MemoryEffects::Write>(Effect.getEffect());
  });
}

/// A part of a tensor is called after it; anything else after the last
/// instruction that makes it.
std::string belay::emit::bufferHint(Value Buffer) {
  Operation *Writer = nullptr;
  std::optional<StringRef> Tensor;
  auto Look = [&](Operation *User, Value Part) {
    TypeSwitch<Operation *>(User)
        .Case<CopyPadInOp, CopyPadOutOp, CopyBlocksInOp, CopyBlocksOutOp,
              CopyRowsInOp, CopyRowsOutOp, CubeNd2NzOp>([&](auto Copy) {
          if (!Tensor && Copy.getView() != Part)
            Tensor = tensorOf(Copy.getView());
        });
    if (!Writer && writes(User, Part))
      Writer = User;
  };
  for (Operation *User : Buffer.getUsers()) { // the last one first
    Look(User, Buffer);
    if (auto Slice = dyn_cast<SliceOp>(User))
      for (Operation *Inner : Slice->getUsers())
        Look(Inner, Slice);
  }
  if (Tensor)
    return Tensor->str() + "Tile";
  return Writer ? resultOf(Writer) : "tile";
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// What an instruction takes a number for, or nothing.
static std::optional<StringRef> extentAt(OpOperand &Use) {
  using Name = std::optional<StringRef>;
  Value Used = Use.get();
  auto OfWindow = [&](auto Copy) -> Name {
    SmallVector<OpFoldResult> Sizes = Copy.getMixedSizes();
    if (Sizes.size() > 1 && Sizes[Sizes.size() - 2] == OpFoldResult(Used))
      return "rows";
    return !Sizes.empty() && Sizes.back() == OpFoldResult(Used) ? Name("cols")
                                                                : std::nullopt;
  };
  return TypeSwitch<Operation *, Name>(Use.getOwner())
      .Case<CopyPadInOp, CopyPadOutOp, CopyBlocksInOp, CopyBlocksOutOp,
            CubeNd2NzOp, CubeFixpipeOp>(OfWindow)
      .Case<RepBinaryOp, RepScalarOp, RepCopyOp, RepReduceOp>(
          [&](auto Op) -> Name {
            return Op.getRepeat() == Used ? Name("rows")
                   : Op.getMask() == Used ? Name("cols")
                                          : std::nullopt;
          })
      .Case<VecUnaryOp, VecBinaryOp, VecScalarOp, VecFillOp, VecCopyOp,
            VecCastOp, VecCompareOp, VecSelectOp, VecIotaOp>(
          [&](auto Op) -> Name {
            return Op.getCount() == Used ? Name("count") : std::nullopt;
          })
      .Default(Name());
}

static std::optional<StringRef> boundAt(OpOperand &Use) {
  auto Loop = dyn_cast<scf::ForOp>(Use.getOwner());
  if (!Loop)
    return std::nullopt;
  if (Use.get() == Loop.getLowerBound())
    return "first";
  if (Use.get() == Loop.getStep())
    return "step";
  return Use.get() == Loop.getUpperBound() ? std::optional<StringRef>("end")
                                           : std::nullopt;
}

StringRef belay::emit::scalarHint(Operation &Op) {
  if (isa<CoreIndexOp>(Op))
    return "core";
  if (isa<CoreCountOp>(Op))
    return "cores";
  StringRef Best, End;
  for (OpOperand &Use : Op.getResult(0).getUses()) {
    if (std::optional<StringRef> Bound = boundAt(Use)) {
      if (*Bound != "end")
        return *Bound;
      End = *Bound;
      continue;
    }
    // Rows may be elements too, if there is one in each.
    std::optional<StringRef> Extent = extentAt(Use);
    if (Extent && (Best.empty() || Best == "count" || *Extent == "rows"))
      Best = *Extent;
    if (Best.empty() && isa<arith::SubIOp>(Op) &&
        isa<arith::MinSIOp>(Use.getOwner()))
      Best = "left";
  }
  // What instructions call it says more than that a loop ends there.
  if (!Best.empty() && (End.empty() || Best != "left"))
    return Best;
  if (!End.empty())
    return End;
  return Op.getResult(0).getType().isInteger(1) ? "holds" : "n";
}
