// Loads the objects that are named, one after the other, and launches the
// kernel 'store' of each.
#include "acl/acl.h"

#include <cstdio>

int main(int Argc, char **Argv) {
  aclrtSetDevice(0);
  int *Memory = nullptr, Value = 0;
  aclrtMalloc((void **)&Memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  for (int N = 1; N < Argc; ++N) {
    aclrtBinHandle Binary = nullptr;
    aclrtFuncHandle Function = nullptr;
    aclrtBinaryLoadFromFile(Argv[N], nullptr, &Binary);
    aclrtBinaryGetFunction(Binary, "store", &Function);
    aclrtLaunchKernelWithHostArgs(Function, 1, nullptr, nullptr, &Memory,
                                  sizeof(Memory), nullptr, 0);
    int Failed = aclrtSynchronizeStream(nullptr);
    aclrtMemcpy(&Value, sizeof(Value), Memory, sizeof(Value),
                ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%d: %d\n", Failed, Value);
    aclrtBinaryUnLoad(Binary);
  }
  aclrtFree(Memory);
  aclrtResetDevice(0);
}
