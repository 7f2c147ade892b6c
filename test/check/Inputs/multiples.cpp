// Numbers that are assumed to be whole blocks, and rows of them.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
  uint32_t rows, columns, chunk;
};

// Columns are whole blocks: so are places of rows.
template <uint32_t STEP>
__aicore__ inline void each(GM_ADDR x, GM_ADDR y, uint32_t rows,
                            uint32_t columns) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
  yGm.SetGlobalBuffer((__gm__ float *)y, uint64_t(rows) * columns);
  pipe.InitBuffer(buffer, columns * 4);
  LocalTensor<float> t = buffer.Get<float>();
  for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) {
    DataCopy(t, xGm[uint64_t(r) * columns], columns);
    PipeBarrier<PIPE_ALL>();
    Adds(t[columns / 8 * STEP], t[columns / 8 * STEP], 1.0f, columns / 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm[uint64_t(r) * columns], t, columns);
    PipeBarrier<PIPE_ALL>();
  }
}

extern "C" __global__ __aicore__ void eighths(GM_ADDR x, GM_ADDR y,
                                              uint32_t rows, uint32_t columns) {
  if (columns % 64 != 0 || columns > 8192)
    return;
  each<7>(x, y, rows, columns);
}

extern "C" __global__ __aicore__ void ninth(GM_ADDR x, GM_ADDR y, uint32_t rows,
                                            uint32_t columns) {
  if (columns % 64 != 0 || columns > 8192 || columns == 0)
    return;
  each<8>(x, y, rows, columns);
}

// An eighth of whole blocks need not be a whole block.
extern "C" __global__ __aicore__ void
odd_eighths(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
  if (columns % 16 != 0 || columns > 8192)
    return;
  each<7>(x, y, rows, columns);
}

constexpr uint32_t WIDE = 64, ROWS = 16;

// Two halves of rows make whole rows.
template <uint32_t SECOND, uint32_t HALF>
__aicore__ inline void halves(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, WIDE * ROWS);
  yGm.SetGlobalBuffer((__gm__ float *)y, WIDE * ROWS);
  pipe.InitBuffer(buffer, WIDE * ROWS * 4);
  LocalTensor<float> t = buffer.Get<float>();
  DataCopy(t, xGm, {ROWS, WIDE / 2 / 8, WIDE / 2 / 8, WIDE / 2 / 8});
  DataCopy(t[SECOND], xGm[SECOND],
           {ROWS, HALF / 8, (WIDE - HALF) / 8, (WIDE - HALF) / 8});
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, t, WIDE * ROWS);
}

extern "C" __global__ __aicore__ void both_halves(GM_ADDR x, GM_ADDR y) {
  halves<WIDE / 2, WIDE / 2>(x, y);
}

extern "C" __global__ __aicore__ void half_twice(GM_ADDR x, GM_ADDR y) {
  halves<0, WIDE / 2>(x, y);
}

extern "C" __global__ __aicore__ void short_half(GM_ADDR x, GM_ADDR y) {
  halves<WIDE / 2, WIDE / 4>(x, y);
}

// Tensors at places that the kernel chooses.
template <uint32_t COPIED, uint32_t SECOND>
__aicore__ inline void places(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, WIDE * ROWS);
  yGm.SetGlobalBuffer((__gm__ float *)y, WIDE * ROWS);
  LocalTensor<float> a(TPosition::VECCALC, 0, WIDE);
  LocalTensor<float> b(TPosition::VECCALC, SECOND, WIDE);
  DataCopy(a, xGm, COPIED);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(b, a, 1.0f, WIDE);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(yGm, b, WIDE);
}

extern "C" __global__ __aicore__ void placed(GM_ADDR x, GM_ADDR y) {
  if (GetBlockIdx() == 0)
    places<WIDE, WIDE * 4>(x, y);
}

extern "C" __global__ __aicore__ void placed_less(GM_ADDR x, GM_ADDR y) {
  if (GetBlockIdx() == 0)
    places<WIDE - 8, WIDE * 4>(x, y);
}
