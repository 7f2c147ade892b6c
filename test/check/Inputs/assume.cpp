// What the host promises: a comment of the source that every launch can be
// held against.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
  uint32_t total, tile, tiles, mode;
};

// Nothing in the source says that the tiles are within the tensor.
extern "C" __global__ __aicore__ void promised(GM_ADDR x, GM_ADDR z,
                                               GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(Tiling, t, tiling);
  uint32_t total = t.total, tile = t.tile, tiles = t.tiles;
  // belay: assume tile * tiles <= total && tile % 8 == 0
  // belay: assume tile <= 8192
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, total);
  zGm.SetGlobalBuffer((__gm__ float *)z, total);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
  pipe.InitBuffer(queue, 2, tile * sizeof(float));
  for (uint32_t i = 0; i < tiles; ++i) {
    LocalTensor<float> in = queue.AllocTensor<float>();
    DataCopy(in, xGm[i * tile], tile);
    queue.EnQue(in);
    LocalTensor<float> out = queue.DeQue<float>();
    DataCopy(zGm[i * tile], out, tile);
    queue.FreeTensor(out);
  }
}

// The same promise on one path only, and what breaks it is still found.
extern "C" __global__ __aicore__ void on_one_path(GM_ADDR z, uint32_t n,
                                                  uint32_t mode) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  if (mode == 3) {
    // belay: assume n == 64
    Duplicate(t, 1.0f, n);
  }
  Duplicate(t, 1.0f, 64);
}

// A mistake in the launches that are promised.
extern "C" __global__ __aicore__ void still_wrong(GM_ADDR z, uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  // belay: assume n > 256
  Duplicate(t, 1.0f, n); // line 54
}

// No launch can be held against what data are.
extern "C" __global__ __aicore__ void of_data(GM_ADDR x, GM_ADDR z) {
  int32_t n = reinterpret_cast<__gm__ int32_t *>(x)[0];
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  // belay: assume n == 64
  Duplicate(t, 1.0f, n);
}

// What does not hold says nothing.
extern "C" __global__ __aicore__ void never(GM_ADDR z, uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  // belay: assume n < 4
  // belay: assume n > 8
  Duplicate(t, 1.0f, 4096);
}
