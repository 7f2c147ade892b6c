// Launches with threads, and variables that the threads of a block share.
#include <acl/acl.h>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr uint32_t Threads = 64;

// As long as the launch says, outside of functions and inside.
extern __ubuf__ int32_t rest[];

template <typename T>
__global__ void __launch_bounds__(Threads) reverse(T *z, const T *x) {
  __ubuf__ T tile[2][Threads];
  __ubuf__ uint32_t count;
  extern __ubuf__ uint32_t flags[];
  uint32_t t = threadIdx.x, base = blockIdx.x * blockDim.x;
  if (t == 0)
    count = 0;
  flags[t] = t;
  tile[blockIdx.x % 2][t] = x[base + t];
  asc_syncthreads();
  asc_atomic_add(&count, flags[Threads - 1 - t] % 2);
  asc_syncthreads();
  z[base + t] = tile[blockIdx.x % 2][Threads - 1 - t] + count;
}
static __global__ void indices(int32_t *z) {
  uint32_t block =
      (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  rest[threadIdx.y * blockDim.x + threadIdx.x] = threadIdx.y;
  asc_syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 1)
    z[block] = 1000 * blockIdx.z + 100 * blockIdx.y + 10 * blockIdx.x +
               rest[blockDim.x];
}

namespace {
// The launch does not say which instance it is.
template <typename T, typename Index = uint32_t>
__global__ __launch_bounds__(Threads) void twice(T *z, const T *x, Index n) {
  Index at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n)
    z[at] = static_cast<T>(2) * x[at];
}
} // namespace

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream;
  aclrtCreateStream(&stream);
  std::vector<int32_t> x(256), z(256);
  for (int i = 0; i < 256; ++i)
    x[i] = i;
  int32_t *xDevice, *zDevice;
  aclrtMalloc((void **)&xDevice, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc((void **)&zDevice, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(xDevice, 1024, x.data(), 1024, ACL_MEMCPY_HOST_TO_DEVICE);
  reverse<int32_t><<<4, Threads, Threads * 4, stream>>>(zDevice, xDevice);
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(z.data(), 1024, zDevice, 1024, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%d %d %d\n", z[0], z[63], z[255]);
  indices<<<dim3(3, 2, 2), dim3(8, 4), 256, stream>>>(zDevice);
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(z.data(), 1024, zDevice, 1024, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%d %d %d\n", z[0], z[4], z[11]);
  twice<<<2, Threads, 0, stream>>>(zDevice, xDevice, 70);
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(z.data(), 1024, zDevice, 1024, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%d %d %d\n", z[0], z[69], z[70]);
  aclrtFree(xDevice);
  aclrtFree(zDevice);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
}
