//===- ge_error_codes.h - Status --------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_GRAPH_GE_ERROR_CODES_H
#define BELAY_OPHOST_GRAPH_GE_ERROR_CODES_H

#include "ophost/types.h"

#endif // BELAY_OPHOST_GRAPH_GE_ERROR_CODES_H
