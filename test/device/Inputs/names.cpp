// A kernel that is called as functions of the C library are, with a pointer
// that it uses only if it is told to. The program passes host memory there.
#include "acl/acl.h"
#include "kernel_operator.h"
#include <cstdio>
#include <cstdlib>

using namespace AscendC;

__global__ __aicore__ void abs(GM_ADDR x, GM_ADDR unused, int32_t use) {
  LocalTensor<float> y(TPosition::VECIN, 0, 8);
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float *)(use ? unused : x));
  Duplicate(y, 3.0f, 8);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(gm, y, 8);
}

int main(int Argc, char **Argv) {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream Stream = nullptr;
  aclrtCreateStream(&Stream);
  void *X = nullptr;
  aclrtMalloc(&X, 32, ACL_MEM_MALLOC_HUGE_FIRST);
  static uint8_t Host[32];
  abs<<<1, nullptr, Stream>>>(static_cast<uint8_t *>(X), Host, Argc > 1);
  aclrtSynchronizeStream(Stream);
  float Y[8];
  aclrtMemcpy(Y, 32, X, 32, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%d %g\n", abs(-1), Y[7]);
  aclrtFree(X);
  aclrtDestroyStream(Stream);
  aclrtResetDevice(0);
  aclFinalize();
}
