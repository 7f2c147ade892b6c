// y = x * scale over float, with a tiling structure: for the tests of belay
// run.
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
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::QuePosition::VECIN, 2> in;
  AscendC::TQue<AscendC::QuePosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, data.tile * sizeof(float));
  pipe.InitBuffer(out, 2, data.tile * sizeof(float));
  for (uint32_t at = 0; at < perCore; at += data.tile) {
    AscendC::LocalTensor<float> a = in.AllocTensor<float>();
    AscendC::DataCopy(a, xGm[at], data.tile);
    in.EnQue(a);
    a = in.DeQue<float>();
    AscendC::LocalTensor<float> b = out.AllocTensor<float>();
    AscendC::Muls(b, a, data.scale, data.tile);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    AscendC::DataCopy(yGm[at], b, data.tile);
    out.FreeTensor(b);
  }
}
