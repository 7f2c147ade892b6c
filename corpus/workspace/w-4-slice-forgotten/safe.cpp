#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

extern "C" __global__ __aicore__ void staged(GM_ADDR z, GM_ADDR workspace) {
  uint32_t me = GetBlockIdx();
  uint32_t slice = me * N;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> zGm, scratch;
  zGm.SetGlobalBuffer((__gm__ float *)z + me * N);
  scratch.SetGlobalBuffer((__gm__ float *)workspace + slice);

  Duplicate(t, float(me), N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(scratch, t, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(t, scratch, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm, t, N);
}
