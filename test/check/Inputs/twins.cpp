// Right twins of kernels in hidden.cpp.
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
  SetFlag<HardEvent::MTE3_MTE2>(0);
  for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
    WaitFlag<HardEvent::MTE3_MTE2>(0);
    DataCopy(t, xg[i * 64], 64);
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    DataCopy(yg[i * 64], t, 64);
    SetFlag<HardEvent::MTE3_MTE2>(0);
  }
  WaitFlag<HardEvent::MTE3_MTE2>(0);
}

extern "C" __global__ __aicore__ void pad_rows(GM_ADDR x, uint32_t cols) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  GlobalTensor<float> xg;
  xg.SetGlobalBuffer((__gm__ float *)x, 8 * cols);
  if (cols > 5)
    return;
  DataCopyExtParams p{8, static_cast<uint32_t>(cols * sizeof(float)), 0, 0, 0};
  DataCopyPad(t, xg, p, DataCopyPadExtParams<float>{false, 0, 0, 0});
}

extern "C" __global__ __aicore__ void mask_large(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 1024);
  LocalTensor<float> t = b.Get<float>();
  if (n <= 64)
    Adds(t, t, 1.0f, static_cast<uint64_t>(n), 1,
         UnaryRepeatParams{1, 1, 8, 8});
}

extern "C" __global__ __aicore__ void stale_block(GM_ADDR w, GM_ADDR y) {
  GlobalTensor<float> g, yg;
  g.SetGlobalBuffer((__gm__ float *)w, 256);
  yg.SetGlobalBuffer((__gm__ float *)y, 256);
  uint32_t blk = GetBlockIdx(), num = GetBlockNum();
  g.SetValue(blk * 16, 1.0f);
  DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE,
                           DcciDst::CACHELINE_OUT>(g);
  SyncAll();
  float v = g.GetValue((num - 1 - blk) * 16);
  yg.SetValue(blk * 16, v);
}

extern "C" __global__ __aicore__ void mixed_idx(GM_ADDR y) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GlobalTensor<float> yg;
  yg.SetGlobalBuffer((__gm__ float *)y, 2 * 64 * GetBlockNum());
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

extern "C" __global__ __aicore__ void lambda_pass(GM_ADDR y) {
  TPipe pipe;
  TBuf<> b;
  pipe.InitBuffer(b, 256);
  LocalTensor<float> t = b.Get<float>();
  uint32_t n = 128;
  auto halve = [&n, by = uint32_t(2)]() { n /= by; };
  auto twice = [](auto f) { f(); };
  twice(halve);
  Duplicate(t, 1.0f, n);
}
