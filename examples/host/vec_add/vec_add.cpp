// z = x + y for any length, with the kernel of examples/ascendc/add_tail. Its
// tiling is a structure in device memory.
//
//   belay object ../../ascendc/add_tail/add_tail.cpp -o add.o
//   vec_add add.o x.bin y.bin z.bin
#include "../files.h"
#include "belay/host.h"

#include <cstdio>

using namespace belay::host;

struct AddTiling {
  uint32_t total, perCore, bigCores, tile;
};
template <> inline constexpr bool belay::host::sendable<AddTiling> = true;

static AddTiling divide(uint32_t total, uint32_t cores) {
  constexpr uint32_t per_block = 8; // floats in 32 bytes
  uint32_t blocks = total / per_block;
  return {total, blocks / cores * per_block, blocks % cores, 2048};
}

int main(int argc, char **argv) {
  if (argc != 5)
    return std::fprintf(stderr, "usage: vec_add add.o x.bin y.bin z.bin\n"), 2;
  try {
    constexpr uint32_t cores = 8;
    auto x = read_numbers<float>(argv[2]), y = read_numbers<float>(argv[3]);
    auto total = static_cast<uint32_t>(x.size());

    Device device;
    Stream stream(device);
    auto device_x = DeviceBuffer<float>::from(stream, std::move(x));
    auto device_y = DeviceBuffer<float>::from(stream, std::move(y));
    auto z = DeviceBuffer<float>::uninitialised(device, total);
    auto workspace = DeviceBuffer<uint8_t>::zeroed(stream, 32);
    auto tiling = DeviceBuffer<AddTiling>::from(stream, {divide(total, cores)});

    Kernel<void(In<float>, In<float>, Out<float>, InOut<uint8_t>,
                In<AddTiling>)>
        add(Module(device, argv[1]), "add_tail");
    add.launch(stream, cores, device_x, device_y, z, workspace, tiling);
    write_numbers(argv[4], z.download(stream).wait());
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "vec_add: %s\n", failure.what());
    return 1;
  }
}
