// A program that holds its kernels, as the vendor's compiler takes it.
#include "acl/acl.h"
#include "kernel_operator.h"

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace kernels {
// y = x * Factor for Count floats, one block.
template <typename T, int Factor, uint32_t Count>
__global__ __vector__ void scale(GM_ADDR x, GM_ADDR y) {
  AscendC::LocalMemAllocator<AscendC::Hardware::UB> allocator;
  AscendC::LocalTensor<T> t = allocator.Alloc<T, Count>();
  AscendC::LocalTensor<T> u = allocator.Alloc<T>(Count);
  AscendC::GlobalTensor<T> from, to;
  from.SetGlobalBuffer((__gm__ T *)x, Count);
  to.SetGlobalBuffer((__gm__ T *)y, Count);
  AscendC::DataCopy(t, from, Count);
  AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
  AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
  AscendC::Muls(u, t, T(Factor), Count);
#ifndef FORGET_FLAG
  AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
#endif
  AscendC::DataCopy(to, u, Count);
}
} // namespace kernels

struct Pair {
  int32_t a;
  float b;
};
extern "C" __global__ __aicore__ void show(Pair pair, int64_t number) {
  AscendC::printf("block %d: %d %d\n", int32_t(AscendC::GetBlockIdx()), pair.a,
                  int32_t(number));
}

#ifdef OUT_OF_BOUNDS
__global__ __aicore__ void beyond(GM_ADDR x) {
  *((__gm__ float *)x + 4096) = 1;
}
#endif

#ifdef MISTAKE
int mistake = undeclared; // line of the message
#endif

static void must(int code, const char *what) {
  if (code != 0)
    throw std::runtime_error(what);
}

int main(int argc, char **argv) {
  try {
    constexpr uint32_t count = 64;     // a template argument from here
    must(aclrtSetDevice(0), "device"); // no aclInit, as in many samples
    aclrtStream stream = nullptr;
    must(aclrtCreateStream(&stream), "stream");
    uint8_t *x = nullptr, *y = nullptr;
    must(aclrtMalloc((void **)&x, count * 4, ACL_MEM_MALLOC_HUGE_FIRST), "x");
    must(aclrtMalloc((void **)&y, count * 4, ACL_MEM_MALLOC_HUGE_FIRST), "y");
    std::vector<float> host(count, 2);
    must(aclrtMemcpy(x, count * 4, host.data(), count * 4,
                     ACL_MEMCPY_HOST_TO_DEVICE),
         "copy");
    kernels::scale<float, 3, count><<<1, nullptr, stream>>>(x, y);
    kernels::scale<float, 5, count><<<1, 0, stream>>>(y, x);
    uint32_t blocks = 2;
    if (argc > 1)
      show<<<blocks, nullptr, stream>>>(Pair{int(strlen(argv[1])), 1}, 7);
#ifdef OUT_OF_BOUNDS
    beyond<<<1, nullptr, stream>>>(x);
#endif
    must(aclrtSynchronizeStream(stream), "kernel");
    must(aclrtMemcpy(host.data(), count * 4, x, count * 4,
                     ACL_MEMCPY_DEVICE_TO_HOST),
         "copy");
    std::printf("%g %g\n", host.front(), host.back());
    must(aclrtFree(x), "free");
    must(aclrtFree(y), "free");
    must(aclrtDestroyStream(stream), "destroy");
    must(aclrtResetDevice(0), "reset");
    return 5;
  } catch (const std::exception &failure) {
    std::printf("failed: %s\n", failure.what());
    return 1;
  }
}
