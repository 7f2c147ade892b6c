// Right kernels with paths that no launch takes, or bytes that nobody touches;
// and the wrong ones beside them: test/check/no-launch.test.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
  uint32_t rows, columns, tile, padded;
};

struct Base {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  GlobalTensor<float> x, y;
  __aicore__ inline void init(GM_ADDR xIn, GM_ADDR yOut, uint64_t elements,
                              uint32_t bytes) {
    x.SetGlobalBuffer((__gm__ float *)xIn, elements);
    y.SetGlobalBuffer((__gm__ float *)yOut, elements);
    pipe.InitBuffer(in, 2, bytes);
    pipe.InitBuffer(out, 2, bytes);
  }
};

// After a group that is not full there is no other one.
extern "C" __global__ __aicore__ void
groups(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  auto *t = (__gm__ Tiling *)tiling;
  uint32_t rows = t->rows, group = t->tile;
  Base op;
  op.init(x, y, uint64_t(rows) * 64, group * 256);
  for (uint32_t r = GetBlockIdx() * group; r < rows;
       r += GetBlockNum() * group) {
    uint32_t n = rows - r < group ? rows - r : group;
    auto a = op.in.AllocTensor<float>();
    DataCopy(a, op.x[uint64_t(r) * 64], n * 64);
    op.in.EnQue(a);
    a = op.in.DeQue<float>();
    auto b = op.out.AllocTensor<float>();
    Adds(b, a, 1.0f, n * 64);
    op.in.FreeTensor(a);
    op.out.EnQue(b);
    b = op.out.DeQue<float>();
    DataCopy(op.y[uint64_t(r) * 64], b, n * 64);
    op.out.FreeTensor(b);
  }
}

// Columns of rows that lie apart: what is between them is not touched.
template <uint32_t Step>
__aicore__ inline void columns(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
  constexpr uint32_t Wide = 8;
  auto *t = (__gm__ Tiling *)tiling;
  uint32_t rows = t->rows, columns = t->columns;
  Base op;
  op.init(x, y, uint64_t(rows) * columns, rows * Wide * 4);
  uint32_t gap = (columns - Wide) * 4;
  for (uint32_t c = GetBlockIdx() * Step; c + Wide <= columns;
       c += GetBlockNum() * Step) {
    auto a = op.in.AllocTensor<float>();
    DataCopyPad(a, op.x[c],
                DataCopyExtParams{uint16_t(rows), Wide * 4, gap, 0, 0},
                DataCopyPadExtParams<float>{false, 0, 0, 0});
    op.in.EnQue(a);
    a = op.in.DeQue<float>();
    auto b = op.out.AllocTensor<float>();
    Exp(b, a, rows * Wide);
    op.in.FreeTensor(a);
    op.out.EnQue(b);
    b = op.out.DeQue<float>();
    DataCopyPad(op.y[c], b,
                DataCopyExtParams{uint16_t(rows), Wide * 4, 0, gap, 0});
    op.out.FreeTensor(b);
  }
}
extern "C" __global__ __aicore__ void apart(GM_ADDR x, GM_ADDR y,
                                            GM_ADDR workspace, GM_ADDR tiling) {
  columns<8>(x, y, tiling);
}
// Half of each part is the next block's.
extern "C" __global__ __aicore__ void
half_apart(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  columns<4>(x, y, tiling);
}

// The last two flags are waited for after the loop, which of them its length
// decides.
template <uint32_t First>
__aicore__ inline void drain(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
  auto *t = (__gm__ Tiling *)tiling;
  uint32_t loops = t->rows;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 512);
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, loops * 64);
  yGm.SetGlobalBuffer((__gm__ float *)y, loops * 64);
  for (uint32_t i = 0; i < loops; ++i) {
    uint32_t slot = i % 2;
    LocalTensor<float> a = buf.Get<float>()[slot * 64];
    if (i >= 2)
      WaitFlag<HardEvent::MTE3_MTE2>(slot);
    DataCopy(a, xGm[i * 64], 64);
    SetFlag<HardEvent::MTE2_V>(slot);
    WaitFlag<HardEvent::MTE2_V>(slot);
    Adds(a, a, 1.5f, 64);
    SetFlag<HardEvent::V_MTE3>(slot);
    WaitFlag<HardEvent::V_MTE3>(slot);
    DataCopy(yGm[i * 64], a, 64);
    SetFlag<HardEvent::MTE3_MTE2>(slot);
  }
  uint32_t left = loops < 2 ? loops : 2;
  for (uint32_t i = First; i < left; ++i)
    WaitFlag<HardEvent::MTE3_MTE2>((loops - left + i) % 2);
}
extern "C" __global__ __aicore__ void
drains(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  drain<0>(x, y, tiling);
}
extern "C" __global__ __aicore__ void
drains_one(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  drain<1>(x, y, tiling);
}

// Rows of more than 255 repeats do not fit, whatever the host makes of them.
extern "C" __global__ __aicore__ void
chunks(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  auto *t = (__gm__ Tiling *)tiling;
  uint32_t columns = t->columns;
  Base op;
  op.init(x, y, columns, t->padded * 4);
  auto a = op.in.AllocTensor<float>();
  DataCopyPad(a, op.x, DataCopyExtParams{1, columns * 4, 0, 0, 0},
              DataCopyPadExtParams<float>{false, 0, 0, 0});
  op.in.EnQue(a);
  a = op.in.DeQue<float>();
  auto b = op.out.AllocTensor<float>();
  uint32_t repeats = columns / 64, done = 0;
  while (repeats > 0) {
    uint8_t now = repeats < 255 ? repeats : 255;
    Muls(b[done], a[done], 3.0f, 64, now, {1, 1, 8, 8});
    done += now * 64;
    repeats -= now;
  }
  if (columns % 64 > 0)
    Muls(b[done], a[done], 3.0f, columns % 64, 1, {1, 1, 8, 8});
  op.in.FreeTensor(a);
  op.out.EnQue(b);
  b = op.out.DeQue<float>();
  DataCopyPad(op.y, b, DataCopyExtParams{1, columns * 4, 0, 0, 0});
  op.out.FreeTensor(b);
}
