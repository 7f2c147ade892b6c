#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

class HandOver {
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
    Consume(in.DeQue<float>());
    Store(out.DeQue<float>());
  }

private:
  __aicore__ inline void Consume(LocalTensor<float> a) {
    LocalTensor<float> b = out.AllocTensor<float>();
    Abs(b, a, N);
    in.FreeTensor(a);
    out.EnQue(b);
  }
  __aicore__ inline void Store(LocalTensor<float> b) {
    DataCopy(zGm, b, N);
    out.FreeTensor(b);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  GlobalTensor<float> xGm, zGm;
};

extern "C" __global__ __aicore__ void absolute(GM_ADDR x, GM_ADDR z) {
  HandOver op;
  op.Init(x, z);
  op.Process();
}
