#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void two_phases(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  for (uint32_t phase = 0; phase < 2; ++phase) {
    pipe.Reset();
    pipe.InitBuffer(in, 1, N * sizeof(float));
    pipe.InitBuffer(out, 1, N * sizeof(float));
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, phase == 0 ? xGm : zGm, N);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Adds(b, a, 1.0f, N);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(zGm, b, N);
    out.FreeTensor(b);
    PipeBarrier<PIPE_ALL>();
  }
}
