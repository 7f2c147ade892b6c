#include "kernel_operator.h"
using namespace AscendC;

struct BasicTiling {
  uint32_t length;
  uint32_t factor;
};
struct FusedTiling {
  uint32_t length;
  uint32_t factor;
  uint64_t biasOffset[16];
};

extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR z,
                                            GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(FusedTiling, plan, tiling); // site
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, plan.length * sizeof(float));
  pipe.InitBuffer(out, 1, plan.length * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, plan.length);
  zGm.SetGlobalBuffer((__gm__ float *)z, plan.length);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, plan.length);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Muls(b, a, float(plan.factor), plan.length);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, plan.length);
  out.FreeTensor(b);
}
