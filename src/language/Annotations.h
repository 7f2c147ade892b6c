//===- Annotations.h - What kernel.h says of its functions ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LANGUAGE_ANNOTATIONS_H
#define BELAY_LANGUAGE_ANNOTATIONS_H

#include "clang/AST/Decl.h"

namespace belay::language {

/// What [[belay::kernel]] becomes.
inline constexpr llvm::StringLiteral KernelAnnotation = "belay.kernel";

bool isKernel(const clang::FunctionDecl *Function);

/// "load" for a function that is marked BELAY_OP("load"); "" for others.
llvm::StringRef getOperation(const clang::Decl *Function);

/// Whether a declaration is one of belay/kernel.h.
bool isOurs(const clang::Decl *Declaration);

/// The class template of kernel.h that a type is an instance of ("Tile"), or
/// the class ("half"); "" for others.
llvm::StringRef getOurClass(clang::QualType Type);

/// The arguments of a class template, packs flattened.
llvm::SmallVector<clang::TemplateArgument, 6>
getTemplateArgs(clang::QualType Type);

} // namespace belay::language

#endif // BELAY_LANGUAGE_ANNOTATIONS_H
