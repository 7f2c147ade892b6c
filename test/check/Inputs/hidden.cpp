// Kernels with one mistake each, which `belay run --check` finds in some
// launch. All of them were called clean.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void idle_wait(GM_ADDR x, GM_ADDR y,
                                                uint32_t tiles) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  GlobalTensor<float> xg, yg;
  xg.SetGlobalBuffer((__gm__ float *)x, tiles * 64);
  yg.SetGlobalBuffer((__gm__ float *)y, tiles * 64);
  bool first = true;
  for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
    if (!first)
      WaitFlag<HardEvent::MTE3_MTE2>(0);
    first = false;
    DataCopy(t, xg[i * 64], 64);
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    DataCopy(yg[i * 64], t, 64);
    SetFlag<HardEvent::MTE3_MTE2>(0);
  }
  WaitFlag<HardEvent::MTE3_MTE2>(0);
}

extern "C" __global__ __aicore__ void idle_uninit(GM_ADDR x, GM_ADDR y,
                                                  uint32_t tiles) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> q;
  TQue<TPosition::VECOUT, 1> o;
  pipe.InitBuffer(q, 1, 256);
  pipe.InitBuffer(o, 1, 256);
  GlobalTensor<float> xg, yg;
  xg.SetGlobalBuffer((__gm__ float *)x, 256);
  yg.SetGlobalBuffer((__gm__ float *)y, 64 * GetBlockNum());
  auto acc = o.AllocTensor<float>();
  bool first = true;
  for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
    auto t = q.AllocTensor<float>();
    DataCopy(t, xg[i * 64], 64);
    q.EnQue(t);
    t = q.DeQue<float>();
    if (first)
      Adds(acc, t, 0.0f, 64);
    else {
      PipeBarrier<PIPE_V>();
      Add(acc, acc, t, 64);
    }
    first = false;
    q.FreeTensor(t);
  }
  o.EnQue(acc);
  acc = o.DeQue<float>();
  DataCopy(yg[GetBlockIdx() * 64], acc, 64);
  o.FreeTensor(acc);
}

extern "C" __global__ __aicore__ void generation(GM_ADDR x, GM_ADDR y,
                                                 uint32_t n) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  GlobalTensor<float> xg, yg;
  xg.SetGlobalBuffer((__gm__ float *)x, n * 64);
  yg.SetGlobalBuffer((__gm__ float *)y, n * 64);
  uint32_t generation = 0;
  SetFlag<HardEvent::MTE3_MTE2>(0);
  for (uint32_t i = 0; i < n; ++i) {
    WaitFlag<HardEvent::MTE3_MTE2>(0);
    DataCopy(t, xg[i * 64], 64);
    if (generation != 7) {
      SetFlag<HardEvent::MTE2_MTE3>(0);
      WaitFlag<HardEvent::MTE2_MTE3>(0);
    }
    DataCopy(yg[i * 64], t, 64);
    SetFlag<HardEvent::MTE3_MTE2>(0);
    ++generation;
  }
  WaitFlag<HardEvent::MTE3_MTE2>(0);
}

extern "C" __global__ __aicore__ void switch_bare(GM_ADDR y, uint32_t mode) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  switch (mode)
  case 1:
    Duplicate(t, 1.0f, 128);
}

extern "C" __global__ __aicore__ void switch_nested(GM_ADDR y, uint32_t mode) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  switch (mode) {
  case 0:
    if (mode) {
    case 2:
      Duplicate(t, 1.0f, 128);
    }
    break;
  default:
    Duplicate(t, 1.0f, 64);
  }
}

extern "C" __global__ __aicore__ void pad_rows(GM_ADDR x, GM_ADDR y,
                                               uint32_t cols) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 160);
  LocalTensor<float> t = b.Get<float>();
  GlobalTensor<float> xg;
  xg.SetGlobalBuffer((__gm__ float *)x, 8 * cols);
  if (cols > 5)
    return;
  DataCopyExtParams p{8, static_cast<uint32_t>(cols * sizeof(float)), 0, 0, 0};
  DataCopyPad(t, xg, p, DataCopyPadExtParams<float>{false, 0, 0, 0});
}

extern "C" __global__ __aicore__ void pad_rows_out(GM_ADDR y, uint32_t cols) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 160);
  LocalTensor<float> t = b.Get<float>();
  GlobalTensor<float> yg;
  yg.SetGlobalBuffer((__gm__ float *)y, 8 * cols);
  if (cols > 5)
    return;
  Duplicate(t, 1.0f, 40);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopyPad(yg, t,
              DataCopyExtParams{8, static_cast<uint32_t>(cols * sizeof(float)),
                                0, 0, 0});
}

