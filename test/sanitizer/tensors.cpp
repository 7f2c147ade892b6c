// Lifetimes, extents, values, types and overlap of tensors. DEFECT selects what
// is wrong; without it each kernel is its own safe twin.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

struct Buffers {
  __aicore__ inline Buffers(GM_ADDR x, GM_ADDR z) {
    pipe.InitBuffer(in, 2, N * sizeof(float));
    pipe.InitBuffer(out, 2, N * sizeof(float));
    pipe.InitBuffer(buf, 2 * N * sizeof(float));
    gx.SetGlobalBuffer((__gm__ float *)x, N);
    gz.SetGlobalBuffer((__gm__ float *)z, N);
  }
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 2> out;
  TBuf<TPosition::VECCALC> buf;
  GlobalTensor<float> gx, gz;
};

extern "C" __global__ __aicore__ void lifetime(GM_ADDR x, GM_ADDR z,
                                               uint32_t defect) {
  Buffers k(x, z);
  LocalTensor<float> a = k.in.AllocTensor<float>();
  DataCopy(a, k.gx, N);
  k.in.EnQue(a);
  a = k.in.DeQue<float>();
  LocalTensor<float> c = k.out.AllocTensor<float>();
  if (defect == 1)
    k.in.FreeTensor(a); // freed early
  Adds(c, a, 1.0f, N);  // used late
  if (defect == 2) {    // another tensor gets the buffer
    k.in.FreeTensor(a);
    LocalTensor<float> b = k.in.AllocTensor<float>();
    LocalTensor<float> d = k.in.AllocTensor<float>();
    PipeBarrier<PIPE_ALL>();
    Adds(c, a, 1.0f, N); // the buffer has a new owner
    k.in.FreeTensor(b);
    k.in.FreeTensor(d);
  }
  k.out.EnQue(c);
  if (defect == 0)
    k.in.FreeTensor(a);
  c = k.out.DeQue<float>();
  DataCopy(k.gz, c, N);
  k.out.FreeTensor(c);
}

extern "C" __global__ __aicore__ void leak(GM_ADDR x, GM_ADDR z,
                                           uint32_t defect) {
  Buffers k(x, z);
  LocalTensor<float> a = k.in.AllocTensor<float>(); // leaked
  if (!defect)
    k.in.FreeTensor(a);
}

extern "C" __global__ __aicore__ void extent(GM_ADDR x, GM_ADDR z,
                                             uint32_t defect) {
  Buffers k(x, z);
  LocalTensor<float> t = k.buf.Get<float>(N);
  Duplicate(t, 1.0f, defect == 1 ? N + 8 : N); // past the tensor
  PipeBarrier<PIPE_ALL>();
  DataCopy(k.gz, t, N);
}

/// A slice may lie in the buffer, reach past it, or lie after it.
extern "C" __global__ __aicore__ void slices(GM_ADDR x, GM_ADDR z,
                                             uint32_t offset) {
  Buffers k(x, z);
  TBuf<TPosition::VECCALC> small, next;
  k.pipe.InitBuffer(small, 2 * N * sizeof(float));
  k.pipe.InitBuffer(next, 2 * N * sizeof(float));
  LocalTensor<float> t = small.GetWithOffset<float>(N, offset); // taken
  DataCopy(t, k.gx, N); // past the buffer
  PipeBarrier<PIPE_ALL>();
  DataCopy(k.gz, t, N);
}

/// Get takes the size that it is told; only what is used counts.
extern "C" __global__ __aicore__ void long_slice(GM_ADDR x, GM_ADDR z,
                                                 uint32_t count) {
  Buffers k(x, z);
  TBuf<TPosition::VECCALC> small;
  k.pipe.InitBuffer(small, N * sizeof(float));
  LocalTensor<float> t = small.Get<float>(2 * N);
  Duplicate(t, 1.0f, count); // more than the buffer has
  PipeBarrier<PIPE_ALL>();
  DataCopy(k.gz, t, N);
}

/// Elements of one slice, one of which ends where another slice ends. That one
/// was overwritten, and is not read again, or is.
extern "C" __global__ __aicore__ void crossing(GM_ADDR x, GM_ADDR z,
                                               uint32_t defect) {
  Buffers k(x, z);
  TBuf<TPosition::VECCALC> shared;
  k.pipe.InitBuffer(shared, 2 * N * sizeof(float));
  LocalTensor<float> early = shared.GetWithOffset<float>(N, 0);
  LocalTensor<float> late = shared.GetWithOffset<float>(N, 64 * sizeof(float));
  Duplicate(early, 1.0f, N);
  PipeBarrier<PIPE_ALL>();
  Duplicate(late, 2.0f, N);
  PipeBarrier<PIPE_ALL>();
  float sum = 0;
  for (uint32_t i = 0; i < N; ++i)
    sum += late.GetValue(i);
  if (defect == 1)
    sum += early.GetValue(N - 1); // what late has overwritten
  LocalTensor<float> t = k.buf.Get<float>(N);
  Duplicate(t, sum, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(k.gz, t, N);
}

extern "C" __global__ __aicore__ void values(GM_ADDR x, GM_ADDR z,
                                             uint32_t defect) {
  Buffers k(x, z);
  LocalTensor<float> t = k.buf.Get<float>(N), u = k.buf.Get<float>()[N];
  Duplicate(t, 1.0f, defect == 1 ? N - 64 : N);
  // Lanes without a value are computed; whether they are stored matters.
  PipeBarrier<PIPE_V>();
  Adds(u, t, 1.0f, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(k.gz, u, defect == 2 ? N - 64 : N); // stores what nobody wrote
}

extern "C" __global__ __aicore__ void scalar_value(GM_ADDR x, GM_ADDR z,
                                                   uint32_t defect) {
  Buffers k(x, z);
  LocalTensor<float> t = k.buf.Get<float>(N);
  if (!defect)
    Duplicate(t, 1.0f, N);
  PipeBarrier<PIPE_ALL>();
  float v = t.GetValue(3); // branches on what nobody wrote
  if (v > 0)
    PipeBarrier<PIPE_V>();
}

extern "C" __global__ __aicore__ void types(GM_ADDR x, GM_ADDR z,
                                            uint32_t defect) {
  Buffers k(x, z);
  LocalTensor<float> t = k.buf.Get<float>(N);
  LocalTensor<half> h = t.ReinterpretCast<half>();
  Duplicate(t, 1.0f, N);
  PipeBarrier<PIPE_V>();
  if (defect)
    Adds(h, h, half(1), N); // floats as halves
  else
    Not(t.ReinterpretCast<int16_t>(), t.ReinterpretCast<int16_t>(), 2 * N);
  PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void host_type(GM_ADDR x, GM_ADDR z) {
  Buffers k(x, z);
  LocalTensor<float> t = k.buf.Get<float>(N);
  DataCopy(t, k.gx, 8); // the argument's type decides
  PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void overlap(GM_ADDR x, GM_ADDR z,
                                              uint32_t shift) {
  Buffers k(x, z);
  LocalTensor<float> t = k.buf.Get<float>();
  Duplicate(t, 1.0f, 2 * N);
  PipeBarrier<PIPE_ALL>();
  Adds(t[shift], t, 1.0f, 256); // onto itself, shifted
  PipeBarrier<PIPE_ALL>();
}
