#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

extern "C" __global__ __aicore__ void rotate(GM_ADDR x, GM_ADDR words,
                                             GM_ADDR z, GM_ADDR workspace) {
  uint32_t me = GetBlockIdx(), next = (me + 1) % GetBlockNum();
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf, wordBuf;
  pipe.InitBuffer(buf, N * sizeof(float));
  pipe.InitBuffer(wordBuf, 32 * GetBlockNum());
  LocalTensor<float> t = buf.Get<float>();
  LocalTensor<int32_t> word = wordBuf.Get<int32_t>();
  GlobalTensor<float> xGm, zGm, middle;
  GlobalTensor<int32_t> wordGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  middle.SetGlobalBuffer((__gm__ float *)GetUserWorkspace(workspace));
  wordGm.SetGlobalBuffer((__gm__ int32_t *)words);

  DataCopy(t, xGm[me * N], N);
  PipeBarrier<PIPE_ALL>(); // without: missing-sync
  DataCopy(middle[me * N], t, N);
  PipeBarrier<PIPE_ALL>();
  SyncAll(wordGm, word); // without: race-between-cores
  DataCopy(t, middle[next * N], N);
  PipeBarrier<PIPE_ALL>(); // without: missing-sync
  DataCopy(zGm[me * N], t, N);
}
