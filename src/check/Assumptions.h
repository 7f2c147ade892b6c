//===- Assumptions.h - What a source says of its launches -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `// belay: assume tile * tiles <= total` where a statement may stand: the
// author knows what the host computes. Clang parses the condition as the
// argument of __builtin_assume, in the scope of the comment. It is taken to
// hold from there on, and every topic has it as a condition of the launch:
// whoever launches the kernel can hold the launch against it.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_ASSUMPTIONS_H
#define BELAY_CHECK_ASSUMPTIONS_H

#include "clang/Lex/Preprocessor.h"

namespace belay::check {

/// Makes comments that assume something statements.
class AssumptionComments : public clang::CommentHandler {
public:
  bool HandleComment(clang::Preprocessor &PP,
                     clang::SourceRange Comment) override;
};

} // namespace belay::check

#endif // BELAY_CHECK_ASSUMPTIONS_H
