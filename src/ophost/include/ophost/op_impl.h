//===- op_impl.h - Functions announced beside the definition ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_OP_IMPL_H
#define BELAY_OPHOST_OP_IMPL_H

#include "ophost/registry.h"

namespace gert {

/// IMPL_OP_OPTILING(Name).Tiling(F).TilingParse<Info>(G) and its like.
class OpImplRegisterV2 {
public:
  explicit OpImplRegisterV2(const char *Type)
      : To(belay_ophost_functions(Type)) {}

  OpImplRegisterV2 &Tiling(belay::ophost::TilingFunction F,
                           size_t /*MaxTilingBytes*/ = 0) {
    To->Tiling = F;
    return *this;
  }
  template <typename Info>
  OpImplRegisterV2 &TilingParse(belay::ophost::TilingParseFunction F) {
    To->TilingParse = F;
    To->NewCompileInfo = [] { return static_cast<void *>(new Info()); };
    return *this;
  }
  OpImplRegisterV2 &InferShape(belay::ophost::InferShapeFunction F) {
    To->InferShape = F;
    return *this;
  }
  OpImplRegisterV2 &
  InferShapeRange(ge::graphStatus (*)(InferShapeRangeContext *)) {
    return *this;
  }
  OpImplRegisterV2 &InferDataType(belay::ophost::InferTypeFunction F) {
    To->InferDataType = F;
    return *this;
  }
  OpImplRegisterV2 &InputsDataDependency(std::initializer_list<int32_t>) {
    return *this;
  }
  OpImplRegisterV2 &
  TilingInputsDataDependency(std::initializer_list<int32_t> Inputs) {
    for (int32_t Input : Inputs)
      To->TilingInputValues.push_back(static_cast<size_t>(Input));
    return *this;
  }

private:
  belay::ophost::Functions *To;
};
using OpImplRegister = OpImplRegisterV2;

} // namespace gert

#define BELAY_IMPL_OP(Kind, Type)                                              \
  [[maybe_unused]] static gert::OpImplRegisterV2 belayImpl##Kind##Type =       \
      gert::OpImplRegisterV2(#Type)
#define IMPL_OP(Type) BELAY_IMPL_OP(Op, Type)
#define IMPL_OP_OPTILING(Type) BELAY_IMPL_OP(Tiling, Type)
#define IMPL_OP_INFERSHAPE(Type) BELAY_IMPL_OP(InferShape, Type)
#define IMPL_OP_INFER_SHAPE(Type) BELAY_IMPL_OP(InferShape, Type)
#define DEVICE_IMPL_OP_OPTILING(Type) BELAY_IMPL_OP(DeviceTiling, Type)

#endif // BELAY_OPHOST_OP_IMPL_H
