//===- Terms.h - Values of a kernel as linear expressions -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates index arithmetic into the solver's variables and facts. Integers
// are mathematical ones here: that no operation overflows is an obligation of
// its own, discharged at that operation, before anything that uses its result.
//
// Facts that define a value (a minimum is not above its operands, ...) never
// restrict what they are computed from, so they may be added anywhere. Facts of
// a place (a condition, the range of a loop) hold in a Scope.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_TERMS_H
#define BELAY_ANALYSIS_TERMS_H

#include "analysis/Solver.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <set>
#include <string>

namespace belay::analysis {

/// What the launcher guarantees of every launch: that many elements in each
/// argument, and no extent above it.
constexpr int64_t MaxExtent = int64_t(1) << 40;
constexpr int64_t MaxCores = int64_t(1) << 16;

/// index and i64: what index arithmetic is done in.
bool isIndexLike(mlir::Type Type);

/// A window in the coordinates of the argument that it is part of.
struct RootWindow {
  mlir::Value Root;
  struct Range {
    Linear Offset, Size;
    /// What all elements of the range are congruent to modulo the number of
    /// cores, where that is known.
    std::optional<Linear> Lane;
  };
  /// One for each dimension of the root. Nothing if it is not known where in
  /// the root the window lies.
  std::optional<llvm::SmallVector<Range, 4>> Ranges;
};

class Terms {
public:
  /// Of the kernel that Op is, or is in: how many cores work on it.
  Terms(Solver &S, mlir::Operation *Op);

  Solver &solver() { return S; }

  Linear of(mlir::Value Value);
  Linear of(mlir::OpFoldResult Value);
  const Linear &coreIndex() const { return Index; }
  const Linear &coreCount() const { return Count; }
  /// Of a view in global memory.
  Linear extent(mlir::Value View, unsigned Dim);
  /// Rows (0) or columns (1) of a tile.
  Linear tileExtent(mlir::Value Tile, unsigned Dim);
  RootWindow window(mlir::Value View, llvm::ArrayRef<Linear> Offsets,
                    llvm::ArrayRef<Linear> Sizes);

  /// An expression divided by a positive number, rounded towards 0.
  Linear quotient(const Linear &Expr, int64_t Divisor) {
    return divide(Expr, Divisor, Rounding::Zero).Quotient;
  }

  /// From now on only these bounds are known of a value. They have to hold.
  void abstract(mlir::Value Value, int64_t Least, int64_t Most);

  /// What is known if a condition is true, or false.
  Choice condition(mlir::Value Cond, bool Holds);
  void assume(mlir::Value Cond, bool Holds) {
    S.assume(condition(Cond, Holds));
  }

  /// What is known inside of loops and branches, on the way to Region.
  void enter(mlir::Region &Region);
  /// The same for all regions around Op, with the contracts and guards that
  /// come before it.
  void enterAllAround(mlir::Operation *Op);

  /// Whether a loop is seen to end: some distance between two numbers is not
  /// negative while it goes on, and each iteration makes it smaller.
  bool ends(mlir::scf::WhileOp Loop);

  /// All that is translated from now on is done by another core; what Shared
  /// says is the same for both. Call it right after enterAllAround().
  void switchCore(llvm::function_ref<bool(mlir::Value)> Shared);

  /// All that is translated from now on is in another iteration of a loop.
  void switchIteration(mlir::Operation *Loop);

  /// Arguments, and permutations of them, of whose extents several are open.
  llvm::SmallVector<mlir::Value> viewsWithElements() const;
  /// That all elements of a view fit into memory. Only what cannot be proven
  /// otherwise is worth that many products.
  void assumeElements(mlir::Value View);

  /// Whether a number is congruent to this core's index modulo the number of
  /// cores, by its form.
  bool isOwnLane(const Linear &Number) const;

  /// Numbers that are congruent to this core's index modulo the number of
  /// cores. No two cores have the same one.
  llvm::ArrayRef<Linear> congruent() const { return Congruent; }

  /// Variables of the source, for counterexamples and advice.
  struct Named {
    std::string Name;
    Linear Expr;
    /// An argument or an extent of one: what `expects` can speak of.
    bool IsArgument;
    /// What a loop carries: only bounds of it are known.
    bool IsEstimate = false;
  };
  llvm::ArrayRef<Named> names() const { return Names; }

  /// Numbers that the kernel contains.
  const std::set<int64_t> &constants() const { return Constants; }

  /// The variables on which these expressions depend.
  llvm::BitVector dependencies(const Conjunction &Of) const;

  class Scope {
  public:
    explicit Scope(Terms &T);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Terms &T;
    Solver::Scope Facts;
    size_t NumNames, NumTrail, NumCongruent, NumDivisions;
  };

private:
  using Key = std::pair<mlir::Value, unsigned>;
  static constexpr unsigned Itself = ~0u, Elements = ~1u;

