// Parts of blocks that the launch puts apart.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

struct Tiling {
  uint32_t total, each, rows, columns, pitch;
};

template <typename Visit>
__aicore__ inline void tiles(GM_ADDR x, GM_ADDR y, uint32_t begin, uint32_t end,
                             Visit visit) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  pipe.InitBuffer(que, 2, TILE * 4);
  for (uint32_t i = begin; i < end; i += TILE) {
    uint32_t length = end - i < TILE ? end - i : TILE;
    LocalTensor<float> t = que.AllocTensor<float>();
    DataCopyPad(t, xGm[i], {1, uint32_t(length * 4), 0, 0, 0},
                {false, 0, 0, 0});
    que.EnQue(t);
    t = que.DeQue<float>();
    DataCopyPad(yGm[visit(i)], t, {1, uint32_t(length * 4), 0, 0, 0});
    que.FreeTensor(t);
  }
}

// Each block has `each` elements, and copies them `each` apart.
extern "C" __global__ __aicore__ void own(GM_ADDR x, GM_ADDR y, uint32_t each) {
  tiles(x, y, GetBlockIdx() * each, (GetBlockIdx() + 1) * each,
        [](uint32_t i) { return i; });
}

// Each has `each`, but they begin `step` apart: safe if each <= step.
extern "C" __global__ __aicore__ void steps(GM_ADDR x, GM_ADDR y, uint32_t each,
                                            uint32_t step) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  pipe.InitBuffer(buffer, each * 4);
  LocalTensor<float> t = buffer.Get<float>();
  DataCopyPad(t, xGm[GetBlockIdx() * step], {1, each * 4, 0, 0, 0},
              {false, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(yGm[GetBlockIdx() * step], t, {1, each * 4, 0, 0, 0});
}

// All begin at the same place.
extern "C" __global__ __aicore__ void same_place(GM_ADDR x, GM_ADDR y,
                                                 uint32_t each, uint32_t step) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  pipe.InitBuffer(buffer, each * 4);
  LocalTensor<float> t = buffer.Get<float>();
  DataCopyPad(t, xGm[GetBlockIdx() * step], {1, each * 4, 0, 0, 0},
              {false, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(yGm, t, {1, each * 4, 0, 0, 0});
}

// Large blocks first, as hosts write it.
extern "C" __global__ __aicore__ void large_and_small(GM_ADDR x, GM_ADDR y,
                                                      uint32_t large,
                                                      uint32_t big,
                                                      uint32_t small) {
  uint32_t block = GetBlockIdx();
  uint32_t begin =
      block < large ? block * big : large * big + (block - large) * small;
  uint32_t length = block < large ? big : small;
  tiles(x, y, begin, begin + length, [](uint32_t i) { return i; });
}

// The small ones begin a tile too early.
extern "C" __global__ __aicore__ void small_too_early(GM_ADDR x, GM_ADDR y,
                                                      uint32_t large,
                                                      uint32_t big,
                                                      uint32_t small) {
  uint32_t block = GetBlockIdx();
  uint32_t begin = block < large ? block * big
                                 : large * big + (block - large) * small - TILE;
  uint32_t length = block < large ? big : small;
  tiles(x, y, begin, begin + length, [](uint32_t i) { return i; });
}

// Each block begins anew at the start of y. How much each stores the launch
// says.
extern "C" __global__ __aicore__ void
from_the_start(GM_ADDR x, GM_ADDR y, uint32_t n, uint32_t tiles) {
  uint32_t each = n / GetBlockNum() / tiles;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + each * GetBlockIdx());
  yGm.SetGlobalBuffer((__gm__ float *)y);
  pipe.InitBuffer(buffer, 4096);
  LocalTensor<float> t = buffer.Get<float>();
  if (each > 0 && each <= 1024) {
    DataCopyPad(t, xGm, {1, each * 4, 0, 0, 0}, {false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, t, {1, each * 4, 0, 0, 0});
  }
}

// One element more than its own.
extern "C" __global__ __aicore__ void one_more(GM_ADDR x, GM_ADDR y,
                                               uint32_t each) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + each * GetBlockIdx());
  yGm.SetGlobalBuffer((__gm__ float *)y + each * GetBlockIdx());
  pipe.InitBuffer(buffer, 4096);
  LocalTensor<float> t = buffer.Get<float>();
  if (each < 1024) {
    DataCopyPad(t, xGm, {1, (each + 1) * 4, 0, 0, 0}, {false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, t, {1, (each + 1) * 4, 0, 0, 0});
  }
}
