//===- EmitScalars.cpp - What the scalar unit computes --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Elements.h"
#include "emit/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::emit;

std::string belay::emit::cppType(Type Type) {
  return targets::kernelNameOf(languageElementOf(Type));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static std::string floatText(const APFloat &Value, Type Type) {
  APFloat Single = Value;
  bool Inexact;
  Single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &Inexact);
  std::string Text;
  if (Single.isNaN()) {
    Text = "__builtin_nanf(\"\")";
  } else if (Single.isInfinity()) {
    Text = Single.isNegative() ? "-__builtin_inff()" : "__builtin_inff()";
  } else {
    SmallString<32> Digits;
    Single.toString(Digits, /*FormatPrecision=*/9, /*FormatMaxPadding=*/8);
    Text = Digits.str().str();
    if (Text.find_first_of(".eE") == std::string::npos)
      Text += ".0";
    Text += "f";
  }
  return Type.isF32() ? Text
                      : "static_cast<" + cppType(Type) + ">(" + Text + ")";
}

static std::string constantText(TypedAttr Attr) {
  if (auto Float = dyn_cast<FloatAttr>(Attr))
    return floatText(Float.getValue(), Attr.getType());
  APInt Value = cast<IntegerAttr>(Attr).getValue();
  if (Attr.getType().isInteger(1))
    return Value.isZero() ? "false" : "true";
  // The least number has no literal of its type: 2147483648 is a long.
  bool IsLeast = Value.getBitWidth() >= 32 && Value.isMinSignedValue();
  std::string Text = llvm::toString(IsLeast ? Value + 1 : Value, 10,
                                    /*Signed=*/true);
  if (Value.getSignificantBits() > 32)
    Text += "LL";
  return IsLeast ? "(" + Text + " - 1)" : Text;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::string Emitter::text(Value Value) {
  auto Written = Inline.find(Value);
  if (Written != Inline.end())
    return Written->second;
  return Names.lookup(Value).str();
}

std::string Emitter::text(OpFoldResult Value) {
  if (auto Dynamic = dyn_cast<mlir::Value>(Value))
    return text(Dynamic);
  return std::to_string(cast<IntegerAttr>(cast<Attribute>(Value)).getInt());
}

/// AscendC deduces the type of the elements from the scalar, too. A variable
/// has its type; what is written in place may have been promoted to int, or be
/// a literal.
std::string Emitter::scalarFor(Value Buffer, Value Scalar) {
  Type Element = cast<MemRefType>(Buffer.getType()).getElementType();
  std::string Name = cppType(Element), Text = text(Scalar);
  bool IsSame = cppType(Scalar.getType()) == Name;
  bool IsExact = !Inline.count(Scalar) || Element.isF32() ||
                 Element.isSignlessInteger(32) ||
                 StringRef(Text).starts_with("static_cast<" + Name + ">(");
  return IsSame && IsExact ? Text
                           : "static_cast<" + Name + ">(" + bare(Text) + ")";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static const char *symbolOf(arith::CmpIPredicate Predicate) {
  switch (Predicate) {
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  case arith::CmpIPredicate::slt:
    return "<";
  case arith::CmpIPredicate::sle:
    return "<=";
  case arith::CmpIPredicate::sgt:
    return ">";
  case arith::CmpIPredicate::sge:
    return ">=";
  default:
    return nullptr;
  }
}

static const char *symbolOf(arith::CmpFPredicate Predicate) {
  switch (Predicate) {
  case arith::CmpFPredicate::OEQ:
    return "==";
  case arith::CmpFPredicate::UNE:
    return "!=";
  case arith::CmpFPredicate::OLT:
    return "<";
  case arith::CmpFPredicate::OLE:
    return "<=";
  case arith::CmpFPredicate::OGT:
    return ">";
  case arith::CmpFPredicate::OGE:
    return ">=";
  default:
    return nullptr;
  }
}

/// The C++ operator of a binary operation, or null.
static const char *symbolOf(Operation *Op) {
  using Symbol = const char *;
  bool Logical = Op->getNumResults() && Op->getResult(0).getType().isInteger(1);
  return TypeSwitch<Operation *, Symbol>(Op)
      .Case<arith::AddIOp, arith::AddFOp>([](auto) { return "+"; })
      .Case<arith::SubIOp, arith::SubFOp>([](auto) { return "-"; })
      .Case<arith::MulIOp, arith::MulFOp>([](auto) { return "*"; })
      .Case<arith::DivSIOp, arith::DivFOp>([](auto) { return "/"; })
      .Case<arith::RemSIOp>([](auto) { return "%"; })
      .Case<arith::ShLIOp>([](auto) { return "<<"; })
      .Case<arith::ShRSIOp>([](auto) { return ">>"; })
      .Case<arith::AndIOp>([&](auto) { return Logical ? "&&" : "&"; })
      .Case<arith::OrIOp>([&](auto) { return Logical ? "||" : "|"; })
      .Case<arith::XOrIOp>([&](auto) { return Logical ? "!=" : "^"; })
      .Case<arith::CmpIOp, arith::CmpFOp>(
          [](auto Compare) { return symbolOf(Compare.getPredicate()); })
      .Default(Symbol(nullptr));
}

/// Unsigned division of what is never negative is signed division.
static const char *unsignedSymbolOf(Operation *Op) {
  if (isa<arith::DivUIOp>(Op))
    return "/";
  return isa<arith::RemUIOp>(Op) ? "%" : nullptr;
}

std::optional<std::string> Emitter::expression(Operation &Op) {
  auto Arg = [&](unsigned I) { return text(Op.getOperand(I)); };
  if (const char *Symbol = symbolOf(&Op))
    return "(" + Arg(0) + " " + Symbol + " " + Arg(1) + ")";
  if (const char *Symbol = unsignedSymbolOf(&Op)) {
    std::string Unsigned = Op.getResult(0).getType().isIndex() ||
                                   Op.getResult(0).getType().isInteger(64)
                               ? "static_cast<uint64_t>("
                               : "static_cast<uint32_t>(";
    return "static_cast<" + cppType(Op.getResult(0).getType()) + ">(" +
           Unsigned + Arg(0) + ") " + Symbol + " " + Unsigned + Arg(1) + "))";
  }
  auto Either = [&](StringRef Compare, bool OrNaN = false) {
    return ("(" + Arg(0) + Compare + Arg(1) +
            (OrNaN ? " || " + Arg(0) + " != " + Arg(0) : "") + " ? " + Arg(0) +
            " : " + Arg(1) + ")")
        .str();
  };
  using Text = std::optional<std::string>;
  return TypeSwitch<Operation *, Text>(&Op)
      .Case<arith::ConstantOp>(
          [](arith::ConstantOp C) { return constantText(C.getValue()); })
      .Case<arith::MinSIOp>([&](auto) { return Either(" < "); })
      .Case<arith::MaxSIOp>([&](auto) { return Either(" > "); })
      // As the vector unit does: NaN if one of them is.
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return Either(" < ", /*OrNaN=*/true); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return Either(" > ", /*OrNaN=*/true); })
      .Case<arith::CeilDivSIOp>([&](auto) {
        return Uses.use(Helper::CeilDiv).str() + "(" + Arg(0) + ", " + Arg(1) +
               ")";
      })
      .Case<arith::FloorDivSIOp>([&](auto) {
        return Uses.use(Helper::FloorDiv).str() + "(" + Arg(0) + ", " + Arg(1) +
               ")";
      })
      .Case<arith::SelectOp>([&](auto) {
        return "(" + Arg(0) + " ? " + Arg(1) + " : " + Arg(2) + ")";
      })
      .Case<arith::NegFOp>([&](auto) { return "(-" + Arg(0) + ")"; })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp,
            arith::SIToFPOp, arith::FPToSIOp, arith::ExtFOp, arith::TruncFOp>(
          [&](auto Cast) {
            return "static_cast<" + cppType(Cast.getType()) + ">(" + Arg(0) +
                   ")";
          })
      .Case<arith::ExtUIOp>([&](arith::ExtUIOp Cast) {
        auto From = cast<IntegerType>(Cast.getIn().getType());
        if (From.getWidth() == 1)
          return "(" + Arg(0) + " ? 1 : 0)";
        return "static_cast<" + cppType(Cast.getType()) + ">(static_cast<uint" +
               std::to_string(From.getWidth()) + "_t>(" + Arg(0) + "))";
      })
      .Case<memref::DimOp>([&](memref::DimOp Dim) -> Text {
        std::optional<int64_t> Index = Dim.getConstantIndex();
        if (!Index || !isView(Dim.getSource().getType()))
          return std::nullopt;
        FailureOr<ViewText> View = viewOf(Dim.getSource());
        return failed(View) ? Text() : Text(View->Extents[*Index]);
      })
      .Case<CoreIndexOp>(
          [&](auto) { return "static_cast<int64_t>(GetBlockIdx())"; })
      .Case<CoreCountOp>([&](auto) { return coreCount(); })
      .Default(Text());
}

