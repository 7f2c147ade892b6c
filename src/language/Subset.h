//===- Subset.h - What C++ a kernel may use ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LANGUAGE_SUBSET_H
#define BELAY_LANGUAGE_SUBSET_H

#include "language/Reporter.h"
#include "clang/AST/Decl.h"

namespace belay::language {

/// Reports what a function uses that kernels have not (pointers, goto, narrow
/// indices, ...) and tiles that are used after they were moved; true if there
/// is nothing of the kind. What it does not know, the lowering refuses.
bool checkSubset(const clang::FunctionDecl *Function, clang::ASTContext &AST,
                 Reporter &Report);

/// Moves.cpp: tiles that are used after they were moved, on some path.
void checkMoves(const clang::FunctionDecl *Function, Reporter &Report);

} // namespace belay::language

#endif // BELAY_LANGUAGE_SUBSET_H
