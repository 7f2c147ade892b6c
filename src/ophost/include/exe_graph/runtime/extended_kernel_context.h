//===- extended_kernel_context.h - Calls ------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H
#define BELAY_OPHOST_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H

#include "ophost/context.h"

#endif // BELAY_OPHOST_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H
