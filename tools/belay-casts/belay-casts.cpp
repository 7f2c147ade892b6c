//===- belay-casts.cpp - Which casts of a kernel cut lengths --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loaded by Clang when it compiles a kernel for `belay run --check`. Clang's
// integer sanitizer looks at conversions that nobody wrote; a cast is taken for
// an intention. Most are: hashes, low bytes, words that are taken apart. But a
// cast whose value becomes a length, a count, a stride or an offset of an
// instruction is written because braces want it, and cuts the length where it
// does not fit. These casts are looked for here, and Clang is told that they
// are implicit, so that it checks them. Their type gets another name, by which
// the runtime knows them.
//
// A value becomes a length if it is passed to the API as a number, or is stored
// in a field of one of its structures; or if it is assigned to a variable, a
// field, a parameter or a result that does, in any order of execution.
// Elements are no lengths: parameters and fields of a type that the caller
// chooses. What comes out of a bit operation has no length in it.
//
//===----------------------------------------------------------------------===//

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;
using llvm::StringRef;

namespace {

/// What the runtime looks for in the name of a type; see
/// src/model/instructions/Overflow.cpp.
constexpr const char *Mark = "belay::cast ";

/// What an expression is, without what does not change its value.
const Expr *strip(const Expr *E) {
  for (const Expr *Last = nullptr; E != Last;) {
    Last = E;
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *List = dyn_cast<InitListExpr>(E);
             List && List->getNumInits() == 1 && E->getType()->isScalarType())
      E = List->getInit(0);
  }
  return E;
}

/// Whether a number is made of bits: then so is what is left of it.
bool isOfBits(const Expr *E) {
  E = strip(E)->IgnoreParenImpCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return Unary->getOpcode() == UO_Not;
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (!Binary)
    return false;
  switch (Binary->getOpcode()) {
  case BO_Shr:
  case BO_And:
  case BO_Or:
  case BO_Xor:
  case BO_Rem:
    return true;
  default:
    return false;
  }
}

/// The parameter, as the template wrote it.
const ParmVarDecl *writtenParameter(const FunctionDecl *Function, unsigned I) {
  if (const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern())
    if (I < Pattern->getNumParams())
      return Pattern->getParamDecl(I);
  return Function->getParamDecl(I);
}

const FieldDecl *writtenField(const FieldDecl *Field) {
  const auto *Record = dyn_cast<CXXRecordDecl>(Field->getParent());
  const CXXRecordDecl *Pattern =
      Record ? Record->getTemplateInstantiationPattern() : nullptr;
  if (!Pattern)
    return Field;
  for (const FieldDecl *Written : Pattern->fields())
    if (Written->getFieldIndex() == Field->getFieldIndex())
      return Written;
  return Field;
}

/// A number whose type the API chose.
bool isNumber(QualType Type) {
  Type = Type.getNonReferenceType();
  return !Type->isDependentType() && Type->isIntegerType() &&
         !Type->isBooleanType() && !Type->isEnumeralType();
}

