// Launches a kernel that is part of the program.
#include "belay/host.h"
#include "scale.h"
#include "scale_object.h"

#include <cstdio>

using namespace belay::host;

int main() {
  Device device;
  Stream stream(device);
  Kernel<belay::kernels::scale> scale(Module(device, belay::objects::scale()));
  auto x = Tensor<float>::from(stream, std::vector<float>(1000, 1.5f), {1000});
  auto y = Tensor<float>::uninitialised(device, {1000});
  scale(stream, x, y, 2.0f);
  std::printf("y[999] is %g\n", y.download(stream).wait()[999]);
}