bool belay::emit::isWrittenInPlace(Operation &Op) {
  if (Op.getNumRegions() || Op.getNumResults() != 1)
    return false;
  Value Result = Op.getResult(0);
  if (isa<arith::ConstantOp, memref::DimOp>(Op))
    return true;
  if (isa<CoreIndexOp, CoreCountOp>(Op) || sourceNameOf(Op.getLoc()) ||
      !Result.hasOneUse())
    return false;
  Operation *User = *Result.getUsers().begin();
  // Several variables change at once, at the end of an iteration.
  if (isa<scf::YieldOp>(User) && User->getNumOperands() > 1)
    return false;
  // What a condition passes on is used as long as the iteration lasts.
  if (auto Condition = dyn_cast<scf::ConditionOp>(User))
    return Condition.getCondition() == Result;
  // Elsewhere it might be computed more than once, or its operands be gone.
  return User->getBlock() == Op.getBlock() &&
         !isa<arith::MinSIOp, arith::MaxSIOp, arith::MinimumFOp,
              arith::MaximumFOp, arith::MinNumFOp, arith::MaxNumFOp, scf::ForOp,
              scf::WhileOp>(User) &&
         !isa<ViewLikeOpInterface>(User);
}

std::string belay::emit::bare(std::string Text) {
  if (Text.size() < 2 || Text.front() != '(' || Text.back() != ')')
    return Text;
  int Depth = 0;
  for (size_t I = 0; I + 1 < Text.size(); ++I) {
    Depth += Text[I] == '(' ? 1 : Text[I] == ')' ? -1 : 0;
    if (!Depth)
      return Text;
  }
  return Text.substr(1, Text.size() - 2);
}

LogicalResult Emitter::emitScalar(Operation &Op) {
  std::optional<std::string> Expression = expression(Op);
  if (!Expression)
    return Op.emitOpError("cannot be written in AscendC yet");
  Value Result = Op.getResult(0);
  if (isWrittenInPlace(Op)) {
    Inline[Result] = std::move(*Expression);
    return success();
  }
  Out << "const " << cppType(Result.getType()) << " "
      << Names.declare(Result, scalarHint(Op)) << " = " << bare(*Expression)
      << ";\n";
  return success();
}
