#include "kernel_operator.h"
using namespace AscendC;

// Each block has tiles of one size and a last one that is shorter, and the
// first `more` blocks have more than the others: as most operators share out
// their work.
struct Shares {
  uint32_t more;  // so many blocks
  uint32_t large; // elements of each of them
  uint32_t small; // and of the others
  uint32_t largeTiles, smallTiles, largeTail, smallTail;
  uint32_t tile;
};

class Tiles {
public:
  __aicore__ inline void init(GM_ADDR x, GM_ADDR y, const Shares &s,
                              uint32_t from, uint32_t all) {
    bool first = GetBlockIdx() < s.more;
    tile = s.tile;
    tiles = first ? s.largeTiles : s.smallTiles;
    tail = first ? s.largeTail : s.smallTail;
    in.SetGlobalBuffer((__gm__ float *)x + from, all);
    out.SetGlobalBuffer((__gm__ float *)y + from, all);
    pipe.InitBuffer(ins, 2, tile * sizeof(float));
    pipe.InitBuffer(outs, 2, tile * sizeof(float));
  }

  __aicore__ inline void one(int32_t i, uint32_t length) {
    LocalTensor<float> a = ins.AllocTensor<float>();
    DataCopy(a, in[i * tile], length);
    ins.EnQue(a);
    a = ins.DeQue<float>();
    LocalTensor<float> b = outs.AllocTensor<float>();
    Muls(b, a, 2.0f, length);
    outs.EnQue(b);
    ins.FreeTensor(a);
    b = outs.DeQue<float>();
    DataCopy(out[i * tile], b, length);
    outs.FreeTensor(b);
  }

  TPipe pipe;
  TQue<QuePosition::VECIN, 2> ins;
  TQue<QuePosition::VECOUT, 2> outs;
  GlobalTensor<float> in, out;
  uint32_t tile, tiles, tail, length;
};

#define SHARE                                                                  \
  Shares s = {more,       large,     small,     largeTiles,                    \
              smallTiles, largeTail, smallTail, tile};                         \
  uint32_t block = GetBlockIdx();                                              \
  uint32_t from = large * block;                                               \
  uint32_t all = large;                                                        \
  if (block >= more) {                                                         \
    from -= (large - small) * (block - more);                                  \
    all = small;                                                               \
  }                                                                            \
  Tiles op;

#define KERNEL(name)                                                           \
  extern "C" __global__ __aicore__ void name(                                  \
      GM_ADDR x, GM_ADDR y, uint32_t more, uint32_t large, uint32_t small,     \
      uint32_t largeTiles, uint32_t smallTiles, uint32_t largeTail,            \
      uint32_t smallTail, uint32_t tile)

KERNEL(last_is_shorter) {
  SHARE
  op.init(x, y, s, from, all);
  op.length = op.tile;
  for (int32_t i = 0; i < op.tiles; i++) {
    if (i == op.tiles - 1)
      op.length = op.tail;
    op.one(i, op.length);
  }
}

// The one before the last is shorter, too: no tile that is left is a whole one.
KERNEL(last_two_are_shorter) {
  SHARE
  op.init(x, y, s, from, all);
  op.length = op.tile;
  for (int32_t i = 0; i < op.tiles; i++) {
    if (i == op.tiles - 2)
      op.length = op.tail;
    op.one(i, op.length);
  }
}

// The blocks after the first `more` begin where these would end if all had as
// many as the others.
KERNEL(shares_overlap) {
  SHARE
  op.init(x, y, s, small * block, all);
  op.length = op.tile;
  for (int32_t i = 0; i < op.tiles; i++) {
    if (i == op.tiles - 1)
      op.length = op.tail;
    op.one(i, op.length);
  }
}

// Blocks stay in their parts only because tensors have these sizes, and these
// tensors have more.
KERNEL(tensors_overlap) {
  SHARE
  op.init(x, y, s, from, all + 8);
  op.length = op.tile;
  for (int32_t i = 0; i < op.tiles; i++) {
    if (i == op.tiles - 1)
      op.length = op.tail;
    op.one(i, op.length);
  }
}

// One copy more after the loop, as long as the last one was.
KERNEL(after_the_loop) {
  SHARE
  op.init(x, y, s, from, all);
  op.length = op.tile;
  for (int32_t i = 0; i < op.tiles; i++) {
    if (i == op.tiles - 1)
      op.length = op.tail;
    op.one(i, op.length);
  }
  LocalTensor<float> a = op.ins.AllocTensor<float>();
  Duplicate(a, 0.0f, op.length);
  op.ins.FreeTensor(a);
}
