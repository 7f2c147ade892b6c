//===- Linear.cpp - Linear expressions over integer variables -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Linear.h"

#include "llvm/ADT/STLExtras.h"

using namespace belay::analysis;
using namespace llvm;

Linear Linear::variable(unsigned Index) {
  Linear Result;
  Result.Terms.push_back({Index, DynamicAPInt(1)});
  return Result;
}

DynamicAPInt Linear::factorOf(unsigned Variable) const {
  for (const Term &T : Terms)
    if (T.Variable == Variable)
      return T.Factor;
  return DynamicAPInt(0);
}

std::optional<unsigned> Linear::asVariable() const {
  if (Terms.size() == 1 && Terms[0].Factor == 1 && Constant == 0)
    return Terms[0].Variable;
  return std::nullopt;
}

Linear &Linear::operator+=(const Linear &Other) {
  SmallVector<Term, 2> Sum;
  auto A = Terms.begin();
  auto B = Other.Terms.begin();
  while (A != Terms.end() || B != Other.Terms.end()) {
    if (B == Other.Terms.end() ||
        (A != Terms.end() && A->Variable < B->Variable)) {
      Sum.push_back(*A++);
    } else if (A == Terms.end() || B->Variable < A->Variable) {
      Sum.push_back(*B++);
    } else {
      DynamicAPInt Factor = A->Factor + B->Factor;
      if (Factor != 0)
        Sum.push_back({A->Variable, Factor});
      ++A, ++B;
    }
  }
  Terms = std::move(Sum);
  Constant += Other.Constant;
  return *this;
}

Linear &Linear::operator*=(const DynamicAPInt &Factor) {
  Constant *= Factor;
  if (Factor == 0)
    Terms.clear();
  for (Term &T : Terms)
    T.Factor *= Factor;
  return *this;
}

bool Linear::operator==(const Linear &Other) const {
  return Constant == Other.Constant && Terms.size() == Other.Terms.size() &&
         all_of(zip_equal(Terms, Other.Terms), [](auto Pair) {
           auto &[A, B] = Pair;
           return A.Variable == B.Variable && A.Factor == B.Factor;
         });
}

Choice belay::analysis::negate(const Conjunction &Facts) {
  Choice Result;
  for (const Linear &Fact : Facts)
    Result.push_back({negate(Fact)});
  return Result;
}

Choice belay::analysis::conjoin(const Choice &A, const Choice &B) {
  // More alternatives than this are no longer searched in reasonable time.
  constexpr size_t Most = 32;
  if (A.size() * B.size() > Most)
    return A;
  Choice Result;
  for (const Conjunction &Left : A)
    for (const Conjunction &Right : B) {
      Result.push_back(Left);
      Result.back().append(Right);
    }
  return Result;
}
