//===- Server.h - A language server for kernels ---------------------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `belay lsp`: what the check and the proof say, while a kernel is written. The
// protocol and its transport are LLVM's (llvm/Support/LSP); the texts are read
// by child processes, as everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LSP_SERVER_H
#define BELAY_LSP_SERVER_H

#include "lsp/Analyser.h"
#include <cstdio>

namespace belay::lsp {

/// Speaks with an editor until it says goodbye or goes. Whether it said goodbye
/// as the protocol wants it; an error if no kernel can be checked at all.
llvm::Expected<bool> serve(const Settings &Options, std::FILE *In,
                           llvm::raw_ostream &Out, llvm::StringRef Version);

} // namespace belay::lsp

#endif // BELAY_LSP_SERVER_H
