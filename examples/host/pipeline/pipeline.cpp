// Two stages on two streams: stage one adds a bias, stage two takes the softmax
// of the rows. While one batch is in stage two, the next is in stage one.
// Nothing here says which waits for which: buffers know, and order their uses
// by events.
//
//   pipeline add.o softmax.o BATCHES ROWS x.bin bias.bin y.bin
#include "../files.h"
#include "belay/host.h"

#include <cstdio>

using namespace belay::host;

struct AddTiling {
  uint32_t total, perCore, bigCores, tile;
};
template <> inline constexpr bool belay::host::sendable<AddTiling> = true;

int main(int argc, char **argv) {
  if (argc != 8)
    return std::fprintf(stderr, "usage: pipeline add.o softmax.o BATCHES ROWS "
                                "x.bin bias.bin y.bin\n"),
           2;
  try {
    constexpr uint32_t cores = 4;
    auto batches = static_cast<uint32_t>(std::stoul(argv[3]));
    auto rows = static_cast<uint32_t>(std::stoul(argv[4]));
    auto x = read_numbers<float>(argv[5]), bias = read_numbers<float>(argv[6]);
    auto size = static_cast<uint32_t>(x.size() / batches);

    Device device;
    Stream first(device), second(device);
    Kernel<void(In<float>, In<float>, Out<float>, InOut<uint8_t>,
                In<AddTiling>)>
        add(Module(device, argv[1]), "add_tail");
    Kernel<void(In<float>, Out<float>, uint32_t, uint32_t)> softmax(
        Module(device, argv[2]), "softmax");
    auto offset = DeviceBuffer<float>::from(first, std::move(bias));
    auto workspace = DeviceBuffer<uint8_t>::zeroed(first, 32);
    auto tiling = DeviceBuffer<AddTiling>::from(
        first, {{size, size / 8 / cores * 8, size / 8 % cores, 2048}});

    std::vector<Pending<float>> results;
    for (uint32_t batch = 0; batch < batches; ++batch) {
      // Dropped at the end of the iteration, freed when both stages are done.
      auto input = DeviceBuffer<float>::from(
          first, {x.begin() + batch * size, x.begin() + (batch + 1) * size});
      auto sum = DeviceBuffer<float>::uninitialised(device, size);
      auto result = DeviceBuffer<float>::uninitialised(device, size);
      add.launch(first, cores, input, offset, sum, workspace, tiling);
      softmax.launch(second, cores, sum, result, rows, size / rows);
      results.push_back(result.download(second));
    }
    std::vector<float> y;
    for (Pending<float> &each : results) {
      std::vector<float> part = std::move(each).wait();
      y.insert(y.end(), part.begin(), part.end());
    }
    write_numbers(argv[7], y);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "pipeline: %s\n", failure.what());
    return 1;
  }
}
