// More accesses than the checker compares.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t Columns = 8;

#if defined(ACCESS)
// MTE2 writes many rows, V reads the first without a flag.
extern "C" __global__ __aicore__ void access(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer, result;
  pipe.InitBuffer(buffer, ROWS * Columns * sizeof(float));
  pipe.InitBuffer(result, ROWS * Columns * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, ROWS * Columns);
  zGm.SetGlobalBuffer((__gm__ float *)z, ROWS * Columns);
  LocalTensor<float> t = buffer.Get<float>(), u = result.Get<float>();
  for (uint32_t r = 0; r < ROWS; ++r)
    DataCopy(t[r * Columns], xGm[r * Columns], Columns);
  Adds(u, t, 1.0f, Columns);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, u, Columns);
}
#elif defined(STRAIGHT)
// The same without a loop.
#define FIVE(X) X X X X X
#define ROW                                                                    \
  DataCopy(t[r * Columns], xGm[r * Columns], Columns);                         \
  ++r;
extern "C" __global__ __aicore__ void straight(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer, result;
  pipe.InitBuffer(buffer, 125 * Columns * sizeof(float));
  pipe.InitBuffer(result, 125 * Columns * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 125 * Columns);
  zGm.SetGlobalBuffer((__gm__ float *)z, 125 * Columns);
  LocalTensor<float> t = buffer.Get<float>(), u = result.Get<float>();
  uint32_t r = 0;
  FIVE(FIVE(FIVE(ROW)))
  Adds(u, t, 1.0f, Columns);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, u, Columns);
}
#elif defined(CORES)
// Each block stores its own rows, and then all blocks the same one.
extern "C" __global__ __aicore__ void cores(GM_ADDR y, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, Columns * sizeof(float));
  GlobalTensor<float> yGm, zGm;
  yGm.SetGlobalBuffer((__gm__ float *)y);
  zGm.SetGlobalBuffer((__gm__ float *)z, Columns);
  LocalTensor<float> t = buffer.Get<float>();
  Duplicate(t, 1.0f, Columns);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  uint64_t base = (uint64_t)GetBlockIdx() * ROWS * Columns;
  for (uint32_t r = 0; r < ROWS; ++r)
    DataCopy(yGm[base + r * Columns], t, Columns);
  DataCopy(zGm, t, Columns);
}
#elif defined(FILL)
// Every byte of the buffer is written, row by row, before all of it is stored.
extern "C" __global__ __aicore__ void rows(GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, ROWS * Columns * sizeof(float));
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z, ROWS * Columns);
  LocalTensor<float> t = out.AllocTensor<float>();
  for (uint32_t r = 0; r < ROWS; ++r)
    Duplicate(t[r * Columns], 0.5f, Columns);
  out.EnQue(t);
  t = out.DeQue<float>();
  DataCopy(zGm, t, ROWS * Columns);
  out.FreeTensor(t);
}
#endif
