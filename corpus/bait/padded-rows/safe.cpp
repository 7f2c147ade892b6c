#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROWS = 6;
constexpr uint32_t COLS = 13;
constexpr uint32_t PITCH = 16;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, ROWS * PITCH * sizeof(float));
  pipe.InitBuffer(out, 1, ROWS * PITCH * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, ROWS * COLS);
  zGm.SetGlobalBuffer((__gm__ float *)z, ROWS * COLS);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopyExtParams rows(ROWS, COLS * sizeof(float), 0, 0, 0);
  DataCopyPadExtParams<float> padding(false, 0, 0, 0.0f);
  DataCopyPad(a, xGm, rows, padding);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Muls(b, a, 2.0f, ROWS * PITCH);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopyPad(zGm, b, rows);
  out.FreeTensor(b);
}
