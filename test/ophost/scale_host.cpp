// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// y = alpha * x + bias, with an optional bias; the tiling key says whether
// there is one.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(Piece)
TILING_DATA_FIELD_DEF(uint8_t, flag);
TILING_DATA_FIELD_DEF(uint32_t, total);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PieceOp, Piece)

// Fields of falling and rising alignment, so that padding matters.
BEGIN_TILING_DATA_DEF(ScaleTilingData)
TILING_DATA_FIELD_DEF(uint8_t, first);
TILING_DATA_FIELD_DEF(float, alpha);
TILING_DATA_FIELD_DEF(uint16_t, second);
TILING_DATA_FIELD_DEF(int64_t, perBlock);
TILING_DATA_FIELD_DEF_ARR(int32_t, 3, dims);
TILING_DATA_FIELD_DEF_STRUCT(Piece, piece);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Scale, ScaleTilingData)

struct ScaleCompileInfo {
  uint32_t cores = 0;
};

static ge::graphStatus parse(gert::TilingParseContext *context) {
  auto *info = context->GetCompiledInfo<ScaleCompileInfo>();
  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  info->cores = platform.GetCoreNumAiv();
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus tile(gert::TilingContext *context) {
  const gert::Shape &shape = context->GetInputShape(0)->GetStorageShape();
  int64_t total = shape.GetShapeSize();
  if (shape.GetDimNum() > 3) {
    std::fprintf(stderr, "scale knows at most 3 dimensions\n");
    return ge::GRAPH_FAILED;
  }
  auto *info = static_cast<const ScaleCompileInfo *>(context->GetCompileInfo());
  uint32_t blocks =
      static_cast<uint32_t>(std::min<int64_t>(info->cores, (total + 63) / 64));
  ScaleTilingData tiling;
  tiling.set_first(0xA5);
  tiling.set_second(0xBEEF);
  tiling.set_alpha(*context->GetAttrs()->GetFloat(0));
  tiling.set_perBlock((total + blocks - 1) / blocks);
  int32_t dims[3] = {-1, -1, -1};
  for (size_t i = 0; i < shape.GetDimNum(); ++i)
    dims[i] = static_cast<int32_t>(shape.GetDim(i));
  tiling.set_dims(dims);
  tiling.piece.set_flag(7);
  tiling.piece.set_total(static_cast<uint32_t>(total));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(blocks);
  context->SetTilingKey(context->GetOptionalInputTensor(1) ? 1 : 0);
  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + 4096;
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(Scale).Tiling(tile).TilingParse<ScaleCompileInfo>(parse);

} // namespace optiling

namespace ops {
class Scale : public OpDef {
public:
  explicit Scale(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("bias")
        .ParamType(OPTIONAL)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("alpha").AttrType(OPTIONAL).Float(2.0);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(Scale);
} // namespace ops
