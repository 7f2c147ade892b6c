#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t AXES = 3;
constexpr int32_t TILE = 192;

// Points of three coordinates; a core starts at its first point.
extern "C" __global__ __aicore__ void
shift_points(GM_ADDR x, GM_ADDR z, int32_t pointsPerCore, int64_t total) {
  int32_t core = static_cast<int32_t>(GetBlockIdx());
  int64_t begin = core * pointsPerCore * AXES; // site
  if (begin >= total)
    return;
  int32_t count = static_cast<int32_t>(total - begin);
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, TILE * sizeof(float));
  pipe.InitBuffer(out, 1, TILE * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + begin);
  zGm.SetGlobalBuffer((__gm__ float *)z + begin);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, count);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Adds(b, a, 1.0f, count);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, count);
  out.FreeTensor(b);
}
