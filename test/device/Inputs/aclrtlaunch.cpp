// Launches as the vendor's older build has them: by a header for each kernel.
#include "acl/acl.h"
#include "aclrtlaunch_add.h"

#include <cstdio>
#include <vector>

int main() {
  aclrtSetDevice(0);
  aclrtStream Stream = nullptr;
  aclrtCreateStream(&Stream);
  std::vector<float> Values(1024, 4);
  void *X = nullptr, *Z = nullptr;
  aclrtMalloc(&X, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&Z, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(X, 4096, Values.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE);
  unsigned Code = ACLRT_LAUNCH_KERNEL(add)(8, Stream, X, X, Z, 1024);
  int Failed = aclrtSynchronizeStream(Stream);
  aclrtMemcpy(Values.data(), 4096, Z, 4096, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%u %d %g\n", Code, Failed, Values.back());
  aclrtFree(X);
  aclrtFree(Z);
  aclrtDestroyStream(Stream);
  aclrtResetDevice(0);
}
