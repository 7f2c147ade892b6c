// c = a * transposed b, summed over `steps` pieces of 16 columns, by hand. What
// orders Mmad with Mmad and with Fixpipe is chosen from outside.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t K = 16;

extern "C" __global__ __aicore__ void
product(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t rows, uint32_t cols,
        uint32_t barriers, uint32_t mmadFlag, uint32_t fixFlag, uint32_t wait) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  constexpr uint32_t STEPS = 2;
  TPipe pipe;
  TBuf<TPosition::A1> a1Buf, b1Buf;
  TBuf<TPosition::A2> a2Buf;
  TBuf<TPosition::B2> b2Buf;
  TBuf<TPosition::CO1> cBuf;
  uint32_t left = rows * K, right = cols * K;
  pipe.InitBuffer(a1Buf, STEPS * left * sizeof(half));
  pipe.InitBuffer(b1Buf, STEPS * right * sizeof(half));
  pipe.InitBuffer(a2Buf, STEPS * left * sizeof(half));
  pipe.InitBuffer(b2Buf, STEPS * right * sizeof(half));
  pipe.InitBuffer(cBuf, rows * cols * sizeof(float));
  LocalTensor<half> a1 = a1Buf.Get<half>(), b1 = b1Buf.Get<half>();
  LocalTensor<half> a2 = a2Buf.Get<half>(), b2 = b2Buf.Get<half>();
  LocalTensor<float> acc = cBuf.Get<float>();
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a, STEPS * left);
  bGm.SetGlobalBuffer((__gm__ half *)b, STEPS * right);
  cGm.SetGlobalBuffer((__gm__ float *)c, 2 * rows * cols);

  // Each step's matrices lie as fractals already.
  DataCopy(a1, aGm, STEPS * left);
  DataCopy(b1, bGm, STEPS * right);
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  LoadData(a2, a1, LoadData2DParams(0, STEPS * rows / 16, 1, 0, 0, false, 0));
  LoadData(b2, b1, LoadData2DParams(0, STEPS * cols / 16, 1, 0, 0, false, 0));
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  for (uint32_t round = 0; round < 2; ++round) {
    if (round && wait) {
      SetFlag<HardEvent::FIX_M>(0);
      WaitFlag<HardEvent::FIX_M>(0);
    }
    for (uint32_t k = 0; k < STEPS; ++k) {
      MmadParams p(rows, cols, K, 0, false, k == 0);
      p.unitFlag = mmadFlag ? (k + 1 == STEPS ? 3 : 2) : 0;
      Mmad(acc, a2[k * left], b2[k * right], p); // multiplies
      if (barriers)
        PipeBarrier<PIPE_M>();
    }
    if (wait) {
      SetFlag<HardEvent::M_FIX>(0);
      WaitFlag<HardEvent::M_FIX>(0);
    }
    FixpipeParamsV220 f(cols, rows, rows, cols, false);
    f.unitFlag = fixFlag ? 3 : 0;
    GlobalTensor<float> out = cGm[round * rows * cols];
    Fixpipe(out, acc, f); // hands over
  }
}
