#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

class Exponent {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z) {
    xGm.SetGlobalBuffer((__gm__ float *)x, N);
    zGm.SetGlobalBuffer((__gm__ float *)z, N);
    pipe.InitBuffer(in, 1, N * sizeof(float));
    pipe.InitBuffer(out, 1, N * sizeof(float));
  }
  __aicore__ inline void Process() {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm, N);
    in.EnQue(a);
    a = in.DeQue<float>();
    Compute(a);
    LocalTensor<float> b = out.DeQue<float>();
    DataCopy(zGm, b, N);
    out.FreeTensor(b);
  }

private:
  __aicore__ inline void Compute(LocalTensor<float> &a) {
    LocalTensor<float> b = out.AllocTensor<float>();
    Exp(b, a, N);
    out.EnQue(b);
    in.FreeTensor(a);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  GlobalTensor<float> xGm, zGm;
};

extern "C" __global__ __aicore__ void exponent(GM_ADDR x, GM_ADDR z) {
  Exponent op;
  op.Init(x, z);
  op.Process();
}
