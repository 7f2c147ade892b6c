//===- LowerOperations.cpp - Operations of kernel.h on tiles --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "language/Annotations.h"
#include "language/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace belay;
using namespace belay::language;
using support::DiagId;

LoweredValue Lowering::lowerOperation(const Operation &Op) {
  if (!hasPossibleSize(Op.Call->getType(), Op.Call->getExprLoc()))
    return LoweredValue::nothing();
  if (std::optional<LoweredValue> Scalar = lowerScalarOperation(Op))
    return *Scalar;
  StringRef Family = Op.Name.split('.').first;
  if (Family == "view" || Family == "window")
    return lowerViewOperation(Op);
  if (Family == "tile")
    return lowerTileMaker(Op);
  if (Family == "row" || Family == "col" || Family == "all")
    return lowerReduction(Op);
  if (Op.Name.starts_with("load") || Op.Name.starts_with("store") ||
      Op.Name == "gather" || Op.Name == "scatter_add")
    return lowerMove(Op);
  if (Op.Name == "cast")
    return cast(Op);
  if (Op.Name == "dot")
    return lowerDot(Op);
  if (Op.Name == "take")
    return lowerTake(Op);
  return lowerElementwise(Op);
}

std::optional<LoweredValue>
Lowering::lowerScalarOperation(const Operation &Op) {
  auto Arg = [&](unsigned I) { return Op.Args[I].value(); };
  if (Op.Name == "core_index")
    return LoweredValue::scalar(ascend::CoreIndexOp::create(Builder, Op.Loc));
  if (Op.Name == "core_count")
    return LoweredValue::scalar(ascend::CoreCountOp::create(Builder, Op.Loc));
  if (Op.Name == "span")
    return lowerSpan(Op);
  if (Op.Name == "sync_cores") {
    ascend::SyncCoresOp::create(Builder, Op.Loc);
    return LoweredValue::empty();
  }
  if (Op.Name == "print") {
    SmallVector<unsigned> Limits = numbersOf(Op.Callee);
    ascend::PrintOp::create(Builder, Op.Loc, Arg(0), Limits[0], Limits[1]);
    return LoweredValue::empty();
  }
  if (Op.Name == "scalar.float")
    return LoweredValue::scalar(convert(Arg(0), Builder.getF32Type(), Op.Loc));
  if (Op.Name == "scalar.min" || Op.Name == "scalar.max") {
    bool Min = Op.Name == "scalar.min";
    if (isa<FloatType>(Arg(0).getType()))
      return LoweredValue::scalar(
          Min ? Value(arith::MinNumFOp::create(Builder, Op.Loc, Arg(0), Arg(1)))
              : Value(
                    arith::MaxNumFOp::create(Builder, Op.Loc, Arg(0), Arg(1))));
    return LoweredValue::scalar(
        Min ? Value(arith::MinSIOp::create(Builder, Op.Loc, Arg(0), Arg(1)))
            : Value(arith::MaxSIOp::create(Builder, Op.Loc, Arg(0), Arg(1))));
  }
  return std::nullopt;
}

LoweredValue Lowering::lowerSpan(const Operation &Op) {
  Value Size = Op.Args[1].value();
  int64_t Most = capacityOf(Op.Callee->getReturnType()).back();
  APInt Known;
  if (matchPattern(Size, m_ConstantInt(&Known)) &&
      (Known.isNegative() || Known.sgt(Most))) {
    Report.error(Op.Call->getArg(1)->getExprLoc(), DiagId::TileCapacity,
                 "a span of at most %0 cannot have %1; its tile has no more "
                 "space")
        << unsigned(Most) << llvm::toString(Known, 10, /*Signed=*/true)
        << Op.Call->getArg(1)->getSourceRange();
    return LoweredValue::nothing();
  }
  return LoweredValue::span(Op.Args[0].value(), Size);
}

