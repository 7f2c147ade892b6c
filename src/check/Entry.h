//===- Entry.h - Rules for entry points -------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_ENTRY_H
#define BELAY_CHECK_ENTRY_H

#include "clang/AST/Decl.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace belay::check {

struct KernelState;

/// Whether a function carries a mark of the AscendC headers: "global".
bool isMarked(const clang::FunctionDecl *Function, llvm::StringRef Mark);

/// Whether a function is meant to be started by the host: it is marked
/// __global__, or it is __aicore__, extern "C", and takes only what a launch
/// passes.
bool isEntry(const clang::FunctionDecl *Function);

void checkEntry(clang::ASTContext &AST, KernelState &Kernel,
                const clang::FunctionDecl *Entry);

} // namespace belay::check

#endif // BELAY_CHECK_ENTRY_H
