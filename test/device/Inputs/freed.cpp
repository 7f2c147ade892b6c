// Frees memory while a launch may use it, on the line after the launch.
#include "acl/acl.h"
#include "kernel_operator.h"

__global__ __aicore__ void touch(GM_ADDR x) {}

int main() {
  aclrtSetDevice(0);
  aclrtStream Stream = nullptr;
  aclrtCreateStream(&Stream);
  void *X = nullptr;
  aclrtMalloc(&X, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
  touch<<<1, nullptr, Stream>>>(static_cast<uint8_t *>(X));
  aclrtFree(X);
  aclrtSynchronizeStream(Stream);
  aclrtDestroyStream(Stream);
  aclrtResetDevice(0);
}
