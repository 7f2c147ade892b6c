// The sum of squares of a row: the product does not wait for the copy.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void squares(GM_ADDR x, GM_ADDR total) {
  GlobalTensor<float> xGm, totalGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  totalGm.SetGlobalBuffer((__gm__ float *)total, 1);
  TPipe pipe;
  TBuf<TPosition::VECCALC> row, work;
  pipe.InitBuffer(row, N * sizeof(float));
  pipe.InitBuffer(work, N * sizeof(float));
  LocalTensor<float> t = row.Get<float>(), scratch = work.Get<float>();
  DataCopy(t, xGm, N);
  Mul(t, t, t, N); // a product of what was there before, now and then
  PipeBarrier<PIPE_V>();
  ReduceSum(t, t, scratch, N);
  totalGm.SetValue(0, t.GetValue(0));
}
