#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t SOME = 200;

extern "C" __global__ __aicore__ void polynomial(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  DataCopy(t, xGm, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); // without: missing-sync
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(0, SOME);
  Muls<float, false>(t, t, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>(); // without: missing-barrier
  Adds<float, false>(t, t, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();
  Relu<float, false>(t, t, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  SetMaskNorm(); // without: mask-left-on
  ResetMask();
  PipeBarrier<PIPE_V>();
  Adds(t, t, 1.0f, 64, N / 64, {1, 1, 8, 8});
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0); // without: missing-sync
  DataCopy(zGm, t, N);
}