extern "C" __global__ __aicore__ void pad_rows_race(GM_ADDR x, GM_ADDR y,
                                                    uint32_t cols) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 512);
  LocalTensor<float> t = b.Get<float>();
  GlobalTensor<float> xg;
  xg.SetGlobalBuffer((__gm__ float *)x, 8 * cols);
  if (cols > 5)
    return;
  DataCopyPad(t, xg,
              DataCopyExtParams{8, static_cast<uint32_t>(cols * sizeof(float)),
                                0, 0, 0},
              DataCopyPadExtParams<float>{false, 0, 0, 0});
  Duplicate(t[40], 1.0f, 24);
}

extern "C" __global__ __aicore__ void mask_stride(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  if (n > 64)
    return;
  Adds(t, t, 1.0f, static_cast<uint64_t>(n), 1, UnaryRepeatParams{2, 2, 8, 8});
}

extern "C" __global__ __aicore__ void mask_large(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 1024);
  LocalTensor<float> t = b.Get<float>();
  Adds(t, t, 1.0f, static_cast<uint64_t>(n), 1, UnaryRepeatParams{1, 1, 8, 8});
}

extern "C" __global__ __aicore__ void getvalue_sub(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 1024);
  LocalTensor<float> t = b.Get<float>(64);
  Duplicate(t, 1.0f, 64);
  SetFlag<HardEvent::V_S>(0);
  WaitFlag<HardEvent::V_S>(0);
  float v = t.GetValue(n);
  GlobalTensor<float> yg;
  yg.SetGlobalBuffer((__gm__ float *)y, 64);
  if (v > 0.0f)
    yg.SetValue(0, v);
}

extern "C" __global__ __aicore__ void setvalue_sub(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 1024);
  LocalTensor<float> t = b.Get<float>(64);
  t.SetValue(n, 1.0f);
}

struct Bits {
  uint32_t a : 4;
  uint32_t b : 28;
};
extern "C" __global__ __aicore__ void bitfield(GM_ADDR y) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  Bits p;
  p.a = 18;
  p.b = 1;
  uint32_t n = p.a == 2 ? 128 : 64;
  Duplicate(t, 1.0f, n);
}

extern "C" __global__ __aicore__ void array_index(GM_ADDR y, uint32_t k) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  uint32_t len[2] = {8, 8};
  len[k] = 4096;
  Duplicate(t, 1.0f, len[0]);
}

extern "C" __global__ __aicore__ void stale_block(GM_ADDR w, GM_ADDR y) {
  GlobalTensor<float> g, yg;
  g.SetGlobalBuffer((__gm__ float *)w, 256);
  yg.SetGlobalBuffer((__gm__ float *)y, 256);
  uint32_t blk = GetBlockIdx(), num = GetBlockNum();
  g.SetValue(blk * 16, 1.0f);
  SyncAll();
  float v = g.GetValue((num - 1 - blk) * 16);
  yg.SetValue(blk * 16, v);
  DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE,
                           DcciDst::CACHELINE_OUT>(yg);
}

extern "C" __global__ __aicore__ void stale_dma(GM_ADDR w, GM_ADDR y) {
  GlobalTensor<float> g, yg;
  g.SetGlobalBuffer((__gm__ float *)w, 256);
  yg.SetGlobalBuffer((__gm__ float *)y, 256);
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 512);
  LocalTensor<float> t = b.Get<float>();
  uint32_t blk = GetBlockIdx(), num = GetBlockNum();
  g.SetValue(blk * 16, 1.0f);
  SyncAll();
  DataCopy(t, g[(num - 1 - blk) * 16], 16);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(yg[blk * 16], t, 16);
}

extern "C" __global__ __aicore__ void stale_own(GM_ADDR w, GM_ADDR y) {
  GlobalTensor<float> g, yg;
  g.SetGlobalBuffer((__gm__ float *)w, 256);
  yg.SetGlobalBuffer((__gm__ float *)y, 256);
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 512);
  LocalTensor<float> t = b.Get<float>();
  uint32_t blk = GetBlockIdx();
  g.SetValue(blk * 16, 1.0f);
  SetFlag<HardEvent::S_MTE2>(0);
  WaitFlag<HardEvent::S_MTE2>(0);
  DataCopy(t, g[blk * 16], 16);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(yg[blk * 16], t, 16);
}

