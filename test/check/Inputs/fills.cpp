// Loops that fill a tensor piece by piece, loops over what data say, long loops
// of a known length, and divisors that the launch decides.

#include "kernel_operator.h"
using namespace AscendC;

#define TENSORS(BYTES)                                                         \
  GlobalTensor<int32_t> xGm, yGm;                                              \
  xGm.SetGlobalBuffer((__gm__ int32_t *)x, n);                                 \
  yGm.SetGlobalBuffer((__gm__ int32_t *)y, n);                                 \
  TPipe pipe;                                                                  \
  TBuf<TPosition::VECCALC> buf;                                                \
  pipe.InitBuffer(buf, BYTES);                                                 \
  LocalTensor<int32_t> t = buf.Get<int32_t>();

#define STORE(COUNT)                                                           \
  SetFlag<HardEvent::S_MTE3>(EVENT_ID0);                                       \
  WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);                                      \
  DataCopyPad(yGm, t, {1, uint32_t((COUNT) * sizeof(int32_t)), 0, 0, 0});

extern "C" __global__ __aicore__ void all_elements(GM_ADDR x, GM_ADDR y,
                                                   uint32_t n) {
  TENSORS(4096)
  for (uint32_t i = 0; i < n; ++i)
    t.SetValue(i, int32_t(i));
  STORE(n)
}

// The last one is missing.
extern "C" __global__ __aicore__ void all_but_one(GM_ADDR x, GM_ADDR y,
                                                  uint32_t n) {
  TENSORS(4096)
  for (uint32_t i = 0; i + 1 < n; ++i)
    t.SetValue(i, int32_t(i));
  STORE(n)
}

// Only what is above the limit.
extern "C" __global__ __aicore__ void
some_elements(GM_ADDR x, GM_ADDR y, uint32_t n, uint32_t limit) {
  TENSORS(4096)
  for (uint32_t i = 0; i < n; ++i)
    if (i >= limit)
      t.SetValue(i, int32_t(i));
  STORE(n)
}

// Those of the first iterations only.
extern "C" __global__ __aicore__ void first_elements(GM_ADDR x, GM_ADDR y,
                                                     uint32_t n) {
  TENSORS(4096)
  for (uint32_t i = 0; i < n; ++i)
    if (i < 5)
      t.SetValue(i, int32_t(i));
  STORE(n)
}

// By data, not the fifth.
extern "C" __global__ __aicore__ void by_data(GM_ADDR x, GM_ADDR y,
                                              uint32_t n) {
  TENSORS(4096)
  for (uint32_t i = 0; i < n; ++i)
    if (xGm.GetValue(i) > 0)
      t.SetValue(i, int32_t(i));
  STORE(n)
}

// Every second element.
extern "C" __global__ __aicore__ void with_gaps(GM_ADDR x, GM_ADDR y,
                                                uint32_t n) {
  TENSORS(4096)
  for (uint32_t i = 0; i < n; i += 2)
    t.SetValue(i, int32_t(i));
  STORE(n)
}

// Two fields, filled side by side.
extern "C" __global__ __aicore__ void two_fields(GM_ADDR x, GM_ADDR y,
                                                 uint32_t n) {
  TENSORS(8192)
  for (uint32_t i = 0; i < n; ++i) {
    t.SetValue(i, int32_t(i));
    t.SetValue(1024 + i, int32_t(i));
  }
  STORE(n)
}

// Places that data decide, in all iterations alike.
extern "C" __global__ __aicore__ void scatters(GM_ADDR x, GM_ADDR y,
                                               uint32_t n) {
  TENSORS(1024)
  yGm.SetGlobalBuffer((__gm__ int32_t *)y, 256);
  Duplicate(t, 0, 256);
  SetFlag<HardEvent::V_S>(EVENT_ID0);
  WaitFlag<HardEvent::V_S>(EVENT_ID0);
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t at = uint32_t(xGm.GetValue(i)) % 256;
    t.SetValue(at, t.GetValue(at) + 1);
  }
  STORE(256)
}

