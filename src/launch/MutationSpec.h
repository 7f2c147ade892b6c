//===- MutationSpec.h - What --mutate says ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_MUTATIONSPEC_H
#define BELAY_LAUNCH_MUTATIONSPEC_H

#include "abi/Launch.h"
#include "llvm/Support/Error.h"

namespace belay::launch {

/// HOW@PLACE,...: drop, skip, event:MTE2_V, id:3 or pipe:V, at the places that
/// a trace calls "pc".
llvm::Expected<sim::Mutation> parseMutation(llvm::StringRef Text);

} // namespace belay::launch

#endif // BELAY_LAUNCH_MUTATIONSPEC_H
