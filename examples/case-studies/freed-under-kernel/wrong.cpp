// The input is freed as soon as the kernel is launched; the next allocation may
// be the same memory.
#include "acl/acl.h"
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void increment(GM_ADDR x, GM_ADDR z) {
  AscendC::GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 8);
  zGm.SetGlobalBuffer((__gm__ float *)z, 8);
  for (uint32_t i = 0; i < 8; ++i)
    zGm.SetValue(i, xGm.GetValue(i) + 1.0f);
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream;
  aclrtCreateStream(&stream);
  void *x, *z;
  aclrtMalloc(&x, 32, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&z, 32, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(x, 32, 0, 32);
  increment<<<1, nullptr, stream>>>((GM_ADDR)x, (GM_ADDR)z);
  aclrtFree(x);
  aclrtSynchronizeStream(stream);
  aclrtFree(x); // and once more at the end
  aclrtFree(z);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
}