/// Each side of && is a condition of its own: proofs want them apart, and the
/// launcher says which one does not hold.
LoweredValue Lowering::lowerExpects(const Operation &Op) {
  // A branch that is being lowered belongs to nothing yet.
  if (!llvm::isa_and_nonnull<func::FuncOp>(Builder.getBlock()->getParentOp())) {
    Report.error(Op.Call->getExprLoc(), DiagId::NotInKernels,
                 "what a kernel expects is checked at its launch; no loop or "
                 "branch can decide it");
    return LoweredValue::nothing();
  }
  llvm::SaveAndRestore Here(InContract, true);
  std::function<void(const clang::Expr *)> Split = [&](const clang::Expr *E) {
    const auto *Both =
        clang::dyn_cast<clang::BinaryOperator>(E->IgnoreParenImpCasts());
    if (Both && Both->getOpcode() == clang::BO_LAnd) {
      Split(Both->getLHS());
      Split(Both->getRHS());
      return;
    }
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    E->IgnoreParenImpCasts()->printPretty(OS, nullptr, AST.getPrintingPolicy());
    // What comes later may rely on it: a divisor that is not 0.
    if (LoweredValue Condition = lower(E))
      ascend::ExpectsOp::create(Builder, Op.Loc, Condition.value(), Text);
  };
  Split(Op.Call->getArg(0));
  return LoweredValue::empty();
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

template <typename FloatOp, typename IntOp>
static Value makeEither(OpBuilder &Builder, Location Loc, Value Lhs,
                        Value Rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(Lhs)))
    return FloatOp::create(Builder, Loc, Lhs, Rhs);
  return IntOp::create(Builder, Loc, Lhs, Rhs);
}

static Value makeBinary(OpBuilder &B, Location Loc, StringRef Name, Value L,
                        Value R) {
  if (Name == "add")
    return makeEither<arith::AddFOp, arith::AddIOp>(B, Loc, L, R);
  if (Name == "sub")
    return makeEither<arith::SubFOp, arith::SubIOp>(B, Loc, L, R);
  if (Name == "mul")
    return makeEither<arith::MulFOp, arith::MulIOp>(B, Loc, L, R);
  if (Name == "max")
    return makeEither<arith::MaxNumFOp, arith::MaxSIOp>(B, Loc, L, R);
  if (Name == "min")
    return makeEither<arith::MinNumFOp, arith::MinSIOp>(B, Loc, L, R);
  if (Name == "div")
    return arith::DivFOp::create(B, Loc, L, R);
  if (Name == "pow")
    return math::PowFOp::create(B, Loc, L, R);
  if (Name == "and" || Name == "mask.and")
    return arith::AndIOp::create(B, Loc, L, R);
  if (Name == "or" || Name == "mask.or")
    return arith::OrIOp::create(B, Loc, L, R);
  if (Name == "shl")
    return arith::ShLIOp::create(B, Loc, L, R);
  if (Name == "shr")
    return arith::ShRSIOp::create(B, Loc, L, R);

  using I = arith::CmpIPredicate;
  using F = arith::CmpFPredicate;
  static const llvm::StringMap<std::pair<I, F>> Predicates = {
      {"lt", {I::slt, F::OLT}}, {"le", {I::sle, F::OLE}},
      {"gt", {I::sgt, F::OGT}}, {"ge", {I::sge, F::OGE}},
      {"eq", {I::eq, F::OEQ}},  {"ne", {I::ne, F::UNE}}};
  auto Found = Predicates.find(Name);
  if (Found == Predicates.end())
    return {};
  auto [Int, Float] = Found->second;
  if (isa<FloatType>(getElementTypeOrSelf(L)))
    return arith::CmpFOp::create(B, Loc, Float, L, R);
  return arith::CmpIOp::create(B, Loc, Int, L, R);
}

