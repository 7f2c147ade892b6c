// A copy in 16 iterations, of which the last is used at once.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void loops(GM_ADDR x, GM_ADDR y, bool wait) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 128);
  yGm.SetGlobalBuffer((__gm__ float *)y, 8);
  TPipe pipe;
  TBuf<TPosition::VECCALC> source, result;
  pipe.InitBuffer(source, 512);
  pipe.InitBuffer(result, 32);
  LocalTensor<float> a = source.Get<float>(), b = result.Get<float>();
  SetLoopModePara(LoopModeParams(16, 1, 32, 32, 0, 0),
                  DataCopyMVType::OUT_TO_UB);
  DataCopyPad(a, xGm, {1, 32, 0, 0, 0}, {false, 0, 0, 0}); // written
  ResetLoopModePara(DataCopyMVType::OUT_TO_UB);
  if (wait) {
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  }
  Adds(b, a[120], 1.0f, 8); // read
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(yGm, b, 8);
}
