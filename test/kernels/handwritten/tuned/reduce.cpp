// The sum of all elements: a tile of partial sums on each core, one reduction
// at its end, and one of the cores' sums. 2002 cannot wait for other cores:
// there the first one does it all.
#include "../lines.h"

#ifndef TILE
#define TILE 12288
#endif

extern "C" __global__ __aicore__ void reduce(GM_ADDR xAt, GM_ADDR partAt,
                                             GM_ADDR outAt, int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = TILE, Block = 8;
#if __NPU_ARCH__ == 2002
  if (GetBlockIdx() != 0)
    return;
  const int64_t cores = 1, core = 0;
#else
  const int64_t cores = GetBlockNum(), core = GetBlockIdx();
#endif
  auto x = Global<float>(xAt, n), out = Global<float>(outAt, Block),
       part = Global<float>(partAt, cores * Block);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TBuf<TPosition::VECCALC> space;
  pipe.InitBuffer(in, 2, N * sizeof(float));
  pipe.InitBuffer(space, N * sizeof(float) + 4096);
  auto sums = space.GetWithOffset<float>(N, 0),
       work = space.GetWithOffset<float>(512, N * 4),
       sum = space.GetWithOffset<float>(Block, N * 4 + 2048);
  Duplicate(sums, 0.0f, N);
  Duplicate(sum, 0.0f, Block);
  for (int64_t at = core * N; at < n; at += cores * N) {
    const int64_t count = n - at < N ? n - at : N;
    LocalTensor<float> loading = in.AllocTensor<float>();
    In(loading, x, at, count);
    in.EnQue(loading);
    LocalTensor<float> t = in.DeQue<float>();
    Then();
    Add(sums, sums, t, count);
    in.FreeTensor(t);
  }
  Then();
  ReduceSum(sum, sums, work, N);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
#if __NPU_ARCH__ == 2002
  DataCopy(out, sum, Block);
#else
  DataCopy(part[core * Block], sum, Block);
  PipeBarrier<PIPE_ALL>();
  SyncAll();
  if (core != 0)
    return;
  DataCopy(sums, part, cores * Block);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  // Blocks are zero after their first element: all of them can be summed.
  ReduceSum(sum, sums, work, cores * Block);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  Out(out, sum, 0, 1);
#endif
}
