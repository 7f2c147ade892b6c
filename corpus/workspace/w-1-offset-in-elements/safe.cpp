#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

// Values of all cores first, then their counts.
extern "C" __global__ __aicore__ void two_regions(GM_ADDR z,
                                                  GM_ADDR workspace) {
  uint32_t me = GetBlockIdx(), elements = GetBlockNum() * N;
  uint32_t second = elements * sizeof(float);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf, countBuf;
  pipe.InitBuffer(buf, N * sizeof(float));
  pipe.InitBuffer(countBuf, N * sizeof(int32_t));
  LocalTensor<float> t = buf.Get<float>();
  LocalTensor<int32_t> count = countBuf.Get<int32_t>();
  GlobalTensor<float> zGm, values;
  GlobalTensor<int32_t> counts;
  zGm.SetGlobalBuffer((__gm__ float *)z);
  values.SetGlobalBuffer((__gm__ float *)workspace);
  counts.SetGlobalBuffer((__gm__ int32_t *)(workspace + second));

  Duplicate(t, float(me), N);
  Duplicate(count, int32_t(N), N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(values[me * N], t, N);
  DataCopy(counts[me * N], count, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(t, values[me * N], N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm[me * N], t, N);
}