#define ROWS                                                                   \
  TENSORS(4096)                                                                \
  xGm.SetGlobalBuffer((__gm__ int32_t *)x, n + 64);                            \
  yGm.SetGlobalBuffer((__gm__ int32_t *)y, n * 64);

// A row's place in the buffer is what data say.
extern "C" __global__ __aicore__ void rows_by_data(GM_ADDR x, GM_ADDR y,
                                                   uint32_t n) {
  ROWS for (uint32_t i = 0; i < n; ++i) {
    uint32_t at = uint32_t(xGm.GetValue(i)) % 16 * 64;
    DataCopy(t[at], xGm, 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm[i * 64], t[at], 64);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
  }
}

// The next row may overwrite one that is still being stored.
extern "C" __global__ __aicore__ void rows_without_wait(GM_ADDR x, GM_ADDR y,
                                                        uint32_t n) {
  ROWS for (uint32_t i = 0; i < n; ++i) {
    uint32_t at = uint32_t(xGm.GetValue(i)) % 16 * 64;
    DataCopy(t[at], xGm, 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm[i * 64], t[at], 64);
    PipeBarrier<PIPE_MTE2>();
  }
}

// It waits only if the row is another one than the last.
extern "C" __global__ __aicore__ void rows_that_recur(GM_ADDR x, GM_ADDR y,
                                                      uint32_t n) {
  ROWS uint32_t last = 0;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t at = uint32_t(xGm.GetValue(i)) % 16 * 64;
    if (at != last) {
      SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
      WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
    DataCopy(t[at], xGm, 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm[i * 64], t[at], 64);
    PipeBarrier<PIPE_MTE2>();
    last = at;
  }
}

// The row after that of the last iteration is one of an earlier iteration.
extern "C" __global__ __aicore__ void row_of_another(GM_ADDR x, GM_ADDR y,
                                                     uint32_t n) {
  ROWS uint32_t last = 0;
  for (uint32_t i = 0; i < n; ++i) {
    last = uint32_t(xGm.GetValue(i)) % 16 * 64;
    DataCopy(t[last], xGm, 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm[i * 64], t[last], 64);
  }
  DataCopy(t[(last + 64) % 1024], xGm, 64);
}

// 200 iterations, of which each is like the others.
extern "C" __global__ __aicore__ void known_length(GM_ADDR x, GM_ADDR y,
                                                   uint32_t n) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 200 * 64);
  yGm.SetGlobalBuffer((__gm__ float *)y, 200 * 64);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, 256);
  pipe.InitBuffer(out, 2, 256);
  for (int i = 0; i < 200; ++i) {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[i * 64], 64);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Exp(b, a, 64);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(yGm[i * 64], b, 64);
    out.FreeTensor(b);
  }
}

// The same, but after the 150th nothing waits.
extern "C" __global__ __aicore__ void late_mistake(GM_ADDR x, GM_ADDR y,
                                                   uint32_t n) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 200 * 64);
  yGm.SetGlobalBuffer((__gm__ float *)y, 200 * 64);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 256);
  LocalTensor<float> a = buf.Get<float>();
  for (int i = 0; i < 200; ++i) {
    DataCopy(a, xGm[i * 64], 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm[i * 64], a, 64);
    if (i != 150) {
      SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
      WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
  }
}

// Rows and columns of a number, if there are columns.
extern "C" __global__ __aicore__ void divides(GM_ADDR x, GM_ADDR y, uint32_t n,
                                              uint32_t columns) {
  GlobalTensor<int32_t> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ int32_t *)x, columns);
  yGm.SetGlobalBuffer((__gm__ int32_t *)y, n);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 4096);
  LocalTensor<int32_t> t = buf.Get<int32_t>();
  for (uint32_t i = 0; i < n; ++i)
    t.SetValue(i, xGm.GetValue(i % columns));
  STORE(n)
}
