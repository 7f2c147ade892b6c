// What the scalar unit reads has to have a value, and an offset must not begin
// before the tensor.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;

class Kernel {
public:
  __aicore__ inline Kernel(GM_ADDR x, GM_ADDR y) {
    in.SetGlobalBuffer((__gm__ float *)x, N);
    out.SetGlobalBuffer((__gm__ float *)y, N);
    pipe.InitBuffer(tileBuffer, N * sizeof(float));
    pipe.InitBuffer(sumBuffer, N * sizeof(float));
    pipe.InitBuffer(workBuffer, N * sizeof(float));
    tile = tileBuffer.Get<float>();
    sum = sumBuffer.Get<float>();
  }
  __aicore__ inline void Load(int32_t from) {
    DataCopy(tile, in[from], N);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  }
  __aicore__ inline void Store(float factor) {
    Muls(tile, tile, factor, N);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(out, tile, N);
  }
  LocalTensor<float> tile, sum;
  TBuf<TPosition::VECCALC> tileBuffer, sumBuffer, workBuffer;
  GlobalTensor<float> in, out;
  TPipe pipe;
};

// The sum of the tile is its only element.
extern "C" __global__ __aicore__ void summed(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  k.Load(0);
  ReduceSum(k.sum, k.tile, k.workBuffer.Get<float>(), N);
  k.Store(k.sum.GetValue(0));
}

extern "C" __global__ __aicore__ void never_written(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  k.Load(0);
  k.Store(k.sum.GetValue(0)); // line 47
}

extern "C" __global__ __aicore__ void next_element(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  k.Load(0);
  ReduceSum(k.sum, k.tile, k.workBuffer.Get<float>(), N);
  k.Store(k.sum.GetValue(1)); // line 54
}

// A branch on it is no better.
extern "C" __global__ __aicore__ void decides(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  k.Load(0);
  if (k.sum.GetValue(3) > 0.0f) // line 61
    k.Store(2.0f);
}

extern "C" __global__ __aicore__ void of_a_workspace(GM_ADDR y,
                                                     GM_ADDR workspace) {
  Kernel k(y, y);
  GlobalTensor<float> left;
  left.SetGlobalBuffer((__gm__ float *)workspace, N);
  k.Load(0);
  k.Store(left.GetValue(3)); // line 71
}

extern "C" __global__ __aicore__ void before_it(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  k.Load(-8);
  k.Store(1.0f);
}

extern "C" __global__ __aicore__ void perhaps_before(GM_ADDR x, GM_ADDR y,
                                                     int32_t from) {
  Kernel k(x, y);
  k.Load(from);
  k.Store(1.0f);
}

// All numbers have 32 bits, and so has the number of elements.
extern "C" __global__ __aicore__ void rows_of(GM_ADDR x, uint32_t rows,
                                              uint32_t cols) {
  uint32_t block = GetBlockIdx();
  GlobalTensor<float> from;
  from.SetGlobalBuffer((__gm__ float *)x + block * rows * cols, rows);
}