static Value makeUnary(OpBuilder &B, Location Loc, StringRef Name, Value V) {
  auto Splat = [&](double Number) -> Value {
    Type Element = getElementTypeOrSelf(V);
    Attribute Constant =
        isa<FloatType>(Element)
            ? Attribute(B.getFloatAttr(Element, Number))
            : Attribute(B.getIntegerAttr(Element, int64_t(Number)));
    Value Scalar =
        arith::ConstantOp::create(B, Loc, llvm::cast<TypedAttr>(Constant));
    SmallVector<Value> Sizes;
    auto Tile = llvm::cast<RankedTensorType>(V.getType());
    for (int64_t I : {0, 1})
      if (Tile.isDynamicDim(I))
        Sizes.push_back(tensor::DimOp::create(B, Loc, V, I));
    return ascend::SplatOp::create(B, Loc, Tile, Scalar, Sizes);
  };
  bool Float = isa<FloatType>(getElementTypeOrSelf(V));
  if (Name == "neg")
    return Float ? Value(arith::NegFOp::create(B, Loc, V))
                 : Value(arith::SubIOp::create(B, Loc, Splat(0), V));
  if (Name == "abs")
    return Float ? Value(math::AbsFOp::create(B, Loc, V))
                 : Value(math::AbsIOp::create(B, Loc, V));
  if (Name == "reciprocal")
    return arith::DivFOp::create(B, Loc, Splat(1), V);
  if (Name == "not")
    return arith::XOrIOp::create(B, Loc, V, Splat(-1));
  if (Name == "mask.not")
    return arith::XOrIOp::create(B, Loc, V, Splat(1));
#define BELAY_MATH(NAME, OP)                                                   \
  if (Name == NAME)                                                            \
    return math::OP::create(B, Loc, V);
  BELAY_MATH("exp", ExpOp)
  BELAY_MATH("log", LogOp)
  BELAY_MATH("sqrt", SqrtOp)
  BELAY_MATH("rsqrt", RsqrtOp)
  BELAY_MATH("tanh", TanhOp)
  BELAY_MATH("erf", ErfOp)
  BELAY_MATH("sin", SinOp)
  BELAY_MATH("cos", CosOp)
  BELAY_MATH("floor", FloorOp)
  BELAY_MATH("ceil", CeilOp)
  BELAY_MATH("round", RoundEvenOp)
  BELAY_MATH("trunc", TruncOp)
#undef BELAY_MATH
  return {};
}

LoweredValue Lowering::lowerElementwise(const Operation &Op) {
  if (Op.Args.size() == 1) {
    Value Result = makeUnary(Builder, Op.Loc, Op.Name, Op.Args[0].value());
    return Result ? LoweredValue::tile(Result)
                  : refuse(Op.Call, "this operation");
  }
  if (Op.Name == "select") {
    Value Mask = Op.Args[0].value(), True = Op.Args[1].value(),
          False = Op.Args[2].value();
    if (!unify(True, False, Op.Loc) || !unify(Mask, True, Op.Loc) ||
        !unify(True, False, Op.Loc))
      return LoweredValue::nothing();
    return LoweredValue::tile(
        arith::SelectOp::create(Builder, Op.Loc, Mask, True, False));
  }
  Value Lhs = Op.Args[0].value(), Rhs = Op.Args[1].value();
  if (!unify(Lhs, Rhs, Op.Loc))
    return LoweredValue::nothing();
  Value Result = makeBinary(Builder, Op.Loc, Op.Name, Lhs, Rhs);
  return Result ? LoweredValue::tile(Result)
                : refuse(Op.Call, "this operation");
}

