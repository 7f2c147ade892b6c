//===- Interpreter.h - Follows one path through a kernel --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes Clang's AST of a kernel, and of the AscendC headers that it calls,
// down to the functions of src/abi, with terms for numbers that only the
// launch knows. Where a condition depends on such a number, the plan of the
// path (Paths.h) says which way to go; every other way is another path.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_INTERPRETER_H
#define BELAY_CHECK_INTERPRETER_H

#include "check/Paths.h"
#include "check/Store.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace belay::check {

class Naming;
class Runtime;
struct Condition;
struct KernelState;

/// The values of an integer type. 64-bit types are taken to have 62 bits: no
/// count or offset of a kernel is larger, and limits can be added up.
std::pair<int64_t, int64_t> limitsOf(clang::QualType Type,
                                     const clang::ASTContext &AST);

/// How a statement ended.
enum class Flow : uint8_t { Next, Break, Continue, Return, Stop };

class Interpreter {
public:
  Interpreter(clang::ASTContext &AST, KernelState &Kernel, Plan &Decisions);
  ~Interpreter();

  void run(const clang::FunctionDecl *Entry);

  // --- for the runtime ------------------------------------------------------
  clang::ASTContext &ast() { return AST; }
  Store &store() { return Memory; }
  Symbols &symbols();
  Facts &facts() { return Known; }
  /// The newest place in a file of the user's.
  clang::SourceLocation here() const;
  /// The function of the API that was called there.
  std::string apiName() const;
  /// What the user wrote as its first argument, if that is a name.
  std::string firstArgument() const;
  /// Whether the expression is an argument of a call as a whole.
  bool isArgument(const clang::Expr *E) const { return E == Argument; }
  /// A value that is not known; the same Key means the same value.
  /// InLaunch: where every launch has it.
  Value makeSymbol(llvm::StringRef Key, llvm::StringRef Name,
                   clang::QualType Type, Origin From,
                   std::optional<LaunchNumber> InLaunch = std::nullopt);
  /// What is read at a place in an argument, of which only fields of the tiling
  /// are numbers of the launch.
  Value readSymbol(const Value &From, llvm::StringRef Name,
                   clang::QualType Type);
  Value load(const Place &From, clang::QualType Type);
  Value member(PathId Object, llvm::StringRef Name);
  void setMember(PathId Object, llvm::StringRef Name, Value V);
  clang::QualType typeOfMember(PathId Object, llvm::StringRef Name);
  Value fieldByName(PathId Object, const clang::RecordDecl *Record,
                    llvm::StringRef Name);
  PathId makeObject(const clang::RecordDecl *Record);
  /// The record that declares a part of the ABI: "BufferRecord".
  const clang::RecordDecl *abiRecord(llvm::StringRef Name);
  /// L / R as a symbol with facts; L is not negative, R is positive.
  std::optional<Number> quotient(const Number &Dividend, const Number &Divisor);
  void boundByProduct(const Number &Q, const Number &L, const Number &R);
  std::optional<Number> quotientOfChosen(SymbolId S, const Number &L,
                                         const Number &R);
  void compareQuotients(SymbolId New);
  void boundByFactor(const Number &Q, const Number &L, const Number &R);
  /// For LoopProof: whether the variable is one of the file's, or a constant;
  /// any value that a variable may have; the number of this iteration that
  /// stands for any.
  bool isGlobal(PathId Root) const;
  /// All that the kernel can still get at by its variables.
  void forEachLiveValue(llvm::function_ref<void(const Value &)> Visit) const;
  bool isConstant(PathId Root) const;
  /// By which the headers ask whether they have to say what they do. Of a
  /// kernel that uses it nothing is known.
  static bool isObserved(const clang::VarDecl *Var) {
    return Var->getDeclName().isIdentifier() &&
           Var->getName() == "belay_sim_observed";
  }
  Value anyValue(PathId P, const std::string &Key, const std::string &Name);
  /// How often one iteration of the loop has stood for others on this path.
  unsigned countIteration(const clang::Stmt *Loop) {
    return ++Iterations[Loop];
  }
  /// How many numbers that are not known there are on this path.
  unsigned made() const { return Fresh; }
  /// For LoopProof: whether a condition that only compares variables holds
  /// here, if that is known; it does from here on, false if that cannot be
  /// said.
  std::optional<bool> knownCondition(const clang::Expr *Condition);
  /// How far the two sides of `!=` are apart.
  std::optional<Number> distance(const clang::Expr *Condition);
  bool assumeCondition(const clang::Expr *Condition);
  /// What is known where it holds.
  Facts factsWhere(const clang::Expr *Condition);
  llvm::ArrayRef<Decision> trail() const { return Trail; }
  /// Both ways are followed, and which is no condition of what is found.
  bool either(const void *At);
  /// Whether the loop is one of those that are being followed.
  bool isOpen(const clang::Stmt *Loop) const {
    return llvm::is_contained(Proofs, Loop);
  }
  /// Whether a loop is followed whose end the launch decides, or of which one
  /// iteration stands for others.
  bool inLoop() const { return OpenLoops || !Proofs.empty(); }
  /// Nothing of what follows on this path can be told.
  void giveUp(clang::SourceLocation At, const llvm::Twine &Why);
  void stop() { Stopped = true; }
  /// A mistake was found after which the device does not go on, or nobody knows
  /// how: for the other topics, what follows is not known.
  void stopAtMistake();
  /// In a vector function, one path and one iteration stand for all.
  void setOneWay(bool On) { OneWay = On; }
  bool stopped() const { return Stopped; }

private:
  struct Frame {
    const clang::FunctionDecl *Function = nullptr;
    PathId This = 0;
    PathId Result = 0; // of a class
    Value Returned;
    std::optional<Place> ReturnedPlace;
    llvm::DenseMap<const clang::ValueDecl *, Place> Variables;
    const clang::Expr *Call = nullptr; // in the caller
    /// The call is a statement: the caller has nothing in its hands.
    bool Alone = true;
  };

