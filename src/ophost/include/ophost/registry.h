//===- registry.h - What a loaded operator announces ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_REGISTRY_H
#define BELAY_OPHOST_REGISTRY_H

#include "ophost/context.h"

#include <memory>

namespace optiling {
class TilingDef;
} // namespace optiling
namespace ops {
class OpDef;
} // namespace ops

namespace belay::ophost {

using TilingFunction = ge::graphStatus (*)(gert::TilingContext *);
using TilingParseFunction = ge::graphStatus (*)(gert::TilingParseContext *);
using InferShapeFunction = ge::graphStatus (*)(gert::InferShapeContext *);
using InferTypeFunction = ge::graphStatus (*)(gert::InferDataTypeContext *);

/// The functions of one operator; a null one was not announced.
struct Functions {
  TilingFunction Tiling = nullptr;
  TilingParseFunction TilingParse = nullptr;
  /// Makes and frees what TilingParse fills.
  void *(*NewCompileInfo)() = nullptr;
  InferShapeFunction InferShape = nullptr;
  InferTypeFunction InferDataType = nullptr;
  /// Inputs whose values the tiling function reads.
  std::vector<size_t> TilingInputValues;
};

using MakeOp = std::unique_ptr<ops::OpDef> (*)();
using MakeTiling = std::unique_ptr<optiling::TilingDef> (*)();

} // namespace belay::ophost

// Static constructors of the operator's shared object call these; the process
// that loads it has them.
extern "C" {
void belay_ophost_add_op(const char *Type, belay::ophost::MakeOp Make);
/// Null in a program that has its kernels and its tiling in one file: nobody
/// asks for the layout there.
[[gnu::weak]] void belay_ophost_add_tiling(const char *Name, const char *Class,
                                           belay::ophost::MakeTiling Make);
/// The entry of an operator, made on first use.
belay::ophost::Functions *belay_ophost_functions(const char *Type);
}

#endif // BELAY_OPHOST_REGISTRY_H
