#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

extern "C" __global__ __aicore__ void prefix_sum(GM_ADDR x, GM_ADDR words,
                                                 GM_ADDR z) {
  int32_t me = GetBlockIdx();
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf, wordBuf;
  pipe.InitBuffer(buf, 2 * N * sizeof(float));
  pipe.InitBuffer(wordBuf, 32 * GetBlockNum());
  LocalTensor<float> t = buf.Get<float>(), before = t[N];
  LocalTensor<int32_t> word = wordBuf.Get<int32_t>();
  GlobalTensor<float> xGm, zGm;
  GlobalTensor<int32_t> wordGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  wordGm.SetGlobalBuffer((__gm__ int32_t *)words);

  DataCopy(t, xGm[me * N], N);
  if (me > 0) {
    IBWait(wordGm, word, me - 1, 0); // without: race-between-cores
    DataCopy(before, zGm[(me - 1) * N], N);
    PipeBarrier<PIPE_ALL>(); // without: missing-sync
    Add(t, t, before, N);
  }
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm[me * N], t, N);
  PipeBarrier<PIPE_ALL>();
  if (me + 1 < GetBlockNum())
    IBSet(wordGm, word, me, 0);
}
