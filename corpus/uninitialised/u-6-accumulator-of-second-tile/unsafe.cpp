#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t S = 16;
constexpr uint32_t N = S * S; // one fractal of half

// c[i] = a[i] * transposed b
extern "C" __global__ __aicore__ void products(GM_ADDR a, GM_ADDR b,
                                               GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TPipe pipe;
  TBuf<TPosition::A1> a1Buf;
  TBuf<TPosition::B1> b1Buf;
  TBuf<TPosition::A2> a2Buf;
  TBuf<TPosition::B2> b2Buf;
  TBuf<TPosition::CO1> accBuf;
  pipe.InitBuffer(a1Buf, 2 * N * sizeof(half));
  pipe.InitBuffer(b1Buf, N * sizeof(half));
  pipe.InitBuffer(a2Buf, 2 * N * sizeof(half));
  pipe.InitBuffer(b2Buf, N * sizeof(half));
  pipe.InitBuffer(accBuf, 2 * N * sizeof(float));
  LocalTensor<half> a1 = a1Buf.Get<half>(), b1 = b1Buf.Get<half>();
  LocalTensor<half> a2 = a2Buf.Get<half>(), b2 = b2Buf.Get<half>();
  LocalTensor<float> acc = accBuf.Get<float>();
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a, 2 * N);
  bGm.SetGlobalBuffer((__gm__ half *)b, N);
  cGm.SetGlobalBuffer((__gm__ float *)c, 2 * N);

  DataCopy(a1, aGm, 2 * N);
  DataCopy(b1, bGm, N);
  SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
  LoadData(a2, a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
  LoadData(b2, b1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
  WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
  for (uint32_t i = 0; i < 2; ++i) {
    MmadParams shape(S, S, S, 0, false, /*cmatrixInitVal=*/i == 0);
    Mmad(acc[i * N], a2[i * N], b2, shape);
  }
  SetFlag<HardEvent::M_FIX>(EVENT_ID0);
  WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
  FixpipeParamsV220 plain(S, S, S, S, false);
  for (uint32_t i = 0; i < 2; ++i)
    Fixpipe(cGm[i * N], acc[i * N], plain); // site
}
