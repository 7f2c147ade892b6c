//===- CheckText.h - The reasons and conditions of verdicts -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_CHECKTEXT_H
#define BELAY_TOOLS_BELAY_CHECKTEXT_H

#include "report/RunReport.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"

namespace belay::tool {

void printNotes(const llvm::Twine &Topic,
                llvm::ArrayRef<support::DiagNote> Notes);

/// Why topics are unknown, and on what they are clean: each once, with the
/// topics that have it. What paths share is not repeated for each of them,
/// unless all is asked for.
void printReasons(llvm::ArrayRef<const report::TopicVerdict *> Of,
                  bool Verbose);

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_CHECKTEXT_H
