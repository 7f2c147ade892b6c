//===- Visited.h - States that paths have in common -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a kernel has more paths than are followed, it is followed once more so
// that a path ends at the head of a loop where another one has been in the same
// state: all that can follow is followed there. A state is a text of all that
// is left to read: variables, queues, flags, accesses that may still race.
// Numbers that a path has made for itself are called by the order in which they
// appear, so that two paths have the same text. What a path knows only of
// numbers that nothing holds any more it forgets at each head; what it knows of
// others, the path that ends there has to know as well. What is decided by the
// launch is never forgotten: conditions name the launches of a path.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_VISITED_H
#define BELAY_CHECK_VISITED_H

#include "check/Findings.h"
#include "check/Number.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class Stmt;
} // namespace clang

namespace belay::check {

/// Calls numbers by the order in which they appear in a text.
class Naming {
public:
  /// Contents: how often a memory has been written by now.
  Naming(const Symbols &Names, llvm::function_ref<unsigned(uint32_t)> Contents)
      : Names(Names), Contents(Contents) {}

  std::string text(const Number &N);
  /// Of an access: all iterations of a loop are called alike, and so are
  /// numbers that nothing else holds.
  std::string alike(const Number &N) const;
  llvm::ArrayRef<SymbolId> called() const { return Called; }
  /// Whether all launches give S one value.
  bool isOfLaunch(SymbolId S) const;
  /// Whether S is of the launch or has a name; or is an iteration, if these are
  /// meant, too. Of others that can be read or computed again, what is known is
  /// forgotten.
  bool isLive(SymbolId S, bool Iterations = false) const;
  bool isLive(const Number &N, bool Iterations = false) const;
  /// N with numbers of no path in the place of those that have names; nothing
  /// if it has others that are not of the launch.
  std::optional<Number> withSlots(const Number &N, Symbols &In) const;
  /// The reverse, with the numbers of this path.
  std::optional<Number> withoutSlots(const Number &N, Symbols &In) const;

private:
  std::string nameOf(SymbolId S);
  std::string shapeOf(SymbolId S) const;
  std::string definitionOf(SymbolId S);
  static SymbolId slot(size_t N, Symbols &In);

  const Symbols &Names;
  llvm::function_ref<unsigned(uint32_t)> Contents;
  std::vector<SymbolId> Called;
  llvm::DenseMap<SymbolId, unsigned> Numbers;
};

/// A state from which a path went on.
struct VisitedState {
  /// Who knows what of accesses that may still race; see States.cpp.
  std::map<std::string, std::set<std::string>> Pending;
  /// What is not negative, in slots, and what the path has chosen and assumed.
  std::vector<Number> Known;
  /// The same of iterations that only accesses are of.
  std::set<std::string> OfIterations;
  Findings::PathState Chosen;
};

} // namespace belay::check

#endif // BELAY_CHECK_VISITED_H
