//===- Calls.cpp - Functions, constructors, lambdas -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "check/Runtime.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace belay::check;

static constexpr size_t MostFrames = 96;

Interpreter::Interpreter(ASTContext &AST, KernelState &Kernel, Plan &Decisions)
    : AST(AST), Kernel(Kernel), Decisions(Decisions), Known(Kernel.Names),
      Device(std::make_unique<Runtime>(*this, Kernel)),
      SearchedBefore(Kernel.Names.Searched) {
  Kernel.OnPath = &Known;
  Kernel.Expected.clear();
}

Interpreter::~Interpreter() { Kernel.OnPath = nullptr; }

bool Interpreter::spend(unsigned Steps) {
  if (Stopped)
    return false;
  Decisions.Steps += Steps;
  if (Decisions.Steps > Kernel.Limits.StepsPerPath ||
      Kernel.Names.Searched - SearchedBefore > Kernel.Limits.SearchPerPath) {
    Kernel.TooLong = here();
    Stopped = true;
  }
  return !Stopped;
}

void Interpreter::giveUp(SourceLocation At, const llvm::Twine &Why) {
  if (Stopped)
    return;
  Kernel.unknownEverywhere(At, Why);
  Stopped = true;
}

void Interpreter::stopAtMistake() {
  if (Stopped)
    return;
  for (unsigned T = 0; T < NumTopics; ++T)
    if (static_cast<Topic>(T) != Topic::Entry)
      Kernel.doubt(static_cast<Topic>(T), here(),
                   "what follows a mistake is not followed");
  Stopped = true;
}

void Interpreter::forEachLiveValue(
    llvm::function_ref<void(const Value &)> Visit) const {
  llvm::DenseSet<PathId> Seen;
  llvm::SmallVector<PathId, 32> Left;
  auto Add = [&](PathId P) {
    if (P && Seen.insert(Memory.rootIdOf(P)).second)
      Left.push_back(Memory.rootIdOf(P));
  };
  for (const Frame &F : Frames) {
    Add(F.This);
    Add(F.Result);
    for (const auto &[_, At] : F.Variables)
      Add(At.Path);
  }
  for (const auto &[_, P] : Globals)
    Add(P);
  for (const auto &[_, Each] : Captures)
    for (const auto &[_, At] : Each)
      Add(At.Path);
  while (!Left.empty()) {
    PathId P = Left.pop_back_val();
    llvm::append_range(Left, Memory.partsOf(P));
    const Value *V = Memory.find(P);
    if (!V)
      continue;
    Visit(*V);
    if (V->isPointer())
      Add(V->Id);
  }
}

bool Interpreter::isGlobal(PathId Root) const {
  return GlobalRoots.contains(Root);
}

bool Interpreter::isConstant(PathId Root) const {
  const auto *Var = llvm::dyn_cast_or_null<VarDecl>(Memory.declOf(Root));
  return Var && Var->hasGlobalStorage() &&
         (Var->isUsableInConstantExpressions(AST) || isObserved(Var));
}

Value Interpreter::anyValue(PathId P, const std::string &Key,
                            const std::string &Name) {
  const ValueDecl *D = Memory.declOf(P);
  QualType Type = D ? D->getType().getNonReferenceType() : AST.LongLongTy;
  if (!Type->isIntegralOrEnumerationType())
    Type = AST.LongLongTy;
  return makeSymbol("carried:" + Key + ":" + std::to_string(P),
                    "'" + Memory.nameOf(P) + "' in " + Name, Type,
                    Origin::Data);
}

