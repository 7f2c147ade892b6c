// What the 310P has no instruction for.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void missing(GM_ADDR x) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  GlobalTensor<float> in;
  in.SetGlobalBuffer((__gm__ float *)x, 64);
  LocalTensor<float> tile = buffer.Get<float>();
  if (GetBlockNum() > 8)
    return;
  DataCopyPad(tile, in, {1, 20, 0, 0, 0}, {false, 0, 0, 0.0f});
  CrossCoreSetFlag<0, PIPE_MTE2>(3);
  CrossCoreWaitFlag(3);
  SyncAll();
}
