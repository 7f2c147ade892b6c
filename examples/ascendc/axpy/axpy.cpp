// y += a * x without queues: two halves of one buffer, ordered by flags with
// fixed ids. While the vector unit works on one half, the other is being
// loaded or stored.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 2048; // floats per half

class AxpyKernel {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, float a, uint32_t total) {
    uint32_t cores = GetBlockNum(), core = GetBlockIdx();
    uint32_t perCore = (total + cores - 1) / cores;
    perCore = (perCore + 7) / 8 * 8; // starts stay aligned
    uint32_t begin = perCore * core < total ? perCore * core : total;
    length = begin + perCore < total ? perCore : total - begin;
    scale = a;
    xGm.SetGlobalBuffer((__gm__ float *)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ float *)y + begin, length);
    pipe.InitBuffer(xBuf, 2 * TILE * sizeof(float));
    pipe.InitBuffer(yBuf, 2 * TILE * sizeof(float));
  }

  __aicore__ inline void Process() {
    LocalTensor<float> x = xBuf.Get<float>();
    LocalTensor<float> y = yBuf.Get<float>();
    // Both halves begin free: nothing is being stored from them.
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
    uint32_t half = 0;
    for (uint32_t at = 0; at < length; at += TILE, half ^= 1) {
      uint32_t count = length - at < TILE ? length - at : TILE;
      event_t id = half ? EVENT_ID1 : EVENT_ID0;
      LocalTensor<float> xh = x[half * TILE], yh = y[half * TILE];
      DataCopyExtParams piece{1, uint32_t(count * sizeof(float)), 0, 0, 0};
      DataCopyPadExtParams<float> noPad{false, 0, 0, 0};

      WaitFlag<HardEvent::MTE3_MTE2>(id);
      DataCopyPad(xh, xGm[at], piece, noPad);
      DataCopyPad(yh, yGm[at], piece, noPad);
      SetFlag<HardEvent::MTE2_V>(id);

      WaitFlag<HardEvent::MTE2_V>(id);
      Axpy(yh, xh, scale, count);
      SetFlag<HardEvent::V_MTE3>(id);

      WaitFlag<HardEvent::V_MTE3>(id);
      DataCopyPad(yGm[at], yh, piece);
      SetFlag<HardEvent::MTE3_MTE2>(id);
    }
    // Every set needs its wait, or the next kernel finds the flag raised.
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
  }

private:
  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf;
  GlobalTensor<float> xGm, yGm;
  float scale;
  uint32_t length;
};

extern "C" __global__ __aicore__ void axpy(GM_ADDR x, GM_ADDR y, float a,
                                           uint32_t total) {
  AxpyKernel op;
  op.Init(x, y, a, total);
  op.Process();
}
