// Launches the kernel on an NPU if there is one, else on the simulated device.
#include "belay/host.h"
#include "scale.h" // the launcher, which belay writes

#include <cstdio>
#include <numeric>

using namespace belay::host;

int main() try {
  constexpr size_t count = 100000;
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0f);

  Device device;
  Stream stream(device);
  Kernel<belay::kernels::scale> scale(device, BELAY_OBJECT_scale);
  auto x = Tensor<float>::from(stream, numbers, {count});
  auto y = Tensor<float>::uninitialised(device, {count});
  scale(stream, x, y, 2.0f);
  std::vector<float> result = y.download(stream).wait();

  for (size_t i = 0; i < count; ++i)
    if (result[i] != 2.0f * numbers[i]) {
      std::fprintf(stderr, "y[%zu] is %g\n", i, result[i]);
      return 1;
    }
  std::printf("%zu numbers scaled\n", count);
} catch (const std::exception &failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
