//===- Lowering.h - One kernel, from Clang's AST to tiles -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LANGUAGE_LOWERING_H
#define BELAY_LANGUAGE_LOWERING_H

#include "dialect/Ascend.h"
#include "language/LoweredValue.h"
#include "language/Reporter.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/MapVector.h"

namespace belay::language {

/// A view at one index of a dimension.
mlir::Value viewAt(mlir::OpBuilder &Builder, mlir::Location Loc,
                   mlir::Value View, mlir::Value Index, int64_t Dim = 0);

/// The numbers that a function is instantiated with.
llvm::SmallVector<unsigned> numbersOf(const clang::FunctionDecl *Callee);

/// Lowers one instance of a kernel. Functions that it calls, its own or those
/// of kernel.h that are written in the language, are inlined; functions that
/// kernel.h marks as operations become operations.
class Lowering {
public:
  Lowering(clang::ASTContext &AST, Reporter &Report, mlir::ModuleOp Module);

  /// Appends the kernel to the module, if nothing had to be refused.
  void lowerKernel(const clang::FunctionDecl *Kernel);

private:
  using Env = llvm::MapVector<const clang::ValueDecl *, LoweredValue>;

  // --- Types, LowerTypes.cpp
  /// Null for a type that the language does not have, which is reported.
  mlir::Type scalarType(clang::QualType Type, clang::SourceLocation Where);
  mlir::Type elementType(clang::QualType Type, clang::SourceLocation Where);
  mlir::MemRefType viewType(clang::QualType Type, clang::SourceLocation Where);
  /// Rows and columns of a Tile, a Window or a Span.
  llvm::SmallVector<int64_t, 2> capacityOf(clang::QualType Type);
  /// Whether a type is of a size that exists; reports it if not.
  bool hasPossibleSize(clang::QualType Type, clang::SourceLocation Where);

  // --- Statements, LowerStatements.cpp
  void lower(const clang::Stmt *S);
  void lowerVariable(const clang::VarDecl *Variable);
  void lowerIf(const clang::IfStmt *S);
  void lowerReturn(const clang::ReturnStmt *S);
  /// What a statement assigns to.
  llvm::SmallVector<const clang::Expr *>
  targetsIn(llvm::ArrayRef<const clang::Stmt *> Statements);
  /// Variables of the enclosing scopes that a statement assigns to.
  llvm::SmallVector<const clang::ValueDecl *>
  assignedIn(llvm::ArrayRef<const clang::Stmt *> Statements);
  /// The type of a value that comes from two places: a tile has dynamic extents
  /// where they differ.
  mlir::Type joinTypes(mlir::Type A, mlir::Type B);
  /// Ends a block with values of these types.
  void yield(mlir::Block &Block, llvm::ArrayRef<mlir::Value> Values,
             mlir::TypeRange Types, mlir::Location Loc);

  // --- Loops, LowerLoops.cpp
  void lowerFor(const clang::ForStmt *S);
  void lowerWhile(const clang::WhileStmt *S);
  void lowerRangeFor(const clang::CXXForRangeStmt *S);
  llvm::SmallVector<mlir::Value>
  valuesOf(llvm::ArrayRef<const clang::ValueDecl *> Carried);
  void bind(llvm::ArrayRef<const clang::ValueDecl *> Carried,
            mlir::ValueRange Values);
  /// Makes what a loop starts with fit what an iteration leaves; false if it
  /// does.
  bool loosenInits(llvm::SmallVectorImpl<mlir::Value> &Inits,
                   llvm::ArrayRef<mlir::Value> Results, mlir::Location Loc);
  void makeWhile(mlir::Location Loc, const clang::Expr *Condition,
                 llvm::ArrayRef<const clang::Stmt *> Body);
  /// False if the loop does not count. IsLast: the body ends with Advance.
  bool makeCounted(mlir::Location Loc, const clang::ValueDecl *Variable,
                   const clang::Expr *Condition, const clang::Expr *Advance,
                   const clang::Stmt *Body, bool IsLast);
  /// A loop over [From, To) by Step. Bind sets the loop's variables.
  void makeLoop(mlir::Location Loc, mlir::Value From, mlir::Value To,
                mlir::Value Step, llvm::StringRef Name, const clang::Stmt *Body,
                llvm::function_ref<void(mlir::Value)> Bind);

  // --- Expressions, LowerExpressions.cpp
  LoweredValue lower(const clang::Expr *E);
  LoweredValue lowerBinary(const clang::BinaryOperator *E);
  LoweredValue lowerUnary(const clang::UnaryOperator *E);
  LoweredValue lowerCast(const clang::CastExpr *E);
  LoweredValue lowerConstruct(const clang::CXXConstructExpr *E);
  LoweredValue lowerConditional(const clang::ConditionalOperator *E);
  LoweredValue lowerLogical(const clang::BinaryOperator *E);
  /// A scalar that is made in one of two ways; the other is not evaluated.
  LoweredValue choose(const clang::Expr *E, mlir::Value Condition,
                      llvm::function_ref<LoweredValue()> True,
                      llvm::function_ref<LoweredValue()> False);
  std::optional<LoweredValue> lowerConstant(const clang::Expr *E);
  LoweredValue assign(const clang::Expr *Target, LoweredValue Value);
  mlir::Value arithmetic(clang::BinaryOperatorKind Op, mlir::Value Lhs,
                         mlir::Value Rhs, mlir::Location Loc,
                         const clang::Expr *E);
  mlir::Value convert(mlir::Value Value, mlir::Type To, mlir::Location Loc);
  /// The variable that an lvalue names, through references; null if it is none.
  const clang::ValueDecl *variableOf(const clang::Expr *E);

