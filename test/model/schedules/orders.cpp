// One kernel for each thing that a schedule may or may not reorder.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

/// What the kernels share: two input tiles, a scratch tile, and flags.
struct Tiles {
  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf, zBuf;
  LocalTensor<float> x, y, z;
  GlobalTensor<float> xGm, zGm;

  __aicore__ inline Tiles(GM_ADDR in, GM_ADDR out) {
    pipe.InitBuffer(xBuf, N * sizeof(float));
    pipe.InitBuffer(yBuf, N * sizeof(float));
    pipe.InitBuffer(zBuf, N * sizeof(float));
    x = xBuf.Get<float>();
    y = yBuf.Get<float>();
    z = zBuf.Get<float>();
    xGm.SetGlobalBuffer((__gm__ float *)in, 4 * N);
    zGm.SetGlobalBuffer((__gm__ float *)out, 4 * N);
  }
  template <HardEvent E> __aicore__ inline void hand(int32_t id = 0) {
    SetFlag<E>(id);
    WaitFlag<E>(id);
  }
};

extern "C" __global__ __aicore__ void ordered(GM_ADDR in, GM_ADDR out) {
  Tiles t(in, out);
  for (uint32_t i = 0; i < 4; ++i) {
    DataCopy(t.x, t.xGm[i * N], N);
    t.hand<HardEvent::MTE2_V>();
    Adds(t.z, t.x, float(i), N);
    PipeBarrier<PIPE_V>();
    Mul(t.z, t.z, t.x, N);
    t.hand<HardEvent::V_MTE3>();
    t.hand<HardEvent::V_MTE2>();
    DataCopy(t.zGm[i * N], t.z, N);
    t.hand<HardEvent::MTE3_V>();
  }
}

extern "C" __global__ __aicore__ void no_flag(GM_ADDR in, GM_ADDR out) {
  Tiles t(in, out);
  DataCopy(t.x, t.xGm, N);
  Adds(t.z, t.x, 1.0f, N); // may run before the load
  PipeBarrier<PIPE_ALL>();
  DataCopy(t.zGm, t.z, N);
}

/// Right only if the compiler inserts the barrier between the two.
extern "C" __global__ __aicore__ void no_barrier(GM_ADDR in, GM_ADDR out) {
  Tiles t(in, out);
  DataCopy(t.x, t.xGm, N);
  t.hand<HardEvent::MTE2_V>();
  Adds(t.y, t.x, 1.0f, N);
  Muls(t.z, t.y, 2.0f, N);
  t.hand<HardEvent::V_MTE3>();
  DataCopy(t.zGm, t.z, N);
}

/// Right only if the compiler makes the scalar unit wait.
extern "C" __global__ __aicore__ void scalar_read(GM_ADDR in, GM_ADDR out) {
  Tiles t(in, out);
  DataCopy(t.x, t.xGm, N);
  t.hand<HardEvent::MTE2_V>();
  Adds(t.y, t.x, 1.0f, N);
  float first = t.y.GetValue(0);
  Duplicate(t.z, first, N);
  t.hand<HardEvent::V_MTE3>();
  DataCopy(t.zGm, t.z, N);
}

/// The second set may come before the first wait has cleared the flag.
extern "C" __global__ __aicore__ void lost_flag(GM_ADDR in, GM_ADDR out) {
  Tiles t(in, out);
  for (uint32_t i = 0; i < 2; ++i) {
    DataCopy(i ? t.y : t.x, t.xGm[i * N], N);
    t.hand<HardEvent::MTE2_V>();
    Adds(t.z[i * N / 2], i ? t.y : t.x, 1.0f, N / 2);
  }
  t.hand<HardEvent::V_MTE3>();
  DataCopy(t.zGm, t.z, N);
}

/// The vector unit waits for a load that is issued after it.
extern "C" __global__ __aicore__ void late_set(GM_ADDR in, GM_ADDR out) {
  Tiles t(in, out);
  WaitFlag<HardEvent::MTE2_V>(0);
  Adds(t.z, t.x, 1.0f, N);
  DataCopy(t.x, t.xGm, N);
  SetFlag<HardEvent::MTE2_V>(0);
  t.hand<HardEvent::V_MTE3>();
  DataCopy(t.zGm, t.z, N);
}

/// Registers and scalars that change after the instruction was issued.
extern "C" __global__ __aicore__ void registers(GM_ADDR in, GM_ADDR out) {
  Tiles t(in, out);
  DataCopy(t.x, t.xGm, N);
  t.hand<HardEvent::MTE2_V>();
  Duplicate(t.z, 0.0f, N);
  PipeBarrier<PIPE_V>();
  float scalar = 2.0f;
  SetMaskNorm();
  SetVectorMask<float, MaskMode::NORMAL>(0, 0xffff);
  Adds<float, false>(t.z, t.x, scalar, MASK_PLACEHOLDER, 4, {1, 1, 8, 8});
  scalar = 100.0f;
  SetVectorMask<float, MaskMode::NORMAL>(0, 0xff000000);
  Adds<float, false>(t.z, t.x, scalar, MASK_PLACEHOLDER, 4, {1, 1, 8, 8});
  scalar = -1.0f;
  ResetMask();
  t.hand<HardEvent::V_MTE3>();
  DataCopy(t.zGm, t.z, N);
  PipeBarrier<PIPE_MTE3>();
  SetAtomicAdd<float>();
  DataCopy(t.zGm, t.z, N);
  SetAtomicNone();
  DataCopy(t.zGm[N], t.z, N);
}

/// What a reduction leaves for the scalar unit.
extern "C" __global__ __aicore__ void result(GM_ADDR in, GM_ADDR out) {
  Tiles t(in, out);
  for (uint32_t i = 0; i < 4; ++i) {
    DataCopy(t.x, t.xGm[i * N], N);
    t.hand<HardEvent::MTE2_V>();
    ReduceMax(t.y, t.x, t.z, N, true);
    t.hand<HardEvent::V_S>();
    float largest = t.y.GetValue(0);
    t.hand<HardEvent::MTE3_V>();
    Duplicate(t.z, largest, N);
    t.hand<HardEvent::V_MTE3>();
    DataCopy(t.zGm[i * N], t.z, N);
    PipeBarrier<PIPE_ALL>();
  }
}

/// Each core reads what the other has written; both only if they meet first.
template <bool Meet>
__aicore__ inline void exchange(GM_ADDR in, GM_ADDR out, GM_ADDR workspace) {
  Tiles t(in, out);
  GlobalTensor<float> shared;
  shared.SetGlobalBuffer((__gm__ float *)workspace, 2 * N);
  uint32_t me = GetBlockIdx(), other = 1 - me;
  DataCopy(t.x, t.xGm[me * N], N);
  t.hand<HardEvent::MTE2_MTE3>();
  DataCopy(shared[me * N], t.x, N);
  PipeBarrier<PIPE_ALL>();
  if (Meet)
    SyncAll();
  DataCopy(t.y, shared[other * N], N);
  t.hand<HardEvent::MTE2_MTE3>();
  DataCopy(t.zGm[me * N], t.y, N);
}

extern "C" __global__ __aicore__ void meet(GM_ADDR in, GM_ADDR out,
                                           GM_ADDR workspace) {
  exchange<true>(in, out, workspace);
}
extern "C" __global__ __aicore__ void pass_by(GM_ADDR in, GM_ADDR out,
                                              GM_ADDR workspace) {
  exchange<false>(in, out, workspace);
}
