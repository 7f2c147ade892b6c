// What hosts take care of, and kernels do not show.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;

// DataCopy cuts what it is asked for down to whole blocks.
extern "C" __global__ __aicore__ void whole(GM_ADDR x, GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  yGm.SetGlobalBuffer((__gm__ float *)y, n);
  pipe.InitBuffer(buffer, TILE * 4);
  LocalTensor<float> t = buffer.Get<float>();
  if (GetBlockIdx() == 0) {
    DataCopy(t, xGm, n);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, t, {1, uint32_t(n * 4), 0, 0, 0}); // line 19
  }
}

// The last tile is shorter than the others.
extern "C" __global__ __aicore__ void tiles(GM_ADDR x, GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<half> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, n);
  yGm.SetGlobalBuffer((__gm__ half *)y, n);
  pipe.InitBuffer(buffer, TILE * 2);
  LocalTensor<half> t = buffer.Get<half>();
  for (uint32_t i = GetBlockIdx() * TILE; i < n; i += GetBlockNum() * TILE) {
    uint32_t length = n - i < TILE ? n - i : TILE;
    DataCopy(t, xGm[i], length);
    PipeBarrier<PIPE_ALL>();
    Adds(t, t, half(1), length);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm[i], t, {1, uint32_t(length * 2), 0, 0, 0}); // line 38
    PipeBarrier<PIPE_ALL>();
  }
}

// One element more than was copied.
extern "C" __global__ __aicore__ void more(GM_ADDR x, GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  pipe.InitBuffer(buffer, TILE * 4);
  LocalTensor<float> t = buffer.Get<float>();
  if (GetBlockIdx() == 0) {
    DataCopy(t, xGm, n);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, t, {1, uint32_t(n * 4 + 4), 0, 0, 0});
  }
}

// How long it is an argument says.
extern "C" __global__ __aicore__ void by_argument(GM_ADDR x, GM_ADDR y,
                                                  GM_ADDR lengths) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  GlobalTensor<uint32_t> lengthsGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  lengthsGm.SetGlobalBuffer((__gm__ uint32_t *)lengths);
  pipe.InitBuffer(buffer, TILE * 4);
  LocalTensor<float> t = buffer.Get<float>();
  uint32_t n = lengthsGm.GetValue(0);
  if (GetBlockIdx() == 0 && n < TILE) {
    DataCopy(t, xGm, n);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, t, {1, uint32_t(n * 4), 0, 0, 0});
  }
}

// As many as the launch says of what was written as a whole.
extern "C" __global__ __aicore__ void best(GM_ADDR x, GM_ADDR y, uint32_t k) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, TILE);
  yGm.SetGlobalBuffer((__gm__ float *)y, k);
  pipe.InitBuffer(buffer, TILE * 4);
  LocalTensor<float> t = buffer.Get<float>();
  if (GetBlockIdx() == 0) {
    DataCopy(t, xGm, TILE);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, t, {1, uint32_t(k * 4), 0, 0, 0}); // line 91
  }
}

// Parts of rows: no part is wider than the rows.
extern "C" __global__ __aicore__ void
slices(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t width) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
  yGm.SetGlobalBuffer((__gm__ float *)y, uint64_t(rows) * width);
  pipe.InitBuffer(buffer, TILE * 4);
  LocalTensor<float> t = buffer.Get<float>();
  if (GetBlockIdx() == 0 && rows > 0 && rows < 4096) {
    uint32_t gap = (columns - width) * 4; // line 106
    DataCopyPad(t, xGm, {uint16_t(rows), width * 4, gap, 0, 0},
                {false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, t, {uint16_t(rows), width * 4, 0, 0, 0});
  }
}

struct Tiling {
  uint32_t n;
  float scale;
  struct {
    uint32_t first, last;
  } part[2];
};

__aicore__ inline void read(Tiling *to, GM_ADDR from) {
  int32_t *words = reinterpret_cast<int32_t *>(to);
  auto source = reinterpret_cast<__gm__ int32_t *>(from);
  for (uint32_t i = 0; i < sizeof(Tiling) / sizeof(int32_t); ++i)
    words[i] = source[i];
}

// The tiling is copied word by word.
extern "C" __global__ __aicore__ void words(GM_ADDR x, GM_ADDR y,
                                            GM_ADDR tiling) {
  Tiling t;
  read(&t, tiling);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, t.n);
  yGm.SetGlobalBuffer((__gm__ float *)y, t.n);
  pipe.InitBuffer(buffer, TILE * 4);
  LocalTensor<float> local = buffer.Get<float>();
  uint32_t first = t.part[1].first, length = t.part[1].last - first;
  if (GetBlockIdx() == 0 && t.part[1].last >= first) {
    DataCopyPad(local, xGm[first], {1, length * 4, 0, 0, 0}, {false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    Muls(local, local, t.scale, length);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm[first], local, {1, length * 4, 0, 0, 0}); // line 147
  }
}

// A length in elements, where bytes are meant.
extern "C" __global__ __aicore__ void elements(GM_ADDR x, GM_ADDR y,
                                               uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  yGm.SetGlobalBuffer((__gm__ float *)y, n);
  pipe.InitBuffer(buffer, TILE * 4);
  LocalTensor<float> t = buffer.Get<float>();
  if (GetBlockIdx() == 0 && n <= TILE) {
    Duplicate(t, 0.0f, TILE);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, t, {1, n, 0, 0, 0}); // line 164
  }
}

// The words are wider than what is read: they hold no words of the tiling.
extern "C" __global__ __aicore__ void shorts(GM_ADDR y, GM_ADDR tiling) {
  struct {
    uint32_t n, length;
  } t;
  int32_t *words = reinterpret_cast<int32_t *>(&t);
  auto source = reinterpret_cast<__gm__ int16_t *>(tiling);
  for (uint32_t i = 0; i < 2; ++i)
    words[i] = source[i];
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> yGm;
  yGm.SetGlobalBuffer((__gm__ float *)y, t.n);
  pipe.InitBuffer(buffer, TILE * 4);
  LocalTensor<float> local = buffer.Get<float>();
  if (GetBlockIdx() == 0) {
    Duplicate(local, 0.0f, TILE);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(yGm, local, {1, t.length * 4, 0, 0, 0}); // line 186
  }
}