void Interpreter::run(const FunctionDecl *Entry) {
  Frames.emplace_back();
  Frames.back().Function = Entry;
  unsigned Index = 0;
  for (const ParmVarDecl *Param : Entry->parameters()) {
    PathId Path = Memory.makeRoot(Param);
    Frames.back().Variables[Param] = {Path, std::nullopt};
    std::string Name = Param->getNameAsString();
    QualType Type = Param->getType();
    // By convention the tiling comes last.
    bool Tiling = Param == Entry->parameters().back() ||
                  llvm::StringRef(Name).contains_insensitive("tiling");
    if (Type->isPointerType())
      Memory.set(Path, Device->argument(Index, Name, Tiling));
    else if (Type->isRecordType())
      readStructure(Path, Type, Device->argument(Index, Name, true), Name);
    else
      Memory.set(
          Path,
          makeSymbol("arg:" + std::to_string(Index), Name, Type, Origin::Launch,
                     LaunchNumber{LaunchNumber::Kind::Scalar, Name, Index}));
    ++Index;
  }
  execute(Entry->getBody());
  if (!Stopped)
    Device->atEnd();
}

//===----------------------------------------------------------------------===//
// Where in the source
//===----------------------------------------------------------------------===//

bool Interpreter::inHeaders(SourceLocation At) const {
  return Kernel.inHeaders(At);
}

SourceLocation Interpreter::here() const {
  for (const Frame &F : llvm::reverse(Frames))
    if (F.Call && !inHeaders(F.Call->getBeginLoc()))
      return F.Call->getBeginLoc();
  return Frames.empty() ? SourceLocation()
                        : Frames.front().Function->getLocation();
}

std::string Interpreter::apiName() const {
  for (const Frame &F : llvm::reverse(Frames))
    if (F.Call && !inHeaders(F.Call->getBeginLoc())) {
      if (isa_and_nonnull<CXXConstructorDecl>(F.Function))
        return "a constructor";
      return F.Function ? F.Function->getNameAsString() : "";
    }
  return "";
}

