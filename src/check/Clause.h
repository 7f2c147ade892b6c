//===- Clause.h - Clauses of a report as JSON -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_CLAUSE_H
#define BELAY_CHECK_CLAUSE_H

#include "conditions/Clause.h"
#include "llvm/Support/JSON.h"

namespace belay::check {

using conditions::Answer;
using conditions::Clause;
using conditions::LaunchNumber;
using conditions::Polynomial;

llvm::json::Value toJson(const Clause &C);
std::optional<Clause> clauseOf(const llvm::json::Object *O);
llvm::json::Value toJson(const LaunchNumber &N);
std::optional<LaunchNumber> launchNumberOf(const llvm::json::Object *O);

} // namespace belay::check

#endif // BELAY_CHECK_CLAUSE_H
