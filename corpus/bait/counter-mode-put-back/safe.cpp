#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 500;
constexpr uint32_t ROOM = 512;

extern "C" __global__ __aicore__ void affine(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, ROOM * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, ROOM);

  Duplicate(t, 0.0f, ROOM);
  SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  DataCopy(t, xGm, N / 8 * 8);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(0, N / 8 * 8);
  Muls<float, false>(t, t, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  SetMaskNorm();
  ResetMask();
  PipeBarrier<PIPE_V>();
  Adds(t, t, 1.0f, 64, ROOM / 64, {1, 1, 8, 8});
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, ROOM);
}
