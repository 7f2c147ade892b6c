// Offsets and fields that lose bits. The shapes are small; only the numbers in
// the index arithmetic are large.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void offset(GM_ADDR x, uint32_t rows,
                                             uint32_t cols, uint32_t wide) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 256);
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)x);
  uint64_t at;
  if (wide)
    at = uint64_t(rows) * cols;
  else
    at = rows * cols; // wraps
  if (!wide || at < 1024)
    DataCopy(buf.Get<float>(), g[at + 8], 8);
}

extern "C" __global__ __aicore__ void difference(GM_ADDR x, uint32_t a,
                                                 uint32_t b, uint32_t) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)x);
  uint32_t at = a - b; // may go below zero
  GlobalTensor<float> part = g[at];
  (void)part;
}

extern "C" __global__ __aicore__ void hash(GM_ADDR x, uint32_t a, uint32_t b,
                                           uint32_t) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)x);
  uint32_t h = 2166136261u;
  for (uint32_t i = 0; i < 8; ++i)
    h = (h ^ (a + i)) * 16777619u;
  g.SetValue(0, static_cast<float>(h));
}

extern "C" __global__ __aicore__ void blocks(GM_ADDR x, uint32_t count,
                                             uint32_t, uint32_t) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 1024);
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)x);
  DataCopyParams p;
  p.blockLen = count / 8; // more blocks than 16 bits hold
  DataCopy(buf.Get<float>(), g, p);
}

extern "C" __global__ __aicore__ void quotient(GM_ADDR x, int32_t a, int32_t b,
                                               int32_t) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)x);
  g.SetValue(a / b, 1.0f);
  g.SetValue(a % b, 2.0f);
}

// Below zero and back: right in the end, or not quite.
extern "C" __global__ __aicore__ void halo(GM_ADDR x, uint32_t at,
                                           uint32_t before, uint32_t after) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 256);
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)x);
  uint32_t first = (at - before) * 8; // below zero
  DataCopy(buf.Get<float>(), g[first + after * 8], 8);
}

extern "C" __global__ __aicore__ void scaled(GM_ADDR x, uint32_t rows,
                                             uint32_t cols, uint32_t) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)x);
  uint32_t last = rows - 1; // no rows
  GlobalTensor<float> row = g[uint64_t(last) * cols + 3];
  (void)row;
}

extern "C" __global__ __aicore__ void gaps(GM_ADDR x, uint32_t pitch,
                                           uint32_t length, uint32_t) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 1024);
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)x);
  uint32_t gap = (pitch - length) * sizeof(float); // rows overlap
  DataCopyPad(buf.Get<float>(), g,
              DataCopyExtParams(2, length * sizeof(float), gap, 0, 0),
              DataCopyPadExtParams<float>(false, 0, 0, 0.0f));
}

// Thousands of random numbers, and as many offsets that have nothing to do with
// them: some are alike.
extern "C" __global__ __aicore__ void dice(GM_ADDR x, uint32_t throws, uint32_t,
                                           uint32_t) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float *)x);
  uint32_t state = 12345, sum = 0;
  for (uint32_t i = 0; i < throws; ++i) {
    state = state * 1664525u + 1013904223u;
    GlobalTensor<float> part = g[i % 1024];
    sum ^= state;
    (void)part;
  }
  g.SetValue(0, static_cast<float>(sum));
}
