// Loops and barriers that the launch decides.
#include "kernel_operator.h"
using namespace AscendC;

#if defined(TAIL)
// The last tile is shorter: a choice inside the loop decides whether there is
// another iteration.
extern "C" __global__ __aicore__ void tail(GM_ADDR x, GM_ADDR z, uint32_t n) {
  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> in;
  pipe.InitBuffer(in, 1, 1024 * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  zGm.SetGlobalBuffer((__gm__ float *)z, n);
  for (uint32_t i = 0; i < n; i += 1024) {
    uint32_t now = n - i < 1024 ? n - i : 1024;
    LocalTensor<float> t = in.AllocTensor<float>();
    DataCopyPad(t, xGm[i], {1, uint32_t(now * sizeof(float)), 0, 0, 0},
                {false, 0, 0, 0});
    in.EnQue(t);
    t = in.DeQue<float>();
    DataCopyPad(zGm[i], t, {1, uint32_t(now * sizeof(float)), 0, 0, 0});
    in.FreeTensor(t);
  }
#ifdef LEAK
  in.AllocTensor<float>(); // LEAK
#endif
}
#elif defined(BARRIER)
extern "C" __global__ __aicore__ void barrier(GM_ADDR x, uint32_t used) {
  if (GetBlockIdx() >= used) {
#ifndef AWAY
    SyncAll();
#endif
    return;
  }
  SyncAll(); // MEET
}
#elif defined(GUARD)
// The work follows conditions under which a block leaves.
extern "C" __global__ __aicore__ void guard(GM_ADDR x, GM_ADDR z, uint32_t used,
                                            uint32_t n) {
  if (GetBlockIdx() >= used || n == 0)
    return;
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 4096);
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  LocalTensor<float> t = buffer.Get<float>();
  for (uint32_t i = 0; i < n; ++i) {
    if (xGm.GetValue(i) < 0.0f)
      continue;
    Duplicate(t, 0.0f, 1024);
#ifndef RACE
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
#endif
    DataCopy(zGm[GetBlockIdx() * 1024], t, 1024); // RACE
    SetFlag<HardEvent::MTE3_V>(0);
    WaitFlag<HardEvent::MTE3_V>(0);
  }
}
#elif defined(BETWEEN)
// Several conditions lead to two accesses without order, or stand between them.
extern "C" __global__ __aicore__ void between(GM_ADDR z, uint32_t mode,
                                              uint32_t kind, uint32_t way) {
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 4096);
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z);
  LocalTensor<float> t = buffer.Get<float>();
#ifdef RACE
  if (mode == 7)
    if (kind == 9)
      if (way == 5) {
        Duplicate(t, 0.0f, 1024);
        DataCopy(zGm[GetBlockIdx() * 1024], t, 1024); // LEADS
      }
#else
  Duplicate(t, 0.0f, 1024);
  if (mode == 7)
    if (kind == 9)
      if (way == 5)
        DataCopy(zGm[GetBlockIdx() * 1024], t, 1024);
#endif
}
#elif defined(MOVES)
// Says anew in each iteration where its tensors are.
extern "C" __global__ __aicore__ void
moves_its_tensors(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t pitch) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 2, 1024);
  pipe.InitBuffer(out, 2, 1024);
  for (uint32_t row = 0; row < rows; ++row) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + uint64_t(row) * pitch);
    to.SetGlobalBuffer((__gm__ float *)y + uint64_t(row) * pitch);
    LocalTensor<float> a = in.AllocTensor<float>();
    for (uint32_t part = 0; part < 8; ++part)
      DataCopy(a[part * 32], from[part * 32], 32);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Adds(b, a, 1.0f, 256);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    for (uint32_t part = 0; part < 8; ++part)
      DataCopy(to[part * 32], b[part * 32], 32);
    out.FreeTensor(b);
  }
}
#endif
