//===- Lowering.cpp - One kernel, from Clang's AST to tiles ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "language/Lowering.h"
#include "language/Annotations.h"
#include "language/Subset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "clang/Basic/SourceManager.h"

using namespace mlir;
using namespace belay;
using namespace belay::language;
using support::DiagId;

Lowering::Lowering(clang::ASTContext &AST, Reporter &Report, ModuleOp Module)
    : AST(AST), Report(Report), Module(Module), Builder(Module.getContext()) {}

/// softmax<1024> becomes softmax_1024: a name of C as well.
static std::string symbolOf(const clang::FunctionDecl *Kernel,
                            const clang::ASTContext &AST) {
  std::string Name = Kernel->getNameAsString();
  if (const auto *Args = Kernel->getTemplateSpecializationArgs())
    for (const clang::TemplateArgument &Arg : Args->asArray()) {
      std::string Text;
      llvm::raw_string_ostream OS(Text);
      Arg.print(AST.getPrintingPolicy(), OS, /*IncludeType=*/false);
      Name += "_";
      for (char C : StringRef(Text).rsplit(':').second.empty()
                        ? StringRef(Text)
                        : StringRef(Text).rsplit(':').second)
        Name += llvm::isAlnum(C) ? C : '_';
    }
  return Name;
}

static ascend::Role roleOf(clang::QualType View) {
  // The enumerators of kernel.h and of the dialect are the same.
  return static_cast<ascend::Role>(
      getTemplateArgs(View)[0].getAsIntegral().getExtValue());
}

void Lowering::lowerKernel(const clang::FunctionDecl *Kernel) {
  unsigned Before = Report.errors();
  if (!checkSubset(Kernel, AST, Report))
    return;
  SmallVector<Type> Types;
  for (const clang::ParmVarDecl *Param : Kernel->parameters()) {
    Type Type =
        getOurClass(Param->getType()) == "View"
            ? mlir::Type(viewType(Param->getType(), Param->getLocation()))
            : scalarType(Param->getType(), Param->getLocation());
    if (!Type)
      return;
    Types.push_back(Type);
  }
  Location Loc = loc(Kernel->getLocation());
  Builder.setInsertionPointToEnd(Module.getBody());
  auto Function = func::FuncOp::create(Builder, Loc, symbolOf(Kernel, AST),
                                       Builder.getFunctionType(Types, {}));
  Block *Body = Function.addEntryBlock();
  Function->setAttr(ascend::AscendDialect::KernelAttr, Builder.getUnitAttr());
  for (auto [I, Param] : llvm::enumerate(Kernel->parameters())) {
    BlockArgument Arg = Body->getArgument(I);
    Arg.setLoc(NameLoc::get(Builder.getStringAttr(Param->getName()),
                            loc(Param->getLocation())));
    bool View = isa<MemRefType>(Arg.getType());
    if (View)
      Function.setArgAttr(I, ascend::AscendDialect::RoleAttrName,
                          ascend::RoleAttr::get(Builder.getContext(),
                                                roleOf(Param->getType())));
    Variables[Param] = View ? Thing::view(Arg) : Thing::scalar(Arg);
  }
  Builder.setInsertionPointToEnd(Body);
  lower(Kernel->getBody());
  func::ReturnOp::create(Builder, loc(Kernel->getEndLoc()));
  if (Report.errors() != Before)
    Function.erase();
}

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

Location Lowering::loc(clang::SourceLocation Where) {
  // What kernel.h does is shown where it was asked for.
  if (InsideOurs && CallSite)
    return *CallSite;
  const clang::SourceManager &Sources = AST.getSourceManager();
  clang::PresumedLoc Place =
      Sources.getPresumedLoc(Sources.getExpansionLoc(Where));
  if (Place.isInvalid())
    return UnknownLoc::get(Builder.getContext());
  auto Loc = FileLineColLoc::get(Builder.getContext(), Place.getFilename(),
                                 Place.getLine(), Place.getColumn());
  return CallSite ? Location(CallSiteLoc::get(Loc, *CallSite)) : Location(Loc);
}

Value Lowering::index(int64_t Value, Location Loc) {
  return arith::ConstantIndexOp::create(Builder, Loc, Value);
}

Value Lowering::dim(Value Shaped, int64_t Dimension, Location Loc) {
  auto Type = cast<ShapedType>(Shaped.getType());
  if (!Type.isDynamicDim(Dimension))
    return index(Type.getDimSize(Dimension), Loc);
  if (isa<MemRefType>(Type))
    return memref::DimOp::create(Builder, Loc, Shaped, Dimension);
  return tensor::DimOp::create(Builder, Loc, Shaped, Dimension);
}

Thing Lowering::refuse(const clang::Stmt *S, StringRef What) {
  Report.error(S->getBeginLoc(), DiagId::NotInKernels,
               "a kernel does not have %0")
      << What << S->getSourceRange();
  return Thing::nothing();
}