  // Statements.cpp
  Flow execute(const clang::Stmt *S);
  Flow executeLoop(const clang::Stmt *Loop, const clang::Expr *Cond,
                   const clang::VarDecl *CondVar, const clang::Stmt *Inc,
                   const clang::Stmt *Body, bool BodyFirst);
  Flow proveLoop(const clang::Stmt *Loop, const clang::Expr *Cond,
                 const clang::VarDecl *CondVar, const clang::Stmt *Inc,
                 const clang::Stmt *Body, bool BodyFirst);
  Flow executeBlock(const clang::CompoundStmt *Block);
  void destroy(PathId Object, const clang::CXXRecordDecl *Class,
               const clang::Expr *Made);
  Flow executeRangeFor(const clang::CXXForRangeStmt *Loop);
  Flow executeSwitch(const clang::SwitchStmt *Switch);
  void declare(const clang::VarDecl *Var);
  void noteTask(const clang::VarDecl *Note);
  /// Chooses a branch; returns false if the path is infeasible.
  bool decide(const Value &Condition, const clang::Expr *At, bool Loop,
              unsigned Iteration);
  // Choices.cpp
  std::optional<Condition> bothWays(const Value &What);
  Value choose(const Condition &Of, const Value &Then, const Value &Else,
               clang::QualType Type, const clang::Expr *At);
  Value oneOrZero(const Value &What, const clang::Expr *At);
  std::optional<Value> evaluateBoth(const clang::ConditionalOperator *E,
                                    const Value &What);
  bool executeBoth(const clang::IfStmt *If, const Value &What);
  bool assignsOnly(const clang::Stmt *S, const clang::Expr *Condition,
                   llvm::SmallVectorImpl<const clang::Expr *> &To);
  PathId wordAt(PathId Of, clang::QualType Type, int64_t Offset,
                clang::QualType Word);
  Value readAs(Value V, clang::QualType Type, llvm::StringRef Name);
  std::optional<Place> wordOf(const Value &Base, const Value &Index,
                              clang::QualType Word);
  bool isAskedAgain(const clang::Expr *E, const clang::Expr *Condition);

  // Assumptions.cpp
  void assumeStated(const clang::Expr *Condition);

  // Visited.cpp
  bool wasVisited(const clang::Stmt *Loop, size_t Outer, SymbolId Iteration);
  std::string variablesText(size_t Outer, Naming &Names) const;
  std::string valueText(const Value &V, Naming &Names) const;
  std::string generationText(PathId P) const;

  unsigned preferredIterations() const;
  bool isAssertion(const clang::Expr *Condition) const;
  bool asksForMistake(const clang::Expr *Condition) const;
  void initialize(PathId Target, clang::QualType Type, const clang::Expr *Init);

  // Expressions.cpp
  Value evaluate(const clang::Expr *E);
  Place locate(const clang::Expr *E);
  void construct(const clang::Expr *E, PathId Into);
  Value evaluateUnary(const clang::UnaryOperator *E);
  Value evaluateBinary(const clang::BinaryOperator *E);
  Value assign(const clang::BinaryOperator *E);
  Value evaluateCast(const clang::CastExpr *E);
  Value evaluateReference(const clang::ValueDecl *Decl, const clang::Expr *E);
  std::optional<Value> foldConstant(const clang::Expr *E);
  Value thisPointer();
  Place locateVariable(const clang::ValueDecl *Decl);
  Value pointerTo(const Place &P);
  Place placeAt(const Value &Pointer, const clang::Expr *By = nullptr);
  void touch(const Place &Where, clang::QualType Type, bool Write);
  void store(const Place &To, Value V, clang::QualType Type);
  void storeSomewhere(const Place &To);
  void copyRecord(const Place &To, const Place &From, clang::QualType Type);
  bool isOtherSize(PathId P, clang::QualType Type) const;
  Value inBits(Value V, const clang::FieldDecl *Field);
  void clearOverlaid(PathId P);
  void fromConstant(PathId Into, const clang::APValue &Value,
                    clang::QualType Type);
  Value fromScalar(const clang::APValue &V);

