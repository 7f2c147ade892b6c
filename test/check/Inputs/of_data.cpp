// Conditions on data, of which both ways are followed at once.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

template <uint32_t MOST> __aicore__ inline void best(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  yGm.SetGlobalBuffer((__gm__ float *)y, N);
  pipe.InitBuffer(buffer, N * 4);
  LocalTensor<float> t = buffer.Get<float>();
  DataCopy(t, xGm, N);
  PipeBarrier<PIPE_ALL>();
  float most = t.GetValue(0);
  uint32_t at = 0;
  for (uint32_t i = 1; i < MOST; ++i)
    if (t.GetValue(i) > most) {
      most = t.GetValue(i);
      at = i;
    }
  t.SetValue(0, most);
  t.SetValue(1, static_cast<float>(at));
  PipeBarrier<PIPE_ALL>();
  if (GetBlockIdx() == 0)
    DataCopy(yGm, t, N);
}

extern "C" __global__ __aicore__ void argmax(GM_ADDR x, GM_ADDR y) {
  best<N>(x, y);
}

extern "C" __global__ __aicore__ void argmax_of_more(GM_ADDR x, GM_ADDR y) {
  best<N + 1>(x, y);
}

// A number of the data is kept within the table.
template <int32_t LAST>
__aicore__ inline void rowOf(GM_ADDR x, GM_ADDR index, GM_ADDR y,
                             uint32_t rows) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  GlobalTensor<int32_t> indexGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, rows * N);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  indexGm.SetGlobalBuffer((__gm__ int32_t *)index);
  pipe.InitBuffer(buffer, N * 4);
  LocalTensor<float> t = buffer.Get<float>();
  int32_t row = indexGm.GetValue(GetBlockIdx());
  if (row < 0)
    row = 0;
  if (row > static_cast<int32_t>(rows) + LAST)
    row = static_cast<int32_t>(rows) + LAST;
  DataCopy(t, xGm[row * N], N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm[GetBlockIdx() * N], t, N);
}

extern "C" __global__ __aicore__ void clamped(GM_ADDR x, GM_ADDR index,
                                              GM_ADDR y, uint32_t rows) {
  if (rows > 0)
    rowOf<-1>(x, index, y, rows);
}

extern "C" __global__ __aicore__ void
clamped_one_more(GM_ADDR x, GM_ADDR index, GM_ADDR y, uint32_t rows) {
  if (rows > 0)
    rowOf<0>(x, index, y, rows);
}

extern "C" __global__ __aicore__ void largest(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  yGm.SetGlobalBuffer((__gm__ float *)y, N);
  pipe.InitBuffer(buffer, N * 4);
  LocalTensor<float> t = buffer.Get<float>();
  DataCopy(t, xGm, N);
  PipeBarrier<PIPE_ALL>();
  float most = t.GetValue(0);
  for (uint32_t i = 1; i < N; ++i)
    most = t.GetValue(i) > most ? t.GetValue(i) : most;
  t.SetValue(0, most);
  PipeBarrier<PIPE_ALL>();
  if (GetBlockIdx() == 0)
    DataCopy(yGm, t, N);
}
