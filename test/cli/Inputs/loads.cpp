// Loads kernels by the name of an object, which `belay run` answers for.
#include "belay/host.h"

#include <cstdio>

using namespace belay::host;

int main() {
  Device device;
  Stream stream(device);
  auto x = DeviceBuffer<float>::from(stream, std::vector<float>(1024, 1));
  auto z = DeviceBuffer<float>::uninitialised(device, 1024);
  Kernel<void(In<float>, In<float>, Out<float>, int32_t)> add(
      Module(device, "kernels.o"), "add");
  add.launch(stream, 8, x, x, z, 1024);
  std::printf("%g\n", z.download(stream).wait().back());
}
