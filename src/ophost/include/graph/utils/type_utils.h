//===- type_utils.h - Names and sizes of types ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_GRAPH_UTILS_TYPE_UTILS_H
#define BELAY_OPHOST_GRAPH_UTILS_TYPE_UTILS_H

#include "ophost/type_names.h"

#endif // BELAY_OPHOST_GRAPH_UTILS_TYPE_UTILS_H
