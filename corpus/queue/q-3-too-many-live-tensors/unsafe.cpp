#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;
constexpr uint32_t PARTS = 9;
constexpr uint32_t HELD = PARTS;

// The sum of PARTS parts, loaded ahead as far as possible.
extern "C" __global__ __aicore__ void sum_parts(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in[PARTS];
  TQue<QuePosition::VECOUT, 1> out;
  for (uint32_t i = 0; i < HELD; ++i)
    pipe.InitBuffer(in[i], 1, N * sizeof(float));
  pipe.InitBuffer(out, 1, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, PARTS * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> sum = out.AllocTensor<float>();
  Duplicate(sum, 0.0f, N);
  for (uint32_t first = 0; first < PARTS; first += HELD) {
    for (uint32_t i = first; i < PARTS && i < first + HELD; ++i) {
      LocalTensor<float> part = in[i - first].AllocTensor<float>(); // site
      DataCopy(part, xGm[i * N], N);
      in[i - first].EnQue(part);
    }
    for (uint32_t i = first; i < PARTS && i < first + HELD; ++i) {
      LocalTensor<float> part = in[i - first].DeQue<float>();
      PipeBarrier<PIPE_V>();
      Add(sum, sum, part, N);
      in[i - first].FreeTensor(part);
    }
  }
  out.EnQue(sum);
  sum = out.DeQue<float>();
  DataCopy(zGm, sum, N);
  out.FreeTensor(sum);
}