std::string Interpreter::firstArgument() const {
  for (const Frame &F : llvm::reverse(Frames)) {
    if (!F.Call || inHeaders(F.Call->getBeginLoc()))
      continue;
    const auto *Call = dyn_cast<CallExpr>(F.Call);
    if (!Call || !Call->getNumArgs())
      return {};
    SourceManager &Sources = AST.getSourceManager();
    CharSourceRange Range =
        CharSourceRange::getTokenRange(Call->getArg(0)->getSourceRange());
    std::string Text =
        Lexer::getSourceText(Range, Sources, AST.getLangOpts()).str();
    if (llvm::StringRef(Text).starts_with("this->"))
      Text = Text.substr(6);
    return Text;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Interpreter::bindParameters(Frame &To, const FunctionDecl *Function,
                                 ArrayRef<const Expr *> Args) {
  for (unsigned I = 0; I < Function->getNumParams(); ++I) {
    const ParmVarDecl *Param = Function->getParamDecl(I);
    if (I >= Args.size()) {
      To.Variables[Param] = {Memory.makeRoot(Param), std::nullopt};
      continue;
    }
    if (Param->getType()->isReferenceType()) {
      To.Variables[Param] = locate(Args[I]);
      continue;
    }
    PathId Path = Memory.makeRoot(Param);
    const Expr *Outer = Argument;
    Argument = Args[I]->IgnoreParens();
    initialize(Path, Param->getType(), Args[I]);
    Argument = Outer;
    To.Variables[Param] = {Path, std::nullopt};
  }
}

Value Interpreter::invoke(const FunctionDecl *Function, const Expr *Call,
                          PathId This, ArrayRef<const Expr *> Args, PathId Into,
                          Place *) {
  QualType Result = Function->getReturnType();
  const FunctionDecl *Definition = nullptr;
  if (!Function->getBody(Definition)) {
    Kernel.notFollowed(Call->getBeginLoc(), Function);
    for (const Expr *Arg : Args)
      if (Arg->isGLValue())
        if (Place P = locate(Arg); P.Path)
          Memory.clear(P.Path);
    return unknown(Result.getNonReferenceType(), Call);
  }
  llvm::SaveAndRestore Own(Leaving, false);
  if (Frames.size() > MostFrames) {
    giveUp(Call->getBeginLoc(), "calls are nested too deeply to be followed");
    return {};
  }
  Kernel.called(Definition, Call);
  Frame New;
  New.Function = Definition;
  New.This = This;
  New.Call = Call;
  New.Alone = Call == Alone;
  bindParameters(New, Definition, Args);
  if (Stopped)
    return {};
  if (Result->isRecordType())
    New.Result = Into ? Into : Memory.makeRoot(nullptr);
  Frames.push_back(std::move(New));
  execute(Definition->getBody());
  Frame Done = std::move(Frames.back());
  Frames.pop_back();
  if (Result->isRecordType())
    return Value::pointer(Done.Result);
  return Done.Returned;
}

std::optional<Value> Interpreter::builtin(const FunctionDecl *Function,
                                          const CallExpr *E) {
  StringRef Name =
      Function->getIdentifier() ? Function->getName() : StringRef();
  if (Name == "__builtin_expect")
    return evaluate(E->getArg(0));
  if (Name == "__builtin_memcpy" || Name == "memcpy" ||
      Name == "__builtin_memset" || Name == "memset") {
    Value To = evaluate(E->getArg(0));
    Value From = evaluate(E->getArg(1));
    if (Name.ends_with("cpy"))
      copyMemory(To, From, E);
    else if (To.isPointer())
      forgetBytes(To.Id);
    return To;
  }
  if (Name == "__builtin_unreachable" || Name == "__builtin_trap") {
    Stopped = true;
    return Value();
  }
  if (Name == "__builtin_assume") {
    if (Kernel.TakesAssumptions)
      assumeStated(E->getArg(0));
    return Value();
  }
  if (Function->getBuiltinID() && !Function->hasBody()) {
    for (const Expr *Arg : E->arguments())
      evaluate(Arg);
    if (std::optional<Value> V = foldConstant(E))
      return *V;
    return unknown(E->getType(), E);
  }
  return std::nullopt;
}

/// Whether a member function is named with its class.
static bool isQualified(const Expr *Callee) {
  const auto *Member = dyn_cast<MemberExpr>(Callee->IgnoreParens());
  return Member && Member->hasQualifier();
}

Value Interpreter::call(const CallExpr *E, PathId Into) {
  if (!spend(4))
    return {};
  const FunctionDecl *Function = E->getDirectCallee();
  PathId This = 0;
  SmallVector<const Expr *, 8> Args(E->arguments());
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E)) {
    const Expr *Object = Member->getImplicitObjectArgument();
    // Which function it is depends on the object, unless its type is known.
    if (const CXXMethodDecl *Method = Member->getMethodDecl();
        Method && Method->isVirtual() && !isQualified(E->getCallee())) {
      Function = Method->getDevirtualizedMethod(Object, /*IsAppleKext=*/false);
      if (!Function) {
        Kernel.notFollowed(E->getBeginLoc(), nullptr);
        return unknown(E->getType(), E);
      }
    }
    if (Object->getType()->isPointerType()) {
      Value V = evaluate(Object);
      This = V.isPointer() ? V.Id : 0;
    } else {
      This = locate(Object).Path;
    }
  } else if (isa<CXXOperatorCallExpr>(E) && Function &&
             isa<CXXMethodDecl>(Function) &&
             !cast<CXXMethodDecl>(Function)->isStatic()) {
    This = locate(E->getArg(0)).Path;
    Args.erase(Args.begin());
  }
  if (!Function) {
    Value V = evaluate(E->getCallee());
    Function = V.What == Value::Kind::Function ? V.Callee : nullptr;
    if (!Function) {
      Kernel.notFollowed(E->getBeginLoc(), nullptr);
      return unknown(E->getType(), E);
    }
  }
  // Assignments that the compiler writes.
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Function))
    if ((Method->isCopyAssignmentOperator() ||
         Method->isMoveAssignmentOperator()) &&
        (Method->isDefaulted() || Method->isTrivial())) {
      copyRecord({This, std::nullopt}, locate(Args[0]),
                 AST.getCanonicalTagType(Method->getParent()));
      return Value::pointer(This);
    }
  StringRef Name =
      Function->getIdentifier() ? Function->getName() : StringRef();
  if (Name.starts_with("belay_sim_")) {
    SmallVector<Value, 8> Values;
    for (const Expr *Arg : Args)
      Values.push_back(Arg->getType()->isRecordType() ? pointerTo(locate(Arg))
                                                      : evaluate(Arg));
    if (Stopped)
      return {};
    return Device->call(Name, Function, Values, E);
  }
  if (std::optional<Value> V = builtin(Function, E))
    return *V;
  return invoke(Function, E, This, Args, Into, nullptr);
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

