#include "kernel_operator.h"
using namespace AscendC;

struct Plan {
  uint32_t length;
};

extern "C" __global__ __aicore__ void
negate(GM_ADDR x, GM_ADDR z, GM_ADDR tiling, GM_ADDR workspace) {
  GET_TILING_DATA_WITH_STRUCT(Plan, plan, tiling); // site
  uint32_t n = plan.length;
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, n * sizeof(float));
  pipe.InitBuffer(out, 1, n * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  zGm.SetGlobalBuffer((__gm__ float *)z, n);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, n);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Muls(b, a, -1.0f, n);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, n);
  out.FreeTensor(b);
}