extern "C" __global__ __aicore__ void stale_read(GM_ADDR w, GM_ADDR y) {
  GlobalTensor<float> g, yg;
  g.SetGlobalBuffer((__gm__ float *)w, 256);
  yg.SetGlobalBuffer((__gm__ float *)y, 256);
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 512);
  LocalTensor<float> t = b.Get<float>();
  uint32_t blk = GetBlockIdx();
  float a = g.GetValue(blk * 16);
  Duplicate(t, 3.0f, 16);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(g[blk * 16], t, 16);
  PipeBarrier<PIPE_ALL>();
  float c = g.GetValue(blk * 16);
  yg.SetValue(blk * 16, a + c);
  DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE,
                           DcciDst::CACHELINE_OUT>(yg);
}

extern "C" __global__ __aicore__ void
mixed_noflag(GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR workspace) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  GlobalTensor<half> ag, bg;
  ag.SetGlobalBuffer((__gm__ half *)a, 256);
  bg.SetGlobalBuffer((__gm__ half *)b, 256);
  GlobalTensor<float> wg, yg;
  wg.SetGlobalBuffer((__gm__ float *)workspace + GetBlockIdx() * 256, 256);
  yg.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 256, 256);
  TPipe pipe;
  if ASCEND_IS_AIC {
    TQue<TPosition::A1, 1> a1q;
    TQue<TPosition::B1, 1> b1q;
    TQue<TPosition::A2, 1> a2q;
    TQue<TPosition::B2, 1> b2q;
    TQue<TPosition::CO1, 1> cq;
    pipe.InitBuffer(a1q, 1, 512);
    pipe.InitBuffer(b1q, 1, 512);
    pipe.InitBuffer(a2q, 1, 512);
    pipe.InitBuffer(b2q, 1, 512);
    pipe.InitBuffer(cq, 1, 1024);
    auto a1 = a1q.AllocTensor<half>();
    auto b1 = b1q.AllocTensor<half>();
    DataCopy(a1, ag, 256);
    DataCopy(b1, bg, 256);
    a1q.EnQue(a1);
    b1q.EnQue(b1);
    a1 = a1q.DeQue<half>();
    b1 = b1q.DeQue<half>();
    auto a2 = a2q.AllocTensor<half>();
    auto b2 = b2q.AllocTensor<half>();
    LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadData(b2, b1, LoadData2DParams(0, 1, 1, 0, 0, true, 0));
    a2q.EnQue(a2);
    b2q.EnQue(b2);
    a2 = a2q.DeQue<half>();
    b2 = b2q.DeQue<half>();
    auto c = cq.AllocTensor<float>();
    Mmad(c, a2, b2, MmadParams(16, 16, 16, 0, false, true));
    cq.EnQue(c);
    c = cq.DeQue<float>();
    Fixpipe(wg, c, FixpipeParamsV220(16, 16, 16, 16, false));
    cq.FreeTensor(c);
    a2q.FreeTensor(a2);
    b2q.FreeTensor(b2);
    a1q.FreeTensor(a1);
    b1q.FreeTensor(b1);
  }
  if ASCEND_IS_AIV {
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> q;
    pipe.InitBuffer(q, 1, 1024);
    auto t = q.AllocTensor<float>();
    DataCopy(t, wg, 256);
    q.EnQue(t);
    t = q.DeQue<float>();
    DataCopy(yg, t, 256);
    q.FreeTensor(t);
  }
}

extern "C" __global__ __aicore__ void mixed_plain(GM_ADDR w) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  GlobalTensor<float> wg;
  wg.SetGlobalBuffer((__gm__ float *)w + GetBlockIdx() * 64, 64);
  TPipe pipe;
  if ASCEND_IS_AIC {
    wg.SetValue(0, 1.0f);
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE,
                             DcciDst::CACHELINE_OUT>(wg);
  }
  if ASCEND_IS_AIV {
    TBuf<> b;
    pipe.InitBuffer(b, 1024);
    auto t = b.Get<float>();
    DataCopy(t, wg, 64);
  }
}

extern "C" __global__ __aicore__ void mixed_idx(GM_ADDR y) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GlobalTensor<float> yg;
  yg.SetGlobalBuffer((__gm__ float *)y, 64 * GetBlockNum());
  if ASCEND_IS_AIV {
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> q;
    pipe.InitBuffer(q, 1, 256);
    auto t = q.AllocTensor<float>();
    Duplicate(t, 1.0f, 64);
    q.EnQue(t);
    t = q.DeQue<float>();
    DataCopy(yg[GetBlockIdx() * 64], t, 64);
    q.FreeTensor(t);
  }
}

