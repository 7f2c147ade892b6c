#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 512;

// One tile of a row, in by the vector unit and out.
__aicore__ inline void piece(GlobalTensor<float> &x, GlobalTensor<float> &y,
                             TQue<QuePosition::VECIN, 1> &in,
                             TQue<QuePosition::VECOUT, 1> &out, uint32_t at,
                             uint32_t count) {
  DataCopyExtParams bytes{1, uint32_t(count * sizeof(float)), 0, 0, 0};
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopyPad(a, x[at], bytes, DataCopyPadExtParams<float>{false, 0, 0, 0});
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Muls(b, a, 2.0f, count);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopyPad(y[at], b, bytes);
  out.FreeTensor(b);
}

#define TWO_TENSORS                                                            \
  TPipe pipe;                                                                  \
  TQue<QuePosition::VECIN, 1> in;                                              \
  TQue<QuePosition::VECOUT, 1> out;                                            \
  pipe.InitBuffer(in, 1, TILE * sizeof(float));                                \
  pipe.InitBuffer(out, 1, TILE * sizeof(float));                               \
  GlobalTensor<float> x, y;                                                    \
  x.SetGlobalBuffer((__gm__ float *)xs);                                       \
  y.SetGlobalBuffer((__gm__ float *)ys);

// Eight ways through each iteration.
extern "C" __global__ __aicore__ void smaller(GM_ADDR xs, GM_ADDR ys,
                                              uint32_t rows, uint32_t columns,
                                              uint32_t most) {
  TWO_TENSORS
  for (uint32_t at = 0; at < columns; at += TILE) {
    uint32_t left = columns - at;
    uint32_t count = left < TILE ? left : TILE;
    if (count > most)
      count = most;
    if (at == rows)
      count = 1;
    piece(x, y, in, out, at, count);
  }
}

extern "C" __global__ __aicore__ void larger(GM_ADDR xs, GM_ADDR ys,
                                             uint32_t rows, uint32_t columns) {
  TWO_TENSORS
  for (uint32_t at = 0; at < columns; at += TILE) {
    uint32_t left = columns - at;
    uint32_t count = left < TILE ? TILE : left;
    piece(x, y, in, out, at, count);
  }
}

extern "C" __global__ __aicore__ void
tail(GM_ADDR xs, GM_ADDR ys, uint32_t rows, uint32_t columns, uint32_t last) {
  TWO_TENSORS
  for (uint32_t row = 0; row < rows; ++row) {
    uint32_t count = TILE;
    if (row == rows - 1)
      count = last;
    piece(x, y, in, out, row * TILE, count);
  }
}

// What is stored is more than what was computed.
extern "C" __global__ __aicore__ void other(GM_ADDR xs, GM_ADDR ys,
                                            uint32_t rows, uint32_t columns) {
  TWO_TENSORS
  for (uint32_t at = 0; at < columns; at += TILE) {
    uint32_t count = TILE, stored = TILE;
    if (columns - at < TILE)
      count = columns - at;
    if (columns - at < TILE + 8)
      stored = columns - at;
    DataCopyExtParams bytes{1, uint32_t(count * sizeof(float)), 0, 0, 0};
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopyPad(a, x[at], bytes, DataCopyPadExtParams<float>{false, 0, 0, 0});
    in.EnQue(a);
    a = in.DeQue<float>();
    DataCopyExtParams more{1, uint32_t(stored * sizeof(float)), 0, 0, 0};
    DataCopyPad(y[at], a, more);
    in.FreeTensor(a);
  }
}

// Each block begins where its length says, which for the last one is another.
extern "C" __global__ __aicore__ void blocks(GM_ADDR xs, GM_ADDR ys,
                                             uint32_t rows, uint32_t columns) {
  TWO_TENSORS
  for (uint32_t row = 0; row < rows; ++row) {
    uint32_t count = row == rows - 1 ? TILE / 2 : TILE;
    piece(x, y, in, out, (row * GetBlockNum() + GetBlockIdx()) * TILE / 2,
          count);
  }
}

// A tail in a loop of a loop.
extern "C" __global__ __aicore__ void nested(GM_ADDR xs, GM_ADDR ys,
                                             uint32_t rows, uint32_t columns) {
  TWO_TENSORS
  for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum())
    for (uint32_t at = 0; at < columns; at += TILE) {
      uint32_t left = columns - at;
      uint32_t count = left < TILE ? left : TILE;
      piece(x, y, in, out, row * columns + at, count);
    }
}

// Ordered from tile to tile, and not from the last tile of a row to the next
// row.
extern "C" __global__ __aicore__ void between(GM_ADDR xs, GM_ADDR ys,
                                              uint32_t rows, uint32_t columns) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, TILE * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> x, y;
  x.SetGlobalBuffer((__gm__ float *)xs);
  y.SetGlobalBuffer((__gm__ float *)ys);
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t tile = 0; tile < columns; ++tile) {
      uint32_t at = (row * columns + tile) * TILE;
      if (tile > 0)
        WaitFlag<HardEvent::MTE3_MTE2>(0);
      DataCopy(t, x[at], TILE); // overtakes
      SetFlag<HardEvent::MTE2_MTE3>(0);
      WaitFlag<HardEvent::MTE2_MTE3>(0);
      DataCopy(y[at], t, TILE);
      if (tile + 1 < columns)
        SetFlag<HardEvent::MTE3_MTE2>(0);
    }
  }
}
