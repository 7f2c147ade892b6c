//===- op_def_registry.h - Operator definitions -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_REGISTER_OP_DEF_REGISTRY_H
#define BELAY_OPHOST_REGISTER_OP_DEF_REGISTRY_H

#include "ophost/op_def.h"
#include "ophost/tiling_data.h"
#include "ophost/type_names.h"

// The vendor's headers bring these along, and operators rely on it.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#endif // BELAY_OPHOST_REGISTER_OP_DEF_REGISTRY_H
