// Values that go element by element, some of them by a bit each.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 2048, LANES = 64;

template <typename Work>
__aicore__ inline void eachTile(GM_ADDR x, GM_ADDR y, uint32_t total,
                                Work work) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, total);
  yGm.SetGlobalBuffer((__gm__ float *)y, total);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  TBuf<TPosition::VECCALC> bits;
  pipe.InitBuffer(in, 1, TILE * sizeof(float));
  pipe.InitBuffer(out, 1, TILE * sizeof(float));
  pipe.InitBuffer(bits, TILE / 8);
  for (uint32_t at = 0; at < total; at += TILE) {
    uint32_t count = total - at < TILE ? total - at : TILE;
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopyPad(a, xGm[at], {1, uint32_t(count * sizeof(float)), 0, 0, 0},
                {false, 0, 0, 0});
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    uint32_t stored = work(a, b, bits.Get<uint8_t>(), count);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopyPad(yGm[at], b, {1, uint32_t(stored * sizeof(float)), 0, 0, 0});
    out.FreeTensor(b);
  }
}

__aicore__ inline uint32_t lanesOf(uint32_t count) {
  return (count + LANES - 1) / LANES * LANES;
}

// The last repeat compares more than was loaded, and less is stored.
extern "C" __global__ __aicore__ void selected(GM_ADDR x, GM_ADDR y,
                                               uint32_t total) {
  eachTile(x, y, total,
           [](const LocalTensor<float> &a, const LocalTensor<float> &b,
              const LocalTensor<uint8_t> &bits, uint32_t count) {
             CompareScalar(bits, a, 0.0f, CMPMODE::GT, lanesOf(count));
             PipeBarrier<PIPE_V>();
             Select(b, bits, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE,
                    lanesOf(count));
             PipeBarrier<PIPE_V>();
             return count;
           });
}

// What nobody loaded is stored.
extern "C" __global__ __aicore__ void selected_lanes(GM_ADDR x, GM_ADDR y,
                                                     uint32_t total) {
  eachTile(x, y, total,
           [](const LocalTensor<float> &a, const LocalTensor<float> &b,
              const LocalTensor<uint8_t> &bits, uint32_t count) {
             CompareScalar(bits, a, 0.0f, CMPMODE::GT, lanesOf(count));
             PipeBarrier<PIPE_V>();
             Select(b, bits, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE,
                    lanesOf(count));
             PipeBarrier<PIPE_V>();
             return lanesOf(count);
           });
}

// Bits that nobody wrote choose.
extern "C" __global__ __aicore__ void no_bits(GM_ADDR x, GM_ADDR y,
                                              uint32_t total) {
  eachTile(x, y, total,
           [](const LocalTensor<float> &a, const LocalTensor<float> &b,
              const LocalTensor<uint8_t> &bits, uint32_t count) {
             Select(b, bits, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE,
                    lanesOf(count));
             return count;
           });
}

// The bits of half a tile choose in all of it.
extern "C" __global__ __aicore__ void half_of_the_bits(GM_ADDR x, GM_ADDR y,
                                                       uint32_t total) {
  eachTile(x, y, total,
           [](const LocalTensor<float> &a, const LocalTensor<float> &b,
              const LocalTensor<uint8_t> &bits, uint32_t count) {
             CompareScalar(bits, a, 0.0f, CMPMODE::GT, lanesOf(count / 2));
             PipeBarrier<PIPE_V>();
             Select(b, bits, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE,
                    lanesOf(count));
             PipeBarrier<PIPE_V>();
             return count;
           });
}

// The bits of a whole byte are stored, of which some have no value.
extern "C" __global__ __aicore__ void stored_bits(GM_ADDR x, GM_ADDR y,
                                                  uint32_t total) {
  eachTile(x, y, total,
           [](const LocalTensor<float> &a, const LocalTensor<float> &b,
              const LocalTensor<uint8_t> &, uint32_t count) {
             LocalTensor<uint8_t> bits = b.ReinterpretCast<uint8_t>();
             CompareScalar(bits, a, 0.0f, CMPMODE::GT, lanesOf(count));
             return (count + 31) / 32;
           });
}

// A beginning is written again, as long as a number says.
extern "C" __global__ __aicore__ void
beginning(GM_ADDR x, GM_ADDR y, uint32_t total, uint32_t zeros) {
  eachTile(x, y, total,
           [zeros](const LocalTensor<float> &a, const LocalTensor<float> &b,
                   const LocalTensor<uint8_t> &, uint32_t count) {
             Adds(b, a, 1.0f, count);
             PipeBarrier<PIPE_V>();
             Duplicate(b, 0.0f, zeros < count ? zeros : count);
             return count;
           });
}

// Only a beginning is written.
extern "C" __global__ __aicore__ void
only_beginning(GM_ADDR x, GM_ADDR y, uint32_t total, uint32_t zeros) {
  eachTile(x, y, total,
           [zeros](const LocalTensor<float> &a, const LocalTensor<float> &b,
                   const LocalTensor<uint8_t> &, uint32_t count) {
             Duplicate(b, 0.0f, zeros < count ? zeros : count);
             return count;
           });
}

// A beginning and the rest.
extern "C" __global__ __aicore__ void
two_parts(GM_ADDR x, GM_ADDR y, uint32_t total, uint32_t zeros) {
  eachTile(x, y, total,
           [zeros](const LocalTensor<float> &a, const LocalTensor<float> &b,
                   const LocalTensor<uint8_t> &, uint32_t count) {
             uint32_t first = (zeros < count ? zeros : count) / 8 * 8;
             Duplicate(b, 0.0f, first);
             Adds(b[first], a[first], 1.0f, count - first);
             return count;
           });
}
