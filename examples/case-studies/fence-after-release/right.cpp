// The same with one owner: whoever asks holds what is asked.
#include "belay/host.h"
#include <utility>
#include <vector>

using namespace belay::host;

int main() {
  Device device;
  Stream stream(device);
  std::vector<Event> fences;
  for (int i = 0; i < 2; ++i) {
    fences.emplace_back(device);
    fences.back().record(stream);
  }
  Event last = std::move(fences.back());
  fences.pop_back();
  for (Event &fence : fences)
    fence.synchronize();
  fences.clear();
  last.synchronize();
}
