//===- op_def.h - Operator definitions --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_REGISTER_OP_DEF_H
#define BELAY_OPHOST_REGISTER_OP_DEF_H

#include "ophost/op_def.h"

#endif // BELAY_OPHOST_REGISTER_OP_DEF_H
