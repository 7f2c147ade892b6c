#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void sum_rows(GM_ADDR x, GM_ADDR z,
                                               uint32_t rows) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> accBuf;
  TQue<QuePosition::VECIN, 2> in;
  pipe.InitBuffer(accBuf, N * sizeof(half));
  pipe.InitBuffer(in, 2, N * sizeof(half));
  GlobalTensor<half> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, rows * N);
  zGm.SetGlobalBuffer((__gm__ half *)z, N);

  LocalTensor<half> acc = accBuf.Get<half>();
  LocalTensor<int32_t> words = acc.ReinterpretCast<int32_t>();
  Duplicate(words, 0, N / 2);
  for (uint32_t r = 0; r < rows; ++r) {
    LocalTensor<half> row = in.AllocTensor<half>();
    DataCopy(row, xGm[r * N], N);
    in.EnQue(row);
    row = in.DeQue<half>();
    PipeBarrier<PIPE_V>();
    Add(acc, acc, row, N);
    in.FreeTensor(row);
  }
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, acc, N);
}
