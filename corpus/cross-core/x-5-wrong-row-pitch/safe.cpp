#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROWS = 4;
constexpr uint32_t N = 128;            // columns of the matrix
constexpr uint32_t SINGLE_CORE_N = 64; // columns of one core
constexpr uint32_t PITCH = N;

extern "C" __global__ __aicore__ void column_blocks(GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, SINGLE_CORE_N * sizeof(float));
  uint32_t me = GetBlockIdx();
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z + me * SINGLE_CORE_N);

  for (uint32_t row = 0; row < ROWS; ++row) {
    LocalTensor<float> t = out.AllocTensor<float>();
    Duplicate(t, float(row * 10 + me), SINGLE_CORE_N);
    out.EnQue(t);
    t = out.DeQue<float>();
    DataCopy(zGm[row * PITCH], t, SINGLE_CORE_N);
    out.FreeTensor(t);
  }
}
