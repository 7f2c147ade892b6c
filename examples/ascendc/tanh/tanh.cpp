// tanh by the library routine, which brings its own scratch memory; a template
// over the element type, instantiated as two kernels.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;

template <typename T> class KernelTanh {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t total) {
    constexpr uint32_t perBlock = 32 / sizeof(T);
    uint32_t cores = GetBlockNum(), core = GetBlockIdx();
    uint32_t blocks = (total + perBlock - 1) / perBlock;
    uint32_t begin = blocks * core / cores * perBlock;
    uint32_t end = blocks * (core + 1) / cores * perBlock;
    length = (end < total ? end : total) - begin;
    xGm.SetGlobalBuffer((__gm__ T *)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ T *)y + begin, length);
    pipe.InitBuffer(inX, 1, TILE * sizeof(T));
    pipe.InitBuffer(outY, 1, TILE * sizeof(T));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = 0; at < length; at += TILE) {
      uint32_t count = length - at < TILE ? length - at : TILE;
      DataCopyExtParams piece{1, uint32_t(count * sizeof(T)), 0, 0, 0};
      LocalTensor<T> x = inX.template AllocTensor<T>();
      DataCopyPad(x, xGm[at], piece, DataCopyPadExtParams<T>{false, 0, 0, 0});
      inX.EnQue(x);

      x = inX.template DeQue<T>();
      LocalTensor<T> y = outY.template AllocTensor<T>();
      Tanh(y, x, count);
      inX.FreeTensor(x);
      outY.EnQue(y);

      y = outY.template DeQue<T>();
      DataCopyPad(yGm[at], y, piece);
      outY.FreeTensor(y);
    }
  }

private:
  TPipe pipe;
  TQue<TPosition::VECIN, 1> inX;
  TQue<TPosition::VECOUT, 1> outY;
  GlobalTensor<T> xGm, yGm;
  uint32_t length;
};

extern "C" __global__ __aicore__ void tanh_half(GM_ADDR x, GM_ADDR y,
                                                uint32_t total) {
  KernelTanh<half> op;
  op.Init(x, y, total);
  op.Process();
}

extern "C" __global__ __aicore__ void tanh_float(GM_ADDR x, GM_ADDR y,
                                                 uint32_t total) {
  KernelTanh<float> op;
  op.Init(x, y, total);
  op.Process();
}
