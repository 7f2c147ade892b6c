//===- SourceText.h - The source in what a model says -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_GENERATE_SOURCETEXT_H
#define BELAY_GENERATE_SOURCETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace belay::generate {

struct SourceText {
  std::string Text;
  /// Why there is none; "" if there is one.
  std::string WhyNot;
};

/// The last fenced block that has a kernel in it, or the only one there is, or
/// an answer that is nothing but a source. What a model thinks aloud before is
/// left out. A block that has no end counts only if the model has come to its
/// own end (\p IsWhole).
SourceText sourceIn(llvm::StringRef Answer, bool IsWhole);

} // namespace belay::generate

#endif // BELAY_GENERATE_SOURCETEXT_H
