//===- Registry.cpp - Operators that a shared object announced ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Registry.h"

using namespace belay::ophost;

Registry &Registry::get() {
  static Registry Only;
  return Only;
}

std::unique_ptr<ops::OpDef> Registry::makeOp(const std::string &Type) const {
  for (const auto &[Name, Make] : Ops)
    if (Name == Type)
      return Make();
  return nullptr;
}

std::string belay::ophost::configName(const std::string &Series) {
  std::string Name = Series;
  for (char &C : Name)
    if (C >= 'A' && C <= 'Z')
      C += 'a' - 'A';
  return Name;
}

static void override(std::vector<ops::OpParamDef> &Params,
                     const std::vector<ops::OpParamDef> &With) {
  for (const ops::OpParamDef &New : With)
    for (ops::OpParamDef &Old : Params)
      if (Old.Name == New.Name) {
        bool Reads = Old.ReadByTiling;
        Old = New;
        Old.ReadByTiling |= Reads;
      }
}

ops::OpDef belay::ophost::configured(const ops::OpDef &Op,
                                     const std::string &Series) {
  ops::OpDef Result = Op;
  auto Config = Op.Core.Configs.find(configName(Series));
  if (Config == Op.Core.Configs.end())
    return Result;
  override(Result.Inputs, Config->second.Inputs);
  override(Result.Outputs, Config->second.Outputs);
  return Result;
}

extern "C" {

__attribute__((visibility("default"))) void
belay_ophost_add_op(const char *Type, MakeOp Make) {
  Registry::get().Ops.emplace_back(Type, Make);
}

__attribute__((visibility("default"))) void
belay_ophost_add_tiling(const char *Name, const char *Class, MakeTiling Make) {
  // A header announces it once for every file that includes it.
  for (const AnnouncedTiling &Known : Registry::get().Tilings)
    if (Known.Name == Name && Known.Class == Class)
      return;
  Registry::get().Tilings.push_back({Name, Class, Make});
}

__attribute__((visibility("default"))) Functions *
belay_ophost_functions(const char *Type) {
  return &Registry::get().ByType[Type];
}

__attribute__((visibility("default"))) const Platform *belay_ophost_platform() {
  return &Registry::get().Target;
}
}
