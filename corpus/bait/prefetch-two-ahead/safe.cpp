#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t TILES = 8;

class Ahead {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z) {
    xGm.SetGlobalBuffer((__gm__ float *)x);
    zGm.SetGlobalBuffer((__gm__ float *)z);
    pipe.InitBuffer(in, 2, N * sizeof(float));
    pipe.InitBuffer(out, 2, N * sizeof(float));
  }
  __aicore__ inline void Process() {
    Load(0);
    for (uint32_t i = 0; i < TILES; ++i) {
      if (i + 1 < TILES)
        Load(i + 1);
      LocalTensor<float> a = in.DeQue<float>();
      LocalTensor<float> b = out.AllocTensor<float>();
      Muls(b, a, 0.5f, N);
      in.FreeTensor(a);
      out.EnQue(b);
      b = out.DeQue<float>();
      DataCopy(zGm[i * N], b, N);
      out.FreeTensor(b);
    }
  }

private:
  __aicore__ inline void Load(uint32_t i) {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[i * N], N);
    in.EnQue(a);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 2> out;
  GlobalTensor<float> xGm, zGm;
};

extern "C" __global__ __aicore__ void half_of(GM_ADDR x, GM_ADDR z) {
  Ahead op;
  op.Init(x, z);
  op.Process();
}
