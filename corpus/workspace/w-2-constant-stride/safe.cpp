#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 512;

extern "C" __global__ __aicore__ void
staged(GM_ADDR z, uint32_t baseM, uint32_t baseN, GM_ADDR workspace) {
  uint32_t stride = baseM * baseN;
  uint32_t me = GetBlockIdx(), count = baseM * baseN;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, TILE * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> zGm, mine;
  zGm.SetGlobalBuffer((__gm__ float *)z + me * count);
  mine.SetGlobalBuffer((__gm__ float *)workspace + me * stride);

  Duplicate(t, float(me), count);
  PipeBarrier<PIPE_ALL>();
  DataCopy(mine, t, count);
  PipeBarrier<PIPE_ALL>();
  DataCopy(t, mine, count);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm, t, count);
}
