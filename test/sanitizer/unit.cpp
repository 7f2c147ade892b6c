// The cube unit fills L0C, the fixpipe empties it, twice. The unit flag of both
// makes them wait for each other; without it nothing does.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void unit_flag(GM_ADDR z, uint32_t ofMmad,
                                                uint32_t ofFixpipe) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TPipe pipe;
  TBuf<TPosition::A2> l0a;
  TBuf<TPosition::B2> l0b;
  TBuf<TPosition::CO1> l0c;
  pipe.InitBuffer(l0a, 512);
  pipe.InitBuffer(l0b, 512);
  pipe.InitBuffer(l0c, 1024);
  LocalTensor<half> a = l0a.Get<half>(), b = l0b.Get<half>();
  LocalTensor<float> c = l0c.Get<float>();
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z);
  Fill(a, InitConstValueParams<half>(1, 1, 0, half(1)));
  Fill(b, InitConstValueParams<half>(1, 1, 0, half(2)));
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  for (uint32_t i = 0; i < 2; ++i) {
    MmadParams m(16, 16, 16, 0, false, true);
    m.unitFlag = ofMmad;
    Mmad(c, a, b, m); // fill
    FixpipeParamsV220 f(16, 16, 16, 16, false);
    f.unitFlag = ofFixpipe;
    Fixpipe(zGm[i * 256], c, f); // empty
  }
}