  Linear fresh(llvm::ArrayRef<Linear> From = {});
  Linear multiply(const Linear &A, const Linear &B);
  /// A value of which only the type is known.
  Linear opaque(mlir::Value Value);
  Linear remember(Key K, const Linear &Expr);
  Linear translate(mlir::Value Value);
  Linear translateOp(mlir::Operation *Op, mlir::Value Value);
  Linear minMax(const Linear &A, const Linear &B, bool IsMax);
  enum class Rounding { Zero, Down, Up };
  struct Division {
    Linear A, B;
    Rounding Mode;
    Linear Quotient, Rest;
  };
  Division divide(const Linear &A, const Linear &B, Rounding Mode);
  Division makeDivision(const Linear &A, const Linear &B, Rounding Mode);
  Linear oneOf(mlir::Value Cond, const Linear &True, const Linear &False);
  Linear loopResult(mlir::scf::ForOp Loop, unsigned Number);
  Linear whileResult(mlir::scf::WhileOp Loop, unsigned Number);
  Linear translateExtent(mlir::Value View, unsigned Dim);
  /// That the arguments on whose extents a product depends fit into memory.
  void assumeElements(const Linear &A, const Linear &B);
  Linear limitOf(mlir::scf::ForOp Loop, const Linear &From);
  void assumeElements(mlir::Value View, llvm::ArrayRef<int64_t> Dims);
  Linear translateTileExtent(mlir::Value Tile, unsigned Dim);
  void addCoreIndex();
  void forget(llvm::function_ref<bool(mlir::Value)> Shall);

  void enterFor(mlir::scf::ForOp Loop);
  void enterWhile(mlir::scf::WhileOp Loop, mlir::Region &Region);
  /// Beyond the condition of a loop.
  void enterBody(mlir::scf::WhileOp Loop);
  /// What the loop carries, in any iteration.
  void bindCarried(mlir::scf::WhileOp Loop);
  /// Numbers that are in order before the loop, and stay so.
  void keepOrder(mlir::scf::WhileOp Loop);
  /// Two numbers of a loop's condition, as they are before an iteration. While
  /// the loop goes on, High is at least so much above Low.
  struct Distance {
    mlir::Value Low, High;
    std::optional<int64_t> Least;
  };
  llvm::SmallVector<Distance> distancesIn(mlir::scf::WhileOp Loop);
  std::optional<Distance> findMeasure(mlir::scf::WhileOp Loop);
  void assumeNextIteration(mlir::scf::WhileOp Loop);
  void boundIterations(mlir::scf::WhileOp Loop, const Linear &Iteration);
  /// Two numbers that may stay in order; a fixed one is no value of the loop.
  struct Bound {
    mlir::Value Value;
    Linear Fixed;
  };
  struct Ordered {
    Bound Low, High;
    int64_t Slack = 0; ///< By so much may Low be above High.
  };
  llvm::SmallVector<Ordered> findOrdered(mlir::scf::WhileOp Loop);
  /// What a number of a loop's condition is if the loop carries these values;
  /// nothing if that cannot be told.
  std::optional<Linear> valueWith(mlir::Value Value, mlir::scf::WhileOp Loop,
                                  mlir::ValueRange Carried);
  std::optional<Linear> valueWith(const Bound &B, mlir::scf::WhileOp Loop,
                                  mlir::ValueRange Carried) {
    return B.Value ? valueWith(B.Value, Loop, Carried) : B.Fixed;
  }
  std::optional<Linear> differenceWith(const Ordered &O,
                                       mlir::scf::WhileOp Loop,
                                       mlir::ValueRange Carried);
  /// How a value that a loop carries changes from one iteration to the next.
  struct Change {
    std::optional<DynamicAPInt> Step;
    bool Grows = false, Shrinks = false;
    /// It grows by so many for each core, if that is not 0.
    DynamicAPInt PerCore = DynamicAPInt(0);
  };
  Change changeOf(mlir::Value Arg, mlir::Value Next);
  Linear cyclic(const Linear &From, const DynamicAPInt &C, const Linear &To);
  Linear carried(const Linear &Init, const Change &Change,
                 std::optional<Linear> Iteration, const Linear &Unknown);
  void addName(std::string Name, const Linear &Expr, bool IsArgument);

  /// What a branch yields may never have been computed: how a loop in it ended
  /// says nothing then.
  struct InBranch {
    explicit InBranch(Terms &T) : T(T) { ++T.Branches; }
    ~InBranch() { --T.Branches; }
    Terms &T;
  };

  Solver &S;
  unsigned Branches = 0;
  llvm::DenseMap<Key, Linear> Memo;
  llvm::SmallVector<Key> Trail;
  llvm::SmallVector<Named> Names;
  llvm::SmallVector<Linear> Congruent;
  llvm::SmallVector<Division, 0> Divisions;
  Linear Index, Count;
  std::string NamePrefix;
  std::set<int64_t> Constants;
  /// For each variable, those that occur in its definition.
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>> Definitions;
};

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_TERMS_H
