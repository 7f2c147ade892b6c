// Launches the kernel of an object with fewer elements than its guard demands.
#include "belay/host.h"
#include "guarded.h"
#include <cstdio>
#include <vector>

using namespace belay::host;

int main(int, char **argv) {
  try {
    Acl acl;
    Device device(acl, 0);
    Stream stream(device);
    auto x = DeviceBuffer<float>::from(stream, std::vector<float>(10, 1.0f));
    auto y = DeviceBuffer<float>::uninitialised(device, 1000);
    Kernel<belay::kernels::guarded> k(Module(device, argv[1]));
    k.launch(stream, 1, x, y);
    stream.synchronize();
  } catch (const std::exception &failure) {
    std::puts(failure.what());
    return 1;
  }
}
