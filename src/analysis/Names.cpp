//===- Names.cpp - Values as their author wrote them ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Names.h"

#include "analysis/Views.h"
#include "dialect/Ascend.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;

/// i for the outermost loop, j for the next, and so on.
static std::string loopVariable(Operation *Loop) {
  unsigned Depth = 0;
  for (Operation *P = Loop->getParentOp(); P; P = P->getParentOp())
    Depth += isa<LoopLikeOpInterface>(P);
  return std::string(1, char('i' + std::min(Depth, 8u)));
}

std::string analysis::nameOf(Value Value) {
  Location Loc = Value.getLoc();
  if (auto Named = dyn_cast<NameLoc>(Loc))
    return Named.getName().str();
  auto Arg = dyn_cast<BlockArgument>(Value);
  if (!Arg)
    return "";
  Operation *Parent = Arg.getOwner()->getParentOp();
  if (isa<func::FuncOp>(Parent))
    return "arg" + std::to_string(Arg.getArgNumber());
  auto Loop = dyn_cast<scf::ForOp>(Parent);
  return Loop && Loop.getInductionVar() == Arg ? loopVariable(Loop) : "";
}

std::string analysis::extentText(Value View, unsigned Dim) {
  auto Type = cast<ShapedType>(View.getType());
  if (!Type.isDynamicDim(Dim))
    return std::to_string(Type.getDimSize(Dim));
  std::string Name = nameOf(View);
  bool IsTransposed = false, IsPart = false;
  while (Name.empty()) {
    (View.getDefiningOp<memref::TransposeOp>() ? IsTransposed : IsPart) = true;
    View = sourceOf(View);
    if (!View)
      break;
    Name = nameOf(View);
  }
  if (!Name.empty() && IsPart)
    Name = "(part of " + Name + ")";
  else if (!Name.empty() && IsTransposed)
    Name += ".transposed()";
  if (Name.empty())
    Name = "view";
  if (Type.getRank() == 1)
    return Name + ".size()";
  if (Type.getRank() == 2)
    return Name + (Dim == 0 ? ".rows()" : ".cols()");
  return Name + ".extent(" + std::to_string(Dim) + ")";
}

namespace {
/// Text with the strength of its outermost operator, for parentheses.
struct Text {
  std::string Words;
  enum { Sum, Product, Atom } Strength = Atom;
};
} // namespace

static Text describe(Value Value, unsigned Depth);

static Text infix(Operation *Op, StringRef Sign, decltype(Text::Sum) Strength,
                  unsigned Depth) {
  Text L = describe(Op->getOperand(0), Depth + 1);
  Text R = describe(Op->getOperand(1), Depth + 1);
  // Only + and * may be regrouped on their right.
  bool Regroups = Sign == "+" || Sign == "*";
  auto Brackets = [&](const Text &T, bool Needed) {
    return Needed ? "(" + T.Words + ")" : T.Words;
  };
  return {Brackets(L, L.Strength < Strength) + " " + Sign.str() + " " +
              Brackets(R, R.Strength < Strength ||
                              (!Regroups && R.Strength == Strength)),
          Strength};
}

static Text call(Operation *Op, StringRef Name, unsigned Depth) {
  return {(Name + "(" + describe(Op->getOperand(0), Depth + 1).Words + ", " +
           describe(Op->getOperand(1), Depth + 1).Words + ")")
              .str()};
}

static Text describeOp(Operation *Op, unsigned Depth);

static Text describe(Value Value, unsigned Depth) {
  IntegerAttr Constant;
  if (matchPattern(Value, m_Constant(&Constant)))
    return {std::to_string(Constant.getInt())};
  std::string Name = analysis::nameOf(Value);
  if (!Name.empty())
    return {Name};
  Operation *Op = Value.getDefiningOp();
  // Longer text is not read, and shared operands would make it exponential.
  if (!Op || Depth > 4)
    return {"..."};
  return describeOp(Op, Depth);
}

static Text describeOp(Operation *Op, unsigned Depth) {
  return llvm::TypeSwitch<Operation *, Text>(Op)
      .Case([&](arith::AddIOp) { return infix(Op, "+", Text::Sum, Depth); })
      .Case([&](arith::SubIOp) { return infix(Op, "-", Text::Sum, Depth); })
      .Case([&](arith::MulIOp) { return infix(Op, "*", Text::Product, Depth); })
      .Case(
          [&](arith::DivSIOp) { return infix(Op, "/", Text::Product, Depth); })
      .Case(
          [&](arith::RemSIOp) { return infix(Op, "%", Text::Product, Depth); })
      .Case([&](arith::MinSIOp) { return call(Op, "min", Depth); })
      .Case([&](arith::MaxSIOp) { return call(Op, "max", Depth); })
      .Case([&](arith::CeilDivSIOp) { return call(Op, "ceil_div", Depth); })
      .Case<arith::IndexCastOp, arith::ExtSIOp>(
          [&](auto Cast) { return describe(Cast.getIn(), Depth); })
      .Case([&](memref::DimOp Dim) -> Text {
        if (auto Index = Dim.getConstantIndex())
          return {analysis::extentText(Dim.getSource(), *Index)};
        return {"..."};
      })
      .Case([&](ascend::CoreIndexOp) { return Text{"core_index()"}; })
      .Case([&](ascend::CoreCountOp) { return Text{"core_count()"}; })
      .Default([](Operation *) { return Text{"..."}; });
}

std::string analysis::textOf(Value Value) { return describe(Value, 0).Words; }

std::string analysis::definitionOf(Value Value) {
  Operation *Op = Value.getDefiningOp();
  return Op ? describeOp(Op, 0).Words : textOf(Value);
}

std::string analysis::textOf(OpFoldResult Value) {
  if (auto Constant = getConstantIntValue(Value))
    return std::to_string(*Constant);
  return textOf(cast<mlir::Value>(Value));
}

std::string analysis::sumText(OpFoldResult A, OpFoldResult B) {
  if (isZeroInteger(A))
    return textOf(B);
  if (isZeroInteger(B))
    return textOf(A);
  return textOf(A) + " + " + textOf(B);
}
