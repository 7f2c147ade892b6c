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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace belay;
using namespace belay::language;
using support::DiagId;

Lowering::Lowering(clang::ASTContext &AST, Reporter &Report, ModuleOp Module)
    : AST(AST), Report(Report), Module(Module), Builder(Module.getContext()) {}

/// A name of C, for the entry point and for files: softmax<1024> becomes
/// softmax_1024. Types may have names of any length, files may not.
static std::string symbolOf(const clang::FunctionDecl *Kernel,
                            const clang::ASTContext &AST) {
  std::string Name = Kernel->getNameAsString();
  if (const auto *Args = Kernel->getTemplateSpecializationArgs())
    for (const clang::TemplateArgument &Arg : Args->asArray()) {
      std::string Text;
      llvm::raw_string_ostream OS(Text);
      Arg.print(AST.getPrintingPolicy(), OS, /*IncludeType=*/false);
      StringRef Last = StringRef(Text).rsplit(':').second;
      Name += "_" + (Last.empty() ? Text : Last.str());
    }
  for (char &C : Name)
    if (!llvm::isAlnum(C))
      C = '_';
  constexpr size_t MaxLength = 160;
  if (Name.size() > MaxLength) {
    std::string Hash = llvm::utohexstr(llvm::xxh3_64bits(Name));
    Name = Name.substr(0, MaxLength) + "_" + Hash;
  }
  return Name;
}

/// As its author would ask for it: softmax<1024>.
static std::string sourceNameOf(const clang::FunctionDecl *Kernel,
                                const clang::ASTContext &AST) {
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  Kernel->printQualifiedName(OS, AST.getPrintingPolicy());
  if (const auto *Args = Kernel->getTemplateSpecializationArgs()) {
    OS << '<';
    llvm::interleaveComma(Args->asArray(), OS, [&](const auto &Arg) {
      Arg.print(AST.getPrintingPolicy(), OS, /*IncludeType=*/false);
    });
    OS << '>';
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
  std::string Symbol = symbolOf(Kernel, AST);
  if (Module.lookupSymbol(Symbol)) {
    Report.error(Kernel->getLocation(), DiagId::NotInKernels,
                 "two kernels would have the entry point '%0'; give this one "
                 "another name")
        << Symbol;
    return;
  }
  Location Loc = NameLoc::get(Builder.getStringAttr(sourceNameOf(Kernel, AST)),
                              loc(Kernel->getLocation()));
  Builder.setInsertionPointToEnd(Module.getBody());
  auto Function = func::FuncOp::create(Builder, Loc, Symbol,
                                       Builder.getFunctionType(Types, {}));
  Block *Body = Function.addEntryBlock();
  Function->setAttr(ascend::AscendDialect::KernelAttr, Builder.getUnitAttr());
  for (auto [I, Param] : llvm::enumerate(Kernel->parameters())) {
    BlockArgument Arg = Body->getArgument(I);
    Arg.setLoc(loc(Param->getLocation()));
    if (!Param->getName().empty())
      Arg.setLoc(
          NameLoc::get(Builder.getStringAttr(Param->getName()), Arg.getLoc()));
    bool View = isa<MemRefType>(Arg.getType());
    if (View)
      Function.setArgAttr(I, ascend::AscendDialect::RoleAttrName,
                          ascend::RoleAttr::get(Builder.getContext(),
                                                roleOf(Param->getType())));
    Variables[Param] =
        View ? LoweredValue::view(Arg) : LoweredValue::scalar(Arg);
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

LoweredValue Lowering::refuse(const clang::Stmt *S, StringRef What) {
  Report.error(S->getBeginLoc(), DiagId::NotInKernels,
               "a kernel does not have %0")
      << What << S->getSourceRange();
  return LoweredValue::nothing();
}
