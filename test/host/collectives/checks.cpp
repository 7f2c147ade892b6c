//===- checks.cpp - What collectives refuse when they run -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One check of belay/host/collectives.h per line of output; checks.test
// compares. At the end the same calls without the mistakes.
//
//===----------------------------------------------------------------------===//

#include "belay/host.h"

#include <cstdio>

using namespace belay::host;

template <typename Function>
static void refuses(const char *what, Function &&function) {
  try {
    function();
    std::printf("%s: nothing\n", what);
  } catch (const error &failure) {
    std::printf("%s: %s\n", what, failure.what());
  }
}

int main() {
  std::vector<Device> devices = {Device(0), Device(1)};
  std::vector<Communicator> ranks = Communicator::all(devices);
  Communicator &rank = ranks[0];
  Stream stream(devices[0]), elsewhere(devices[1]);
  auto x = DeviceBuffer<float>::zeroed(stream, 8);
  auto y = DeviceBuffer<float>::zeroed(stream, 8);
  auto all = DeviceBuffer<float>::zeroed(stream, 16);
  auto far = DeviceBuffer<float>::zeroed(elsewhere, 8);

  refuses("stream", [&] { rank.all_reduce(elsewhere, x, y, reduce::sum); });
  refuses("memory", [&] { rank.all_reduce(stream, x, far, reduce::sum); });
  refuses("size", [&] { rank.all_reduce(stream, x, all, reduce::sum); });
  refuses("gather", [&] { rank.all_gather(stream, x, y); });
  refuses("scatter", [&] { rank.reduce_scatter(stream, x, y, reduce::sum); });
  refuses("overlap", [&] {
    rank.all_reduce(stream, all.in(0, 8), all.out(4, 8), reduce::sum);
  });
  refuses("root", [&] { rank.broadcast(stream, x, Rank{2}); });
  refuses("self", [&] { rank.send(stream, x, rank.rank()); });
  refuses("counts", [&] {
    std::vector<uint64_t> gives = {4, 5}, takes = {4, 4};
    rank.all_to_all(stream, x, gives, y, takes);
  });
  refuses("uneven", [&] { rank.all_to_all(stream, x.in(0, 7), y.out(0, 7)); });
  refuses("root info", [&] {
    std::vector<std::byte> bytes(10);
    RootInfo root(bytes);
  });
  refuses("unsupported", [&] {
    auto wide = DeviceBuffer<double>::zeroed(stream, 8);
    rank.all_reduce(stream, wide, reduce::sum);
  });
  refuses("moved", [&] {
    Communicator other = std::move(ranks[1]);
    ranks[1].barrier(stream); // NOLINT: that is what is tested
  });
  std::printf("dropped error %d\n", take_dropped_error());

  // A rank that has gone, and one that waits for it.
  refuses("gone", [&] {
    rank.barrier(stream);
    stream.synchronize();
  });

  std::vector<Communicator> again = Communicator::all(devices);
  auto z = DeviceBuffer<float>::zeroed(elsewhere, 16);
  again[0].all_gather(stream, x, all);
  again[1].all_gather(elsewhere, far, z);
  again[0].send(stream, x, Rank{1});
  again[1].receive(elsewhere, far, Rank{0});
  again.clear(); // the streams hold what they need
  stream.synchronize();
  elsewhere.synchronize();
  std::printf("right: dropped error %d\n", take_dropped_error());
}
