// Leaky ReLU, one class for all element types; the tiling key says which one
// the launch means, as operator projects do it.
#include "kernel_operator.h"
using namespace AscendC;

struct LeakyReluTilingData {
  uint64_t total;
  uint32_t tile;
  float slope;
};

template <typename T> class KernelLeakyRelu {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y,
                              const LeakyReluTilingData &t) {
    constexpr uint64_t perBlock = 32 / sizeof(T);
    uint64_t cores = GetBlockNum(), core = GetBlockIdx();
    uint64_t blocks = (t.total + perBlock - 1) / perBlock;
    uint64_t begin = blocks * core / cores * perBlock;
    uint64_t end = blocks * (core + 1) / cores * perBlock;
    length = (end < t.total ? end : t.total) - begin;
    tile = t.tile;
    slope = static_cast<T>(t.slope);
    xGm.SetGlobalBuffer((__gm__ T *)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ T *)y + begin, length);
    pipe.InitBuffer(inX, 2, tile * sizeof(T));
    pipe.InitBuffer(outY, 2, tile * sizeof(T));
  }
  __aicore__ inline void Process() {
    for (uint64_t at = 0; at < length; at += tile) {
      uint32_t count = length - at < tile ? length - at : tile;
      DataCopyExtParams piece{1, uint32_t(count * sizeof(T)), 0, 0, 0};
      LocalTensor<T> x = inX.template AllocTensor<T>();
      DataCopyPad(x, xGm[at], piece, DataCopyPadExtParams<T>{false, 0, 0, 0});
      inX.EnQue(x);

      x = inX.template DeQue<T>();
      LocalTensor<T> y = outY.template AllocTensor<T>();
      LeakyRelu(y, x, slope, count);
      inX.FreeTensor(x);
      outY.EnQue(y);

      y = outY.template DeQue<T>();
      DataCopyPad(yGm[at], y, piece);
      outY.FreeTensor(y);
    }
  }

private:
  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outY;
  GlobalTensor<T> xGm, yGm;
  uint64_t length;
  uint32_t tile;
  T slope;
};

extern "C" __global__ __aicore__ void
leaky_relu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA_WITH_STRUCT(LeakyReluTilingData, t, tiling);
  if (TILING_KEY_IS(0)) {
    KernelLeakyRelu<float> op;
    op.Init(x, y, t);
    op.Process();
  } else if (TILING_KEY_IS(1)) {
    KernelLeakyRelu<half> op;
    op.Init(x, y, t);
    op.Process();
  }
}
