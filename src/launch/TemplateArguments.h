//===- TemplateArguments.h - Instances that arguments decide ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_TEMPLATEARGUMENTS_H
#define BELAY_LAUNCH_TEMPLATEARGUMENTS_H

#include "cases/Case.h"

namespace belay::launch {

/// The kernel of the language that a case means, with the template arguments
/// that follow from the types and extents of its tensors: softmax<1024> for
/// softmax, or for the only kernel of a source. What names an instance, is no
/// template, or is not understood stays as it is.
llvm::Expected<std::string> deduceKernel(const cases::Case &Case);

} // namespace belay::launch

#endif // BELAY_LAUNCH_TEMPLATEARGUMENTS_H
