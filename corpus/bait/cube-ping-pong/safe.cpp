#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t S = 16;
constexpr uint32_t F = S * S; // one fractal of half
constexpr uint32_t STEPS = 4;

// c = the sum of the products of STEPS pairs of matrices, the second transposed
extern "C" __global__ __aicore__ void products(GM_ADDR a, GM_ADDR b,
                                               GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TPipe pipe;
  TBuf<TPosition::A1> a1Buf, b1Buf;
  TBuf<TPosition::A2> a2Buf;
  TBuf<TPosition::B2> b2Buf;
  TBuf<TPosition::CO1> accBuf;
  pipe.InitBuffer(a1Buf, STEPS * F * sizeof(half));
  pipe.InitBuffer(b1Buf, STEPS * F * sizeof(half));
  pipe.InitBuffer(a2Buf, 2 * F * sizeof(half));
  pipe.InitBuffer(b2Buf, 2 * F * sizeof(half));
  pipe.InitBuffer(accBuf, F * sizeof(float));
  LocalTensor<half> a1 = a1Buf.Get<half>(), b1 = b1Buf.Get<half>();
  LocalTensor<half> a2 = a2Buf.Get<half>(), b2 = b2Buf.Get<half>();
  LocalTensor<float> acc = accBuf.Get<float>();
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a, STEPS * F);
  bGm.SetGlobalBuffer((__gm__ half *)b, STEPS * F);
  cGm.SetGlobalBuffer((__gm__ float *)c, F);

  DataCopy(a1, aGm, STEPS * F);
  DataCopy(b1, bGm, STEPS * F);
  SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0); // without: missing-sync
  LoadData2DParams one(0, 1, 1, 0, 0, false, 0);
  for (uint32_t k = 0; k < STEPS; ++k) {
    int32_t id = k % 2;
    if (k < 2)
      SetFlag<HardEvent::M_MTE1>(id);
    WaitFlag<HardEvent::M_MTE1>(id); // without: missing-sync
    LoadData(a2[id * F], a1[k * F], one);
    LoadData(b2[id * F], b1[k * F], one);
    SetFlag<HardEvent::MTE1_M>(id);
    WaitFlag<HardEvent::MTE1_M>(id); // without: missing-sync
    Mmad(acc, a2[id * F], b2[id * F], MmadParams(S, S, S, 0, false, k == 0));
    if (k + 2 < STEPS)
      SetFlag<HardEvent::M_MTE1>(id);
    PipeBarrier<PIPE_M>(); // without: missing-barrier
  }
  SetFlag<HardEvent::M_FIX>(EVENT_ID0);
  WaitFlag<HardEvent::M_FIX>(EVENT_ID0); // without: missing-sync
  Fixpipe(cGm, acc, FixpipeParamsV220(S, S, S, S, false));
}
