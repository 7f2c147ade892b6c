#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLS = 64;
constexpr uint32_t ROWS = 8; // of each kind
constexpr uint16_t LEN = COLS / 8;

extern "C" __global__ __aicore__ void stripes(GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> evenBuf, oddBuf;
  pipe.InitBuffer(evenBuf, ROWS * COLS * sizeof(float));
  pipe.InitBuffer(oddBuf, ROWS * COLS * sizeof(float));
  LocalTensor<float> even = evenBuf.Get<float>(), odd = oddBuf.Get<float>();
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z, 2 * ROWS * COLS);

  Duplicate(even, 0.0f, ROWS * COLS);
  Duplicate(odd, 1.0f, ROWS * COLS);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyParams everyOther(ROWS, LEN, 0, LEN);
  DataCopy(zGm, even, everyOther);
  DataCopy(zGm[COLS], odd, everyOther);
}
