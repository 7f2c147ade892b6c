//===- Annotations.cpp - What kernel.h says of its functions --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "language/Annotations.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

using namespace clang;
using namespace belay::language;
using llvm::SmallVector;
using llvm::StringRef;

static StringRef findAnnotation(const Decl *Declaration, StringRef Prefix) {
  if (!Declaration)
    return {};
  for (const auto *Attr : Declaration->specific_attrs<AnnotateAttr>())
    if (Attr->getAnnotation().starts_with(Prefix))
      return Attr->getAnnotation();
  return {};
}

/// Also where the function is an instance of a template.
static StringRef findAnnotationOfPattern(const Decl *Declaration,
                                         StringRef Prefix) {
  if (const auto *Template = dyn_cast<FunctionTemplateDecl>(Declaration))
    Declaration = Template->getTemplatedDecl();
  StringRef Found = findAnnotation(Declaration, Prefix);
  const auto *Function = dyn_cast<FunctionDecl>(Declaration);
  if (!Found.empty() || !Function)
    return Found;
  return findAnnotation(Function->getTemplateInstantiationPattern(), Prefix);
}

bool belay::language::isKernel(const FunctionDecl *Function) {
  return !findAnnotationOfPattern(Function, KernelAnnotation).empty();
}

StringRef belay::language::getOperation(const Decl *Function) {
  constexpr llvm::StringLiteral Prefix = "belay.op:";
  StringRef Found = findAnnotationOfPattern(Function, Prefix);
  Found.consume_front(Prefix);
  return Found;
}

bool belay::language::isOurs(const Decl *Declaration) {
  const DeclContext *Context = Declaration->getDeclContext();
  for (; Context; Context = Context->getParent()) {
    const auto *Space = dyn_cast<NamespaceDecl>(Context);
    if (Space && Space->getParent()->isTranslationUnit())
      return Space->getName() == "belay";
  }
  return false;
}

StringRef belay::language::getOurClass(QualType Type) {
  const CXXRecordDecl *Record =
      Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() && isOurs(Record) ? Record->getName()
                                                             : StringRef();
}

SmallVector<TemplateArgument, 6>
belay::language::getTemplateArgs(QualType Type) {
  SmallVector<TemplateArgument, 6> Args;
  const auto *Instance = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Instance)
    return Args;
  for (const TemplateArgument &Arg : Instance->getTemplateArgs().asArray())
    if (Arg.getKind() == TemplateArgument::Pack)
      llvm::append_range(Args, Arg.pack_elements());
    else
      Args.push_back(Arg);
  return Args;
}

namespace {

/// [[belay::kernel]] on a function.
struct KernelAttrInfo : ParsedAttrInfo {
  KernelAttrInfo() {
    static constexpr Spelling TheSpellings[] = {
        {ParsedAttr::AS_CXX11, "belay::kernel"},
        {ParsedAttr::AS_C23, "belay::kernel"}};
    Spellings = TheSpellings;
  }
  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &Attr,
                            const Decl *D) const override {
    if (isa<FunctionDecl>(D))
      return true;
    S.Diag(Attr.getLoc(), diag::warn_attribute_wrong_decl_type)
        << Attr << Attr.isRegularKeywordAttribute() << ExpectedFunction;
    return false;
  }
  AttrHandling handleDeclAttribute(Sema &S, Decl *D,
                                   const ParsedAttr &Attr) const override {
    D->addAttr(AnnotateAttr::Create(S.Context, KernelAnnotation,
                                    /*Args=*/nullptr, /*ArgsSize=*/0,
                                    Attr.getRange()));
    return AttributeApplied;
  }
};

} // namespace

static ParsedAttrInfoRegistry::Add<KernelAttrInfo>
    RegisterKernel("belay-kernel", "a kernel of the belay language");