LoweredValue Lowering::cast(const Operation &Op) {
  Value From = Op.Args[0].value();
  auto Tile = llvm::cast<RankedTensorType>(From.getType());
  clang::QualType Wanted =
      getTemplateArgs(Op.Callee->getReturnType()).back().getAsType();
  Type To = elementType(Wanted, Op.Call->getExprLoc());
  if (!To)
    return LoweredValue::nothing();
  Type Have = Tile.getElementType();
  if (To == Have)
    return Op.Args[0];
  auto With = [&](Type Element) { return Tile.clone(Element); };
  bool FromFloat = isa<FloatType>(Have), ToFloat = isa<FloatType>(To);
  if (FromFloat && ToFloat) {
    if (Have.getIntOrFloatBitWidth() < To.getIntOrFloatBitWidth())
      return LoweredValue::tile(
          arith::ExtFOp::create(Builder, Op.Loc, With(To), From));
    if (Have.getIntOrFloatBitWidth() == To.getIntOrFloatBitWidth())
      From = arith::ExtFOp::create(Builder, Op.Loc, With(Builder.getF32Type()),
                                   From);
    return LoweredValue::tile(
        arith::TruncFOp::create(Builder, Op.Loc, With(To), From));
  }
  if (ToFloat)
    return LoweredValue::tile(
        arith::SIToFPOp::create(Builder, Op.Loc, With(To), From));
  if (FromFloat) {
    // Round first: fptosi cuts off.
    StringRef Names[] = {"round", "floor", "ceil", "", "trunc"};
    int64_t Mode = enumArgument(Op.Callee, "Round");
    From = Mode == 3 ? Value(math::RoundOp::create(Builder, Op.Loc, From))
                     : makeUnary(Builder, Op.Loc, Names[Mode], From);
    return LoweredValue::tile(
        arith::FPToSIOp::create(Builder, Op.Loc, With(To), From));
  }
  if (Have.getIntOrFloatBitWidth() < To.getIntOrFloatBitWidth())
    return LoweredValue::tile(
        arith::ExtSIOp::create(Builder, Op.Loc, With(To), From));
  return LoweredValue::tile(
      arith::TruncIOp::create(Builder, Op.Loc, With(To), From));
}

LoweredValue Lowering::lowerDot(const Operation &Op) {
  Value Lhs = Op.Args[0].value(), Rhs = Op.Args[1].value();
  auto Left = llvm::cast<RankedTensorType>(Lhs.getType()),
       Right = llvm::cast<RankedTensorType>(Rhs.getType());
  clang::QualType Sum =
      getTemplateArgs(Op.Callee->getReturnType()).back().getAsType();
  Type Element = elementType(Sum, Op.Call->getExprLoc());
  if (!Element)
    return LoweredValue::nothing();
  auto Result =
      ascend::getTileType(Element, {Left.getDimSize(0), Right.getDimSize(1)},
                          {ascend::getCapacity(Left).getRows(),
                           ascend::getCapacity(Right).getCols()});
  return LoweredValue::tile(
      ascend::DotOp::create(Builder, Op.Loc, Result, Lhs, Rhs));
}

