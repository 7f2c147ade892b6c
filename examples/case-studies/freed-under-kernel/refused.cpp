// The same with belay/host.h: a buffer has one owner, who alone ends it.
#include "belay/host.h"

using namespace belay::host;

int main() {
  Device device;
  Stream stream(device);
  auto x = DeviceBuffer<float>::zeroed(stream, 8);
  DeviceBuffer<float> other = x; // two owners would free twice
  x.free();                      // an end before the launch has passed
}
