#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROWS = 8;
constexpr uint32_t COLS = 40;
constexpr uint32_t PADDED = 64;
constexpr uint8_t TO_STRIDE = PADDED / 8; // in blocks of 32 bytes
constexpr uint8_t FROM_STRIDE = COLS / 8;

// Rows of 40 into rows of 64, padded with zeros.
extern "C" __global__ __aicore__ void widen(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, ROWS * COLS * sizeof(float));
  pipe.InitBuffer(out, 1, ROWS * PADDED * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, ROWS * COLS);
  zGm.SetGlobalBuffer((__gm__ float *)z, ROWS * PADDED);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, ROWS * COLS);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Duplicate(b, 0.0f, ROWS * PADDED);
  PipeBarrier<PIPE_V>();
  Adds(b, a, 1.0f, COLS, ROWS, {1, 1, TO_STRIDE, FROM_STRIDE});
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, ROWS * PADDED);
  out.FreeTensor(b);
}
