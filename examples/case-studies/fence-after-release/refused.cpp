// The same with belay/host.h: an event ends with its owner, and nothing else
// ends it.
#include "belay/host.h"
#include <vector>

using namespace belay::host;

int main() {
  Device device;
  Stream stream(device);
  std::vector<Event> fences;
  fences.emplace_back(device);
  Event last = fences[0]; // a second owner
  fences[0].destroy();    // an end before the owner's
  stream.wait(last);
}
