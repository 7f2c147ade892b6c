// What reports say: one defect per kernel, in surroundings that test the names,
// the counts and the lines.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

class Scale {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z) {
    xGm.SetGlobalBuffer((__gm__ float *)x);
    zGm.SetGlobalBuffer((__gm__ float *)z);
    pipe.InitBuffer(inQueueX, 2, N * sizeof(float));
    pipe.InitBuffer(this->outQueueZ, 1, N * sizeof(float));
    pipe.InitBuffer(tmpBuf, N * sizeof(float));
    pipe.InitBuffer(parts[1], N * sizeof(float));
  }

  // Only the third tile goes around the queue's flags.
  __aicore__ inline void Race(uint32_t tiles) {
    LocalTensor<float> tmp = tmpBuf.Get<float>();
    for (uint32_t i = 0; i < tiles; ++i) {
      DataCopy(tmp, xGm[i * N], N);
      if (i != 2) {
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
      }
      Muls(tmp, tmp, 2.0f, N);
      PipeBarrier<PIPE_ALL>();
      DataCopy(zGm[i * N], tmp, N);
      PipeBarrier<PIPE_ALL>();
    }
  }

  __aicore__ inline void UseAfterFree(uint32_t tiles) {
    for (uint32_t i = 0; i < tiles; ++i) {
      LocalTensor<float> x = inQueueX.AllocTensor<float>();
      DataCopy(x, xGm[i * N], N);
      inQueueX.EnQue(x);
      x = inQueueX.DeQue<float>();
      LocalTensor<float> z = outQueueZ.AllocTensor<float>();
      if (i == 1)
        inQueueX.FreeTensor(x);
      Muls(z, x, 2.0f, N);
      if (i != 1)
        inQueueX.FreeTensor(x);
      outQueueZ.EnQue(z);
      z = outQueueZ.DeQue<float>();
      DataCopy(zGm[i * N], z, N);
      outQueueZ.FreeTensor(z);
    }
  }

  __aicore__ inline void Element() {
    LocalTensor<float> part = parts[1].Get<float>();
    DataCopy(part, xGm, N);
    Muls(part, part, 2.0f, N); // of an array
    PipeBarrier<PIPE_ALL>();
    DataCopy(zGm, part, N);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 2> inQueueX;
  TQue<QuePosition::VECOUT, 1> outQueueZ;
  TBuf<TPosition::VECCALC> tmpBuf, parts[2];
  GlobalTensor<float> xGm, zGm;
};

extern "C" __global__ __aicore__ void race(GM_ADDR x, GM_ADDR z,
                                           uint32_t tiles) {
  Scale op;
  op.Init(x, z);
  op.Race(tiles);
}

extern "C" __global__ __aicore__ void use_after_free(GM_ADDR x, GM_ADDR z,
                                                     uint32_t tiles) {
  Scale op;
  op.Init(x, z);
  op.UseAfterFree(tiles);
}

extern "C" __global__ __aicore__ void element(GM_ADDR x, GM_ADDR z,
                                              uint32_t tiles) {
  Scale op;
  op.Init(x, z);
  op.Element();
}

// Both blocks store the same tile if they are told to.
extern "C" __global__ __aicore__ void cores(GM_ADDR x, GM_ADDR z,
                                            uint32_t apart) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z + GetBlockIdx() * apart);
  Duplicate(t, 1.0f, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm, t, N);
}

// A macro hides the name; the line is left.
#define SET_UP_BUFFERS pipe.InitBuffer(buf, N * sizeof(float))
extern "C" __global__ __aicore__ void hidden(GM_ADDR x, GM_ADDR z,
                                             uint32_t tiles) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  SET_UP_BUFFERS; // set up
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  DataCopy(t, xGm, N);
  Muls(t, t, 2.0f, N);
}

// The first defect is a race; what comes then must not hide it.
struct Racy {
  __aicore__ inline Racy(GM_ADDR x) {
    pipe.InitBuffer(buf, N * sizeof(float));
    t = buf.Get<float>();
    xGm.SetGlobalBuffer((__gm__ float *)x);
    DataCopy(t, xGm, N);
    Muls(t, t, 2.0f, N); // race
  }
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  LocalTensor<float> t;
  GlobalTensor<float> xGm;
};

extern "C" __global__ __aicore__ void then_stuck(GM_ADDR x, GM_ADDR z,
                                                 uint32_t forever) {
  Racy k(x);
  volatile uint32_t more = forever;
  while (more)
    ; // stuck
}

extern "C" __global__ __aicore__ void then_crash(GM_ADDR x, GM_ADDR z,
                                                 uint32_t forever) {
  Racy k(x);
  volatile uint32_t *nothing = nullptr;
  if (forever)
    *nothing = 1; // crash
}

extern "C" __global__ __aicore__ void then_unpaired(GM_ADDR x, GM_ADDR z,
                                                    uint32_t forever) {
  Racy k(x);
  if (forever)
    WaitFlag<HardEvent::V_MTE3>(1); // unpaired
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z);
  DataCopy(zGm, k.t, N);
}

extern "C" __global__ __aicore__ void then_assert(GM_ADDR x, GM_ADDR z,
                                                  uint32_t forever) {
  Racy k(x);
  if (forever)
    trap(); // stop
}
