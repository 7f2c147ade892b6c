// For run-program-cache.test: what a kernel and the program are made from.
#include "acl/acl.h"
#include "kernel_operator.h"
#include "status.h"

#include <cstdio>

#ifndef FACTOR
#define FACTOR 3
#endif
constexpr int32_t Width = 8;

__global__ __aicore__ void product(GM_ADDR y) {
  *(__gm__ int32_t *)y = FACTOR * Width;
}

int main() {
  aclrtStream stream = nullptr;
  void *y = nullptr;
  int32_t result = 0;
  if (aclrtSetDevice(0) || aclrtCreateStream(&stream) ||
      aclrtMalloc(&y, 32, ACL_MEM_MALLOC_HUGE_FIRST))
    return 1;
  product<<<1, nullptr, stream>>>((GM_ADDR)y);
  if (aclrtSynchronizeStream(stream) ||
      aclrtMemcpy(&result, 4, y, 4, ACL_MEMCPY_DEVICE_TO_HOST))
    return 1;
  printf("%d %d\n", result, Status);
  return Status;
}
