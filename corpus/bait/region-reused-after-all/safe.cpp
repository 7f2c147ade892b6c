#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void phases(GM_ADDR x, GM_ADDR n, GM_ADDR z,
                                             GM_ADDR m) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> f = buf.Get<float>();
  LocalTensor<int32_t> i = buf.Get<int32_t>();
  GlobalTensor<float> xGm, zGm;
  GlobalTensor<int32_t> nGm, mGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  nGm.SetGlobalBuffer((__gm__ int32_t *)n, N);
  mGm.SetGlobalBuffer((__gm__ int32_t *)m, N);

  DataCopy(f, xGm, N);
  PipeBarrier<PIPE_ALL>();
  Muls(f, f, 3.0f, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm, f, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(i, nGm, N);
  PipeBarrier<PIPE_ALL>();
  Adds(i, i, 7, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(mGm, i, N);
  PipeBarrier<PIPE_ALL>();
}