class LengthVisitor : public RecursiveASTVisitor<LengthVisitor> {
public:
  LengthVisitor(ASTContext &AST, StringRef Headers)
      : AST(AST), Headers(Headers) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *D) {
    // What is ours is not the kernel's.
    return !D || isOurs(D) || Base::TraverseDecl(D);
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    if (const FieldDecl *Field = Init->getAnyMember())
      assign(Field, Init->getInit());
    return Base::TraverseConstructorInitializer(Init);
  }

  bool VisitVarDecl(VarDecl *Variable) {
    if (const Expr *Init = Variable->getInit();
        Init && !isa<ParmVarDecl>(Variable))
      assign(Variable, Init);
    return true;
  }
  bool VisitFieldDecl(FieldDecl *Field) {
    if (const Expr *Init = Field->getInClassInitializer())
      assign(Field, Init);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    // What is shifted elsewhere is several numbers in one.
    if (E->getOpcode() == BO_Shr || E->getOpcode() == BO_ShrAssign)
      if (const Decl *Word = declOf(E->getLHS()))
        Words.insert(Word);
    if (E->isAssignmentOp())
      store(E->getLHS(), E->getRHS());
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    bool OnObject =
        isa<CXXOperatorCallExpr>(E) && isa_and_nonnull<CXXMethodDecl>(Callee);
    if (Callee)
      pass(Callee, ArrayRef(E->getArgs(), E->getNumArgs())
                       .drop_front(OnObject && E->getNumArgs() ? 1 : 0));
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    pass(E->getConstructor(), ArrayRef(E->getArgs(), E->getNumArgs()));
    return true;
  }
  bool VisitInitListExpr(InitListExpr *E) {
    if (!E->isSemanticForm())
      E = E->getSemanticForm();
    const RecordDecl *Record = E ? E->getType()->getAsRecordDecl() : nullptr;
    if (!Record || Record->isUnion())
      return true;
    unsigned First = 0;
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
      First = Class->getNumBases();
    for (const FieldDecl *Field : Record->fields())
      if (unsigned I = First + Field->getFieldIndex(); I < E->getNumInits())
        storeInField(Field, E->getInit(I));
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *Function) {
    if (Function->doesThisDeclarationHaveABody())
      findReturns(Function, Function->getBody());
    return true;
  }

  /// Lets Clang look at the casts that have been found: the conversion that a
  /// cast is made of is no longer part of it.
  void markFound() {
    for (ImplicitCastExpr *Cut : Found) {
      const Decl *Word = declOf(Cut->getSubExpr());
      if (!Cut->isPartOfExplicitCast() || (Word && Words.contains(Word)))
        continue;
      Cut->setIsPartOfExplicitCast(false);
      Cut->setType(marked(Cut->getType()));
    }
    Found.clear();
  }

