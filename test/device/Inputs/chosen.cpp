// A constant says which kernel is launched. The kernel's tiling is a constant,
// too, made of bytes.
#include "acl/acl.h"
#include "kernel_operator.h"
#include <cstdio>

using namespace AscendC;

struct Tiling {
  int32_t count;
  float value;
};
struct Eights {
  static constexpr const uint8_t bytes[] = {8, 0, 0, 0, 0, 0, 0, 65};
  static constexpr const Tiling value = convert_from_bytes<Tiling>(bytes);
};

__global__ __aicore__ void none(GM_ADDR) {}

template <typename Holder> __global__ __aicore__ void fill(GM_ADDR x) {
  LocalTensor<float> y(TPosition::VECIN, 0, Holder::value.count);
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float *)x);
  Duplicate(y, Holder::value.value, Holder::value.count);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(gm, y, Holder::value.count);
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  void *x = nullptr;
  aclrtMalloc(&x, 32, ACL_MEM_MALLOC_HUGE_FIRST);
  constexpr auto chosen = []() {
    if constexpr (Eights::value.count == 8)
      return fill<Eights>;
    else
      return none;
  }();
  chosen<<<1, nullptr, stream>>>(static_cast<uint8_t *>(x));
  aclrtSynchronizeStream(stream);
  float y[8];
  aclrtMemcpy(y, 32, x, 32, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%g\n", y[7]);
  aclrtFree(x);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
}
