//===- LowerCalls.cpp - Functions that kernels call -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Elements.h"
#include "language/Annotations.h"
#include "language/Lowering.h"
#include "language/Subset.h"

using namespace mlir;
using namespace belay;
using namespace belay::language;
using clang::dyn_cast;
using clang::dyn_cast_or_null;
using support::DiagId;

/// Nobody nests deeper by intention; recursion would never end.
static constexpr unsigned MaxDepth = 64;

LoweredValue Lowering::lowerCall(const clang::CallExpr *E) {
  if (E->isCallToStdMove() ||
      (E->getDirectCallee() && E->getDirectCallee()->isInStdNamespace() &&
       E->getDirectCallee()->getDeclName().isIdentifier() &&
       E->getDirectCallee()->getName() == "forward"))
    return lower(E->getArg(0));
  const clang::FunctionDecl *Callee = E->getDirectCallee();
  if (!Callee)
    return refuse(E, "a call through a pointer");

  // The object of a member function is its first argument.
  SmallVector<const clang::Expr *, 4> Args;
  const auto *Method = dyn_cast<clang::CXXMethodDecl>(Callee);
  bool Lambda = Method && Method->getParent()->isLambda();
  if (const auto *Member = dyn_cast<clang::CXXMemberCallExpr>(E))
    Args.push_back(Member->getImplicitObjectArgument());
  llvm::append_range(Args, E->arguments());

  StringRef Name = getOperation(Callee);
  if (!Name.empty()) {
    Operation Op{Name, E, Callee, {}, loc(E->getExprLoc())};
    if (Name == "expects") // takes its condition apart by itself
      return lowerExpects(Op);
    for (const clang::Expr *Arg : Args) {
      LoweredValue Lowered = lower(Arg);
      if (!Lowered)
        return Lowered;
      Op.Args.push_back(std::move(Lowered));
    }
    return lowerOperation(Op);
  }
  if (isKernel(Callee)) {
    Report.error(E->getExprLoc(), DiagId::NotInKernels,
                 "%0 is a kernel; kernels are launched by the host, not called")
        << Callee << E->getSourceRange();
    return LoweredValue::nothing();
  }
  // Assigning a tile, or a scalar that is a class of kernel.h.
  bool Assigns = Method && (Method->isMoveAssignmentOperator() ||
                            Method->isCopyAssignmentOperator());
  StringRef Assigned = Assigns ? getOurClass(Args[0]->getType()) : StringRef();
  if (Assigned == "Tile" ||
      ascend::elementNamed(Assigned) != element_types::id::none)
    return assign(Args[0], lower(Args[1]));
  if (!Assigned.empty())
    return refuse(E, "assigning to a view, a window or a span; it is what it "
                     "was made as");
  if (Lambda)
    Args.erase(Args.begin());
  return inlineCall(E, Callee, Args);
}

LoweredValue Lowering::inlineCall(const clang::CallExpr *E,
                                  const clang::FunctionDecl *Callee,
                                  ArrayRef<const clang::Expr *> Args) {
  const clang::FunctionDecl *Definition = nullptr;
  if (!Callee->hasBody(Definition) || !Definition->getBody()) {
    Report.error(E->getExprLoc(), DiagId::NotInKernels,
                 "%0 is neither an operation of belay/kernel.h nor a function "
                 "whose body can be seen here")
        << Callee << E->getSourceRange();
    return LoweredValue::nothing();
  }
  if (Depth >= MaxDepth) {
    Report.error(E->getExprLoc(), DiagId::NotInKernels,
                 "%0 calls itself, and a core has no stack for that")
        << Callee << E->getSourceRange();
    return LoweredValue::nothing();
  }
  bool Ours = isOurs(Definition);
  if (!Ours && !checkSubset(Definition, AST, Report))
    return LoweredValue::nothing();
  // Said here of what kernel.h does for its caller.
  if (!hasPossibleSize(E->getType(), E->getExprLoc()))
    return LoweredValue::nothing();

  // All arguments before any parameter: they may call the same function.
  struct Binding {
    const clang::ParmVarDecl *Param;
    const clang::ValueDecl *Alias = nullptr;
    LoweredValue Value;
  };
  SmallVector<Binding, 4> Bindings;
  for (auto [Param, Arg] : llvm::zip(Definition->parameters(), Args)) {
    clang::QualType Type = Param->getType();
    const clang::ValueDecl *Variable = variableOf(Arg);
    if (Type->isLValueReferenceType() &&
        !Type.getNonReferenceType().isConstQualified() &&
        Variables.count(Variable)) {
      Bindings.push_back({Param, Variable, LoweredValue::empty()});
      continue;
    }
    Bindings.push_back({Param, nullptr, lower(Arg)});
    if (!Bindings.back().Value)
      return LoweredValue::nothing();
  }
  for (const Binding &B : Bindings) {
    Aliases.erase(B.Param);
    if (B.Alias)
      Aliases[B.Param] = B.Alias;
    else
      Variables[B.Param] = B.Value;
  }

  auto SavedSite = CallSite;
  bool SavedInside = InsideOurs;
  if (!InsideOurs)
    CallSite = loc(E->getExprLoc());
  InsideOurs |= Ours;
  LoweredValue SavedResult = std::exchange(Returned, LoweredValue::empty());
  bool SavedReturned = std::exchange(HasReturned, false);
  Block *SavedBlock = std::exchange(ReturnBlock, Builder.getBlock());
  ++Depth;
  lower(Definition->getBody());
  --Depth;
  HasReturned = SavedReturned;
  ReturnBlock = SavedBlock;
  CallSite = SavedSite;
  InsideOurs = SavedInside;
  return std::exchange(Returned, SavedResult);
}
