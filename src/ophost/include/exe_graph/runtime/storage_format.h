//===- storage_format.h - Shapes --------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H
#define BELAY_OPHOST_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H

#include "ophost/shape.h"

#endif // BELAY_OPHOST_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H
