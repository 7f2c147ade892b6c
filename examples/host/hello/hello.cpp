// Finds a device and lets two of its cores say hello.
//
//   belay object kernel.cpp -o hello.o
//   c++ -std=c++20 hello.cpp -o hello    # -I PREFIX/include, if not in /usr
//   ./hello hello.o
#include "belay/host.h"

#include <cstdio>

using namespace belay::host;

int main(int argc, char **argv) {
  if (argc != 2)
    return std::fprintf(stderr, "usage: hello hello.o\n"), 2;
  try {
    Acl acl;
    std::printf("%u x %s%s\n", acl.device_count(), acl.soc_name().c_str(),
                is_simulated() ? ", simulated" : "");
    std::fflush(stdout);
    Device device(acl, 0);
    Stream stream(device);
    Kernel<void(int32_t)> hello(Module(device, argv[1]), "hello");
    hello.launch(stream, 2, 42);
    stream.synchronize();
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "hello: %s\n", failure.what());
    return 1;
  }
}
