//===- tiling_context.h - Tiling --------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H
#define BELAY_OPHOST_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H

#include "ophost/context.h"

#endif // BELAY_OPHOST_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H
