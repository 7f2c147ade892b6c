// Functions of the simulator that are easily passed over.
#include "kernel_operator.h"
using namespace AscendC;

#if defined(REDUCE)
// sharedTmpBuffer of ReduceSum is written while it is still being loaded.
extern "C" __global__ __aicore__ void sum(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> a, b, c;
  pipe.InitBuffer(a, 8192);
  pipe.InitBuffer(b, 256);
  pipe.InitBuffer(c, 32);
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  LocalTensor<float> s = a.Get<float>(), work = b.Get<float>(),
                     d = c.Get<float>();
  Duplicate(s, 1.0f, COUNT);
  DataCopy(work, xGm, 64);
  PipeBarrier<PIPE_V>();
  ReduceSum(d, s, work, COUNT);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopyPad(zGm, d, DataCopyParams(1, 4, 0, 0));
}
#elif defined(LOOP)
// As many times as much as the copy says.
extern "C" __global__ __aicore__ void loop(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> a;
  pipe.InitBuffer(a, 256);
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  LocalTensor<float> t = a.Get<float>();
  SetLoopModePara(LoopModeParams(LOOP, 1, 256, 256, 768, 768),
                  DataCopyMVType::OUT_TO_UB);
  DataCopyPad(t, xGm, DataCopyExtParams(1, 256, 0, 0, 0),
              DataCopyPadExtParams<float>(false, 0, 0, 0));
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(zGm, t, 64);
}
#elif defined(CHOICE)
// Which tensor is transposed is not known; each is still being loaded.
extern "C" __global__ __aicore__ void choose(GM_ADDR x, GM_ADDR z, uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> a, b;
  pipe.InitBuffer(a, 512);
  pipe.InitBuffer(b, 512);
  GlobalTensor<half> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ half *)x);
  zGm.SetGlobalBuffer((__gm__ half *)z);
  LocalTensor<half> s[2] = {a.Get<half>(), a.Get<half>()}, d = b.Get<half>();
  DataCopy(s[0], xGm, 256);
  Transpose(d, s[n]);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(zGm, d, 256);
}
#elif defined(LIST)
// The transposition reads what is still being loaded; its operands are numbers.
extern "C" __global__ __aicore__ void list(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> a, b;
  pipe.InitBuffer(a, 512);
  pipe.InitBuffer(b, 512);
  GlobalTensor<half> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ half *)x);
  zGm.SetGlobalBuffer((__gm__ half *)z);
  LocalTensor<half> s = a.Get<half>(), d = b.Get<half>();
  DataCopy(s, xGm, 256);
  uint64_t from[16], to[16];
  for (int i = 0; i < 16; ++i) {
    from[i] = (uint64_t)s[i * 16].GetPhyAddr();
    to[i] = (uint64_t)d[i * 16].GetPhyAddr();
  }
  TransDataTo5HD<half>(to, from, TransDataTo5HDParams(false, false, 1, 0, 0));
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(zGm, d, 256);
}
#endif
