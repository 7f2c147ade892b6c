// What the checker does not compare may not be clean.
#include "kernel_operator.h"
using namespace AscendC;

#if defined(TEST_CUBE)
// The cube half loads without a flag.
extern "C" __global__ __aicore__ void mixed(GM_ADDR a) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  if ASCEND_IS_AIC {
    TPipe pipe;
    TBuf<TPosition::A1> a1Buffer;
    TBuf<TPosition::A2> a2Buffer;
    pipe.InitBuffer(a1Buffer, 512);
    pipe.InitBuffer(a2Buffer, 512);
    GlobalTensor<half> aGm;
    aGm.SetGlobalBuffer((__gm__ half *)a, 256);
    LocalTensor<half> a1 = a1Buffer.Get<half>(), a2 = a2Buffer.Get<half>();
    DataCopy(a1, aGm, 256);
    LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  }
}
#elif defined(TEST_SUBBLOCK)
// One of two vector cores sets what the cube core waits for from both.
extern "C" __global__ __aicore__ void flags(GM_ADDR a) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  if ASCEND_IS_AIV {
    if (GetSubBlockIdx() == 0)
      CrossCoreSetFlag<2, PIPE_MTE3>(3);
  }
  if ASCEND_IS_AIC
    CrossCoreWaitFlag(3);
}
#elif defined(TEST_RETURNS)
// Some blocks leave before the barrier of the others.
extern "C" __global__ __aicore__ void returns(GM_ADDR z) {
  if (GetBlockIdx() >= 6)
    return;
  SyncAll();
}
#elif defined(TEST_AFTER)
// A part of a buffer that it does not have.
extern "C" __global__ __aicore__ void after_end(GM_ADDR z) {
  TPipe pipe;
  TBuf<> buffer, other;
  pipe.InitBuffer(buffer, 256);
  pipe.InitBuffer(other, 256);
  LocalTensor<float> t = buffer.GetWithOffset<float>(64, 256);
  Duplicate(t, 2.0f, 64);
}
#elif defined(TEST_TMP)
// The work buffer of a reduction, and the records of Sort32.
extern "C" __global__ __aicore__ void tmp(GM_ADDR z) {
  TPipe pipe;
  TBuf<> source, work, result;
  pipe.InitBuffer(source, 8192);
  pipe.InitBuffer(work, BYTES);
  pipe.InitBuffer(result, 128);
  LocalTensor<float> x = source.Get<float>(), w = work.Get<float>(),
                     y = result.Get<float>();
  Duplicate(x, 1.0f, 2048);
#if defined(TEST_SORT)
  LocalTensor<uint32_t> index = source.Get<uint32_t>();
  Sort32(w, x, index[1024], 1);
#else
  ReduceMax(y, x, w, 2048, true);
#endif
}
#elif defined(TEST_BELOW)
// Below zero from the fifth block on.
extern "C" __global__ __aicore__ void below(GM_ADDR x) {
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 4096);
  GlobalTensor<float> xGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 520);
  LocalTensor<float> t = buffer.Get<float>();
  uint32_t left = 520 - 128 * GetBlockIdx();
  DataCopy(t, xGm[128 * GetBlockIdx()], left < 128 ? left : 128);
}
#elif defined(TEST_SCALAR)
// MTE3 does not wait for the scalar unit.
extern "C" __global__ __aicore__ void scalar(GM_ADDR z) {
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 256);
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z, 64);
  LocalTensor<float> t = buffer.Get<float>();
  Duplicate(t, 0.0f, 64);
  SetFlag<HardEvent::V_S>(0);
  WaitFlag<HardEvent::V_S>(0);
  t.SetValue(0, 1.0f);
#if defined(TEST_WAITS)
  SetFlag<HardEvent::S_MTE3>(0);
  WaitFlag<HardEvent::S_MTE3>(0);
#endif
  DataCopy(zGm, t, 64);
}
#elif defined(TEST_DATA)
// Offsets that are data.
extern "C" __global__ __aicore__ void data(GM_ADDR x, GM_ADDR i, uint32_t n) {
  TPipe pipe;
  TBuf<> buffer, offsets, result;
  pipe.InitBuffer(buffer, 256);
  pipe.InitBuffer(offsets, 256);
  pipe.InitBuffer(result, 256);
  GlobalTensor<uint32_t> iGm;
  iGm.SetGlobalBuffer((__gm__ uint32_t *)i, 64);
  LocalTensor<float> t = buffer.Get<float>(), r = result.Get<float>();
  LocalTensor<uint32_t> o = offsets.Get<uint32_t>();
  Duplicate(t, 0.0f, 64);
  Duplicate(o, uint32_t(1), 64);
  Gather(r, t, o, uint32_t(0), 64);
  int64_t off = iGm.GetValue(0) * n;
  GlobalTensor<float> xGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + off, 64);
}
#endif
