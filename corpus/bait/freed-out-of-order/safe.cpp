#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t PAIRS = 3;

extern "C" __global__ __aicore__ void differences(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 3, N * sizeof(float));
  pipe.InitBuffer(out, 2, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 2 * PAIRS * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, PAIRS * N);

  for (uint32_t i = 0; i < PAIRS; ++i) {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[2 * i * N], N);
    in.EnQue(a);
    LocalTensor<float> b = in.AllocTensor<float>();
    DataCopy(b, xGm[(2 * i + 1) * N], N);
    in.EnQue(b);
    a = in.DeQue<float>();
    b = in.DeQue<float>(); // without: missing-sync
    LocalTensor<float> c = out.AllocTensor<float>();
    Sub(c, a, b, N);
    in.FreeTensor(b); // without: queue-exhausted
    in.FreeTensor(a); // without: queue-exhausted
    out.EnQue(c);
    c = out.DeQue<float>(); // without: missing-sync
    DataCopy(zGm[i * N], c, N);
    out.FreeTensor(c);
  }
}
