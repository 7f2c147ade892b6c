#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t M = 64;
constexpr uint32_t K = 16;
constexpr uint32_t PART = M * K;
constexpr uint32_t STEPS = 2;

// c = the sum of the products of two pairs of matrices, the second transposed
extern "C" __global__ __aicore__ void products(GM_ADDR a, GM_ADDR b,
                                               GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TPipe pipe;
  TBuf<TPosition::A1> a1Buf, b1Buf;
  TBuf<TPosition::A2> a2Buf;
  TBuf<TPosition::B2> b2Buf;
  TBuf<TPosition::CO1> accBuf;
  pipe.InitBuffer(a1Buf, STEPS * PART * sizeof(half));
  pipe.InitBuffer(b1Buf, STEPS * PART * sizeof(half));
  pipe.InitBuffer(a2Buf, STEPS * PART * sizeof(half));
  pipe.InitBuffer(b2Buf, STEPS * PART * sizeof(half));
  pipe.InitBuffer(accBuf, M * M * sizeof(float));
  LocalTensor<half> a1 = a1Buf.Get<half>(), b1 = b1Buf.Get<half>();
  LocalTensor<half> a2 = a2Buf.Get<half>(), b2 = b2Buf.Get<half>();
  LocalTensor<float> acc = accBuf.Get<float>();
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a, STEPS * PART);
  bGm.SetGlobalBuffer((__gm__ half *)b, STEPS * PART);
  cGm.SetGlobalBuffer((__gm__ float *)c, M * M);

  DataCopy(a1, aGm, STEPS * PART);
  DataCopy(b1, bGm, STEPS * PART);
  SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0); // without: missing-sync
  LoadData2DParams all(0, STEPS * M / K, 1, 0, 0, false, 0);
  LoadData(a2, a1, all);
  LoadData(b2, b1, all);
  SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
  WaitFlag<HardEvent::MTE1_M>(EVENT_ID0); // without: missing-sync
  for (uint32_t k = 0; k < STEPS; ++k) {
    MmadParams p(M, M, K, 0, false, k == 0);
    p.unitFlag = k + 1 < STEPS ? 2 : 3; // without: missing-sync
    Mmad(acc, a2[k * PART], b2[k * PART], p);
  }
  FixpipeParamsV220 f(M, M, M, M, false);
  f.unitFlag = 3; // without: missing-sync
  Fixpipe(cGm, acc, f);
}
