#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t M = 192;
constexpr uint32_t N = 128;
constexpr uint32_t K = 16;
constexpr uint32_t BUFFERS = 2;

// c = a * transposed b
extern "C" __global__ __aicore__ void product(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TPipe pipe;
  TBuf<TPosition::A1> a1Buf;
  TBuf<TPosition::B1> b1Buf;
  TBuf<TPosition::A2> a2Buf;
  TBuf<TPosition::B2> b2Buf;
  TQue<TPosition::CO1, 1> accumulators;
  pipe.InitBuffer(a1Buf, M * K * sizeof(half));
  pipe.InitBuffer(b1Buf, N * K * sizeof(half));
  pipe.InitBuffer(a2Buf, M * K * sizeof(half));
  pipe.InitBuffer(b2Buf, N * K * sizeof(half));
  pipe.InitBuffer(accumulators, BUFFERS, M * N * sizeof(float)); // site
  LocalTensor<half> a1 = a1Buf.Get<half>(), b1 = b1Buf.Get<half>();
  LocalTensor<half> a2 = a2Buf.Get<half>(), b2 = b2Buf.Get<half>();
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a, M * K);
  bGm.SetGlobalBuffer((__gm__ half *)b, N * K);
  cGm.SetGlobalBuffer((__gm__ float *)c, M * N);

  DataCopy(a1, aGm, M * K);
  DataCopy(b1, bGm, N * K);
  SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
  LoadData(a2, a1, LoadData2DParams(0, M / 16, 1, 0, 0, false, 0));
  LoadData(b2, b1, LoadData2DParams(0, N / 16, 1, 0, 0, false, 0));
  SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
  WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
  LocalTensor<float> acc = accumulators.AllocTensor<float>();
  Mmad(acc, a2, b2, MmadParams(M, N, K, 0, false, true));
  accumulators.EnQue(acc);
  acc = accumulators.DeQue<float>();
  Fixpipe(cGm, acc, FixpipeParamsV220(N, M, M, N, false));
  accumulators.FreeTensor(acc);
}
