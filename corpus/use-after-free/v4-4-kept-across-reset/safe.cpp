#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void two_phases(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> first, second;
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  pipe.InitBuffer(first, N * sizeof(float));
  LocalTensor<float> t = first.Get<float>();
  DataCopy(t, xGm, N);
  PipeBarrier<PIPE_ALL>();
  Adds(t, t, 1.0f, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm, t, N);
  PipeBarrier<PIPE_ALL>();

  pipe.Reset();
  pipe.InitBuffer(second, N * sizeof(float));
  t = second.Get<float>();
  DataCopy(t, zGm, N);
  PipeBarrier<PIPE_ALL>();
  Muls(t, t, 2.0f, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm, t, N);
}
