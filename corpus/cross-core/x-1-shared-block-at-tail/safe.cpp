#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t PER_CORE = 24;
constexpr uint32_t COPIED = (PER_CORE + 7) / 8 * 8; // whole blocks

extern "C" __global__ __aicore__ void increment(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, COPIED * sizeof(float));
  pipe.InitBuffer(out, 1, COPIED * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * PER_CORE);
  zGm.SetGlobalBuffer((__gm__ float *)z + GetBlockIdx() * PER_CORE);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, COPIED);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Adds(b, a, 1.0f, COPIED);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, COPIED);
  out.FreeTensor(b);
}
