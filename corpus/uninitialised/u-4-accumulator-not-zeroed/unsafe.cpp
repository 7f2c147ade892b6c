#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t ROWS = 4;

extern "C" __global__ __aicore__ void column_sums(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 2, N * sizeof(float));
  pipe.InitBuffer(out, 1, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, ROWS * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> acc = out.AllocTensor<float>();
  for (uint32_t r = 0; r < ROWS; ++r) {
    LocalTensor<float> row = in.AllocTensor<float>();
    DataCopy(row, xGm[r * N], N);
    in.EnQue(row);
    row = in.DeQue<float>();
    PipeBarrier<PIPE_V>();
    Add(acc, acc, row, N);
    in.FreeTensor(row);
  }
  out.EnQue(acc);
  acc = out.DeQue<float>();
  DataCopy(zGm, acc, N); // site
  out.FreeTensor(acc);
}
