#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

#define SCHEDULE __schedmode__(1)

extern "C" __global__ __aicore__ SCHEDULE void rotate(GM_ADDR z,
                                                      GM_ADDR workspace) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  uint32_t me = GetBlockIdx(), next = (me + 1) % GetBlockNum();
  GlobalTensor<float> zGm, shared;
  zGm.SetGlobalBuffer((__gm__ float *)z);
  shared.SetGlobalBuffer((__gm__ float *)workspace);

  Duplicate(t, float(me), N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(shared[me * N], t, N);
  PipeBarrier<PIPE_ALL>();
  SyncAll();
  DataCopy(t, shared[next * N], N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm[me * N], t, N);
}
