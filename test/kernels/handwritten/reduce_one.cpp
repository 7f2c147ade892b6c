// The sum of all elements, by one core: partial sums in one vector, one
// reduction at the end.
#include "lines.h"

extern "C" __global__ __aicore__ void reduce_one(GM_ADDR xAt, GM_ADDR outAt,
                                                 int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  if (GetBlockIdx() != 0)
    return;
  constexpr int64_t N = 8192;
  auto x = Global<float>(xAt, n), out = Global<float>(outAt, 1);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TBuf<TPosition::VECCALC> space;
  pipe.InitBuffer(in, 2, N * sizeof(float));
  pipe.InitBuffer(space, 2048);
  LocalTensor<float> sum = space.GetWithOffset<float>(8, 0),
                     work = space.GetWithOffset<float>(448, 256);
  float total = 0;
  for (int64_t at = 0; at < n; at += N) {
    const int64_t count = n - at < N ? n - at : N;
    LocalTensor<float> loading = in.AllocTensor<float>();
    In(loading, x, at, count);
    in.EnQue(loading);
    LocalTensor<float> t = in.DeQue<float>();
    ReduceSum(sum, t, work, count);
    in.FreeTensor(t);
    SetFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::V_S>(0);
    total += sum.GetValue(0);
  }
  sum.SetValue(0, total);
  SetFlag<HardEvent::S_MTE3>(0);
  WaitFlag<HardEvent::S_MTE3>(0);
  Out(out, sum, 0, 1);
}
