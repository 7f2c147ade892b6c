// Which instructions may write over what they read.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

class Kernel {
public:
  __aicore__ inline Kernel(GM_ADDR x, GM_ADDR y) {
    in.SetGlobalBuffer((__gm__ float *)x, N);
    out.SetGlobalBuffer((__gm__ float *)y, N);
    pipe.InitBuffer(tileBuffer, 4 * N * sizeof(float));
    pipe.InitBuffer(indexBuffer, N * sizeof(uint32_t));
    pipe.InitBuffer(freshBuffer, 2 * N * sizeof(float));
    tile = tileBuffer.Get<float>();
    index = indexBuffer.Get<uint32_t>();
    Duplicate(tile, 0.0f, 4 * N);
    Duplicate(index, 4u, N);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    DataCopy(tile, in, N);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  }
  __aicore__ inline void Store(uint32_t from = 0) {
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(out, tile[from], N);
  }
  LocalTensor<float> tile;
  LocalTensor<uint32_t> index;
  TBuf<TPosition::VECCALC> tileBuffer, indexBuffer, freshBuffer;
  GlobalTensor<float> in, out;
  TPipe pipe;
};

extern "C" __global__ __aicore__ void gathered_over(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  Gather(k.tile, k.tile, k.index, 0, N); // line 39
  k.Store();
}

extern "C" __global__ __aicore__ void gathered_apart(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  Gather(k.tile[N], k.tile, k.index, 0, N);
  k.Store(N);
}

extern "C" __global__ __aicore__ void sorted_over(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  Sort32(k.tile[64], k.tile, k.index, 4); // line 51
  k.Store();
}

extern "C" __global__ __aicore__ void sorted_apart(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  Sort32(k.tile[N], k.tile, k.index, N / 32);
  k.Store(N);
}

// Where it begins decides, and only the launch knows that.
extern "C" __global__ __aicore__ void gathered_near(GM_ADDR x, GM_ADDR y,
                                                    uint32_t by) {
  Kernel k(x, y);
  if (by > 32)
    return;
  Gather(k.tile[by * 8], k.tile, k.index, 0, 64); // line 67
  k.Store();
}

extern "C" __global__ __aicore__ void copied_over(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  DataCopy(k.tile[8], k.tile, 128); // line 73
  k.Store();
}

extern "C" __global__ __aicore__ void summed_in_place(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  PipeBarrier<PIPE_V>();
  WholeReduceSum(k.tile, k.tile, 64, 4, 1, 1, 8);
  k.Store();
}

extern "C" __global__ __aicore__ void summed_over(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  WholeReduceSum(k.tile[64], k.tile, 64, 4, 1, 1, 8); // line 86
  k.Store();
}

extern "C" __global__ __aicore__ void gathered_nothing(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  Gather(k.tile, k.freshBuffer.Get<float>(), k.index, 0, N);
  k.Store();
}

// Of its elements, 64 have values.
extern "C" __global__ __aicore__ void gathered_something(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  LocalTensor<float> some = k.freshBuffer.Get<float>();
  Duplicate(some, 1.0f, 64);
  PipeBarrier<PIPE_V>();
  Gather(k.tile, some, k.index, 0, N);
  k.Store();
}

extern "C" __global__ __aicore__ void stored_as_well(GM_ADDR x, GM_ADDR y) {
  Kernel k(x, y);
  PipeBarrier<PIPE_ALL>();
  DataCopy(k.out, k.tile, N);
  Gather(k.freshBuffer.Get<float>(), k.tile, k.index, 0, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(k.out, k.freshBuffer.Get<float>(), N);
}
