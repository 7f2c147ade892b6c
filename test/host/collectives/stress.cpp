//===- stress.cpp - Collectives while everything is dropped ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// stress ROUNDS: 4 ranks, each with two threads that share its device. One of
// them calls random collectives, the same on all ranks, in random streams, and
// drops buffers at once; the other allocates, copies and frees beside it. All
// results are compared.
//
//===----------------------------------------------------------------------===//

#include "belay/host.h"

#include <cstdio>
#include <random>
#include <thread>

using namespace belay::host;

namespace {

constexpr uint32_t Ranks = 4;
std::atomic<uint64_t> Wrong{0}, Done{0};

/// Whether a download holds the same number everywhere.
struct Expectation {
  Pending<int32_t> result;
  int32_t value;
};

void expectAll(std::vector<Expectation> &all) {
  for (Expectation &each : all)
    for (int32_t value : std::move(each.result).wait())
      Wrong += value != each.value;
  all.clear();
}

void communicate(const Device &device, const Communicator &rank,
                 uint32_t rounds) {
  std::mt19937 same(1); // on all ranks
  std::mt19937 own(rank.rank().number + 2);
  std::vector<Stream> streams;
  for (int n = 0; n < 4; ++n)
    streams.emplace_back(device);
  std::vector<Expectation> waiting;
  auto me = static_cast<int32_t>(rank.rank().number);
  constexpr int32_t sum = 6; // of all ranks' numbers
  for (uint32_t round = 0; round < rounds; ++round) {
    std::size_t count = 4 * (1 + same() % 64);
    uint32_t what = same() % 6;
    Stream &stream = streams[own() % streams.size()];
    auto x =
        DeviceBuffer<int32_t>::from(stream, std::vector<int32_t>(count, me));
    auto y = DeviceBuffer<int32_t>::uninitialised(device, count);
    switch (what) {
    case 0:
      rank.all_reduce(stream, x, y, reduce::sum);
      waiting.push_back({y.download(stream), sum});
      break;
    case 1:
      rank.all_reduce(stream, x, reduce::max);
      waiting.push_back({x.download(streams[own() % 4]), Ranks - 1});
      break;
    case 2:
      rank.broadcast(stream, x, Rank{uint32_t(same() % Ranks)});
      waiting.push_back({x.download(stream), -1});
      break;
    case 3:
      rank.reduce_scatter(stream, x, y.out(0, count / 4), reduce::sum);
      rank.all_gather(streams[own() % 4], y.in(0, count / 4), x);
      waiting.push_back({x.download(stream), sum});
      break;
    case 4:
      rank.exchange(stream, x, Rank{(rank.rank().number + 1) % Ranks}, y,
                    Rank{(rank.rank().number + Ranks - 1) % Ranks});
      waiting.push_back(
          {y.download(stream), (me + int32_t(Ranks) - 1) % int32_t(Ranks)});
      break;
    default:
      rank.barrier(stream);
    }
    // The root of a broadcast is not known here any more; whoever it was, all
    // elements are one rank's.
    if (what == 2) {
      auto result = std::move(waiting.back().result).wait();
      waiting.pop_back();
      for (int32_t value : result)
        Wrong += value != result[0] || value < 0 || value >= int32_t(Ranks);
    }
    if (own() % 8 == 0)
      expectAll(waiting);
    ++Done;
  }
  expectAll(waiting);
}

void disturb(const Device &device, uint32_t rounds, uint32_t seed) {
  std::mt19937 own(seed);
  Stream stream(device);
  for (uint32_t round = 0; round < rounds; ++round) {
    auto value = static_cast<int32_t>(own());
    auto x = DeviceBuffer<int32_t>::from(
        stream, std::vector<int32_t>(1 + own() % 100, value));
    if (own() % 2)
      for (int32_t each : x.download(stream).wait())
        Wrong += each != value;
    ++Done;
  }
}

} // namespace

int main(int argc, char **argv) {
  auto rounds = static_cast<uint32_t>(argc > 1 ? std::stoul(argv[1]) : 100);
  std::vector<Device> devices;
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    devices.emplace_back(static_cast<int>(rank));
  std::vector<Communicator> ranks = Communicator::all(devices);
  std::vector<std::jthread> threads;
  for (uint32_t rank = 0; rank < Ranks; ++rank) {
    threads.emplace_back([&, rank, mine = std::move(ranks[rank])] {
      communicate(devices[rank], mine, rounds);
    });
    threads.emplace_back([&, rank] { disturb(devices[rank], rounds, rank); });
  }
  threads.clear();
  std::printf("%llu operations, %llu wrong, dropped error %d\n",
              static_cast<unsigned long long>(Done.load()),
              static_cast<unsigned long long>(Wrong.load()),
              take_dropped_error());
  return Wrong != 0;
}
