// As freed.cpp, with the header that the vendor's older build makes.
#include "acl/acl.h"
#include "aclrtlaunch_add.h"

int main() {
  aclrtSetDevice(0);
  aclrtStream Stream = nullptr;
  aclrtCreateStream(&Stream);
  void *X = nullptr;
  aclrtMalloc(&X, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
  ACLRT_LAUNCH_KERNEL(add)(1, Stream, X, X, X, 256);
  aclrtFree(X);
  aclrtSynchronizeStream(Stream);
  aclrtDestroyStream(Stream);
  aclrtResetDevice(0);
}
