//===- op_impl_registry.h - Operator functions ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_REGISTER_OP_IMPL_REGISTRY_H
#define BELAY_OPHOST_REGISTER_OP_IMPL_REGISTRY_H

#include "ophost/op_impl.h"

// The vendor's headers bring these along, and operators rely on it.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#endif // BELAY_OPHOST_REGISTER_OP_IMPL_REGISTRY_H
