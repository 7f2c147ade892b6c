// One loop over tiles; each kernel leaves out or misplaces one piece of its
// synchronisation. The lines that a finding has to name carry a marker.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;

struct Tile {
  __aicore__ inline Tile(GM_ADDR x, GM_ADDR z) {
    pipe.InitBuffer(buf, TILE * sizeof(float));
    t = buf.Get<float>();
    in.SetGlobalBuffer((__gm__ float *)x);
    out.SetGlobalBuffer((__gm__ float *)z);
  }
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  LocalTensor<float> t;
  GlobalTensor<float> in, out;
};

extern "C" __global__ __aicore__ void complete(GM_ADDR x, GM_ADDR z,
                                               uint32_t tiles) {
  Tile k(x, z);
  for (uint32_t i = 0; i < tiles; ++i) {
    if (i)
      WaitFlag<HardEvent::MTE3_MTE2>(0);
    DataCopy(k.t, k.in[i * TILE], TILE);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(k.t, k.t, 1.0f, TILE); // first vector
    Muls(k.t, k.t, 2.0f, TILE); // second vector
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(k.out[i * TILE], k.t, TILE);
    if (i + 1 < tiles)
      SetFlag<HardEvent::MTE3_MTE2>(0);
  }
}

extern "C" __global__ __aicore__ void barriers(GM_ADDR x, GM_ADDR z,
                                               uint32_t tiles) {
  Tile k(x, z);
  for (uint32_t i = 0; i < tiles; ++i) {
    DataCopy(k.t, k.in[i * TILE], TILE);
    PipeBarrier<PIPE_ALL>();
    Adds(k.t, k.t, 1.0f, TILE);
    PipeBarrier<PIPE_V>();
    Muls(k.t, k.t, 2.0f, TILE);
    PipeBarrier<PIPE_ALL>();
    DataCopy(k.out[i * TILE], k.t, TILE);
    PipeBarrier<PIPE_ALL>();
  }
}

extern "C" __global__ __aicore__ void no_forward(GM_ADDR x, GM_ADDR z,
                                                 uint32_t tiles) {
  Tile k(x, z);
  DataCopy(k.t, k.in, TILE);  // unordered load
  Adds(k.t, k.t, 1.0f, TILE); // unordered use
  PipeBarrier<PIPE_ALL>();
  DataCopy(k.out, k.t, TILE);
}

extern "C" __global__ __aicore__ void no_back_edge(GM_ADDR x, GM_ADDR z,
                                                   uint32_t tiles) {
  Tile k(x, z);
  for (uint32_t i = 0; i < tiles; ++i) {
    DataCopy(k.t, k.in[i * TILE], TILE); // refill
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    DataCopy(k.out[i * TILE], k.t, TILE); // still reading
  }
}

extern "C" __global__ __aicore__ void never_set(GM_ADDR x, GM_ADDR z,
                                                uint32_t tiles) {
  Tile k(x, z);
  WaitFlag<HardEvent::MTE3_MTE2>(0); // nobody sets this
  DataCopy(k.t, k.in, TILE);
}

extern "C" __global__ __aicore__ void circle(GM_ADDR x, GM_ADDR z,
                                             uint32_t tiles) {
  Tile k(x, z);
  WaitFlag<HardEvent::V_MTE2>(0); // waits for the vector unit
  DataCopy(k.t, k.in, TILE);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  Adds(k.t, k.t, 1.0f, TILE);
  SetFlag<HardEvent::V_MTE2>(0); // too late
}

// A wait may come before its set in the program, if pipes can still reach it.
extern "C" __global__ __aicore__ void late_set(GM_ADDR x, GM_ADDR z,
                                               uint32_t tiles) {
  Tile k(x, z);
  WaitFlag<HardEvent::MTE2_V>(0);
  Adds(k.t, k.t, 1.0f, TILE);
  DataCopy(k.t, k.in, TILE);
  SetFlag<HardEvent::MTE2_V>(0);
  PipeBarrier<PIPE_ALL>();
  DataCopy(k.out, k.t, TILE);
}

extern "C" __global__ __aicore__ void set_twice(GM_ADDR x, GM_ADDR z,
                                                uint32_t tiles) {
  SetFlag<HardEvent::MTE2_V>(0); // first set
  SetFlag<HardEvent::MTE2_V>(0); // second set
  WaitFlag<HardEvent::MTE2_V>(0);
}

extern "C" __global__ __aicore__ void left_set(GM_ADDR x, GM_ADDR z,
                                               uint32_t tiles) {
  SetFlag<HardEvent::MTE3_MTE2>(3); // one too many
}

extern "C" __global__ __aicore__ void run_ahead(GM_ADDR x, GM_ADDR z,
                                                uint32_t tiles) {
  for (uint32_t i = 0; i < 2; ++i) {
    SetFlag<HardEvent::MTE2_V>(0); // sets again
    WaitFlag<HardEvent::MTE2_V>(0);
  }
}

// Each core adds to what its neighbour writes.
extern "C" __global__ __aicore__ void neighbours(GM_ADDR x, GM_ADDR z,
                                                 uint32_t sync) {
  Tile k(x, z);
  Duplicate(k.t, 1.0f, TILE);
  PipeBarrier<PIPE_ALL>();
  DataCopy(k.out[GetBlockIdx() * TILE], k.t, TILE); // my part
  PipeBarrier<PIPE_ALL>();
  if (sync)
    SyncAll();
  uint32_t other = (GetBlockIdx() + 1) % GetBlockNum();
  DataCopy(k.t, k.out[other * TILE], TILE); // my neighbour's part
}

/// SetValue, then the vector unit, then MTE3. `How`: 0 nothing between SetValue
/// and the vector unit, 1 a flag, 2 a full barrier, 3 a flag, and then a store
/// of a tensor that only the scalar unit has written.
extern "C" __global__ __aicore__ void set_value(GM_ADDR x, GM_ADDR z,
                                                uint32_t how) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 64 * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z, 64);
  for (uint32_t i = 0; i < 64; ++i)
    t.SetValue(i, 1.0f); // by the scalar unit
  float kept = t.GetValue(0);
  if (how == 1 || how == 3) {
    SetFlag<HardEvent::S_V>(0);
    WaitFlag<HardEvent::S_V>(0);
  }
  if (how == 2)
    PipeBarrier<PIPE_ALL>();
  if (how != 3)
    Adds(t, t, kept, 64); // after the scalar unit
  if (how != 3) {
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
  }
  DataCopy(zGm, t, 64); // stores
}