extern "C" __global__ __aicore__ void mixed_sub_same(GM_ADDR y) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GlobalTensor<float> yg;
  yg.SetGlobalBuffer((__gm__ float *)y, 64);
  if ASCEND_IS_AIV {
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> q;
    pipe.InitBuffer(q, 1, 256);
    auto t = q.AllocTensor<float>();
    Duplicate(t, 1.0f, 64);
    q.EnQue(t);
    t = q.DeQue<float>();
    DataCopy(yg, t, 64);
    q.FreeTensor(t);
  }
}

extern "C" __global__ __aicore__ void mixed_sub_half(GM_ADDR y) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GlobalTensor<float> yg;
  yg.SetGlobalBuffer((__gm__ float *)y, 64);
  if ASCEND_IS_AIV {
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> q;
    pipe.InitBuffer(q, 1, 256);
    auto t = q.AllocTensor<float>();
    Duplicate(t, 1.0f, 64);
    q.EnQue(t);
    t = q.DeQue<float>();
    DataCopy(yg[GetSubBlockIdx() * 8], t, 16);
    q.FreeTensor(t);
  }
}

extern "C" __global__ __aicore__ void raw_beside(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  GlobalTensor<float> xg;
  xg.SetGlobalBuffer((__gm__ float *)x, 64);
  LocalTensor<float> raw(TPosition::VECCALC, 0, 64);
  DataCopy(t, xg, 64);
  Adds(raw, raw, 1.0f, 64);
}

extern "C" __global__ __aicore__ void rest_twice(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  GlobalTensor<float> xg;
  xg.SetGlobalBuffer((__gm__ float *)x, 64);
  LocalTensor<float> a, c;
  PopStackBuffer<float, TPosition::LCM>(a);
  PopStackBuffer<float, TPosition::LCM>(c);
  DataCopy(a, xg, 64);
  Adds(c, c, 1.0f, 64);
}

extern "C" __global__ __aicore__ void setsize(GM_ADDR y) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 1024);
  LocalTensor<float> t = b.Get<float>();
  LocalTensor<float> s = t;
  s.SetSize(64);
  Adds(s, t, 1.0f, 256);
}

extern "C" __global__ __aicore__ void
inner_zero_data(GM_ADDR x, GM_ADDR c, GM_ADDR y, uint32_t rows) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> q;
  TQue<TPosition::VECOUT, 1> o;
  pipe.InitBuffer(q, 1, 256);
  pipe.InitBuffer(o, 1, 256);
  GlobalTensor<float> xg, yg;
  GlobalTensor<int32_t> cg;
  xg.SetGlobalBuffer((__gm__ float *)x, 1024);
  yg.SetGlobalBuffer((__gm__ float *)y, rows * 64);
  cg.SetGlobalBuffer((__gm__ int32_t *)c, 8);
  for (uint32_t r = 0; r < rows; ++r) {
    auto acc = o.AllocTensor<float>();
    int32_t cnt = cg.GetValue(r);
    for (int32_t j = 0; j < cnt; ++j) {
      auto t = q.AllocTensor<float>();
      DataCopy(t, xg, 64);
      q.EnQue(t);
      t = q.DeQue<float>();
      PipeBarrier<PIPE_V>();
      Adds(acc, t, 0.0f, 64);
      q.FreeTensor(t);
    }
    o.EnQue(acc);
    acc = o.DeQue<float>();
    DataCopy(yg[r * 64], acc, 64);
    o.FreeTensor(acc);
  }
}

struct Narrow {
  uint32_t n = 64;
  __aicore__ inline virtual uint32_t len() const { return n; }
};
struct Wide : Narrow {
  __aicore__ inline uint32_t len() const override { return 2 * n; }
};
extern "C" __global__ __aicore__ void virtual_like(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  Wide d;
  Narrow &r = d;
  Duplicate(t, 1.0f, r.len());
}

union Halves {
  uint32_t a;
  uint16_t h[2];
};
extern "C" __global__ __aicore__ void union_(GM_ADDR y) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  Halves u;
  u.a = 64;
  u.h[0] = 128;
  Duplicate(t, 1.0f, u.a);
}

extern "C" __global__ __aicore__ void decrement(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  if (n > 64)
    return;
  n--;
  if (n > 64)
    Duplicate(t, 1.0f, 128);
  else
    Duplicate(t, 1.0f, 64);
}

struct Lengths {
  uint32_t a, b;
};
extern "C" __global__ __aicore__ void copied_in_part(GM_ADDR y) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  Lengths p{64, 128}, q{64, 64};
  __builtin_memcpy(&p, &q, 4);
  Duplicate(t, 1.0f, p.b);
}
