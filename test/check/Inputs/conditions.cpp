// Kernels whose topics are clean in some launches: what a launch has to be like
// is said.
#include "kernel_operator.h"
using namespace AscendC;

struct Sizes {
  uint32_t total, tile;
};

// Two buffers of n bytes each, which take whole blocks of 32.
extern "C" __global__ __aicore__ void two_buffers(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> first, second;
  pipe.InitBuffer(first, n);
  pipe.InitBuffer(second, n); // line 15
}

// The end of the buffer, on one of two paths.
extern "C" __global__ __aicore__ void guarded(GM_ADDR y, uint32_t n,
                                              uint32_t mode) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  if (mode == 3)
    Duplicate(t, 1.0f, n); // line 26
}

// An offset that has to be a multiple of 8 elements.
extern "C" __global__ __aicore__ void aligned(GM_ADDR y, uint32_t at) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  Duplicate(t[at], 1.0f, 8); // line 35
}

// The tiling itself has to be there, and a buffer has the size that it names.
extern "C" __global__ __aicore__ void by_tiling(GM_ADDR y, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(Sizes, sizes, tiling);
  uint32_t total = sizes.total, tile = sizes.tile;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, tile * sizeof(float)); // line 44
  if (total < tile)
    return;
  LocalTensor<float> t = buffer.Get<float>();
  Duplicate(t, 1.0f, 8); // line 48
}

// What the kernel itself writes to the tiling is no number of the launch.
extern "C" __global__ __aicore__ void writes_tiling(GM_ADDR y, GM_ADDR tiling) {
  auto sizes = reinterpret_cast<__gm__ Sizes *>(tiling);
  uint32_t tile = sizes->tile;
  sizes->tile = 8;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, tile); // line 58
}

// In every block.
extern "C" __global__ __aicore__ void each_block(GM_ADDR y, uint32_t share) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  Duplicate(t[GetBlockIdx() * share], 1.0f, 8); // line 67
}

// Data decide: no more than the largest element of x.
extern "C" __global__ __aicore__ void from_data(GM_ADDR x, GM_ADDR y,
                                                uint32_t n) {
  GlobalTensor<uint32_t> xg;
  xg.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(x), n);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  Duplicate(t, 1.0f, xg.GetValue(0)); // line 79
}

// In a loop: later iterations need more, and no clause says so.
extern "C" __global__ __aicore__ void in_loop(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  for (uint32_t i = 0; i < n; ++i)
    Duplicate(t[i * 8], 1.0f, 8); // line 89
}

// A difference of unsigned numbers wraps below zero.
extern "C" __global__ __aicore__ void difference(GM_ADDR y, uint32_t all,
                                                 uint32_t done) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  uint32_t rest = all - done; // line 99
  Duplicate(t, 1.0f, rest);   // line 100
}

// Every block writes the same elements; which one it is, it asks in one mode.
extern "C" __global__ __aicore__ void one_block(GM_ADDR y, uint32_t mode) {
  GlobalTensor<float> yg;
  yg.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(y), 64);
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<float> t = queue.AllocTensor<float>();
  Duplicate(t, 1.0f, 8);
  queue.EnQue(t);
  t = queue.DeQue<float>();
  if (mode == 1)
    DataCopy(yg[8 * GetBlockIdx()], t, 8);
  else
    DataCopy(yg, t, 8); // line 117
  queue.FreeTensor(t);
}

// Nobody sees what a block does that writes nothing.
extern "C" __global__ __aicore__ void reads_only(GM_ADDR x) {
  GlobalTensor<float> xg;
  xg.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(x), 64);
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 256);
  DataCopy(buffer.Get<float>(), xg, 64);
}
