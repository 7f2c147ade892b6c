// Parts without values: what is made of them has none, and nothing else.
#include "kernel_operator.h"
using namespace AscendC;

// Loads, and stores, so many elements.
struct Base {
  TPipe pipe;
  TBuf<TPosition::VECCALC> a, b, c, d;
  GlobalTensor<float> xGm, yGm;
  LocalTensor<float> s, t, u, v;
  __aicore__ inline Base(GM_ADDR x, GM_ADDR y) {
    pipe.InitBuffer(a, 4096);
    pipe.InitBuffer(b, 4096);
    pipe.InitBuffer(c, 4096);
    pipe.InitBuffer(d, 4096);
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    s = a.Get<float>();
    t = b.Get<float>();
    u = c.Get<float>();
    v = d.Get<float>();
  }
  __aicore__ inline void store(const LocalTensor<float> &l, uint32_t n) {
    PipeBarrier<PIPE_ALL>();
    if (GetBlockIdx() == 0)
      DataCopyPad(yGm, l, {1, n * 4, 0, 0, 0});
  }
  __aicore__ inline void load(const LocalTensor<float> &l, uint32_t n) {
    DataCopyPad(l, xGm, {1, n * 4, 0, 0, 0}, {false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
  }
};
#define K(name) extern "C" __global__ __aicore__ void name(GM_ADDR x, GM_ADDR y)
K(right_select) {
  Base k(x, y);
  k.load(k.s, 100);
  auto bits = k.u.ReinterpretCast<uint8_t>();
  CompareScalar(bits, k.s, 0.0f, CMPMODE::GT, 128);
  PipeBarrier<PIPE_V>();
  Select(k.t, bits, k.s, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 128);
  k.store(k.t, 100);
}
K(wrong_select) {
  Base k(x, y);
  k.load(k.s, 96);
  auto bits = k.u.ReinterpretCast<uint8_t>();
  CompareScalar(bits, k.s, 0.0f, CMPMODE::GT, 128);
  PipeBarrier<PIPE_V>();
  Select(k.t, bits, k.s, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 128);
  k.store(k.t, 128);
}
K(right_two) {
  Base k(x, y);
  k.load(k.s, 100);
  k.load(k.t, 80);
  Add(k.u, k.s, k.t, 128);
  k.store(k.u, 80);
}
K(wrong_two) {
  Base k(x, y);
  k.load(k.s, 104);
  k.load(k.t, 80);
  Add(k.u, k.s, k.t, 128);
  k.store(k.u, 104);
}
K(right_sort) {
  Base k(x, y);
  k.load(k.s, 32);
  auto idx = k.t.ReinterpretCast<int32_t>();
  ArithProgression(idx, 0, 1, 64);
  PipeBarrier<PIPE_V>();
  Sort32(k.u, k.s, k.t.ReinterpretCast<uint32_t>(), 2);
  k.store(k.u, 64);
}
K(wrong_sort) {
  Base k(x, y);
  k.load(k.s, 56);
  auto idx = k.t.ReinterpretCast<int32_t>();
  ArithProgression(idx, 0, 1, 64);
  PipeBarrier<PIPE_V>();
  Sort32(k.u, k.s, k.t.ReinterpretCast<uint32_t>(), 2);
  k.store(k.u, 128);
}
K(right_rows) {
  Base k(x, y);
  k.load(k.s, 64 * 3);
  WholeReduceMax<float>(k.u, k.s, 64, 4, 1, 1, 8,
                        ReduceOrder::ORDER_ONLY_VALUE);
  k.store(k.u, 3);
}
K(wrong_rows) {
  Base k(x, y);
  k.load(k.s, 64 * 3);
  WholeReduceMax<float>(k.u, k.s, 64, 4, 1, 1, 8,
                        ReduceOrder::ORDER_ONLY_VALUE);
  k.store(k.u, 4);
}
K(right_padrows) {
  Base k(x, y);
  for (int i = 0; i < 4; ++i)
    DataCopyPad(k.s[i * 64], k.xGm[i * 40], {1, 160, 0, 0, 0},
                {false, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
  WholeReduceSum<float>(k.u, k.s, 40, 4, 1, 1, 8);
  k.store(k.u, 4);
}
K(wrong_padrows) {
  Base k(x, y);
  for (int i = 0; i < 4; ++i)
    DataCopyPad(k.s[i * 64], k.xGm[i * 40], {1, 160, 0, 0, 0},
                {false, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
  WholeReduceSum<float>(k.u, k.s, 64, 4, 1, 1, 8);
  k.store(k.u, 4);
}
K(right_block) {
  Base k(x, y);
  k.load(k.s, 120);
  BlockReduceSum<float>(k.u, k.s, 2, 64, 1, 1, 8);
  k.store(k.u, 15);
}
K(wrong_block) {
  Base k(x, y);
  k.load(k.s, 120);
  BlockReduceSum<float>(k.u, k.s, 2, 64, 1, 1, 8);
  k.store(k.u, 16);
}
K(right_pair) {
  Base k(x, y);
  k.load(k.s, 64);
  PairReduceSum<float>(k.u, k.s, 2, 64, 1, 1, 8);
  k.store(k.u, 32);
}
K(wrong_sum) {
  Base k(x, y);
  k.load(k.s, 64);
  ReduceSum(k.u, k.s, k.t, 72);
  k.store(k.u, 1);
}
K(right_cast) {
  Base k(x, y);
  k.load(k.s, 64);
  Cast(k.u.ReinterpretCast<half>(), k.s, RoundMode::CAST_NONE, 128);
  PipeBarrier<PIPE_V>();
  Cast(k.t, k.u.ReinterpretCast<half>(), RoundMode::CAST_NONE, 128);
  k.store(k.t, 64);
}
K(wrong_cast) {
  Base k(x, y);
  k.load(k.s, 64);
  Cast(k.u.ReinterpretCast<half>(), k.s, RoundMode::CAST_NONE, 128);
  PipeBarrier<PIPE_V>();
  Cast(k.t, k.u.ReinterpretCast<half>(), RoundMode::CAST_NONE, 128);
  k.store(k.t, 72);
}
K(right_brcb) {
  Base k(x, y);
  k.load(k.s, 8);
  Brcb(k.u, k.s, 2, {1, 8});
  k.store(k.u, 64);
}
K(right_gather) {
  Base k(x, y);
  k.load(k.s, 64);
  auto off = k.t.ReinterpretCast<int32_t>();
  ArithProgression(off, 0, 4, 64);
  PipeBarrier<PIPE_V>();
  Gather(k.u, k.s, k.t.ReinterpretCast<uint32_t>(), 0, 64);
  k.store(k.u, 64);
}
K(right_transpose) {
  Base k(x, y);
  k.load(k.s, 128);
  auto h = k.s.ReinterpretCast<half>();
  Transpose(k.u.ReinterpretCast<half>(), h);
  k.store(k.u, 128);
}
K(right_mode0) {
  Base k(x, y);
  k.load(k.s, 128);
  auto bits = k.u.ReinterpretCast<uint8_t>();
  CompareScalar(bits, k.s, 0.0f, CMPMODE::GT, 64);
  PipeBarrier<PIPE_V>();
  Select(k.t, bits, k.s, k.s, SELMODE::VSEL_CMPMASK_SPR, 64, 2,
         {1, 1, 1, 8, 8, 8});
  k.store(k.t, 128);
}
K(right_mode2) {
  Base k(x, y);
  k.load(k.s, 128);
  auto bits = k.u.ReinterpretCast<uint8_t>();
  CompareScalar(bits, k.s, 0.0f, CMPMODE::GT, 128);
  PipeBarrier<PIPE_V>();
  Select(k.t, bits, k.s, k.s, SELMODE::VSEL_TENSOR_TENSOR_MODE, 64, 2,
         {1, 1, 1, 8, 8, 8});
  k.store(k.t, 128);
}
K(wrong_mode2) {
  Base k(x, y);
  k.load(k.s, 128);
  auto bits = k.u.ReinterpretCast<uint8_t>();
  CompareScalar(bits, k.s, 0.0f, CMPMODE::GT, 64);
  PipeBarrier<PIPE_V>();
  Select(k.t, bits, k.s, k.s, SELMODE::VSEL_TENSOR_TENSOR_MODE, 64, 2,
         {1, 1, 1, 8, 8, 8});
  k.store(k.t, 128);
}
K(wrong_nobits) {
  Base k(x, y);
  k.load(k.s, 128);
  auto bits = k.u.ReinterpretCast<uint8_t>();
  CompareScalar(bits, k.s, 0.0f, CMPMODE::GT, 64);
  PipeBarrier<PIPE_V>();
  Select(k.t, bits, k.s, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 128);
  k.store(k.t, 128);
}
