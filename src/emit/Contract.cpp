//===- Contract.cpp - What a launch has to satisfy, as an expression ------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Contract.h"
#include "emit/Names.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::emit;
using Kind = Condition::Kind;

std::string belay::emit::extentName(StringRef View, unsigned Rank,
                                    unsigned Dim) {
  if (Rank == 1)
    return (View + ".size()").str();
  if (Rank == 2)
    return (View + (Dim == 0 ? ".rows()" : ".cols()")).str();
  return (View + ".extent(" + Twine(Dim) + ")").str();
}

static std::optional<StringRef> comparison(arith::CmpIPredicate Predicate) {
  switch (Predicate) {
  case arith::CmpIPredicate::eq:
    return "eq";
  case arith::CmpIPredicate::ne:
    return "ne";
  case arith::CmpIPredicate::slt:
    return "lt";
  case arith::CmpIPredicate::sle:
    return "le";
  case arith::CmpIPredicate::sgt:
    return "gt";
  case arith::CmpIPredicate::sge:
    return "ge";
  default:
    return std::nullopt; // indices have signs
  }
}

/// Those that C++ has: false where one side is not a number, except for !=.
static std::optional<StringRef> comparison(arith::CmpFPredicate Predicate) {
  switch (Predicate) {
  case arith::CmpFPredicate::OEQ:
    return "eq";
  case arith::CmpFPredicate::UNE:
    return "ne";
  case arith::CmpFPredicate::OLT:
    return "lt";
  case arith::CmpFPredicate::OLE:
    return "le";
  case arith::CmpFPredicate::OGT:
    return "gt";
  case arith::CmpFPredicate::OGE:
    return "ge";
  default:
    return std::nullopt;
  }
}

/// What an operation is called in the tree; nothing for one that has no place
/// there.
static std::optional<StringRef> operationName(Operation *Op) {
  bool Truth =
      Op->getNumResults() == 1 && Op->getResult(0).getType().isInteger(1);
  return llvm::TypeSwitch<Operation *, std::optional<StringRef>>(Op)
      .Case<arith::AddIOp, arith::AddFOp>([](auto) { return "add"; })
      .Case<arith::SubIOp, arith::SubFOp>([](auto) { return "sub"; })
      .Case<arith::MulIOp, arith::MulFOp>([](auto) { return "mul"; })
      .Case<arith::DivSIOp, arith::DivFOp>([](auto) { return "div"; })
      .Case<arith::RemSIOp>([](auto) { return "rem"; })
      .Case<arith::MinSIOp, arith::MinNumFOp>([](auto) { return "min"; })
      .Case<arith::MaxSIOp, arith::MaxNumFOp>([](auto) { return "max"; })
      .Case<arith::NegFOp>([](auto) { return "neg"; })
      .Case<arith::SelectOp>([](auto) { return "select"; })
      .Case<arith::SIToFPOp>([](auto) { return "float"; })
      .Case<arith::CmpIOp, arith::CmpFOp>(
          [](auto Compare) { return comparison(Compare.getPredicate()); })
      .Case<arith::AndIOp>([&](auto) -> std::optional<StringRef> {
        return Truth ? std::optional<StringRef>("and") : std::nullopt;
      })
      .Case<arith::OrIOp>([&](auto) -> std::optional<StringRef> {
        return Truth ? std::optional<StringRef>("or") : std::nullopt;
      })
      // Of truths, "differs from" is what "exclusive or" means.
      .Case<arith::XOrIOp>([&](auto) -> std::optional<StringRef> {
        return Truth ? std::optional<StringRef>("ne") : std::nullopt;
      })
      .Default(std::nullopt);
}

namespace {

class Reader {
public:
  explicit Reader(ascend::ExpectsOp Expects) : Expects(Expects) {}

  FailureOr<Condition> read(Value Value, unsigned Depth = 0);

private:
  FailureOr<Condition> readArgument(BlockArgument Argument);
  FailureOr<Condition> readConstant(arith::ConstantOp Constant);
  Condition readCores(std::string Shown);
  FailureOr<Condition> refuse(const Twine &What);

  ascend::ExpectsOp Expects;
  /// A value that is used twice is there twice in the tree, which could double
  /// with each line of the kernel.
  static constexpr unsigned MaxNodes = 2000;
  /// Readers of JSON have limits of their own.
  static constexpr unsigned MaxDepth = 24;
  unsigned Nodes = 0;
};

} // namespace

FailureOr<Condition> Reader::refuse(const Twine &What) {
  Expects.emitError()
      << "what a kernel expects is checked before it starts, by a launcher "
         "that knows extents, scalars and the number of cores; "
      << What << " is none of them [not-in-kernels]";
  return failure();
}

FailureOr<Condition> Reader::readArgument(BlockArgument Argument) {
  if (!isa<func::FuncOp>(Argument.getOwner()->getParentOp()))
    return refuse("a value of a loop");
  Condition Result;
  Result.What = Kind::Scalar;
  Result.Name = parameterName(Argument);
  Result.Shown = Result.Name;
  return Result;
}

