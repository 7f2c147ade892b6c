// The host side of an operator project: the tiling structure, the function that
// fills it for the shapes at hand, and the operator's definition. It says how
// many blocks to launch; `belay run` asks it for every case.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

#include <algorithm>

namespace optiling {

BEGIN_TILING_DATA_DEF(ScaledMulTilingData)
TILING_DATA_FIELD_DEF(uint64_t, total);
TILING_DATA_FIELD_DEF(uint64_t, perCore);
TILING_DATA_FIELD_DEF(uint32_t, tile);
TILING_DATA_FIELD_DEF(float, alpha);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaledMul, ScaledMulTilingData)

static ge::graphStatus TileScaledMul(gert::TilingContext *context) {
  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  uint64_t ub = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
  bool isHalf = context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT16;
  uint64_t size = isHalf ? 2 : 4;
  uint64_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();

  // Two inputs and an output, two buffers each, whole repeats, half of UB.
  uint64_t tile = ub / 2 / 6 / 256 * 256 / size;
  // No core gets less than a repeat; each one starts at a whole block.
  uint64_t cores = platform.GetCoreNumAiv();
  uint64_t perBlock = 32 / size;
  uint64_t wanted = std::min(cores, (total * size + 255) / 256);
  uint64_t perCore = (total + wanted - 1) / wanted;
  perCore = (perCore + perBlock - 1) / perBlock * perBlock;

  ScaledMulTilingData tiling;
  tiling.set_total(total);
  tiling.set_perCore(perCore);
  tiling.set_tile(std::min(tile, perCore));
  tiling.set_alpha(*context->GetAttrs()->GetFloat(0));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetTilingKey(isHalf ? 1 : 0);
  context->SetBlockDim((total + perCore - 1) / perCore);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

} // namespace optiling

namespace ops {

class ScaledMul : public OpDef {
public:
  explicit ScaledMul(const char *name) : OpDef(name) {
    this->Input("a").ParamType(REQUIRED).DataType(
        {ge::DT_FLOAT, ge::DT_FLOAT16});
    this->Input("b").ParamType(REQUIRED).DataType(
        {ge::DT_FLOAT, ge::DT_FLOAT16});
    this->Output("y").ParamType(REQUIRED).DataType(
        {ge::DT_FLOAT, ge::DT_FLOAT16});
    this->Attr("alpha").AttrType(OPTIONAL).Float(1.0f);
    this->AICore().SetTiling(optiling::TileScaledMul);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(ScaledMul);

} // namespace ops
