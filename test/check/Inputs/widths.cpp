// Offsets that 32 bits may be too few for.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t T = 1024;

class Copies {
public:
  __aicore__ inline Copies(GM_ADDR x, uint64_t n) {
    in.SetGlobalBuffer((__gm__ float *)x, n);
    pipe.InitBuffer(queue, 2, T * sizeof(float));
  }
  template <typename Offset> __aicore__ inline void Load(Offset at) {
    LocalTensor<float> tile = queue.AllocTensor<float>();
    DataCopy(tile, in[at], T);
    queue.EnQue(tile);
    tile = queue.DeQue<float>();
    queue.FreeTensor(tile);
  }
  GlobalTensor<float> in;
  TQue<TPosition::VECIN, 1> queue;
  TPipe pipe;
};

// Rows times columns, and what is in them, all in 32 bits.
extern "C" __global__ __aicore__ void rows(GM_ADDR x, uint32_t rows,
                                           uint32_t columns) {
  Copies c(x, (uint64_t)rows * columns * T);
  for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum())
    for (uint32_t k = 0; k < columns; ++k)
      c.Load((r * columns + k) * T); // line 31
}

// Counted in 64 bits, and cut.
extern "C" __global__ __aicore__ void cut(GM_ADDR x, uint64_t n) {
  Copies c(x, n);
  for (uint64_t t = GetBlockIdx(); t < n / T; t += GetBlockNum())
    c.Load<uint64_t>((uint32_t)t * T); // line 38
}
extern "C" __global__ __aicore__ void copied(GM_ADDR x, uint64_t n) {
  Copies c(x, n);
  for (uint64_t t = GetBlockIdx(); t < n / T; t += GetBlockNum()) {
    uint32_t tile = t;
    c.Load<uint64_t>(tile * T); // line 44
  }
}

// In 64 bits all along.
extern "C" __global__ __aicore__ void wide(GM_ADDR x, uint64_t n) {
  Copies c(x, n);
  for (uint64_t t = GetBlockIdx(); t < n / T; t += GetBlockNum())
    c.Load<uint64_t>(t * T);
}

// A share of each block, and what is in it.
extern "C" __global__ __aicore__ void shares(GM_ADDR x, uint32_t each) {
  Copies c(x, (uint64_t)each * GetBlockNum() * T);
  uint64_t at = (uint32_t)GetBlockIdx() * each + 8; // line 58
  c.Load<uint64_t>(at);
}

// Three loops that data limit.
extern "C" __global__ __aicore__ void triple(GM_ADDR x, GM_ADDR counts) {
  Copies c(x, (uint64_t)1 << 40);
  GlobalTensor<uint32_t> limit;
  limit.SetGlobalBuffer((__gm__ uint32_t *)counts, 1);
  uint32_t n = limit.GetValue(0);
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; j < n; ++j)
      for (uint32_t k = 0; k < n; ++k)
        c.Load(i * j * k);
}