void Interpreter::runConstructor(const CXXConstructorDecl *Constructor,
                                 const Expr *Call, ArrayRef<const Expr *> Args,
                                 PathId This) {
  const FunctionDecl *Definition = nullptr;
  if (!Constructor->getBody(Definition)) {
    if (!Constructor->isDefaulted())
      Kernel.notFollowed(Call->getBeginLoc(), Constructor);
    return;
  }
  if (Frames.size() > MostFrames) {
    giveUp(Call->getBeginLoc(), "calls are nested too deeply to be followed");
    return;
  }
  const auto *Defined = cast<CXXConstructorDecl>(Definition);
  Frame New;
  New.Function = Defined;
  New.This = This;
  New.Call = Call;
  New.Alone = false;
  bindParameters(New, Defined, Args);
  Frames.push_back(std::move(New));
  for (const CXXCtorInitializer *Init : Defined->inits()) {
    if (const IndirectFieldDecl *Member = Init->getIndirectMember()) {
      PathId Within = This; // of structures and unions without a name
      for (const NamedDecl *Each : Member->chain())
        Within = Memory.field(Within, cast<FieldDecl>(Each));
      initialize(Within, Member->getType(), Init->getInit());
    } else if (const FieldDecl *Field = Init->getMember())
      initialize(Memory.field(This, Field), Field->getType(), Init->getInit());
    else
      construct(Init->getInit(), This); // a base, or another constructor
  }
  execute(Defined->getBody());
  Frames.pop_back();
}

void Interpreter::construct(const CXXConstructExpr *E, PathId Into) {
  const CXXConstructorDecl *Constructor = E->getConstructor();
  if (E->getType()->isArrayType())
    return constructElements(E, E->getType(), Into);
  SmallVector<const Expr *, 8> Args(E->arguments());
  if (Constructor->isCopyOrMoveConstructor() &&
      (Constructor->isDefaulted() || Constructor->isTrivial())) {
    return copyRecord({Into, std::nullopt}, locate(Args[0]), E->getType());
  }
  runConstructor(Constructor, E, Args, Into);
}

void Interpreter::constructElements(const CXXConstructExpr *E, QualType Type,
                                    PathId Into) {
  const auto *Array = AST.getAsConstantArrayType(Type);
  constexpr uint64_t Most = 256;
  if (!Array || Array->getZExtSize() > Most)
    return giveUp(E->getBeginLoc(),
                  "an array of so many objects is not followed");
  SmallVector<const Expr *, 8> Args(E->arguments());
  for (uint64_t I = 0; I < Array->getZExtSize(); ++I) {
    PathId Each = Memory.element(Into, I);
    if (Array->getElementType()->isArrayType())
      constructElements(E, Array->getElementType(), Each);
    else
      runConstructor(E->getConstructor(), E, Args, Each);
  }
}

