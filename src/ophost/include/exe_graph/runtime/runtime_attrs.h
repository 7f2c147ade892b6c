//===- runtime_attrs.h - Attributes -----------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H
#define BELAY_OPHOST_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H

#include "ophost/attrs.h"

#endif // BELAY_OPHOST_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H
