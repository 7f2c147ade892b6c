#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t ROUNDS = 2;

extern "C" __global__ __aicore__ void ordered_sum(GM_ADDR x, GM_ADDR words,
                                                  GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf, wordBuf;
  pipe.InitBuffer(buf, 2 * N * sizeof(float));
  pipe.InitBuffer(wordBuf, 32 * (GetBlockNum() + 1));
  LocalTensor<float> t = buf.Get<float>(), sum = t[N];
  LocalTensor<int32_t> word = wordBuf.Get<int32_t>();
  GlobalTensor<float> xGm, zGm;
  GlobalTensor<int32_t> wordGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  wordGm.SetGlobalBuffer((__gm__ int32_t *)words);

  InitDetermineComputeWorkspace(wordGm, word);
  for (uint32_t i = 0; i < ROUNDS; ++i) {
    uint32_t part = i * GetBlockNum() + GetBlockIdx();
    WaitPreBlock(wordGm, word); // without: race-between-cores
    DataCopy(t, xGm[part * N], N);
    DataCopy(sum, zGm, N);
    PipeBarrier<PIPE_ALL>(); // without: missing-sync
    Add(sum, sum, t, N);
    PipeBarrier<PIPE_ALL>(); // without: missing-sync
    DataCopy(zGm, sum, N);
    PipeBarrier<PIPE_ALL>();
    NotifyNextBlock(wordGm, word);
  }
}
