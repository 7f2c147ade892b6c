//===- types.h - Types ------------------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_GRAPH_TYPES_H
#define BELAY_OPHOST_GRAPH_TYPES_H

#include "ophost/types.h"

#endif // BELAY_OPHOST_GRAPH_TYPES_H
