// Loads and stores through plain pointers: what the API does not see.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;

struct Sizes {
  uint32_t n, step;
  uint32_t more[14];
};

extern "C" __global__ __aicore__ void stores(GM_ADDR y, uint32_t n) {
  auto p = (__gm__ float *)y;
  for (uint32_t i = 0; i < n; ++i)
    p[i] = 1.0f; // stores
}

extern "C" __global__ __aicore__ void loads(GM_ADDR x, GM_ADDR y, uint32_t n) {
  auto p = (__gm__ float *)x;
  auto q = (__gm__ float *)y;
  float sum = 0;
  for (uint32_t i = 0; i < n; ++i)
    sum += p[i]; // loads
  for (uint32_t i = 0; i < N; ++i)
    q[i] = sum;
}

extern "C" __global__ __aicore__ void before(GM_ADDR y) {
  auto p = (__gm__ float *)y;
  for (int32_t i = -1; i < int32_t(N); ++i)
    p[i] = 1.0f; // before it
}

// A structure is copied as a whole.
extern "C" __global__ __aicore__ void structure(GM_ADDR t, GM_ADDR y) {
  Sizes sizes = *(__gm__ Sizes *)t; // copies
  auto q = (__gm__ uint32_t *)y;
  for (uint32_t i = 0; i < N; ++i)
    q[i] = sizes.more[i % 14] + sizes.n;
}

extern "C" __global__ __aicore__ void unified(GM_ADDR x, GM_ADDR y,
                                              uint32_t waits, uint32_t from) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 2 * N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)x, N);
  DataCopy(t, g, N); // brings
  if (waits)
    PipeBarrier<PIPE_ALL>();
  auto p = (__ubuf__ float *)t.GetPhyAddr();
  auto q = (__gm__ float *)y;
  for (uint32_t i = 0; i < N; ++i)
    q[i] = p[from + i]; // reads
}

extern "C" __global__ __aicore__ void cores(GM_ADDR y, uint32_t step) {
  auto p = (__gm__ uint32_t *)y;
  p[GetBlockIdx() * step] = GetBlockIdx(); // my own
}

// GetValue and SetValue touch by pointer what they have announced.
extern "C" __global__ __aicore__ void elements(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<float> g, r;
  g.SetGlobalBuffer((__gm__ float *)x, N);
  r.SetGlobalBuffer((__gm__ float *)y, N);
  for (uint32_t i = 0; i < N; ++i)
    r.SetValue(i, g.GetValue(i) + g.GetValue(i));
}
