//===- Registry.h - Operators that a shared object announced ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_PROGRAM_REGISTRY_H
#define BELAY_OPHOST_PROGRAM_REGISTRY_H

#include "ophost/op_def.h"
#include "ophost/tiling_data.h"

namespace belay::ophost {

struct AnnouncedTiling {
  /// The operator's type, or that with _<tiling key>, or <Class>Op for a
  /// structure that is part of another.
  std::string Name;
  std::string Class;
  MakeTiling Make;
};

/// Filled by static constructors while the operator's object is loaded.
struct Registry {
  std::vector<std::pair<std::string, MakeOp>> Ops;
  std::vector<AnnouncedTiling> Tilings;
  std::map<std::string, Functions> ByType;
  Platform Target;

  static Registry &get();
  std::unique_ptr<ops::OpDef> makeOp(const std::string &Type) const;
};

/// The definition as one target has it.
ops::OpDef configured(const ops::OpDef &Op, const std::string &Series);

/// "ascend910b" for "Ascend910B".
std::string configName(const std::string &Series);

} // namespace belay::ophost

#endif // BELAY_OPHOST_PROGRAM_REGISTRY_H