void Interpreter::construct(const Expr *E, PathId Into) {
  if (!spend() || !Into)
    return;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return construct(Construct, Into);
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    Value V = call(Call, Into);
    if (V.isPointer() && V.Id != Into)
      Memory.copy(V.Id, Into);
    return;
  }
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    if (const InitListExpr *Semantic =
            List->isSemanticForm() ? List : List->getSemanticForm())
      List = Semantic;
    if (List->isTransparent() ||
        (List->getNumInits() == 1 &&
         List->getInit(0)->getType()->isRecordType() &&
         AST.hasSameUnqualifiedType(List->getInit(0)->getType(),
                                    List->getType())))
      return construct(List->getInit(0), Into);
    if (const RecordDecl *Record = List->getType()->getAsRecordDecl()) {
      unsigned Index = 0;
      if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
        for (unsigned I = 0; I < Class->getNumBases(); ++I)
          if (Index < List->getNumInits())
            construct(List->getInit(Index++), Into);
      for (const FieldDecl *Field : Record->fields()) {
        if (Field->isUnnamedBitField())
          continue;
        if (Index < List->getNumInits())
          initialize(Memory.field(Into, Field), Field->getType(),
                     List->getInit(Index++));
      }
      return;
    }
    if (const auto *Array = AST.getAsConstantArrayType(List->getType())) {
      constexpr uint64_t Most = 4096;
      uint64_t Size = std::min<uint64_t>(Array->getZExtSize(), Most);
      for (uint64_t I = 0; I < Size; ++I) {
        const Expr *Init =
            I < List->getNumInits() ? List->getInit(I) : List->getArrayFiller();
        if (Init)
          initialize(Memory.element(Into, I), Array->getElementType(), Init);
      }
      return;
    }
  }
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return construct(Temporary->getSubExpr(), Into);
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return construct(Full->getSubExpr(), Into);
  if (const auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
    return construct(Bind->getSubExpr(), Into);
  if (const auto *Paren = dyn_cast<ParenExpr>(E))
    return construct(Paren->getSubExpr(), Into);
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return construct(Default->getExpr(), Into);
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
    return construct(Default->getExpr(), Into);
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return construct(Subst->getReplacement(), Into);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    Value Condition = evaluate(Choice->getCond());
    return construct(decide(Condition, Choice->getCond(), false, 0)
                         ? Choice->getTrueExpr()
                         : Choice->getFalseExpr(),
                     Into);
  }
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E)) {
    auto &Bound = Captures[Into];
    for (const LambdaCapture &Capture : Lambda->captures())
      if (const auto *Var = dyn_cast_or_null<VarDecl>(
              Capture.capturesVariable() ? Capture.getCapturedVar() : nullptr);
          Var && Var->isInitCapture()) {
        Place Own;
        if (Var->getType()->isReferenceType())
          Own = locate(Var->getInit());
        else
          initialize(Own.Path = Memory.makeRoot(Var), Var->getType(),
                     Var->getInit());
        Bound[Var] = Own;
      } else if (Capture.capturesVariable()) {
        Place From = locateVariable(Capture.getCapturedVar());
        if (Capture.getCaptureKind() == LCK_ByCopy && From.Path) {
          PathId Copy = Memory.makeRoot(Capture.getCapturedVar());
          Memory.copy(From.Path, Copy);
          From.Path = Copy;
        }
        Bound[Capture.getCapturedVar()] = From;
      }
    Memory.set(Into, Value::pointer(Frames.back().This)); // this, if captured
    return;
  }
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E)) {
    Memory.clear(Into);
    if (const RecordDecl *Record = E->getType()->getAsRecordDecl())
      for (const FieldDecl *Field : Record->fields())
        if (Field->getType()->isScalarType())
          Memory.set(Memory.field(Into, Field),
                     Field->getType()->isPointerType()    ? Value::null()
                     : Field->getType()->isFloatingType() ? Value::real()
                                                          : Value::number(0));
    return;
  }
  if (const auto *Loop = dyn_cast<ArrayInitLoopExpr>(E)) {
    Place From = locate(Loop->getCommonExpr()->getSourceExpr());
    Memory.copy(From.Path, Into);
    return;
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() == CK_LValueToRValue) {
      return copyRecord({Into, std::nullopt}, locate(Cast->getSubExpr()),
                        E->getType());
    }
    return construct(Cast->getSubExpr(), Into);
  }
  if (E->isGLValue())
    return copyRecord({Into, std::nullopt}, locate(E), E->getType());
  if (E->getType()->isScalarType())
    Memory.set(Into, evaluate(E));
  else if (E->HasSideEffects(AST))
    giveUp(E->getBeginLoc(), "this expression is not followed");
}