  // --- Calls, LowerCalls.cpp
  LoweredValue lowerCall(const clang::CallExpr *E);
  LoweredValue inlineCall(const clang::CallExpr *E,
                          const clang::FunctionDecl *Callee,
                          llvm::ArrayRef<const clang::Expr *> Args);

  // --- Operations, LowerOperations.cpp and LowerMoves.cpp
  struct Operation {
    llvm::StringRef Name;
    const clang::CallExpr *Call;
    const clang::FunctionDecl *Callee;
    llvm::SmallVector<LoweredValue, 4> Args;
    mlir::Location Loc;
  };
  LoweredValue lowerOperation(const Operation &Op);
  LoweredValue lowerViewOperation(const Operation &Op);
  LoweredValue lowerPlane(const Operation &Op);
  std::optional<unsigned> constantDimension(const Operation &Op,
                                            unsigned Number);
  LoweredValue lowerElementwise(const Operation &Op);
  LoweredValue lowerReduction(const Operation &Op);
  LoweredValue lowerMove(const Operation &Op);
  LoweredValue lowerLoad(const Operation &Op);
  LoweredValue lowerStore(const Operation &Op);
  LoweredValue lowerTileMaker(const Operation &Op);
  std::optional<LoweredValue> lowerScalarOperation(const Operation &Op);
  LoweredValue lowerExpects(const Operation &Op);
  LoweredValue lowerSpan(const Operation &Op);
  LoweredValue cast(const Operation &Op);
  LoweredValue lowerDot(const Operation &Op);
  LoweredValue lowerTake(const Operation &Op);
  ascend::BadIndexAttr policyOf(const Operation &Op);
  mlir::RankedTensorType loadedType(const Operation &Op,
                                    const LoweredValue &Rows,
                                    const LoweredValue &Cols, bool IsWhole);
  LoweredValue load(const Operation &Op, const LoweredValue &Rows,
                    const LoweredValue &Cols, mlir::Value Pad = {});
  LoweredValue loadOr(const Operation &Op, const LoweredValue &Rows,
                      const LoweredValue &Cols, mlir::Value Outside);
  void store(const Operation &Op, mlir::Value View, const LoweredValue &Rows,
             const LoweredValue &Cols, mlir::Value Tile,
             ascend::CombineAttr Combine = {});
  /// Offsets or sizes for a view of rank 1 or 2.
  llvm::SmallVector<mlir::OpFoldResult>
  windowOf(mlir::Value View, mlir::Value Rows, mlir::Value Cols, bool Column);
  /// An enumerator among the template arguments of a call.
  int64_t enumArgument(const clang::FunctionDecl *Callee,
                       llvm::StringRef EnumName);

  // --- Small things
  mlir::Location loc(clang::SourceLocation Where);
  mlir::Value index(int64_t Value, mlir::Location Loc);
  mlir::Value dim(mlir::Value Shaped, int64_t Dimension, mlir::Location Loc);
  /// The tile with dynamic extents wherever Like has them.
  mlir::Value loosen(mlir::Value Tile, mlir::RankedTensorType Like,
                     mlir::Location Loc);
  /// Makes two tiles the same type: broadcasts, loosens.
  bool unify(mlir::Value &Lhs, mlir::Value &Rhs, mlir::Location Loc);
  LoweredValue refuse(const clang::Stmt *S, llvm::StringRef What);

  clang::ASTContext &AST;
  Reporter &Report;
  mlir::ModuleOp Module;
  mlir::OpBuilder Builder;
  Env Variables;
  /// Variables that have no value since it was refused; one message is enough.
  llvm::DenseSet<const clang::ValueDecl *> Broken;
  /// References that stand for a variable of a caller.
  llvm::DenseMap<const clang::ValueDecl *, const clang::ValueDecl *> Aliases;
  /// Where the function that is being inlined was called: shown instead of
  /// places in kernel.h, beside places in the user's files.
  std::optional<mlir::Location> CallSite;
  bool InsideOurs = false;
  bool InContract = false;
  /// The value of the function that is being inlined, whether it has one yet,
  /// and the block in which it may say so.
  LoweredValue Returned;
  bool HasReturned = false;
  mlir::Block *ReturnBlock = nullptr;
  unsigned Depth = 0;
};

} // namespace belay::language

#endif // BELAY_LANGUAGE_LOWERING_H
