// The same with belay/host.h: the launch holds what it uses until the stream
// has passed it, whatever becomes of the names.
#include "belay/host.h"

using namespace belay::host;

int main() {
  Device device;
  Stream stream(device);
  auto z = DeviceBuffer<float>::uninitialised(device, 8);
  Kernel<void(In<float>, Out<float>)> kernel(Module(device, "increment.o"),
                                             "increment");
  {
    auto x = DeviceBuffer<float>::zeroed(stream, 8);
    kernel.launch(stream, 1, x, z);
  } // the name ends here, the memory when the launch has
  return z.download(stream).wait()[7] == 1.0f ? 0 : 1;
}
