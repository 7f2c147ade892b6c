// What does not fit in any launch of some size in which nothing is left of what
// is divided, though a launch that nobody makes may fit.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BUFFERS = 2;

enum class How { Right, OneMore, ForOneBuffer, Elements, Offset, Bytes };

template <How HOW>
__aicore__ inline void add(GM_ADDR x, GM_ADDR y, uint32_t total,
                           uint32_t tiles) {
  TPipe pipe;
  TQue<TPosition::VECIN, BUFFERS> in;
  TQue<TPosition::VECOUT, BUFFERS> out;
  GlobalTensor<half> from, to;
  uint32_t part = total / GetBlockNum();
  uint32_t tile =
      HOW == How::ForOneBuffer ? part / tiles : part / tiles / BUFFERS;
  from.SetGlobalBuffer((__gm__ half *)x + part * GetBlockIdx(), part);
  to.SetGlobalBuffer((__gm__ half *)y + part * GetBlockIdx(), part);
  pipe.InitBuffer(in, BUFFERS,
                  HOW == How::Elements ? tile : tile * sizeof(half));
  pipe.InitBuffer(out, BUFFERS, tile * sizeof(half));
  int32_t times = tiles * BUFFERS + (HOW == How::OneMore);
  for (int32_t i = 0; i < times; ++i) {
    LocalTensor<half> a = in.AllocTensor<half>();
    DataCopy(a, from[i * tile], tile);
    in.EnQue(a);
    a = in.DeQue<half>();
    LocalTensor<half> b = out.AllocTensor<half>();
    Adds(b, a, half(1), tile);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<half>();
    DataCopy(to[HOW == How::Offset ? 2 * i * tile : i * tile], b,
             HOW == How::Bytes ? tile * sizeof(half) : tile);
    out.FreeTensor(b);
  }
}

#define KERNEL(NAME, HOW)                                                      \
  extern "C" __global__ __aicore__ void NAME(GM_ADDR x, GM_ADDR y,             \
                                             uint32_t total, uint32_t tiles) { \
    add<How::HOW>(x, y, total, tiles);                                         \
  }
KERNEL(right, Right)
#ifndef RIGHT
KERNEL(one_more, OneMore)
KERNEL(for_one_buffer, ForOneBuffer)
KERNEL(elements, Elements)
KERNEL(offset, Offset)
KERNEL(bytes, Bytes)
#endif

// Rows that are short, or that the host keeps within their buffer.
extern "C" __global__ __aicore__ void short_rows(GM_ADDR x, uint32_t n,
                                                 uint32_t room) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> fixed, sized;
  GlobalTensor<float> from;
  from.SetGlobalBuffer((__gm__ float *)x, n);
  pipe.InitBuffer(fixed, 128);
  pipe.InitBuffer(sized, room * 4);
  if (GetBlockIdx() != 0)
    return;
  LocalTensor<float> few = fixed.Get<float>(), all = sized.Get<float>();
  DataCopyPad(few, from, {1, n * 4, 0, 0, 0}, {false, 0, 0, 0});
  if (n > 8192)
    DataCopyPad(all, from, {1, n * 4, 0, 0, 0}, {false, 0, 0, 0});
}
