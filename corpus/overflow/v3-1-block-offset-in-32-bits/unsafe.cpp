#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;

extern "C" __global__ __aicore__ void half_rows(GM_ADDR x, GM_ADDR z,
                                                uint32_t rowsPerCore,
                                                uint32_t cols, uint32_t total) {
  uint32_t core = GetBlockIdx();
  uint64_t begin = core * rowsPerCore * cols; // site
  if (begin >= total)
    return;
  uint32_t count = total - begin < TILE ? total - begin : TILE;
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, TILE * sizeof(float));
  pipe.InitBuffer(out, 1, TILE * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + begin, count);
  zGm.SetGlobalBuffer((__gm__ float *)z + begin, count);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, count);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Muls(b, a, 0.5f, count);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, count);
  out.FreeTensor(b);
}
