//===- Findings.h - On which launches a mistake shows -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mistake is seen on a path, and a path is a list of choices that the launch
// makes. Findings are decided after all paths have been explored: choices that
// make no difference to it are dropped, and what remains is what a launch needs
// to show it. Numbers that the host computes from one another look independent
// to the kernel; a mistake that needs several of them at once is not a finding
// but a question to the host, with the condition under which it is safe.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_FINDINGS_H
#define BELAY_CHECK_FINDINGS_H

#include "check/Number.h"
#include "check/Report.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <set>

namespace clang {
class Expr;
} // namespace clang

namespace belay::check {

class Naming;

/// A condition that some launches meet and others do not, and its answer:
/// twice the number of the condition, and one if the answer is no.
using Literal = uint32_t;

class Findings {
public:
  explicit Findings(Symbols &Names) : Names(Names) {}

  // --- the path that is followed --------------------------------------------
  void startPath();
  /// From here on, N is not negative; is zero, or is not; or something that
  /// cannot be followed is decided one way.
  void chose(const Number &N, bool Loop);
  void choseZero(const Number &N, bool Zero);
  void choseFreely(const clang::Expr *At, bool Taken, bool Loop);
  /// Whether AscendC asks what is chosen next, not the kernel: a mask has more
  /// than 64 lanes, or it has not.
  bool AskedByApi = false;
  /// Whether N is zero, if that was chosen before on this path.
  std::optional<bool> zero(const Number &N);
  /// From here on, only of what the launch decides.
  void forgetData() { Forgotten = Trail.size(); }
  /// How many choices were made so far.
  size_t choices() const { return Trail.size(); }
  void endPath();

  // --- states that paths have in common (Visited.cpp) -----------------------
  struct PathState;
  /// What the path has chosen and assumed of numbers that something still
  /// holds; nothing if that cannot be told.
  std::optional<PathState> pathState(const Naming &Of, Symbols &In) const;
  /// Whether a path in the state Now may end where one in the state Old went
  /// on.
  bool covers(const PathState &Old, const PathState &Now, const Naming &Of,
              const Facts &Known);

  // --- mistakes -------------------------------------------------------------
  /// Numbers of the launch that a mistake takes particular values of. Decides:
  /// where this is not negative, there is no mistake.
  struct Concern {
    Number About;
    bool Decides = false;
    Concern(Number About = {}, bool Decides = false)
        : About(std::move(About)), Decides(Decides) {}
  };
  /// A mistake, seen after the first Choices of the path. Since: choices before
  /// that are no condition of it.
  void add(support::Diagnostic D, size_t Choices, const Concern &Of,
           size_t Since = 0);
  void add(support::Diagnostic D) { add(std::move(D), 0, {}); }
  /// Splits them into findings and doubts.
  void settle(KernelReport &Out);

  // --- obligations that the launch decides (Clauses.cpp) --------------------
  struct Requirement {
    Clause::Atom::Kind Is;
    Number About;
    int64_t Of = 1;
    bool operator==(const Requirement &) const = default;
  };
  /// From here on this path takes N to be not negative without having shown it:
  /// clauses ask for that too. False if no clause of Overflow can.
  bool assumed(const Number &N, const support::SourcePlace &Where);
  /// From here on N is not negative, as the source says; each topic asks for
  /// that by itself.
  void stated(const Number &N) { Stated.push_back(N); }
  /// On this path, one of these has to hold for the topic to be clean. False if
  /// a launch does not have the numbers, or there are too many of them.
  bool require(Topic T, const support::SourcePlace &Where,
               const llvm::Twine &Why, llvm::ArrayRef<Requirement> Any);
  struct PathState {
    struct Choice {
      bool OfZero, Yes;
      Number About;
    };
    std::vector<Choice> Chosen;
    std::vector<Number> Assumed;
    std::vector<Requirement> Empty;
  };
  /// It turned out that N, which had to be not negative, need not be.
  void withdraw(Topic T, const support::SourcePlace &Where, const Number &N);
  /// A loop of the launch runs no iteration on this path: in launches that meet
  /// this it does.
  void ranEmpty(const Requirement &Runs) { Empty.push_back(Runs); }
  llvm::ArrayRef<Requirement> emptyLoops() const { return Empty; }
  /// Makes them clauses. Changed: arguments whose fields are no longer those of
  /// the launch. OneBlockIndex: GetBlockIdx() counts the blocks of the launch,
  /// not halves of them. Short: without those that others imply.
  void settleClauses(KernelReport &Out, const std::set<unsigned> &Changed,
                     bool OneBlockIndex, bool Short);

private:
  struct Choice {
    Literal Is;
    bool Loop;  ///< A loop went on, or ended.
    bool ByApi; ///< The kernel does not ask for it by itself.
    bool operator<(const Choice &Other) const { return Is < Other.Is; }
  };
  using Choices = llvm::SmallVector<Choice, 8>;
  struct Atom {
    enum class Kind : uint8_t { NotNegative, Zero, Free } What;
    Number About;
  };
  struct Mistake {
    support::Diagnostic What;
    Concern Of;
    std::vector<Choices> Seen;
    /// Only on paths of tiling keys that the kernel does not ask for.
    std::vector<size_t> OfThisPath;
    bool Unkeyed = false;
    /// Seen on more paths than are remembered.
    bool OnMore = false;
  };

  struct Obligation {
    Topic Of;
    support::SourcePlace Where;
    std::string Why;
    llvm::SmallVector<Requirement, 2> Any;
    /// The paths on which it has to hold.
    std::vector<Choices> Seen;
    std::vector<size_t> OfThisPath;
    /// Where it does not hold, the kernel is wrong: the first to be shown.
    bool Mistaken = false;
  };

  Literal literal(Atom::Kind What, const Number &N);
  bool ordinary(const Choice &C) const;
  bool farFetched(const Choice &C) const;
  static constexpr unsigned TooMany = ~0U;
  void push(Literal L, bool Loop);
  static void simplify(std::vector<Choices> &Seen);
  unsigned conditionsOf(const Choices &When, const Mistake &M) const;
  void basesOf(const Number &N, llvm::SmallVectorImpl<SymbolId> &Bases) const;
  std::string textOf(const Choices &When) const;
  std::string textOf(Literal L) const;
  struct ClauseParts;
  bool requireNotBelowZero(Topic T, const Number &N,
                           const support::SourcePlace &Where);
  bool addObligation(Topic T, const support::SourcePlace &Where,
                     const llvm::Twine &Why, llvm::ArrayRef<Requirement> Any);
  std::optional<Requirement> negationOf(Literal L) const;
  bool implies(const ClauseParts &A, const ClauseParts &B) const;
  std::string textOf(const ClauseParts &C) const;

  Symbols &Names;
  std::vector<Atom> Atoms;
  struct Hash {
    size_t operator()(const Number &N) const { return N.hash(); }
  };
  std::unordered_map<Number, Literal, Hash> NotNegative, Zeros;
  std::map<std::pair<const clang::Expr *, unsigned>, Literal> FreeOnes;
  std::map<const clang::Expr *, unsigned> FreeOnPath;
  std::vector<Choice> Trail;
  size_t Forgotten = 0;
  std::vector<Mistake> Mistakes;
  std::vector<Obligation> Obligations;
  std::vector<std::pair<Number, support::SourcePlace>> Assumed;
  std::vector<Number> Stated;
  std::vector<Requirement> Empty;
  bool KeyRequested = false, KeyFound = false;
};

} // namespace belay::check

#endif // BELAY_CHECK_FINDINGS_H
