// What scale.cpp does, one element at a time, on the scalar unit.
#include "kernel_operator.h"

struct ScaleTiling {
  uint32_t length;
  uint32_t tile;
  float scale;
  int32_t dims[2];
};

extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y,
                                            GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(ScaleTiling, data, tiling);
  AscendC::GlobalTensor<float> xGm, yGm;
  uint32_t perCore = data.length / AscendC::GetBlockNum();
  uint32_t start = perCore * AscendC::GetBlockIdx();
  xGm.SetGlobalBuffer((__gm__ float *)x + start, perCore);
  yGm.SetGlobalBuffer((__gm__ float *)y + start, perCore);
  for (uint32_t at = 0; at < perCore; ++at)
    yGm.SetValue(at, xGm.GetValue(at) * data.scale);
}
