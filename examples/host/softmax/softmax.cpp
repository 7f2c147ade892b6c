// Softmax of each row, with the kernel of examples/ascendc/softmax; and how
// long it took on the device.
//
//   belay object ../../ascendc/softmax/softmax.cpp -o softmax.o
//   softmax softmax.o ROWS x.bin y.bin
#include "../files.h"
#include "belay/host.h"

#include <cstdio>

using namespace belay::host;

int main(int argc, char **argv) {
  if (argc != 5)
    return std::fprintf(stderr, "usage: softmax softmax.o ROWS x.bin y.bin\n"),
           2;
  try {
    auto x = read_numbers<float>(argv[3]);
    auto rows = static_cast<uint32_t>(std::stoul(argv[2]));
    auto columns = static_cast<uint32_t>(x.size() / rows);

    Device device;
    Stream stream(device);
    auto input = DeviceBuffer<float>::from(stream, std::move(x));
    auto output = DeviceBuffer<float>::uninitialised(device, input.size());

    Kernel<void(In<float>, Out<float>, uint32_t, uint32_t)> softmax(
        Module(device, argv[1]), "softmax");
    TimingEvent start(device), end(device);
    start.record(stream);
    softmax.launch(stream, 8, input, output, rows, columns);
    end.record(stream);
    write_numbers(argv[4], output.download(stream).wait());
    std::printf("%u x %u in %.3f ms\n", rows, columns, (end - start).count());
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "softmax: %s\n", failure.what());
    return 1;
  }
}
