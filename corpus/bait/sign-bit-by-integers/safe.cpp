#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void magnitude(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf, maskBuf;
  pipe.InitBuffer(buf, N * sizeof(float));
  pipe.InitBuffer(maskBuf, N * sizeof(int32_t));
  LocalTensor<float> t = buf.Get<float>();
  LocalTensor<int32_t> mask = maskBuf.Get<int32_t>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  DataCopy(t, xGm, N);
  Duplicate(mask, 0x7fffffff, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  PipeBarrier<PIPE_V>();
  // And works on 16 bits.
  LocalTensor<int16_t> words = t.ReinterpretCast<int16_t>();
  And(words, words, mask.ReinterpretCast<int16_t>(), 2 * N);
  PipeBarrier<PIPE_V>();
  Adds(t, t, 1.0f, N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, N);
}
