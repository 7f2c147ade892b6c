//===- bench.cpp - What a launch of the host library costs ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// bench OBJECT LAUNCHES: launches kernels that do nothing, once through the raw
// C functions and once through belay/host.h, alternating; prints a line of JSON
// for each kind of launch. bench/host runs it and judges.
//
// With BELAY_ACL_LIBRARY=libnull_acl.so there is no device at all: what is left
// is what the library itself costs, and allocates.
//
//===----------------------------------------------------------------------===//

#include "belay/host.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <new>

using namespace belay::host;

static std::atomic<long> allocations{0};

// Counts what this thread's launches allocate; the simulated device's own
// allocations are counted with them, the null library has none.
void *operator new(std::size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace {

constexpr int per_round = 10000;

/// Launches in the way of C: context set once, no checks, errors looked at.
class Raw {
public:
  Raw(const char *object, const char *kernel) {
    const auto &f = detail::acl();
    must(f.aclrtBinaryLoadFromFile(object, nullptr, &binary));
    must(f.aclrtBinaryGetFunction(binary, kernel, &function));
    must(f.aclrtCreateStream(&stream));
    for (void *&pointer : arguments.pointers)
      must(f.aclrtMalloc(&pointer, 1024, 0));
  }
  ~Raw() {
    const auto &f = detail::acl();
    must(f.aclrtDestroyStream(stream));
    for (void *pointer : arguments.pointers)
      must(f.aclrtFree(pointer));
    must(f.aclrtBinaryUnLoad(binary));
  }
  Raw(const Raw &) = delete;
  Raw &operator=(const Raw &) = delete;

  void launch(bool with_arguments) {
    must(detail::acl().aclrtLaunchKernelWithHostArgs(
        function, 1, stream, nullptr, &arguments,
        with_arguments ? sizeof(arguments) : 0, nullptr, 0));
  }
  void synchronize() { must(detail::acl().aclrtSynchronizeStream(stream)); }

private:
  static void must(int code) {
    if (code) {
      std::fprintf(stderr, "bench: a call failed with %d\n", code);
      std::exit(1);
    }
  }
  void *binary = nullptr, *function = nullptr, *stream = nullptr;
  struct {
    void *pointers[3];
    int32_t number = 7;
  } arguments;
};

struct Figures {
  std::vector<double> raw, raii; // nanoseconds per launch, one per batch
  long raii_allocations = 0, raii_launches = 0;
};

template <typename Function> double time_round(Function &&round) {
  auto start = std::chrono::steady_clock::now();
  round();
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now() - start)
             .count() /
         per_round;
}

/// Both alternate, so that both see the same machine. The first repetition of
/// each warms up.
template <typename Launch, typename Synchronize>
Figures measure(Raw &raw, bool with_arguments, int launches, Launch &&launch,
                Synchronize &&synchronize) {
  Figures result;
  for (int round = 0; round <= launches / per_round; ++round) {
    double raw_time = time_round([&] {
      for (int n = 0; n < per_round; ++n)
        raw.launch(with_arguments);
      raw.synchronize();
    });
    long before = 0, after = 0;
    double raii_time = time_round([&] {
      before = allocations;
      for (int n = 0; n < per_round; ++n)
        launch();
      after = allocations;
      synchronize();
    });
    if (round == 0)
      continue;
    result.raw.push_back(raw_time);
    result.raii.push_back(raii_time);
    result.raii_allocations += after - before;
    result.raii_launches += per_round;
  }
  return result;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print(const char *name, const Figures &figures) {
  std::printf("{\"launch\": \"%s\", \"launches\": %ld, \"raw_ns\": %.1f, "
              "\"raii_ns\": %.1f, \"ratio\": %.4f, \"allocations\": %ld}\n",
              name, figures.raii_launches, median(figures.raw),
              median(figures.raii), median(figures.raii) / median(figures.raw),
              figures.raii_allocations);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  int launches = std::max(per_round, std::atoi(argv[2]));
  try {
    Device device;
    Stream stream(device);
    Module module(device, argv[1]);
    {
      Raw raw(argv[1], "nothing");
      Kernel<void()> nothing(module, "nothing");
      print("nothing",
            measure(
                raw, false, launches, [&] { nothing.launch(stream, 1); },
                [&] { stream.synchronize(); }));
    }
    Raw raw(argv[1], "ignore");
    Kernel<void(In<float>, In<float>, Out<float>, int32_t)> ignore(module,
                                                                   "ignore");
    auto x = DeviceBuffer<float>::zeroed(stream, 256);
    auto y = DeviceBuffer<float>::zeroed(stream, 256);
    auto z = DeviceBuffer<float>::uninitialised(device, 256);
    print("ignore", measure(
                        raw, true, launches,
                        [&] { ignore.launch(stream, 1, x, y, z, 7); },
                        [&] { stream.synchronize(); }));
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "bench: %s\n", failure.what());
    return 1;
  }
}