private:
  using Base = RecursiveASTVisitor<LengthVisitor>;

  bool isOurs(const Decl *D) const {
    const SourceManager &Sources = AST.getSourceManager();
    return Sources.getFilename(Sources.getExpansionLoc(D->getLocation()))
        .starts_with(Headers);
  }

  /// What stands for a variable, a field, a parameter or a function, in all of
  /// its declarations.
  static const Decl *keyOf(const Decl *D) {
    if (const auto *Param = dyn_cast<ParmVarDecl>(D))
      if (const auto *Function =
              dyn_cast<FunctionDecl>(Param->getDeclContext())) {
        unsigned I = Param->getFunctionScopeIndex();
        const FunctionDecl *First = Function->getCanonicalDecl();
        return I < First->getNumParams() ? First->getParamDecl(I) : Param;
      }
    return D->getCanonicalDecl();
  }

  static const Decl *declOf(const Expr *E) {
    E = strip(E)->IgnoreParenImpCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return keyOf(Ref->getDecl());
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return keyOf(Member->getMemberDecl());
    return nullptr;
  }

  void findReturns(const FunctionDecl *Function, const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (const auto *Return = dyn_cast<ReturnStmt>(S))
      if (const Expr *Value = Return->getRetValue())
        assign(Function, Value);
    for (const Stmt *Child : S->children())
      findReturns(Function, Child);
  }

  /// Arguments for parameters: of the API, or of a function of the kernel.
  void pass(const FunctionDecl *Callee, ArrayRef<Expr *> Arguments) {
    bool Ours = isOurs(Callee);
    for (unsigned I = 0; I < Arguments.size() && I < Callee->getNumParams();
         ++I) {
      const ParmVarDecl *Param = Callee->getParamDecl(I);
      if (!Ours)
        assign(Param, Arguments[I]);
      else if (isNumber(writtenParameter(Callee, I)->getType()))
        becomesLength(Arguments[I]);
    }
  }

  void store(const Expr *To, const Expr *Value) {
    const auto *Member = dyn_cast<MemberExpr>(strip(To));
    if (const auto *Field =
            Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr)
      return storeInField(Field, Value);
    if (const Decl *Target = declOf(To))
      assign(Target, Value);
  }

  void storeInField(const FieldDecl *Field, const Expr *Value) {
    if (!isOurs(Field))
      assign(Field, Value);
    else if (isNumber(writtenField(Field)->getType()))
      becomesLength(Value);
  }

  void assign(const Decl *To, const Expr *Value) {
    const Decl *Key = keyOf(To);
    Values[Key].push_back(Value);
    if (Lengths.contains(Key))
      becomesLength(Value);
  }

  void becomesLength(const Decl *D) {
    const Decl *Key = keyOf(D);
    if (!Lengths.insert(Key).second)
      return;
    for (const Expr *Value : SmallVector<const Expr *>(Values.lookup(Key)))
      becomesLength(Value);
  }

  void becomesLength(const Expr *E) {
    E = strip(E);
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      check(Cast);
      return becomesLength(Cast->getSubExpr());
    }
    if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
      bool Adds = Binary->isAdditiveOp() || Binary->getOpcode() == BO_Mul ||
                  Binary->getOpcode() == BO_Div;
      if (Adds || Binary->getOpcode() == BO_Shl)
        becomesLength(Binary->getLHS());
      if (Adds || Binary->getOpcode() == BO_Comma)
        becomesLength(Binary->getRHS());
      return;
    }
    if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      if (Unary->getOpcode() == UO_Plus || Unary->getOpcode() == UO_Minus)
        becomesLength(Unary->getSubExpr());
      return;
    }
    if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
      becomesLength(Choice->getTrueExpr());
      return becomesLength(Choice->getFalseExpr());
    }
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return resultBecomesLength(Call);
    if (const Decl *D = declOf(E); D && !isOurs(D))
      becomesLength(D);
  }

  void resultBecomesLength(const CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || isa<CXXOperatorCallExpr>(Call))
      return;
    if (Callee->getIdentifier() &&
        (Callee->getName() == "min" || Callee->getName() == "max"))
      for (const Expr *Argument : Call->arguments())
        becomesLength(Argument);
    else if (!isOurs(Callee))
      becomesLength(Callee);
  }

  void check(const CastExpr *E) {
    auto *Cut = const_cast<ImplicitCastExpr *>(dyn_cast<ImplicitCastExpr>(E));
    if (!Cut || !Cut->isPartOfExplicitCast() ||
        Cut->getCastKind() != CK_IntegralCast)
      return;
    QualType To = Cut->getType(), From = Cut->getSubExpr()->getType();
    bool Narrows = isNumber(To) && From->isIntegerType() &&
                   AST.getIntWidth(To) < AST.getIntWidth(From);
    if (Narrows && !isOfBits(Cut->getSubExpr()))
      Found.push_back(Cut);
  }

  QualType marked(QualType Type) {
    QualType &Known = Marked[Type.getAsOpaquePtr()];
    if (Known.isNull()) {
      TypedefDecl *Name =
          AST.buildImplicitTypedef(Type, Mark + Type.getAsString());
      Known = AST.getTypedefType(ElaboratedTypeKeyword::None,
                                 /*Qualifier=*/std::nullopt, Name);
    }
    return Known;
  }

  ASTContext &AST;
  std::string Headers;
  /// What is assigned to a variable, a field, a parameter, or returned.
  llvm::DenseMap<const Decl *, SmallVector<const Expr *, 2>> Values;
  llvm::DenseSet<const Decl *> Lengths;
  /// Of which several numbers are taken.
  llvm::DenseSet<const Decl *> Words;
  SmallVector<ImplicitCastExpr *> Found;
  llvm::DenseMap<void *, QualType> Marked;
};

/// Sees every declaration before code is made of it.
class LengthConsumer : public ASTConsumer {
public:
  explicit LengthConsumer(StringRef Headers) : Headers(Headers) {}

  void Initialize(ASTContext &AST) override { Visitor.emplace(AST, Headers); }
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (!D->isFromASTFile())
        Visitor->TraverseDecl(D);
    Visitor->markFound();
    return true;
  }

private:
  std::string Headers;
  std::optional<LengthVisitor> Visitor;
};

class CheckCasts : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 StringRef) override {
    return std::make_unique<LengthConsumer>(Headers);
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &Args) override {
    for (StringRef Arg : Args)
      if (Arg.consume_front("headers="))
        Headers = Arg.str();
    return !Headers.empty();
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  std::string Headers; ///< What is below this folder is Belay's.
};

} // namespace

static FrontendPluginRegistry::Add<CheckCasts>
    Registered("belay_casts", "check casts whose values become lengths");
