//===- Obligations.cpp - What has to be proven of an operation ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Obligations.h"

#include "dialect/Ascend.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

bool analysis::isKnown(Operation *Op) {
  if (isa<arith::ArithDialect, math::MathDialect>(Op->getDialect()))
    return true;
  return isa<
      func::ReturnOp, scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp,
      scf::ConditionOp, memref::DimOp, memref::SubViewOp, memref::TransposeOp,
      memref::ReinterpretCastOp, memref::CastOp, tensor::DimOp, tensor::CastOp,
      tensor::ExtractOp, tensor::FromElementsOp, ascend::LoadOp,
      ascend::StoreOp, ascend::GatherOp, ascend::ScatterOp, ascend::SplatOp,
      ascend::IotaOp, ascend::BroadcastOp, ascend::ReduceOp,
      ascend::ArgReduceOp, ascend::ScanOp, ascend::TakeOp, ascend::TransposeOp,
      ascend::DotOp, ascend::CoreIndexOp, ascend::CoreCountOp,
      ascend::SyncCoresOp, ascend::ExpectsOp, ascend::GuardOp, ascend::PrintOp>(
      Op);
}

Obligations analysis::obligationsOf(Operation *Op, Terms &T) {
  Obligations Result;
  addWindowObligations(Op, T, Result);
  addViewObligations(Op, T, Result);
  addTileObligations(Op, T, Result);
  addArithmeticObligations(Op, T, Result);
  addLoopObligations(Op, T, Result);
  return Result;
}

Value analysis::compare(OpBuilder &Builder, Location Loc, StringRef Sign,
                        OpFoldResult A, OpFoldResult B) {
  auto Predicate = *arith::symbolizeCmpIPredicate(Sign);
  auto AsIndex = [&](OpFoldResult V) {
    Value Result = getValueOrCreateConstantIndexOp(Builder, Loc, V);
    return Result.getType().isIndex()
               ? Result
               : arith::IndexCastOp::create(Builder, Loc,
                                            Builder.getIndexType(), Result);
  };
  Value Left = AsIndex(A), Right = AsIndex(B);
  return arith::CmpIOp::create(Builder, Loc, Predicate, Left, Right);
}

OpFoldResult analysis::makeExtent(OpBuilder &Builder, Location Loc, Value View,
                                  unsigned Dim) {
  auto Type = cast<ShapedType>(View.getType());
  if (!Type.isDynamicDim(Dim))
    return Builder.getIndexAttr(Type.getDimSize(Dim));
  return memref::DimOp::create(Builder, Loc, View, Dim).getResult();
}

Obligation analysis::atMost(StringRef Id, std::string Text, Terms &T,
                            OpFoldResult A, OpFoldResult B) {
  return {Id,
          std::move(Text),
          {{less(T.of(B), T.of(A))}},
          [=](OpBuilder &Builder, Location Loc) {
            return compare(Builder, Loc, "sle", A, B);
          }};
}

Obligation analysis::atLeast(StringRef Id, std::string Text, Terms &T,
                             OpFoldResult A, OpFoldResult B) {
  return {Id,
          std::move(Text),
          {{less(T.of(A), T.of(B))}},
          [=](OpBuilder &Builder, Location Loc) {
            return compare(Builder, Loc, "sge", A, B);
          }};
}

Obligation analysis::equals(StringRef Id, std::string Text, Linear LinearA,
                            Linear LinearB, OpFoldResult A, OpFoldResult B) {
  Obligation Result{Id,
                    std::move(Text),
                    {{less(LinearA, LinearB)}, {less(LinearB, LinearA)}},
                    {}};
  if (A && B)
    Result.Guard = [=](OpBuilder &Builder, Location Loc) {
      return compare(Builder, Loc, "eq", A, B);
    };
  return Result;
}
