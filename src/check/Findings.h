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

namespace clang {
class Expr;
} // namespace clang

namespace belay::check {

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
  /// Whether N is zero, if that was chosen before on this path.
  std::optional<bool> zero(const Number &N);
  /// How many choices were made so far.
  size_t choices() const { return Trail.size(); }
  void endPath();

  // --- mistakes -------------------------------------------------------------
  /// A mistake, seen after the first Choices of the path. About: numbers of the
  /// launch that it takes particular values of. Since: choices before that are
  /// no condition of it.
  void add(support::Diagnostic D, size_t Choices, const Number &About,
           size_t Since = 0);
  void add(support::Diagnostic D) { add(std::move(D), 0, {}); }
  /// Splits them into findings and doubts.
  void settle(KernelReport &Out);

private:
  struct Choice {
    Literal Is;
    bool Loop; ///< A loop went on, or ended.
    bool operator<(const Choice &Other) const { return Is < Other.Is; }
  };
  using Choices = llvm::SmallVector<Choice, 8>;
  struct Atom {
    enum class Kind : uint8_t { NotNegative, Zero, Free } What;
    Number About;
  };
  struct Mistake {
    support::Diagnostic What;
    Number About;
    std::vector<Choices> Seen;
    /// Only on paths of tiling keys that the kernel does not ask for.
    std::vector<size_t> OfThisPath;
    bool Unkeyed = false;
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

  Symbols &Names;
  std::vector<Atom> Atoms;
  struct Hash {
    size_t operator()(const Number &N) const { return N.hash(); }
  };
  std::unordered_map<Number, Literal, Hash> NotNegative, Zeros;
  std::map<std::pair<const clang::Expr *, unsigned>, Literal> FreeOnes;
  std::map<const clang::Expr *, unsigned> FreeOnPath;
  std::vector<Choice> Trail;
  std::vector<Mistake> Mistakes;
  bool KeyRequested = false, KeyFound = false;
};

} // namespace belay::check

#endif // BELAY_CHECK_FINDINGS_H
