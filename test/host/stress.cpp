//===- stress.cpp - Threads, streams and random drops ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// stress OBJECT THREADS OPERATIONS: each thread has four streams and does
// random things with buffers of its own and with shared ones, in streams that
// come and go, after device and module handles have been dropped. Built with
// the address and with the thread sanitizer.
//
//===----------------------------------------------------------------------===//

#include "belay/host.h"

#include <cstdio>
#include <random>
#include <thread>

using namespace belay::host;

namespace {

constexpr int count = 64;
constexpr int operations_per_launch = 50;
using AddKernel = Kernel<void(In<float>, In<float>, Out<float>, int32_t)>;
using Buffers = std::vector<DeviceBuffer<float>>;

class Worker {
public:
  Worker(const Context &context, const AddKernel &add, const Buffers &shared,
         unsigned seed)
      : context(context), add(add), shared(shared), random(seed) {
    for (int n = 0; n < 4; ++n)
      streams.emplace_back(context);
  }

  void step(int number) {
    Stream &a = streams[random() % streams.size()];
    Stream &b = streams[random() % streams.size()];
    if (number % operations_per_launch == 0)
      return launch(a, b);
    switch (random() % 6) {
    case 0:
      mine.emplace(DeviceBuffer<float>::from(
          a, std::vector<float>(count, float(number))));
      expect(mine->download(b).wait(), float(number));
      break;
    case 1: {
      std::size_t which = random() % shared.size();
      auto pending = shared[which].download(a);
      if (random() % 2)
        expect(std::move(pending).wait(), float(which));
      break;
    }
    case 2:
      if (mine)
        mine->fill_bytes(a, 0);
      break;
    case 3:
      mine.reset();
      break;
    case 4:
      event.emplace(context);
      event->record(a);
      b.wait(*event);
      break;
    case 5:
      a = Stream(context);
      break;
    }
  }

  long wrong = 0;

private:
  void launch(Stream &a, Stream &b) {
    auto z = DeviceBuffer<float>::uninitialised(context, count);
    add.launch(a, 8, shared[1], shared[2], z, count);
    expect(z.download(b).wait(), 3);
  }
  void expect(const std::vector<float> &values, float all) {
    for (float value : values)
      wrong += value != all;
  }

  const Context &context;
  const AddKernel &add;
  const Buffers &shared;
  std::mt19937 random;
  std::vector<Stream> streams;
  std::optional<DeviceBuffer<float>> mine;
  std::optional<Event> event;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  int threads = std::atoi(argv[2]), operations = std::atoi(argv[3]);
  auto device = std::make_optional<Device>();
  AddKernel add(Module(*device, argv[1]), "add");
  Context context(*device);
  Buffers shared;
  {
    Stream stream(context);
    for (int n = 0; n < 4; ++n)
      shared.push_back(DeviceBuffer<float>::from(
          stream, std::vector<float>(count, float(n))));
  }
  device.reset();
  std::atomic<long> wrong{0};
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      Worker worker(context, add, shared, static_cast<unsigned>(t));
      for (int n = 0; n < operations / threads; ++n)
        worker.step(n);
      wrong += worker.wrong;
    });
  for (std::thread &thread : all)
    thread.join();
  int dropped = take_dropped_error();
  std::printf("%ld wrong, dropped error %d\n", wrong.load(), dropped);
  return wrong || dropped;
}