  // Arithmetic.cpp
  Value compute(clang::BinaryOperatorKind Op, const Value &L, const Value &R,
                clang::QualType Type, const clang::Expr *At);
  Value compare(clang::BinaryOperatorKind Op, const Value &L, const Value &R);
  bool isAtLeast(const Number &N, int64_t Least, llvm::StringRef Why);
  Value divide(const Number &Dividend, const Number &Divisor, bool Remainder,
               clang::QualType Type);
  void askPeriod(const Number &L, int64_t By);
  Value takeAsUnsigned(Value V, clang::QualType Type, const clang::Expr *At);
  Value convert(Value V, clang::QualType From, clang::QualType To,
                const clang::Expr *At);
  Value offsetPointer(const Value &P, const Number &By,
                      clang::QualType Pointee);
  Value dependingOn(const Number &From, Value V);
  Value loaded(const Value &From, Value V);
  Value unknown(clang::QualType Type, const clang::Expr *At);
  Value negate(const Value &Condition);

  // Calls.cpp
  Value call(const clang::CallExpr *E, PathId Into);
  Value invoke(const clang::FunctionDecl *Function, const clang::Expr *Call,
               PathId This, llvm::ArrayRef<const clang::Expr *> Args,
               PathId Into, Place *ResultPlace);
  std::optional<Value> builtin(const clang::FunctionDecl *Function,
                               const clang::CallExpr *E);
  void construct(const clang::CXXConstructExpr *E, PathId Into);
  void constructElements(const clang::CXXConstructExpr *E, clang::QualType Type,
                         PathId Into);
  void runConstructor(const clang::CXXConstructorDecl *Constructor,
                      const clang::Expr *Call,
                      llvm::ArrayRef<const clang::Expr *> Args, PathId This);
  void bindParameters(Frame &To, const clang::FunctionDecl *Function,
                      llvm::ArrayRef<const clang::Expr *> Args);
  void copyMemory(const Value &To, const Value &From,
                  const clang::CallExpr *Call);
  void forgetBytes(PathId P);
  void readStructure(PathId Into, clang::QualType Type, const Place &From);
  void readStructure(PathId Into, clang::QualType Type, const Value &From,
                     const std::string &Name);
  bool inHeaders(clang::SourceLocation At) const;

  bool spend(unsigned Steps = 1);

  clang::ASTContext &AST;
  KernelState &Kernel;
  Plan &Decisions;
  Store Memory;
  Facts Known;
  std::unique_ptr<Runtime> Device;
  std::deque<Frame> Frames;
  llvm::DenseMap<const clang::ValueDecl *, PathId> Globals;
  llvm::DenseSet<PathId> GlobalRoots;
  /// What lambdas captured, by the path of the closure.
  llvm::DenseMap<PathId, llvm::DenseMap<const clang::ValueDecl *, Place>>
      Captures;
  /// Objects whose destructors have not run.
  llvm::SmallVector<std::pair<const clang::VarDecl *, PathId>> Alive;
  /// The expression that is a statement by itself, and was evaluated last.
  const clang::Expr *Alone = nullptr;
  /// What a parameter is bound to just now.
  const clang::Expr *Argument = nullptr;
  unsigned Fresh = 0;
  uint64_t SearchedBefore; ///< By other paths.
  /// A comparison asked what the launch decides, and may have found it among
  /// the facts.
  bool Symbolic = false;
  /// How many loops whose end the launch decides are being followed.
  unsigned OpenLoops = 0;
  /// Whether the innermost of them is to be left after this iteration.
  bool LastIteration = false;
  /// Which way each condition went the last time.
  llvm::DenseMap<const clang::Expr *, bool> Ways;
  /// Loops of which one iteration stands for all later ones.
  llvm::SmallVector<const clang::Stmt *> Proofs;
  llvm::DenseMap<const clang::Stmt *, unsigned> Iterations;
  std::vector<Decision> Trail;
  bool decidedAlike(const Value &What, bool Loop);
  bool decidedByLaunch(const Value &What);
  bool Stopped = false;
  bool OneWay = false;
  /// A condition is asked under which a loop or a function is left.
  bool Leaving = false;
};

} // namespace belay::check

#endif // BELAY_CHECK_INTERPRETER_H
