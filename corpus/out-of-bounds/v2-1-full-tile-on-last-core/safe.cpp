#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;

class Relu4 {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, uint32_t total) {
    uint32_t begin = GetBlockIdx() * TILE;
    count = total - begin < TILE ? total - begin : TILE;
    xGm.SetGlobalBuffer((__gm__ float *)x + begin);
    zGm.SetGlobalBuffer((__gm__ float *)z + begin);
    pipe.InitBuffer(in, 1, TILE * sizeof(float));
    pipe.InitBuffer(out, 1, TILE * sizeof(float));
  }
  __aicore__ inline void Process() {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm, count);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Relu(b, a, count);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(zGm, b, count);
    out.FreeTensor(b);
  }

private:
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  GlobalTensor<float> xGm, zGm;
  uint32_t count;
};

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR z,
                                           uint32_t total) {
  Relu4 op;
  op.Init(x, z, total);
  op.Process();
}
