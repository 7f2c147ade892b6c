#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

extern "C" __global__ __aicore__ void rotate(GM_ADDR z, uint32_t usedCores) {
  uint32_t me = GetBlockIdx();
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z);

  Duplicate(t, float(me), N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm[me * N], t, N);
  PipeBarrier<PIPE_ALL>();
  SyncAll();
  DataCopy(t, zGm[(me + 1) % usedCores * N], N);
  PipeBarrier<PIPE_ALL>();
}