int64_t Lowering::enumArgument(const clang::FunctionDecl *Callee,
                               StringRef EnumName) {
  const clang::TemplateArgumentList *Args =
      Callee->getTemplateSpecializationArgs();
  for (const clang::TemplateArgument &Arg : Args->asArray()) {
    if (Arg.getKind() != clang::TemplateArgument::Integral)
      continue;
    const clang::EnumType *Enum =
        Arg.getIntegralType()->getAs<clang::EnumType>();
    if (Enum && Enum->getDecl()->getName() == EnumName)
      return Arg.getAsIntegral().getExtValue();
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

LoweredValue Lowering::lowerTileMaker(const Operation &Op) {
  Value First = Op.Args.empty() ? Value() : Op.Args[0].value();
  if (Op.Name == "tile.rows" || Op.Name == "tile.cols")
    return LoweredValue::scalar(dim(First, Op.Name == "tile.cols", Op.Loc));
  if (Op.Name == "tile.copy")
    return Op.Args[0];
  if (Op.Name == "tile.transpose")
    return LoweredValue::tile(
        ascend::TransposeOp::create(Builder, Op.Loc, First));
  clang::QualType Type = Op.Callee->getReturnType();
  auto Capacity = capacityOf(Type);
  mlir::Type Element = elementType(getTemplateArgs(Type).back().getAsType(),
                                   Op.Call->getExprLoc());
  if (!Element)
    return LoweredValue::nothing();
  auto FullType = ascend::getTileType(Element, Capacity, Capacity);
  if (Op.Name == "tile.full")
    return LoweredValue::tile(
        ascend::SplatOp::create(Builder, Op.Loc, FullType,
                                convert(First, Element, Op.Loc), ValueRange()));
  if (Op.Name == "tile.iota")
    return LoweredValue::tile(ascend::IotaOp::create(
        Builder, Op.Loc, FullType,
        ascend::AxisAttr::get(Builder.getContext(), ascend::Axis::Row),
        convert(First, Element, Op.Loc), ValueRange()));
  SmallVector<int64_t, 2> Extents{Capacity};
  SmallVector<Value> Sizes;
  // As of a load: an extent that is always the whole capacity is static.
  auto SetExtent = [&](unsigned Dim, const LoweredValue &Span) {
    Value Size = Span.Values[1];
    APInt Known;
    bool IsStatic = matchPattern(Size, m_ConstantInt(&Known)) &&
                    Known.getSExtValue() == Capacity[Dim];
    if (IsStatic)
      return;
    Extents[Dim] = ShapedType::kDynamic;
    Sizes.push_back(Size);
  };
  if (Op.Name == "tile.full_spans") {
    for (unsigned Dim : {0, 1})
      SetExtent(Dim, Op.Args[Dim]);
    return LoweredValue::tile(ascend::SplatOp::create(
        Builder, Op.Loc, ascend::getTileType(Element, Extents, Capacity),
        convert(Op.Args[2].value(), Element, Op.Loc), Sizes));
  }
  if (Op.Name == "tile.row_index" || Op.Name == "tile.col_index") {
    bool AlongRow = Op.Name == "tile.col_index";
    SetExtent(AlongRow, Op.Args[0]);
    return LoweredValue::tile(ascend::IotaOp::create(
        Builder, Op.Loc, ascend::getTileType(Element, Extents, Capacity),
        AlongRow ? ascend::Axis::Row : ascend::Axis::Col,
        convert(Op.Args[0].Values[0], Element, Op.Loc), Sizes));
  }
  auto Like = llvm::cast<RankedTensorType>(First.getType());
  if (Op.Name == "tile.full_like") {
    SmallVector<Value> Sizes;
    for (int64_t I : {0, 1})
      if (Like.isDynamicDim(I))
        Sizes.push_back(dim(First, I, Op.Loc));
    return LoweredValue::tile(ascend::SplatOp::create(
        Builder, Op.Loc, Like.clone(Element),
        convert(Op.Args[1].value(), Element, Op.Loc), Sizes));
  }
  return refuse(Op.Call, "this operation");
}

LoweredValue Lowering::lowerReduction(const Operation &Op) {
  auto [Direction, Name] = Op.Name.split('.');
  auto Axis = llvm::StringSwitch<ascend::Axis>(Direction)
                  .Case("row", ascend::Axis::Row)
                  .Case("col", ascend::Axis::Col)
                  .Default(ascend::Axis::All);
  bool Arg = Name.consume_front("arg"), Scan = Name.consume_front("cum");
  auto Combine = llvm::StringSwitch<ascend::Combine>(Name)
                     .Case("sum", ascend::Combine::Sum)
                     .Case("max", ascend::Combine::Max)
                     .Case("min", ascend::Combine::Min)
                     .Default(ascend::Combine::Prod);
  Value Source = Op.Args[0].value();
  if (Scan)
    return LoweredValue::tile(
        ascend::ScanOp::create(Builder, Op.Loc, Combine, Axis, Source));
  Value Result = Arg ? Value(ascend::ArgReduceOp::create(Builder, Op.Loc,
                                                         Combine, Axis, Source))
                     : Value(ascend::ReduceOp::create(Builder, Op.Loc, Combine,
                                                      Axis, Source));
  if (Axis != ascend::Axis::All)
    return LoweredValue::tile(Result);
  Value Zero = index(0, Op.Loc);
  Value Element = tensor::ExtractOp::create(Builder, Op.Loc, Result,
                                            ValueRange{Zero, Zero});
  if (Arg || Element.getType().isInteger(64))
    Element = convert(Element, Builder.getIndexType(), Op.Loc);
  return LoweredValue::scalar(Element);
}

//===----------------------------------------------------------------------===//
// Making types equal
//===----------------------------------------------------------------------===//

Value Lowering::loosen(Value Tile, RankedTensorType Like, Location Loc) {
  auto Type = llvm::cast<RankedTensorType>(Tile.getType());
  SmallVector<int64_t, 2> Extents(Type.getShape());
  for (int64_t I : {0, 1})
    if (Like.isDynamicDim(I))
      Extents[I] = ShapedType::kDynamic;
  ascend::CapacityAttr Capacity = ascend::getCapacity(Type);
  auto Loose = ascend::getTileType(Type.getElementType(), Extents,
                                   {Capacity.getRows(), Capacity.getCols()});
  if (Loose == Type)
    return Tile;
  return tensor::CastOp::create(Builder, Loc, Loose, Tile);
}

bool Lowering::unify(Value &Lhs, Value &Rhs, Location Loc) {
  // A scalar broadcasts over all elements.
  auto Fill = [&](Value Scalar, Value Like) -> Value {
    auto Type = llvm::cast<RankedTensorType>(Like.getType());
    SmallVector<Value> Sizes;
    for (int64_t I : {0, 1})
      if (Type.isDynamicDim(I))
        Sizes.push_back(dim(Like, I, Loc));
    Value Element = convert(Scalar, Type.getElementType(), Loc);
    return ascend::SplatOp::create(Builder, Loc, Type, Element, Sizes);
  };
  if (!isa<RankedTensorType>(Lhs.getType())) {
    Lhs = Fill(Lhs, Rhs);
    return true;
  }
  if (!isa<RankedTensorType>(Rhs.getType())) {
    Rhs = Fill(Rhs, Lhs);
    return true;
  }
  auto CapacityOf = [](Value Tile) {
    auto Capacity =
        ascend::getCapacity(llvm::cast<RankedTensorType>(Tile.getType()));
    return std::array<int64_t, 2>{Capacity.getRows(), Capacity.getCols()};
  };
  // A row broadcasts over rows, a column over columns.
  auto Repeat = [&](Value Tile, Value Other) -> Value {
    auto Have = CapacityOf(Tile), Want = CapacityOf(Other);
    auto Type = llvm::cast<RankedTensorType>(Tile.getType());
    auto OtherType = llvm::cast<RankedTensorType>(Other.getType());
    SmallVector<int64_t, 2> Extents(Type.getShape());
    SmallVector<int64_t, 2> Capacity(Have.begin(), Have.end());
    SmallVector<Value> Sizes;
    for (int64_t I : {0, 1}) {
      if (Have[I] != 1 || Want[I] == 1)
        continue;
      Extents[I] = OtherType.getDimSize(I);
      Capacity[I] = Want[I];
      if (OtherType.isDynamicDim(I))
        Sizes.push_back(dim(Other, I, Loc));
    }
    auto Result = ascend::getTileType(Type.getElementType(), Extents, Capacity);
    if (Capacity[0] == Have[0] && Capacity[1] == Have[1])
      return Tile;
    return ascend::BroadcastOp::create(Builder, Loc, Result, Tile, Sizes);
  };
  Value NewLhs = Repeat(Lhs, Rhs), NewRhs = Repeat(Rhs, Lhs);
  Lhs = loosen(NewLhs, llvm::cast<RankedTensorType>(NewRhs.getType()), Loc);
  Rhs = loosen(NewRhs, llvm::cast<RankedTensorType>(NewLhs.getType()), Loc);
  return true;
}
