// A whole program for `belay run`: ranks on all devices add their numbers,
// which a kernel has written.
#include "acl/acl.h"
#include "hccl/hccl.h"
#include "kernel_operator.h"

#include <cstdio>
#include <vector>

extern "C" __global__ __aicore__ void fill(GM_ADDR x, float value) {
  AscendC::GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float *)x, 8);
  for (int i = 0; i < 8; ++i)
    gm.SetValue(i, value);
  AscendC::DataCacheCleanAndInvalid<float,
                                    AscendC::CacheLine::ENTIRE_DATA_CACHE>(gm);
}

int main() {
  aclInit(nullptr);
  uint32_t count = 0;
  aclrtGetDeviceCount(&count);
  std::vector<int32_t> devices(count);
  std::vector<HcclComm> ranks(count);
  std::vector<void *> memory(count);
  std::vector<aclrtStream> streams(count);
  for (uint32_t r = 0; r < count; ++r)
    devices[r] = static_cast<int32_t>(r);
  int error = HcclCommInitAll(count, devices.data(), ranks.data());
  for (uint32_t r = 0; r < count; ++r) {
    error += aclrtSetDevice(devices[r]);
    error += aclrtCreateStream(&streams[r]);
    error += aclrtMalloc(&memory[r], 32, ACL_MEM_MALLOC_HUGE_FIRST);
    fill<<<1, nullptr, streams[r]>>>((GM_ADDR)memory[r], float(r + 1));
    error += HcclAllReduce(memory[r], memory[r], 8, HCCL_DATA_TYPE_FP32,
                           HCCL_REDUCE_SUM, ranks[r], streams[r]);
  }
  for (uint32_t r = 0; r < count; ++r) {
    float sum[8];
    error += aclrtSetDevice(devices[r]);
    error += aclrtSynchronizeStream(streams[r]);
    error += aclrtMemcpy(sum, 32, memory[r], 32, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("rank %u: %g %g\n", r, sum[0], sum[7]);
    error += HcclCommDestroy(ranks[r]);
    error += aclrtFree(memory[r]);
    error += aclrtDestroyStream(streams[r]);
    error += aclrtResetDevice(devices[r]);
    error += aclrtResetDevice(devices[r]);
  }
  return error + aclFinalize();
}
