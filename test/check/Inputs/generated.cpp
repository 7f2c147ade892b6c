// What generators get wrong, each in a kernel of its own.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

#if defined(NO_BARRIER)
extern "C" __global__ __aicore__ void no_barrier(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  DataCopy(t, xGm, N); // LOAD
  Adds(t, t, 1.0f, N); // ADDS
  DataCopy(zGm, t, N); // STORE
}
#elif defined(TOO_LARGE)
extern "C" __global__ __aicore__ void too_large(GM_ADDR x) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 512 * 1024); // INIT
}
#elif defined(SUM_TOO_LARGE)
extern "C" __global__ __aicore__ void sum_too_large(GM_ADDR x) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> a, b;
  TQue<QuePosition::VECOUT, 2> c;
  pipe.InitBuffer(a, 2, 40 * 1024);
  pipe.InitBuffer(b, 2, 40 * 1024);
  pipe.InitBuffer(c, 2, 40 * 1024); // INIT
}
#elif defined(NO_AICORE)
extern "C" __global__ void no_aicore(GM_ADDR x) { // ENTRY
}
#elif defined(HOST_HELPER)
inline uint32_t twice(uint32_t n) { return 2 * n; } // HELPER
extern "C" __global__ __aicore__ void host_helper(GM_ADDR x, uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, twice(N));
}
#elif defined(SWAPPED)
extern "C" __global__ __aicore__ void swapped(GM_ADDR x, GM_ADDR tiling,
                                              GM_ADDR workspace) {}
#elif defined(PLAIN_POINTER)
extern "C" __global__ __aicore__ void plain_pointer(float *x) {}
#elif defined(RIGHT)
// The same kernels as they should be.
extern "C" __global__ __aicore__ void right(GM_ADDR x, GM_ADDR z,
                                            GM_ADDR workspace, GM_ADDR tiling) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, N * sizeof(float));
  pipe.InitBuffer(out, 2, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * N, N);
  zGm.SetGlobalBuffer((__gm__ float *)z + GetBlockIdx() * N, N);
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, N);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Adds(b, a, 1.0f, N);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, N);
  out.FreeTensor(b);
}
#elif defined(ALLOWED)
extern "C" __global__ __aicore__ void allowed(GM_ADDR x) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf, more;
  // belay: allow local-capacity a part with a larger memory is coming
  pipe.InitBuffer(buf, 512 * 1024);
}
extern "C" __global__ __aicore__ void no_reason(GM_ADDR x) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 512 * 1024); // belay: allow local-capacity
}
#endif
