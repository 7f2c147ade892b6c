//===- Nest.cpp - Building what a macro becomes ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/expand/Nest.h"
#include "passes/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

int64_t passes::rowsAtOnce(const targets::Arch &Arch, Type Element) {
  int64_t Bytes = llvm::divideCeil(Element.getIntOrFloatBitWidth(), 8);
  int64_t Aligned = Arch.blockBytes / std::gcd<int64_t>(Arch.blockBytes, Bytes);
  // Eight rows share a repeat of ascend.rep.brcb.
  Aligned = std::lcm(Aligned, int64_t(Arch.blocksPerRepeat()));
  return Arch.maxRepeat / Aligned * Aligned;
}

unsigned passes::nestEvent(const targets::Arch &Arch) {
  return Arch.userEventIds - 1;
}

Nest::Nest(RewriterBase &Builder, Operation *Macro, const targets::Arch &Arch)
    : Arch(Arch), Builder(Builder), Loc(unnamed(Macro->getLoc())),
      Around(Macro) {
  Builder.setInsertionPoint(Macro);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value Nest::constant(int64_t Number) {
  return arith::ConstantIndexOp::create(Builder, Loc, Number);
}

Value Nest::number(OpFoldResult Number) {
  if (auto Dynamic = dyn_cast<Value>(Number))
    return Dynamic;
  return constant(*getConstantIntValue(Number));
}

static std::optional<int64_t> constantOf(Value Number) {
  APInt Constant;
  if (matchPattern(Number, m_ConstantInt(&Constant)))
    return Constant.getSExtValue();
  return std::nullopt;
}

Value Nest::plus(Value A, Value B) {
  return Builder.createOrFold<arith::AddIOp>(Loc, A, B);
}

Value Nest::minus(Value A, Value B) {
  return Builder.createOrFold<arith::SubIOp>(Loc, A, B);
}

Value Nest::times(Value A, Value B) {
  return Builder.createOrFold<arith::MulIOp>(Loc, A, B);
}

Value Nest::atMost(Value A, int64_t Most) {
  return Builder.createOrFold<arith::MinSIOp>(Loc, A, constant(Most));
}

Value Nest::select(Value By, int64_t Least, Value Then, Value Else) {
  Value Enough = Builder.createOrFold<arith::CmpIOp>(
      Loc, arith::CmpIPredicate::sge, By, constant(Least));
  return Builder.createOrFold<arith::SelectOp>(Loc, Enough, Then, Else);
}

/// Extents are not negative, so that dividing rounds down.
Value Nest::divideDown(Value A, int64_t Divisor) {
  return Builder.createOrFold<arith::DivSIOp>(Loc, A, constant(Divisor));
}

Value Nest::divideUp(Value A, int64_t Divisor) {
  if (Divisor == 1)
    return A;
  return divideDown(plus(A, constant(Divisor - 1)), Divisor);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value Nest::slice(Value Buffer, Value Row, Value Col, Type Element) {
  bool Same = !Element ||
              Element == cast<MemRefType>(Buffer.getType()).getElementType();
  if (Same && constantOf(Row) == 0 && constantOf(Col) == 0)
    return Buffer;
  return SliceOp::create(Builder, Loc, Buffer,
                         {getAsOpFoldResult(Row), getAsOpFoldResult(Col)},
                         Element);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// The name that emitted code has for the variable of a loop.
static void name(scf::ForOp Loop, StringRef Name) {
  Loop.getInductionVar().setLoc(
      NameLoc::get(StringAttr::get(Loop.getContext(), Name), Loop.getLoc()));
}

void Nest::forEach(StringRef Name, Value From, Value To, int64_t Step,
                   Body Make) {
  std::optional<int64_t> First = constantOf(From), End = constantOf(To);
  if (First && End && *First >= *End)
    return;
  // A loop would have to be proven to have no iteration before.
  if (First && End && *End - *First <= Step)
    return Make(From);
  OpBuilder::InsertionGuard Guard(Builder);
  auto Loop = scf::ForOp::create(Builder, Loc, From, To, constant(Step));
  name(Loop, Name);
  Builder.setInsertionPoint(Loop.getBody()->getTerminator());
  Make(Loop.getInductionVar());
}

Value Nest::forEach(StringRef Name, Value From, Value To, int64_t Step,
                    Value Init, CarriedBody Make) {
  OpBuilder::InsertionGuard Guard(Builder);
  auto Loop = scf::ForOp::create(Builder, Loc, From, To, constant(Step), Init);
  name(Loop, Name);
  Builder.setInsertionPointToStart(Loop.getBody());
  Value Next = Make(Loop.getInductionVar(), Loop.getRegionIterArg(0));
  scf::YieldOp::create(Builder, Loc, Next);
  return Loop.getResult(0);
}

Value Nest::partOf(Value Extent, Value From, Value First, int64_t Step) {
  std::optional<int64_t> End = constantOf(Extent), Begin = constantOf(From);
  if (End && Begin && (*End - *Begin) % Step == 0)
    return constant(Step);
  return atMost(minus(Extent, First), Step);
}

void Nest::forChunks(StringRef Name, Value Extent, int64_t Capacity,
                     int64_t Step, ChunkBody Make) {
  Value Zero = constant(0);
  if (Capacity <= Step)
    return Make(Zero, Extent);
  forEach(Name, Zero, Extent, Step,
          [&](Value First) { Make(First, partOf(Extent, Zero, First, Step)); });
}

void Nest::forMasks(StringRef Name, Value Extent, int64_t Capacity,
                    int64_t Step, ChunkBody Make) {
  if (Capacity > Step)
    return forChunks(Name, Extent, Capacity, Step, Make);
  ifNotEmpty(Extent, [&] { Make(constant(0), Extent); });
}

bool Nest::isNotEmpty(Value Extent) {
  if (std::optional<int64_t> Known = constantOf(Extent))
    return *Known > 0;
  return Around.isAtLeast(Extent, 1);
}

Value Nest::isInRange(Value Number, int64_t Least, int64_t Most) {
  auto Known = [&](bool Holds) {
    return arith::ConstantIntOp::create(Builder, Loc, Holds, 1).getResult();
  };
  if (std::optional<int64_t> Constant = constantOf(Number))
    return Known(*Constant >= Least && *Constant <= Most);
  bool IsLeast = Around.isAtLeast(Number, Least);
  if (IsLeast && Around.isAtMost(Number, Most))
    return Known(true);
  auto Compare = [&](arith::CmpIPredicate How, int64_t Limit) {
    return arith::CmpIOp::create(Builder, Loc, How, Number, constant(Limit))
        .getResult();
  };
  Value Fits = Compare(arith::CmpIPredicate::sle, Most);
  if (IsLeast)
    return Fits;
  return arith::AndIOp::create(Builder, Loc,
                               Compare(arith::CmpIPredicate::sge, Least), Fits);
}

Value Nest::isMultiple(Value Number, int64_t Of) {
  return Builder.createOrFold<arith::CmpIOp>(
      Loc, arith::CmpIPredicate::eq, times(divideDown(Number, Of), Of), Number);
}

void Nest::ifAll(ValueRange Conditions, Branch Then, Branch Else) {
  Value All;
  for (Value Condition : Conditions) {
    std::optional<int64_t> Known = constantOf(Condition);
    if (Known && *Known == 0)
      return Else();
    if (!Known)
      All =
          All ? arith::AndIOp::create(Builder, Loc, All, Condition) : Condition;
  }
  All ? branch(All, Then, Else) : Then();
}

void Nest::branch(Value Condition, Branch Then, Branch Else) {
  auto If = scf::IfOp::create(Builder, Loc, Condition, bool(Else));
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPoint(If.thenBlock()->getTerminator());
  Then();
  if (!Else)
    return;
  Builder.setInsertionPoint(If.elseBlock()->getTerminator());
  Else();
}

void Nest::ifAtLeast(Value Number, int64_t Least, Branch Then, Branch Else) {
  if (std::optional<int64_t> Known = constantOf(Number))
    return *Known >= Least ? Then() : Else();
  if (Around.isAtLeast(Number, Least))
    return Then();
  Value Enough = arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::sge,
                                       Number, constant(Least));
  branch(Enough, Then, Else);
}

Value Nest::choose(Value By, int64_t Least, Number Then, Number Else) {
  if (std::optional<int64_t> Known = constantOf(By))
    return *Known >= Least ? Then() : Else();
  Value Enough = arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::sge,
                                       By, constant(Least));
  auto If = scf::IfOp::create(Builder, Loc, Builder.getIndexType(), Enough,
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(If.thenBlock());
  scf::YieldOp::create(Builder, Loc, Then());
  Builder.setInsertionPointToStart(If.elseBlock());
  scf::YieldOp::create(Builder, Loc, Else());
  return If.getResult(0);
}

void Nest::ifNotEmpty(Value Extent, Branch Then, Branch Else) {
  std::optional<int64_t> Known = constantOf(Extent);
  if (Known && *Known <= 0)
    return Else ? Else() : void();
  if (isNotEmpty(Extent))
    return Then();
  ifAtLeast(Extent, 1, Then, Else);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

void Nest::vectorBarrier() {
  if (!Arch.vectorInterlock)
    pipeBarrier(Pipe::V);
}

void Nest::pipeBarrier(Pipe On) {
  BarrierOp::create(Builder, Loc, PipeAttr::get(Builder.getContext(), On));
}

void Nest::flag(Pipe From, Pipe To) {
  FlagSetOp::create(Builder, Loc, From, To, nestEvent(Arch), Value());
  FlagWaitOp::create(Builder, Loc, From, To, nestEvent(Arch), Value());
}
