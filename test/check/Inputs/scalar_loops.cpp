// Elements that the scalar unit reads and writes in loops, more of them than
// are compared one by one.
#include "kernel_operator.h"
using namespace AscendC;

// Writes 512 elements, raises a flag for the store after TOLD of them, and
// leaves WITHOUT out.
template <int32_t TOLD, int32_t WITHOUT>
__aicore__ inline void table(GM_ADDR y, uint32_t stored) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> yGm;
  yGm.SetGlobalBuffer((__gm__ float *)y, 512);
  pipe.InitBuffer(buffer, 512 * 4);
  LocalTensor<float> t = buffer.Get<float>();
  for (int32_t i = 0; i < 512; ++i) {
    if (i != WITHOUT)
      t.SetValue(i, 1.0f);
    if (i == TOLD - 1)
      SetFlag<HardEvent::S_MTE3>(0);
  }
  WaitFlag<HardEvent::S_MTE3>(0);
  if (GetBlockIdx() == 0)
    DataCopy(yGm, t, stored);
}

extern "C" __global__ __aicore__ void all_told(GM_ADDR y) {
  table<512, -1>(y, 512);
}

extern "C" __global__ __aicore__ void half_told(GM_ADDR y) {
  table<256, -1>(y, 256);
}

extern "C" __global__ __aicore__ void told_too_early(GM_ADDR y) {
  table<256, -1>(y, 264);
}

extern "C" __global__ __aicore__ void one_left_out(GM_ADDR y) {
  table<512, 77>(y, 512);
}
