#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t S = 16;
constexpr uint32_t N = S * S; // one fractal of half

constexpr uint32_t SKIP = 8; // floats of the table before the bias

// c = a * transposed b + bias
extern "C" __global__ __aicore__ void linear(GM_ADDR a, GM_ADDR b, GM_ADDR bias,
                                             GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TPipe pipe;
  TBuf<TPosition::A1> a1Buf;
  TBuf<TPosition::B1> b1Buf;
  TBuf<TPosition::A2> a2Buf;
  TBuf<TPosition::B2> b2Buf;
  TBuf<TPosition::CO1> accBuf;
  TBuf<TPosition::C1> bias1Buf;
  TBuf<TPosition::C2> bias2Buf;
  pipe.InitBuffer(a1Buf, N * sizeof(half));
  pipe.InitBuffer(b1Buf, N * sizeof(half));
  pipe.InitBuffer(bias1Buf, S * sizeof(float));
  pipe.InitBuffer(a2Buf, N * sizeof(half));
  pipe.InitBuffer(b2Buf, N * sizeof(half));
  pipe.InitBuffer(bias2Buf, 2 * S * sizeof(float));
  pipe.InitBuffer(accBuf, N * sizeof(float));
  LocalTensor<half> a1 = a1Buf.Get<half>(), b1 = b1Buf.Get<half>();
  LocalTensor<half> a2 = a2Buf.Get<half>(), b2 = b2Buf.Get<half>();
  LocalTensor<float> bias1 = bias1Buf.Get<float>();
  LocalTensor<float> bias2 = bias2Buf.Get<float>()[SKIP];
  LocalTensor<float> acc = accBuf.Get<float>();
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> biasGm, cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a, N);
  bGm.SetGlobalBuffer((__gm__ half *)b, N);
  biasGm.SetGlobalBuffer((__gm__ float *)bias, S);
  cGm.SetGlobalBuffer((__gm__ float *)c, N);

  DataCopy(a1, aGm, N);
  DataCopy(b1, bGm, N);
  DataCopy(bias1, biasGm, S);
  SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
  LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  LoadData(b2, b1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  DataCopy(bias2, bias1, DataCopyParams(1, 1, 0, 0)); // site
  SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
  WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
  Mmad(acc, a2, b2, bias2, MmadParams(S, S, S, 0, true, false));
  SetFlag<HardEvent::M_FIX>(EVENT_ID0);
  WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
  Fixpipe(cGm, acc, FixpipeParamsV220(S, S, S, S, false));
}
