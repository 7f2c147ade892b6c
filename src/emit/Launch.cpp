//===- Launch.cpp - How a kernel is launched ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Launch.h"
#include "dialect/Elements.h"
#include "dialect/Pipes.h"
#include "emit/Names.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace belay;
using namespace belay::emit;

static LaunchParameter describe(func::FuncOp Kernel, BlockArgument Argument) {
  LaunchParameter Result;
  Result.Name = parameterName(Argument);
  Result.Element = Argument.getType();
  if (!ascend::isView(Argument.getType()))
    return Result;
  auto Type = cast<MemRefType>(Argument.getType());
  Result.IsView = true;
  Result.Element = Type.getElementType();
  Result.Shape.assign(Type.getShape().begin(), Type.getShape().end());
  if (auto Role = Kernel.getArgAttrOfType<ascend::RoleAttr>(
          Argument.getArgNumber(), ascend::AscendDialect::RoleAttrName))
    Result.Access = Role.getValue();
  return Result;
}

static StringRef coreOf(func::FuncOp Kernel, const targets::Soc &Soc) {
  if (!Soc.split)
    return "ai";
  auto Core = Kernel->getAttrOfType<StringAttr>(ascend::KernelCoreAttrName);
  return Core ? Core.getValue() : "vector";
}

FailureOr<LaunchDescription>
belay::emit::describeLaunch(func::FuncOp Kernel, const targets::Soc &Soc) {
  LaunchDescription Result;
  Result.Core = coreOf(Kernel, Soc).str();
  Result.Entry = Kernel.getName().str();
  Result.Kernel =
      sourceNameOf(Kernel.getLoc()).value_or(Kernel.getName()).str();
  if (auto Place = Kernel.getLoc()->findInstanceOf<FileLineColLoc>()) {
    Result.File = Place.getFilename().str();
    Result.Line = Place.getLine();
  }
  for (BlockArgument Argument : Kernel.getArguments())
    Result.Parameters.push_back(describe(Kernel, Argument));
  unsigned Bytes;
  if (entryParameters(Result, Bytes).size() > MaxArguments)
    return Kernel.emitError()
           << "a launch has at most " << MaxArguments
           << " arguments, open extents included [not-in-kernels]";
  bool Alone = ascend::worksAlone(Kernel);
  Result.CoresMeet = Result.Core == ascend::BothCores;
  WalkResult Walk = Kernel.walk([&](Operation *Op) {
    Result.CoresMeet |= isa<ascend::SyncCoresOp>(Op) && !Alone;
    auto Expects = dyn_cast<ascend::ExpectsOp>(Op);
    if (!Expects)
      return WalkResult::advance();
    FailureOr<Condition> Holds = readCondition(Expects);
    if (failed(Holds))
      return WalkResult::interrupt();
    LaunchExpectation &Expectation = Result.Expectations.emplace_back();
    Expectation.Text = Expects.getText().str();
    Expectation.Holds = std::move(*Holds);
    if (auto Place = Op->getLoc()->findInstanceOf<FileLineColLoc>()) {
      Expectation.File = Place.getFilename().str();
      Expectation.Line = Place.getLine();
    }
    return WalkResult::advance();
  });
  if (Walk.wasInterrupted())
    return failure();
  return Result;
}

std::vector<LaunchGuard> belay::emit::readGuards(func::FuncOp Kernel) {
  std::vector<LaunchGuard> Guards;
  Kernel.walk([&](ascend::GuardOp Op) {
    LaunchGuard &Guard = Guards.emplace_back();
    Guard.Id = Op.getId().str();
    Guard.Text = Op.getText().str();
    if (auto Place = Op.getLoc()->findInstanceOf<FileLineColLoc>()) {
      Guard.File = Place.getFilename().str();
      Guard.Line = Place.getLine();
    }
  });
  return Guards;
}

static unsigned bytesOf(Type Type) {
  if (Type.isIndex())
    return 8;
  return std::max(1u, Type.getIntOrFloatBitWidth() / 8);
}

std::vector<EntryParameter>
belay::emit::entryParameters(const LaunchDescription &Launch,
                             unsigned &TotalBytes) {
  using Kind = EntryParameter::Kind;
  std::vector<EntryParameter> Result;
  unsigned End = 0;
  auto Add = [&](Kind What, unsigned Index, unsigned Dim, unsigned Bytes) {
    unsigned Offset = llvm::alignTo(End, std::max(4u, Bytes));
    Result.push_back({What, Index, Dim, Offset, Bytes});
    End = Offset + Bytes;
  };
  for (auto [I, Parameter] : llvm::enumerate(Launch.Parameters))
    if (Parameter.IsView)
      Add(Kind::View, I, 0, 8);
  for (auto [I, Parameter] : llvm::enumerate(Launch.Parameters))
    for (auto [Dim, Extent] : llvm::enumerate(Parameter.Shape))
      if (ShapedType::isDynamic(Extent))
        Add(Kind::Extent, I, Dim, 8);
  for (auto [I, Parameter] : llvm::enumerate(Launch.Parameters))
    if (!Parameter.IsView)
      Add(Kind::Scalar, I, 0, bytesOf(Parameter.Element));
  TotalBytes = llvm::alignTo(End, 8);
  return Result;
}

StringRef belay::emit::dataTypeName(Type Type) {
  return targets::caseNameOf(ascend::languageElementOf(Type));
}

uint32_t belay::emit::maxBlocks(const LaunchDescription &Launch,
                                const targets::Soc &Soc) {
  // The two cores of a block wait for each other, so that both have to run.
  if (Launch.Core == ascend::BothCores)
    return Soc.cubeCores;
  return Launch.CoresMeet ? targets::vectorWorkers(Soc) : MaxBlocks;
}

uint32_t belay::emit::coresFor(const LaunchDescription &Launch,
                               const targets::Soc &Soc) {
  bool OnCube =
      Launch.Core == ascend::BothCores || Launch.Core == ascend::CubeCores;
  return OnCube ? Soc.cubeCores : targets::vectorWorkers(Soc);
}
