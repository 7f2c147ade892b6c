// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two operators on lists of tensors: x := x + by, in place, and the sums of
// all tensors. `by` is read by the host. Accumulate changes an input in place
// and adds to what its output holds; Positive computes how large its output is.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ListTilingData)
TILING_DATA_FIELD_DEF(int32_t, count);
TILING_DATA_FIELD_DEF(float, by);
TILING_DATA_FIELD_DEF_ARR(int64_t, 8, sizes);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(AddInPlace, ListTilingData)
REGISTER_TILING_DATA_CLASS(SumList, ListTilingData)
REGISTER_TILING_DATA_CLASS(Accumulate, ListTilingData)
REGISTER_TILING_DATA_CLASS(Positive, ListTilingData)

static ge::graphStatus tile(gert::TilingContext *context) {
  ListTilingData tiling;
  int64_t sizes[8] = {};
  int32_t count = 0;
  while (const gert::Tensor *tensor = context->GetDynamicInputTensor(0, count))
    sizes[count++] = tensor->GetShapeSize();
  tiling.set_count(count);
  tiling.set_sizes(sizes);
  if (const gert::Tensor *by = context->GetRequiredInputTensor(1))
    tiling.set_by(by->GetData<float>()[0]);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus tileOutputs(gert::TilingContext *context) {
  ListTilingData tiling;
  tiling.set_count(
      context->GetOutputShape(0)->GetStorageShape().GetShapeSize());
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus crash(gert::TilingContext *context) {
  volatile const int64_t *nowhere = nullptr;
  return static_cast<ge::graphStatus>(*nowhere);
}
static ge::graphStatus forget(gert::TilingContext *) {
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class AddInPlace : public OpDef {
public:
  explicit AddInPlace(const char *name) : OpDef(name) {
    this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_FLOAT});
    this->Input("by")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .ValueDepend(REQUIRED);
    this->Output("x").ParamType(DYNAMIC).DataType({ge::DT_FLOAT});
    this->AICore().SetTiling(optiling::tile);
  }
};
class SumList : public OpDef {
public:
  explicit SumList(const char *name) : OpDef(name) {
    this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_FLOAT});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->AICore().SetTiling(optiling::tile);
  }
};
class Accumulate : public OpDef {
public:
  explicit Accumulate(const char *name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Input("state").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Output("state").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Output("history").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->AICore().SetTiling(optiling::tileOutputs);
  }
};
class Positive : public OpDef {
public:
  explicit Positive(const char *name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .OutputShapeDependOnCompute();
    this->AICore().SetTiling(optiling::tileOutputs);
  }
};
class Crash : public OpDef {
public:
  explicit Crash(const char *name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->AICore().SetTiling(optiling::crash);
  }
};
class Forget : public OpDef {
public:
  explicit Forget(const char *name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->AICore().SetTiling(optiling::forget);
  }
};
OP_ADD(AddInPlace);
OP_ADD(SumList);
OP_ADD(Accumulate);
OP_ADD(Positive);
OP_ADD(Crash);
OP_ADD(Forget);
} // namespace ops