FailureOr<Condition> Reader::readConstant(arith::ConstantOp Constant) {
  Condition Result;
  if (auto Float = dyn_cast<FloatAttr>(Constant.getValue())) {
    Result.What = Kind::Float;
    APFloat Value = Float.getValue();
    bool Loses;
    Value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &Loses);
    Result.Real = Value.convertToFloat();
    return Result;
  }
  auto Integer = dyn_cast<IntegerAttr>(Constant.getValue());
  if (!Integer)
    return refuse("a tile");
  bool Truth = Integer.getType().isInteger(1);
  Result.What = Truth ? Kind::Truth : Kind::Integer;
  Result.Number =
      Truth ? !Integer.getValue().isZero() : Integer.getValue().getSExtValue();
  return Result;
}

static Condition makeInteger(int64_t Number) {
  Condition Result;
  Result.What = Kind::Integer;
  Result.Number = Number;
  return Result;
}

static Condition makeOperation(StringRef Name, std::vector<Condition> Args) {
  Condition Result;
  Result.What = Kind::Operation;
  Result.Name = Name.str();
  Result.Args = std::move(Args);
  return Result;
}

static Condition makeExtent(BlockArgument View, unsigned Dim) {
  Condition Result;
  Result.What = Kind::Extent;
  Result.Name = parameterName(View);
  Result.Number = Dim;
  Result.Shown =
      extentName(Result.Name, cast<MemRefType>(View.getType()).getRank(), Dim);
  return Result;
}

/// How many cores work: the blocks of the launch, or one, as the kernel's
/// `ascend.cores` decides.
Condition Reader::readCores(std::string Shown) {
  auto Kernel = Expects->getParentOfType<func::FuncOp>();
  ascend::CoresAttr Cores = ascend::getCores(Kernel);
  Condition Blocks;
  Blocks.What = Kind::Blocks;
  Blocks.Shown = Shown;
  if (!Cores || !Cores.getOne())
    return Blocks;
  Condition One = makeInteger(1);
  if (Cores.isAlways()) {
    One.Shown = std::move(Shown);
    return One;
  }
  std::optional<Condition> All;
  for (const ascend::CoresAttr::Extent &E : Cores.getExtents()) {
    BlockArgument View = Kernel.getArgument(E.Argument);
    Condition Rest =
        makeOperation("rem", {makeExtent(View, E.Dim), makeInteger(E.Of)});
    Condition Divides = makeOperation("eq", {std::move(Rest), makeInteger(0)});
    All = All ? makeOperation("and", {std::move(*All), std::move(Divides)})
              : std::move(Divides);
  }
  Blocks.Shown.clear();
  Condition Result = makeOperation(
      "select", {std::move(*All), std::move(Blocks), std::move(One)});
  Result.Shown = std::move(Shown);
  return Result;
}

FailureOr<Condition> Reader::read(Value Value, unsigned Depth) {
  if (Depth > MaxDepth)
    return refuse("an expression of more than " + Twine(MaxDepth) + " levels");
  if (++Nodes > MaxNodes)
    return refuse("an expression of more than " + Twine(MaxNodes) + " parts");
  if (auto Argument = dyn_cast<BlockArgument>(Value))
    return readArgument(Argument);
  Operation *Op = Value.getDefiningOp();
  if (auto Constant = dyn_cast<arith::ConstantOp>(Op))
    return readConstant(Constant);
  if (isa<ascend::CoreCountOp>(Op))
    return readCores("core_count()");
  if (auto Dim = dyn_cast<memref::DimOp>(Op)) {
    auto View = dyn_cast<BlockArgument>(Dim.getSource());
    std::optional<int64_t> Index = Dim.getConstantIndex();
    if (!View || !Index)
      return refuse("the extent of a part of a view");
    // One element for each core that works.
    auto Kernel = Expects->getParentOfType<func::FuncOp>();
    auto Role = Kernel.getArgAttrOfType<ascend::RoleAttr>(
        View.getArgNumber(), ascend::AscendDialect::RoleAttrName);
    Condition Extent = makeExtent(View, *Index);
    if (Role && Role.getValue() == ascend::Role::PerCore)
      return readCores(Extent.Shown);
    return Extent;
  }
  // The tree has whole numbers of any size, and one kind of float.
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtFOp>(Op))
    return read(Op->getOperand(0), Depth);
  std::optional<StringRef> Name = operationName(Op);
  if (!Name)
    return refuse(isa<tensor::ExtractOp>(Op)     ? "an element of a tile"
                  : isa<ascend::CoreIndexOp>(Op) ? "core_index()"
                                                 : "this expression");
  Condition Result = makeOperation(*Name, {});
  for (mlir::Value Operand : Op->getOperands()) {
    FailureOr<Condition> Arg = read(Operand, Depth + 1);
    if (failed(Arg))
      return failure();
    Result.Args.push_back(std::move(*Arg));
  }
  return Result;
}

FailureOr<Condition> belay::emit::readCondition(ascend::ExpectsOp Expects) {
  return Reader(Expects).read(Expects.getCondition());
}
